import type { ReadTx } from '../db/port.ts'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { listByOrder } from './rules.ts'
import type { Payment } from './schemas.ts'

/** What is to be paid at the door, with the order that it is for. */
export interface DueAtDoor {
  payment: Payment
  order: Order
}

/** What the holder of a ticket pays when they arrive; undefined where it is not that. @param ticketId of any account */
export async function findDueAtDoor(
  tx: ReadTx,
  accountId: string,
  ticketId: string,
): Promise<DueAtDoor | undefined> {
  const found = await orders.findTicket(tx, ticketId)
  if (found === undefined || found.accountId !== accountId) return undefined
  const order = await orders.get(tx, accountId, found.orderId)
  if (order.waits_for !== 'payment') return undefined
  const payments = await listByOrder(tx, accountId, order.id)
  const payment = payments.find(({ method, ended_at }) => method === 'door' && ended_at === null)
  return payment && { payment, order }
}
