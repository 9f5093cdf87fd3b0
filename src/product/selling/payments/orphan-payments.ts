import type { ReadTx, WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { toIso } from '../time.ts'
import * as store from './orphan-store.ts'
import type { Call, NewRefund, ProcessorRefund } from './processor.ts'

/** What was paid to an account and is of no order here, as an older backup was restored since. Amounts in minor units. */
export interface Orphan {
  /** Where it was paid, as Stripe names it: it can be found there by that. */
  session_id: string
  amount: number
  currency: string
  paid_at: string
  /** `left`: a person has seen to it in another way. */
  state: store.OrphanRow['state']
  /** The code of what stands in its way. */
  trouble: string | null
}

function presentOrphan(row: store.OrphanRow): Orphan {
  const { session_id, amount, currency, paid_at, state, trouble } = row
  return { session_id, amount, currency, paid_at: toIso(paid_at), state, trouble }
}

/** Lists what was found. Found again, nothing changes. @returns whether it is new */
export async function note(
  tx: WriteTx,
  accountId: string,
  found: { sessionId: string; chargeId: string | null; amount: number; currency: string; paidAt: number },
): Promise<boolean> {
  const row: store.OrphanRow = {
    ...{ account_id: accountId, session_id: found.sessionId, charge_id: found.chargeId },
    ...{ amount: found.amount, currency: found.currency, paid_at: found.paidAt },
    ...{ state: 'found', refund_id: null, call: null, trouble: null },
  }
  return (await store.insert(tx, row, await tx.now())) > 0
}

/** Those that are not seen to yet, the oldest first. */
export async function listOpen(tx: ReadTx, accountId: string, limit: number): Promise<Orphan[]> {
  return (await store.listOpen(tx, accountId, limit)).map(presentOrphan)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, sessionId: string): Promise<Orphan> {
  const row = await store.find(tx, accountId, sessionId)
  if (row === undefined) throw new Problem('not_found')
  return presentOrphan(row)
}

/** Has it go back, by the word of a person. @throws Problem not_found; refund_ended for one that is seen to, or being refunded */
export function requestRefund(tx: WriteTx, accountId: string, sessionId: string): Promise<Orphan> {
  return change(tx, accountId, sessionId, 'refund_requested')
}

/** A person has seen to it in another way. @throws Problem not_found; refund_ended */
export function leave(tx: WriteTx, accountId: string, sessionId: string): Promise<Orphan> {
  return change(tx, accountId, sessionId, 'left')
}

async function change(
  tx: WriteTx,
  accountId: string,
  sessionId: string,
  state: 'refund_requested' | 'left',
): Promise<Orphan> {
  const was = await store.find(tx, accountId, sessionId)
  if (was === undefined) throw new Problem('not_found')
  if (was.state !== 'found') throw new Problem('refund_ended')
  await store.update(tx, was, { state, trouble: null }, await tx.now())
  return presentOrphan({ ...was, state, trouble: null })
}

/** A refund that was asked for, as the processor needs it. */
export interface Requested {
  sessionId: string
  refund: NewRefund
  call: Call | undefined
}

/** Those that are to be refunded, for who asks the processor. */
export async function listRequested(tx: ReadTx, accountId: string, limit: number): Promise<Requested[]> {
  const rows = await store.listOpen(tx, accountId, limit)
  return rows
    .filter(({ state, charge_id }) => state === 'refund_requested' && charge_id !== null)
    .map(({ session_id: sessionId, charge_id, amount, currency, call }) => ({
      sessionId,
      // Its session is its only name.
      refund: { refundId: sessionId, paymentId: null, chargeId: charge_id as string, amount, currency },
      call: call === null ? undefined : (JSON.parse(call) as Call),
    }))
}

/** What became of a refund that was asked for. */
export type Refunding = { call: Call | null } | { facts: ProcessorRefund } | { refusedFor: string }

/** Writes down what became of a refund; one that failed is for a person again. */
export async function noteRefund(
  tx: WriteTx,
  accountId: string,
  sessionId: string,
  became: Refunding,
): Promise<void> {
  const was = await store.find(tx, accountId, sessionId)
  if (was === undefined || was.state === 'left') return
  await store.update(tx, was, changesOf(became), await tx.now())
}

function changesOf(became: Refunding): store.OrphanChanges {
  if ('call' in became) return { call: became.call === null ? null : JSON.stringify(became.call) }
  if ('refusedFor' in became) {
    // Somebody has done it at the processor.
    if (became.refusedFor === 'charge_already_refunded') return { state: 'refunded', trouble: null }
    return { state: 'found', call: null, trouble: became.refusedFor }
  }
  const { id, state } = became.facts
  if (state === 'failed') return { state: 'found', call: null, trouble: 'refund_failed' }
  return { state: 'refunded', refund_id: id, trouble: null }
}
