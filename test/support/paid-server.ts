import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { idsOf, type PaidTicket, withOrders } from './paid.ts'
import { startDashboard } from './people/dashboard.ts'
import { seller } from './people/organizer.ts'

const standard: PaidTicket = { type: 'Standard', price: 5000, rate: 1900 }
const free: PaidTicket = { type: 'Free', price: 0 }

/** Starts a server with an order of two tickets, one of one ticket and one that costs nothing, of which receipts can be made. */
export async function startPaid(
  t: TestContext,
  changes: object = {},
  tickets: readonly PaidTicket[] = [standard, standard],
) {
  const server = await startDashboard(
    t,
    withOrders(
      [
        { reference: 'A', tickets, changes },
        { reference: 'B', tickets: [standard] },
        { reference: 'F', tickets: [free] },
      ],
      {
        event: {
          ...{ starts_at: '2026-12-01T09:00:00Z', ends_at: '2026-12-02T18:00:00Z' },
          ...{ status: 'published', visibility: 'public' },
        },
      },
    ) as never,
  )
  const { db, accountId, clock, visitor } = server
  await db.write(accountId, tx => accounts.update(tx, { ...seller, slug: 'ada' }))
  const { secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )) as { secret: string }
  const orderOf = async (reference: string) => {
    const { id } = await idsOf(db, reference)
    return db.read(accountId, tx => orders.getDetails(tx, id))
  }
  const pathOf = async (reference: string) => orderUrl({ baseUrl: '', secret }, await orderOf(reference))
  const pay = async (reference: string) => {
    const { id: orderId, amount_total: amount } = await orderOf(reference)
    const paid = { orderId, paymentId: `pay-${reference}`, amount, at: clock(), method: 'transfer' }
    return db.write(accountId, async tx => {
      const receipt = (await receipts.issue(tx, paid)) as Receipt
      const credit = await receipts.credit(tx, { ...paid, refundId: reference, amount: 1000 })
      return [receipt, credit as Receipt] as const
    })
  }
  return { ...server, browser: visitor(), orderOf, pathOf, pay }
}
