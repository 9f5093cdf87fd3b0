import type { WriteTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as store from './refund-store.ts'

/** The trouble of a refund that was dropped as its money went back by one that was made at the processor. */
export const MADE_THERE = 'made_there'

/** Takes as much from the parts of tickets as one payment refunds, and leaves the rest in `parts`. @returns JSON; null for none */
export function takeParts(parts: Map<string, number>, amount: number): string | null {
  const taken: Record<string, number> = {}
  let rest = amount
  for (const [id, part] of parts) {
    const some = Math.min(part, rest)
    if (some === 0) continue
    taken[id] = some
    parts.set(id, part - some)
    rest -= some
  }
  return rest === amount ? null : JSON.stringify(taken)
}

/**
 * Cuts refunds that have not been asked for, or did not get through, where a refund that was made at the processor leaves too
 * little of the payment for them: what goes back in all is never more than what was paid.
 *
 * @param made the refund that was made there. It gets the tickets of one that it stands in for
 */
export async function cutExcess(tx: WriteTx, made: store.RefundRow): Promise<void> {
  const { order_id: orderId, payment_id: paymentId } = made
  if (orderId === null || paymentId === null) return
  const entries = await ledger.list(tx, { orderId })
  const paid = entries
    .filter(({ kind, payment_id }) => kind === 'payment' && payment_id === paymentId)
    .reduce((sum, { amount }) => sum + amount, 0)
  const standing = (await store.listByOrder(tx, orderId)).filter(
    ({ status, payment_id }) => status !== 'dropped' && payment_id === paymentId,
  )
  let excess = standing.reduce((sum, { amount }) => sum + amount, 0) - paid
  // Of those that can be cut, the one of that very sum was meant.
  const isMeant = ({ amount }: store.RefundRow) => (amount === made.amount ? 0 : 1)
  const open = standing.filter(row => row.id !== made.id && isOpen(row))
  for (const refund of open.sort((a, b) => isMeant(a) - isMeant(b))) {
    if (excess <= 0) return
    const cut = Math.min(excess, refund.amount)
    excess -= cut
    if (cut === made.amount && cut === refund.amount)
      await store.update(tx, made, { tickets: refund.tickets }, await tx.now())
    await cutTo(tx, refund, refund.amount - cut)
  }
}

/** Tells whether a refund did not get through, or was not asked for yet: nothing of it is under way. */
export function isOpen({ status, call }: store.RefundRow): boolean {
  return status === 'failed' || (status === 'requested' && call === null)
}

/** Leaves a refund so much to give back, in minor units, or drops it if that is nothing. */
export async function cutTo(tx: WriteTx, refund: store.RefundRow, amount: number): Promise<void> {
  const now = await tx.now()
  if (amount === 0) {
    const over = { status: 'dropped', trouble: MADE_THERE, next_look_at: null, ended_at: now } as const
    await store.update(tx, refund, { ...over, call: null }, now)
    return
  }
  const parts = new Map(Object.entries(JSON.parse(refund.tickets ?? '{}') as Record<string, number>))
  const cut = { amount, tickets: takeParts(parts, amount) }
  const isAsked = refund.status === 'requested' && refund.charge_id !== null
  const again = isAsked ? { call: null, trouble: null, looks: 0, next_look_at: tx.clock() } : {}
  await store.update(tx, refund, { ...cut, ...again }, now)
}
