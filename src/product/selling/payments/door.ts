import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import { lackingOf, listByOrder } from './rules.ts'
import type { Payment } from './schemas.ts'
import * as store from './store.ts'

/** What is to be paid at the door, with the order that it is for. */
export interface DueAtDoor {
  payment: Payment
  order: Order
}

/**
 * Returns what the holder of a ticket pays on arrival, or undefined if the order is not paid at the door.
 *
 * @param ticketId of any account
 */
export async function findDueAtDoor(tx: ReadTx, ticketId: string): Promise<DueAtDoor | undefined> {
  const orderId = await orders.findOrderIdOf(tx, ticketId)
  if (orderId === undefined) return undefined
  const order = await orders.get(tx, orderId)
  if (order.waits_for !== 'payment') return undefined
  const payments = await listByOrder(tx, order.id)
  const payment = payments.find(({ method, ended_at }) => method === 'door' && ended_at === null)
  return payment && { payment, order }
}

/** What an order is to pay at the door, for all of its tickets. */
export interface DoorDue {
  /** Minor units. */
  amount: number
  currency: string
  /** The reference of the order. */
  reference: string
}

/**
 * Returns what the orders of these tickets are to pay at the door, by registration. Others have no entry. Without a ticket nothing
 * is read.
 */
export async function readDueAtDoor(
  reader: Reader,
  accountId: string,
  tickets: readonly { registration_id: string }[],
): Promise<ReadonlyMap<string, DoorDue>> {
  if (tickets.length === 0) return new Map()
  const ids = [...new Set(tickets.map(({ registration_id: id }) => id))]
  const rows = await reader.read(accountId, tx => store.listDueAtDoor(tx, ids))
  return new Map(
    rows.map(({ registration_id: id, currency, reference, ...payment }) => [
      id,
      { amount: lackingOf({ ...payment, ended_at: null }), currency, reference },
    ]),
  )
}
