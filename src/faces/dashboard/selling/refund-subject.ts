import { Problem } from '#base/problem.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Refund } from '#product/selling/payments/schemas.ts'

/** The buyer whose money a refund returns, and the address that shows it. */
export interface RefundSubject {
  name: string
  href: string
}

/** @returns undefined if the order or registration is gone. Money paid for a deleted order is owed back all the same. */
export async function findSubject(
  tx: ReadTx,
  { order_id, registration_id, event_id }: Refund,
): Promise<RefundSubject | undefined> {
  try {
    if (order_id === null) {
      const { id, buyer } = await registrations.get(tx, registration_id as string)
      return { name: buyer.name, href: paths.guest(event_id, id) }
    }
    const { id, buyer, reference } = await orders.get(tx, order_id)
    return { name: `${buyer.name} · ${reference}`, href: paths.order(event_id, id) }
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}
