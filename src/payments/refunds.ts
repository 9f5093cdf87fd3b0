import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import * as ledger from '../ledger/rules.ts'
import { Problem } from '../problem.ts'
import { hasProcessor, type ProcessorRefund } from './processor.ts'
import * as store from './refund-store.ts'
import { presentRefund, type Refund } from './schemas.ts'

/** Money that is to go back. */
export interface Wanted {
  orderId: string
  eventId: string
  currency: string
  /** Minor units. */
  amount: number
  reason: store.RefundReason
  /** Of the organizer, whom alone it is shown to. */
  note?: string | null
  /** Of this payment alone, as the ledger names it. */
  entryId?: string
}

/** A payment of an order, and what of it has not gone back, nor is on its way, nor was taken by a dispute. */
interface Source {
  entryId: string
  paymentId: string | null
  method: ledger.LedgerMethod
  left: number
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Refund> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return presentRefund(row)
}

/** Of an order, the oldest first. */
export async function listByOrder(tx: ReadTx, accountId: string, orderId: string): Promise<Refund[]> {
  return (await store.listByOrder(tx, accountId, orderId)).map(presentRefund)
}

/** Money that has not gone back yet, the newest first. */
export async function listOwed(tx: ReadTx, accountId: string, limit: number): Promise<Refund[]> {
  return (await store.listOwed(tx, accountId, limit)).map(presentRefund)
}

/** What can still go back of an order, in minor units: what is asked for already is not. */
export async function leftOf(tx: ReadTx, accountId: string, orderId: string): Promise<number> {
  return (await sourcesOf(tx, accountId, orderId)).reduce((sum, { left }) => sum + left, 0)
}

/** The payments of an order that have something left, the newest first. */
async function sourcesOf(tx: ReadTx, accountId: string, orderId: string): Promise<Source[]> {
  const entries = await ledger.list(tx, accountId, { orderId })
  const refunds = await store.listByOrder(tx, accountId, orderId)
  const paid = joined(entries.filter(({ kind }) => kind === 'payment' || kind === 'payment_reversal'))
  const sources = paid.map((payment): Source & { isOnly: boolean } => {
    const isOf = (other: { payment_id: string | null; charge_id?: string | null }) =>
      other.charge_id === payment.entry_id ||
      (other.payment_id !== null && other.payment_id === payment.payment_id)
    const isOnly = paid.length === 1
    const disputed = entries
      .filter(entry => entry.kind.startsWith('dispute') && !entry.kind.startsWith('dispute_fee'))
      .filter(entry => isOnly || entry.payment_id === payment.payment_id)
      .reduce((sum, { amount }) => sum - amount, 0)
    const back = refunds
      .filter(refund => refund.status !== 'failed' && (isOnly || isOf(refund)))
      .reduce((sum, { amount }) => sum + amount, 0)
    return {
      entryId: payment.entry_id,
      paymentId: payment.payment_id,
      method: payment.method,
      left: Math.max(0, payment.amount - disputed - back),
      isOnly,
    }
  })
  return sources.filter(({ left }) => left > 0).reverse()
}

/** What came in parts for one payment, by hand, goes back as one, without what was taken back. */
function joined(paid: readonly ledger.Entry[]): ledger.Entry[] {
  const all: ledger.Entry[] = []
  for (const entry of paid) {
    const { payment_id: id, method, amount } = entry
    const at = all.findIndex(other => id !== null && other.payment_id === id && !hasProcessor(method))
    const before = all[at]
    if (before === undefined) all.push(entry)
    else all[at] = { ...entry, amount: before.amount + amount }
  }
  return all
}

/**
 * Has money go back: by the processor it came by, where there is one, else by hand. What was paid by several payments goes back to
 * the newest first.
 *
 * @returns what was asked for, one a payment
 * @throws Problem refund_too_large with `details.left`
 */
export async function request(tx: WriteTx, accountId: string, wanted: Wanted): Promise<Refund[]> {
  const { orderId, eventId, currency, amount, reason, note = null, entryId } = wanted
  const sources = (await sourcesOf(tx, accountId, orderId)).filter(
    source => entryId === undefined || source.entryId === entryId,
  )
  const left = sources.reduce((sum, source) => sum + source.left, 0)
  if (amount > left) throw new Problem('refund_too_large', { details: { left } })
  const made: Refund[] = []
  let rest = amount
  for (const source of sources) {
    const part = Math.min(rest, source.left)
    if (part === 0) break
    rest -= part
    const isAsked = hasProcessor(source.method)
    const row: store.RefundRow = {
      ...{
        id: newUuid(),
        account_id: accountId,
        event_id: eventId,
        order_id: orderId,
        registration_id: null,
      },
      ...{ payment_id: source.paymentId, method: source.method, charge_id: isAsked ? source.entryId : null },
      ...{ status: 'requested', currency, amount: part, reason, note, processor_id: null, call: null },
      ...{ next_look_at: isAsked ? tx.clock() : null, looks: 0, trouble: null, ended_at: null },
      created_at: await tx.now(),
    }
    await store.insert(tx, row)
    made.push(presentRefund(row))
  }
  return made
}

