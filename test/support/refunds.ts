import { INSTANCE } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { readRefundable } from '#product/selling/payments/refundable.ts'
import { type Refunding, refund } from '#product/selling/payments/refunding.ts'
import type { Shop } from './payments.ts'

/** A refund has these values unless the test gives others. */
const PLAIN = { ticketIds: [], amount: 0, reason: 'organizer', note: null, isNotified: false } as const

/** Asks for money back in a shop, and settles. */
export function refundsOf({ db, accountId, reconciler, get }: Shop) {
  const ask = (of: ledger.LedgerSubject, wanted: Partial<Refunding>) =>
    db.write(accountId, tx => refund(tx, of, { ...PLAIN, ...wanted }))
  const refundable = (of: ledger.LedgerSubject) => db.read(accountId, tx => readRefundable(tx, of))
  const ticketsOf = async (orderId: string) =>
    (await get(orderId)).registrations.flatMap(({ attendees }) => attendees.map(({ id }) => id))
  /** Returns the state of each line of an order, and what is refunded for it. */
  const linesOf = (orderId: string) =>
    db.read(INSTANCE, async tx => {
      const rows = await tx.all<{ status: string; refunded_amount: number | null }>(
        'SELECT status, refunded_amount FROM registrations WHERE order_id = $1 ORDER BY created_at, id',
        [orderId],
      )
      return rows.map(({ status, refunded_amount }) => [status, refunded_amount])
    })
  const balance = async (of: ledger.LedgerSubject) =>
    ledger.balanceOf(await db.read(accountId, tx => ledger.list(tx, of)))
  return { ask, refundable, ticketsOf, linesOf, balance, settle: () => reconciler.settle() }
}
