import type { ReadTx } from '../db/port.ts'
import * as orders from '../orders/rules.ts'
import type { Refund } from '../payments/schemas.ts'
import { Problem } from '../problem.ts'
import * as registrations from '../registrations/rules.ts'
import { paths } from './paths.ts'

/** Whose money a refund is, and where that is shown. */
export interface RefundSubject {
  name: string
  href: string
}

/** @returns undefined where what it is of is not here: what was paid for an order that is gone is owed back all the same */
export async function findSubject(
  tx: ReadTx,
  accountId: string,
  { order_id, registration_id, event_id }: Refund,
): Promise<RefundSubject | undefined> {
  try {
    if (order_id === null) {
      const { id, buyer } = await registrations.get(tx, accountId, registration_id as string)
      return { name: buyer.name, href: paths.guest(event_id, id) }
    }
    const { id, buyer, reference } = await orders.get(tx, accountId, order_id)
    return { name: `${buyer.name} · ${reference}`, href: paths.order(event_id, id) }
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}
