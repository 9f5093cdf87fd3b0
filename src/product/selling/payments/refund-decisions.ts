import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { creditRefund, recordRefund } from './refund-books.ts'
import * as store from './refund-store.ts'
import { isOwed, presentRefund, type Refund } from './schemas.ts'

/**
 * Notes that a member has paid money back by hand.
 *
 * @throws Problem not_found; refund_ended if it is done; refund_under_way if a processor is asked for it
 */
export async function markPaidBack(tx: WriteTx, id: string): Promise<Refund> {
  const was = await store.find(tx, id)
  if (was === undefined) throw new Problem('not_found')
  if (!isOwed(was)) throw new Problem('refund_ended')
  const isUnderWay = was.charge_id !== null && was.status !== 'failed'
  if (isUnderWay) throw new Problem('refund_under_way')
  const now = await tx.now()
  // Later news from the processor about its failed try must not match this refund.
  const untried = { processor_id: null, call: null }
  const changes = { ...untried, status: 'done', trouble: null, next_look_at: null, ended_at: now } as const
  await store.update(tx, was, changes, now)
  // The entry needs another id than that of a failed try of the processor.
  await recordRefund(tx, was, 'refund', was.id, tx.clock())
  await creditRefund(tx, was, tx.clock())
  return presentRefund({ ...was, ...changes })
}

/**
 * Asks the processor once more for a refund that is stuck or failed.
 *
 * @throws Problem not_found, refund_under_way, refund_ended
 */
export async function retry(tx: WriteTx, id: string): Promise<Refund> {
  const was = await store.find(tx, id)
  if (was === undefined) throw new Problem('not_found')
  if (!isOwed(was) || was.charge_id === null) throw new Problem('refund_ended')
  const isStuck = was.status === 'failed' || was.trouble !== null
  if (!isStuck) throw new Problem('refund_under_way')
  const again = { status: 'requested', processor_id: null, call: null, ended_at: null } as const
  const changes = {
    ...(was.status === 'failed' ? again : {}),
    ...{ trouble: null, looks: 0, next_look_at: tx.clock() },
  }
  await store.update(tx, was, changes, await tx.now())
  return presentRefund({ ...was, ...changes })
}

/** Tells whether a refund may be dropped: it is to be paid by hand, or no processor is asked for it. */
export function mayDrop(refund: Refund): boolean {
  if (!isOwed(refund)) return false
  const { status, trouble, is_by_hand: isByHand } = refund
  // Disputed money is not asked for.
  return isByHand || status === 'failed' || (status === 'requested' && trouble === 'disputed')
}

/**
 * Ends a refund that is not to go back after all. Its tickets stay void, and its money can be refunded again.
 *
 * @throws Problem not_found; refund_ended if it is done or dropped; refund_under_way if a processor is asked for it
 */
export async function drop(tx: WriteTx, id: string): Promise<Refund> {
  const was = await store.find(tx, id)
  if (was === undefined) throw new Problem('not_found')
  if (!isOwed(was)) throw new Problem('refund_ended')
  if (!mayDrop(presentRefund(was))) throw new Problem('refund_under_way')
  const now = await tx.now()
  const untried = { processor_id: null, call: null }
  const changes = { ...untried, status: 'dropped', trouble: null, next_look_at: null, ended_at: now } as const
  await store.update(tx, was, changes, now)
  return presentRefund({ ...was, ...changes })
}
