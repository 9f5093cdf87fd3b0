import { Problem } from '#base/problem.ts'
import { toIso } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as store from './orphan-payment-store.ts'
import { type Call, isStored, type NewRefund, type ProcessorRefund, readCall } from './processor.ts'

/**
 * A payment to an account that belongs to no order here, because an older backup was restored since. Amounts are in minor units.
 */
export interface OrphanPayment {
  /** The id of the session at Stripe, by which a person finds the payment there. */
  session_id: string
  amount: number
  currency: string
  paid_at: string
  /** `left`: a person has dealt with it in another way. */
  state: store.OrphanPaymentRow['state']
  /** The code of what stands in its way. */
  trouble: string | null
}

function presentOrphanPayment(row: store.OrphanPaymentRow): OrphanPayment {
  const { session_id, amount, currency, paid_at, state, trouble } = row
  return { session_id, amount, currency, paid_at: toIso(paid_at), state, trouble }
}

/** Stores an orphan payment. If it is known already, nothing changes. @returns whether it is new */
export async function note(
  tx: WriteTx,
  found: { sessionId: string; chargeId: string | null; amount: number; currency: string; paidAt: number },
): Promise<boolean> {
  const row: store.OrphanPaymentRow = {
    ...{ account_id: tx.accountId, session_id: found.sessionId, charge_id: found.chargeId },
    ...{ amount: found.amount, currency: found.currency, paid_at: found.paidAt },
    ...{ state: 'found', refund_id: null, call: null, trouble: null },
  }
  return (await store.insert(tx, row, await tx.now())) > 0
}

/** Returns those that nobody has dealt with yet, the oldest first. */
export async function listOpen(tx: ReadTx, limit: number): Promise<OrphanPayment[]> {
  return (await store.listOpen(tx, limit)).map(presentOrphanPayment)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, sessionId: string): Promise<OrphanPayment> {
  const row = await store.find(tx, sessionId)
  if (row === undefined) throw new Problem('not_found')
  return presentOrphanPayment(row)
}

/**
 * Requests its refund, on the decision of a person.
 *
 * @throws Problem not_found; refund_ended for one that is dealt with or being refunded
 */
export function requestRefund(tx: WriteTx, sessionId: string): Promise<OrphanPayment> {
  return change(tx, sessionId, 'refund_requested')
}

/** Notes that a person has dealt with it in another way. @throws Problem not_found; refund_ended */
export function leave(tx: WriteTx, sessionId: string): Promise<OrphanPayment> {
  return change(tx, sessionId, 'left')
}

async function change(
  tx: WriteTx,
  sessionId: string,
  state: 'refund_requested' | 'left',
): Promise<OrphanPayment> {
  const was = await store.find(tx, sessionId)
  if (was === undefined) throw new Problem('not_found')
  if (was.state !== 'found') throw new Problem('refund_ended')
  await store.update(tx, was, { state, trouble: null }, await tx.now())
  return presentOrphanPayment({ ...was, state, trouble: null })
}

/** A refund that was requested, as the processor needs it. */
export interface Requested {
  sessionId: string
  refund: NewRefund
  call: Call | undefined
}

/** Returns the refunds that the processor still has to be asked for. */
export async function listRequested(tx: ReadTx, limit: number): Promise<Requested[]> {
  const rows = await store.listOpen(tx, limit)
  return rows
    .filter(({ state, charge_id }) => state === 'refund_requested' && charge_id !== null)
    .map(({ session_id: sessionId, charge_id, amount, currency, call }) => ({
      sessionId,
      // The session's id is the only id that it has.
      refund: { refundId: sessionId, paymentId: null, chargeId: charge_id as string, amount, currency },
      call: readCall(call),
    }))
}

/**
 * Stores the call that refunds it, before it is sent.
 *
 * @returns the call to send, which is another server's if that was stored first; undefined if there is nothing to refund any more
 */
export async function keepCall(tx: WriteTx, sessionId: string, made: Call): Promise<Call | undefined> {
  const was = await store.find(tx, sessionId)
  if (was?.state !== 'refund_requested') return undefined
  const kept = readCall(was.call) ?? made
  if (kept === made) await store.update(tx, was, { call: JSON.stringify(made) }, await tx.now())
  return kept
}

/** Stores what became of a call: that it was never carried out, or that its key is spent. */
export async function noteCall(
  tx: WriteTx,
  sessionId: string,
  sent: Call,
  became: Call | null,
): Promise<void> {
  const was = await store.find(tx, sessionId)
  if (was === undefined || !isStored(was.call, sent)) return
  await store.update(tx, was, { call: became === null ? null : JSON.stringify(became) }, await tx.now())
}

/** The result of such a refund. */
export type Refunding = { facts: ProcessorRefund } | { refusedFor: string }

/** Stores the result of a refund. After a failure, a person has to decide again. */
export async function noteRefund(tx: WriteTx, sessionId: string, became: Refunding): Promise<void> {
  const was = await store.find(tx, sessionId)
  if (was === undefined || was.state === 'left') return
  await store.update(tx, was, changesOf(became), await tx.now())
}

function changesOf(became: Refunding): store.OrphanPaymentChanges {
  if ('refusedFor' in became) {
    // Somebody has refunded it at the processor.
    if (became.refusedFor === 'charge_already_refunded') return { state: 'refunded', trouble: null }
    return { state: 'found', call: null, trouble: became.refusedFor }
  }
  const { id, state } = became.facts
  if (state === 'failed') return { state: 'found', call: null, trouble: 'refund_failed' }
  return { state: 'refunded', refund_id: id, trouble: null }
}