/**
 * Writes down what the processor says of a refund. One that was made there is taken over, where its payment is ours: the tickets stay as
 * they are.
 *
 * @returns the refund as it is now; undefined where it is of no payment of ours, or nothing has changed
 */
export async function note(
  tx: WriteTx,
  accountId: string,
  method: 'test' | 'stripe',
  facts: ProcessorRefund,
  payment: { id: string; event_id: string; order_id: string } | undefined,
): Promise<Refund | undefined> {
  const was = await findOf(tx, accountId, facts)
  if (was !== undefined) return settle(tx, was, facts)
  if (payment === undefined) return undefined
  const row: store.RefundRow = {
    ...{ id: newUuid(), account_id: accountId, event_id: payment.event_id, order_id: payment.order_id },
    ...{ registration_id: null, payment_id: payment.id, method, charge_id: facts.chargeId },
    ...{
      status: 'requested',
      currency: facts.currency,
      amount: facts.amount,
      reason: 'processor',
      note: null,
    },
    ...{ processor_id: facts.id, call: null, next_look_at: null, looks: 0, trouble: null, ended_at: null },
    created_at: await tx.now(),
  }
  await store.insert(tx, row)
  return settle(tx, row, facts)
}

async function findOf(
  tx: ReadTx,
  accountId: string,
  { id, refundId }: ProcessorRefund,
): Promise<store.RefundRow | undefined> {
  const known = await store.findByProcessor(tx, accountId, id)
  if (known !== undefined || refundId === null) return known
  const own = await store.find(tx, accountId, refundId)
  // A second one under our id is one more that was made there.
  return own?.processor_id === null ? own : undefined
}

const STATES = {
  pending: 'pending',
  requires_action: 'requires_action',
  done: 'done',
  failed: 'failed',
} as const
/** How long until a refund that is on its way is asked for again, in milliseconds, where nobody says so before. */
const ON_ITS_WAY = 60 * 60 * 1000

async function settle(
  tx: WriteTx,
  was: store.RefundRow,
  facts: ProcessorRefund,
): Promise<Refund | undefined> {
  const status = STATES[facts.state]
  if (was.status === status && was.processor_id === facts.id) {
    if (was.next_look_at !== null)
      await store.update(tx, was, { next_look_at: nextLook(status, tx.clock()), looks: 0 }, await tx.now())
    return undefined
  }
  const isEnded = status === 'done' || status === 'failed'
  const changes = {
    status,
    processor_id: facts.id,
    trouble: status === 'failed' ? 'failed' : null,
    next_look_at: nextLook(status, tx.clock()),
    looks: 0,
    ended_at: isEnded ? await tx.now() : null,
  }
  await store.update(tx, was, changes, await tx.now())
  const now = { ...was, ...changes }
  if (status === 'done') await record(tx, now, 'refund', facts.id, facts.at)
  // The money is back at the organizer's: it is owed still.
  if (status === 'failed' && was.status === 'done')
    await record(tx, now, 'refund_reversal', facts.id, tx.clock())
  return presentRefund(now)
}

function nextLook(status: store.RefundRow['status'], now: number): number | null {
  return status === 'pending' || status === 'requires_action' ? now + ON_ITS_WAY : null
}

async function record(
  tx: WriteTx,
  row: store.RefundRow,
  kind: 'refund' | 'refund_reversal',
  entryId: string,
  at: number,
): Promise<void> {
  await ledger.record(tx, row.account_id, {
    eventId: row.event_id,
    of: row.order_id === null ? { registrationId: row.registration_id as string } : { orderId: row.order_id },
    ...{ kind, entryId, at, amount: row.amount, currency: row.currency, method: row.method },
    ...{ paymentId: row.payment_id, refundId: row.id },
  })
}

/**
 * Notes that a member has paid money back by hand.
 *
 * @throws Problem not_found; refund_ended where it is done; refund_under_way where a processor is asked for it
 */
export async function markPaidBack(tx: WriteTx, accountId: string, id: string): Promise<Refund> {
  const was = await store.find(tx, accountId, id)
  if (was === undefined) throw new Problem('not_found')
  if (was.status === 'done') throw new Problem('refund_ended')
  const isAsked = was.charge_id !== null && was.status !== 'failed'
  if (isAsked) throw new Problem('refund_under_way')
  const now = await tx.now()
  const changes = { status: 'done', trouble: null, next_look_at: null, ended_at: now } as const
  await store.update(tx, was, changes, now)
  // Under another id than that of a try of the processor which failed.
  await record(tx, was, 'refund', was.id, tx.clock())
  return presentRefund({ ...was, ...changes })
}

/** Asks the processor once more for money that did not get back. @throws Problem not_found, refund_under_way, refund_ended */
export async function retry(tx: WriteTx, accountId: string, id: string): Promise<Refund> {
  const was = await store.find(tx, accountId, id)
  if (was === undefined) throw new Problem('not_found')
  if (was.status === 'done' || was.charge_id === null) throw new Problem('refund_ended')
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
