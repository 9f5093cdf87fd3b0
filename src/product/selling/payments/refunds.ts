import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { hasProcessor, type ProcessorRefund } from './processor.ts'
import { listRefundSources, type RefundSource } from './refund-limit.ts'
import * as store from './refund-store.ts'
import { presentRefund, type Refund } from './schemas.ts'

/** What money goes back for: an order, or a registration without one. */
type Goal = { orderId: string; registrationId?: undefined } | { orderId?: undefined; registrationId: string }

/** Money that is to go back. */
export type Wanted = Goal & {
  eventId: string
  currency: string
  /** Minor units. */
  amount: number
  reason: store.RefundReason
  /** A note of the organizer, which only the organizer sees. */
  note?: string | null
  /** If given, only the payment with this ledger id is refunded. */
  entryId?: string
  /** The part of each ticket that it is for, in minor units. */
  tickets?: ReadonlyMap<string, number>
  /** If given, only the payment with this id of ours is refunded. */
  paymentId?: string | undefined
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Refund> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return presentRefund(row)
}

/** Returns the account of a refund, for the command line, which names no account. @throws Problem not_found */
export async function findOwner(tx: InstanceReadTx, id: string): Promise<string> {
  const row = await store.findOwner(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row.account_id
}

/** Returns the refunds of an order, the oldest first. */
export async function listByOrder(tx: ReadTx, orderId: string): Promise<Refund[]> {
  return (await store.listByOrder(tx, orderId)).map(presentRefund)
}

/** Returns the refunds that have not gone back yet, the newest first. */
export async function listOwed(tx: ReadTx, limit: number): Promise<Refund[]> {
  return (await store.listOwed(tx, limit)).map(presentRefund)
}

/**
 * Returns the refunds that have not gone back and that somebody has to see to, the newest first.
 *
 * @param eventIds limits them to these events; null for all
 */
export async function listToPayBack(
  tx: ReadTx,
  eventIds: readonly string[] | null,
  limit: number,
): Promise<Refund[]> {
  return (await store.listToPayBack(tx, eventIds, limit)).map(presentRefund)
}

/** Returns what can still go back of an order, in minor units. It excludes what is already requested or owed. */
export async function leftOf(tx: ReadTx, orderId: string, paymentId?: string): Promise<number> {
  return (await listRefundSources(tx, { orderId }))
    .filter(source => paymentId === undefined || source.paymentId === paymentId)
    .reduce((sum, { left }) => sum + left, 0)
}

/**
 * Requests that money goes back: by the processor it came by, or else by hand, of the newest payment first.
 *
 * @returns the refunds that it made, one for each payment
 * @throws Problem refund_too_large with `details.left`
 */
export async function request(tx: WriteTx, wanted: Wanted): Promise<Refund[]> {
  const { orderId, registrationId } = wanted
  const of = orderId === undefined ? { registrationId } : { orderId }
  return requestFrom(tx, wanted, await listRefundSources(tx, of))
}

/** Does the same as `request`. @param all the sources that it can take from, as they were read in this transaction */
export async function requestFrom(
  tx: WriteTx,
  wanted: Wanted,
  all: readonly RefundSource[],
): Promise<Refund[]> {
  const { orderId, registrationId, eventId, amount, reason, note = null, entryId, paymentId } = wanted
  const sources = all.filter(
    source =>
      (entryId === undefined || source.entryId === entryId) &&
      (paymentId === undefined || source.paymentId === paymentId),
  )
  const left = sources.reduce((sum, source) => sum + source.left, 0)
  if (amount > left) throw new Problem('refund_too_large', { details: { left } })
  const made: Refund[] = []
  let rest = amount
  const parts = new Map(wanted.tickets)
  for (const source of sources) {
    const part = Math.min(rest, source.left)
    if (part === 0) break
    rest -= part
    const isOnline = hasProcessor(source.method)
    const row: store.RefundRow = {
      ...{
        id: newUuid(),
        account_id: tx.accountId,
        event_id: eventId,
        order_id: orderId ?? null,
        registration_id: registrationId ?? null,
        tickets: takeParts(parts, part),
      },
      ...{ payment_id: source.paymentId, method: source.method, charge_id: isOnline ? source.entryId : null },
      ...{
        status: 'requested',
        currency: source.currency,
        amount: part,
        reason,
        note,
        processor_id: null,
        call: null,
      },
      ...{ next_look_at: isOnline ? tx.clock() : null, looks: 0, trouble: null, ended_at: null },
      created_at: await tx.now(),
    }
    await store.insert(tx, row)
    made.push(presentRefund(row))
  }
  return made
}

/** Takes as much from the parts of tickets as one payment refunds. @returns JSON; null for none */
function takeParts(parts: Map<string, number>, amount: number): string | null {
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
 * Stores what the processor says of a refund. A refund that was made at the processor is taken over if its payment is ours, and
 * its tickets stay as they are.
 *
 * @returns the refund as it is now; undefined if it belongs to no payment of ours, or if nothing has changed
 */
export async function note(
  tx: WriteTx,
  method: 'test' | 'stripe',
  facts: ProcessorRefund,
  payment: { id: string; event_id: string; order_id: string } | undefined,
): Promise<Refund | undefined> {
  const was = await store.findNotified(tx, facts)
  if (was !== undefined) return settle(tx, was, facts)
  // This is a try of ours that has failed and was given up.
  const isGivenUp = facts.refundId !== null && facts.state === 'failed'
  if (payment === undefined || isGivenUp) return undefined
  const row: store.RefundRow = {
    ...{ id: newUuid(), account_id: tx.accountId, event_id: payment.event_id, order_id: payment.order_id },
    ...{ registration_id: null, payment_id: payment.id, method, charge_id: facts.chargeId },
    ...{
      status: 'requested',
      currency: facts.currency,
      amount: facts.amount,
      reason: 'processor',
      note: null,
      tickets: null,
    },
    ...{ processor_id: facts.id, call: null, next_look_at: null, looks: 0, trouble: null, ended_at: null },
    created_at: await tx.now(),
  }
  await store.insert(tx, row)
  return settle(tx, row, facts)
}

const STATES = {
  pending: 'pending',
  requires_action: 'requires_action',
  done: 'done',
  failed: 'failed',
} as const
/** How long until a refund on its way is asked for again if no event comes before, in milliseconds. */
const ON_ITS_WAY = 60 * 60 * 1000

async function settle(
  tx: WriteTx,
  was: store.RefundRow,
  facts: ProcessorRefund,
): Promise<Refund | undefined> {
  const status = STATES[facts.state]
  if (was.status === status && was.processor_id === facts.id) {
    if (was.next_look_at !== null)
      await store.update(tx, was, { next_look_at: nextDueAt(status, tx.clock()), looks: 0 }, await tx.now())
    return undefined
  }
  const isFinal = status === 'done' || status === 'failed'
  const changes = {
    status,
    processor_id: facts.id,
    trouble: status === 'failed' ? 'failed' : null,
    next_look_at: nextDueAt(status, tx.clock()),
    looks: 0,
    ended_at: isFinal ? await tx.now() : null,
  }
  await store.update(tx, was, changes, await tx.now())
  const refund = { ...was, ...changes }
  if (status === 'done') {
    await record(tx, refund, 'refund', facts.id, facts.at)
    await credit(tx, refund, facts.at)
  }
  // The money is back with the organizer, so it is still owed to the buyer.
  if (status === 'failed' && was.status === 'done') {
    await record(tx, refund, 'refund_reversal', facts.id, tx.clock())
    await receipts.cancelCredit(tx, was.id, tx.clock())
  }
  return presentRefund(refund)
}

function nextDueAt(status: store.RefundRow['status'], now: number): number | null {
  return status === 'pending' || status === 'requires_action' ? now + ON_ITS_WAY : null
}

/** Money for these reasons went straight back, so no receipt includes it. */
const WITHOUT_RECEIPT: readonly store.RefundReason[] = ['late', 'twice', 'excess', 'line_cancelled', 'orphan']

/** Makes the credit note of a completed refund. */
async function credit(tx: WriteTx, row: store.RefundRow, at: number): Promise<void> {
  const { id: refundId, order_id: orderId, payment_id: paymentId, amount } = row
  if (orderId === null || paymentId === null || WITHOUT_RECEIPT.includes(row.reason)) return
  const tickets = row.tickets === null ? undefined : Object.keys(JSON.parse(row.tickets) as object)
  await receipts.credit(tx, { orderId, paymentId, refundId, amount, at, tickets })
}

async function record(
  tx: WriteTx,
  row: store.RefundRow,
  kind: 'refund' | 'refund_reversal',
  entryId: string,
  at: number,
): Promise<void> {
  await ledger.record(tx, {
    eventId: row.event_id,
    of: row.order_id === null ? { registrationId: row.registration_id as string } : { orderId: row.order_id },
    ...{ kind, entryId, at, amount: row.amount, currency: row.currency, method: row.method },
    ...{ paymentId: row.payment_id, refundId: row.id },
  })
}

/**
 * Notes that a member has paid money back by hand.
 *
 * @throws Problem not_found; refund_ended if it is done; refund_under_way if a processor is asked for it
 */
export async function markPaidBack(tx: WriteTx, id: string): Promise<Refund> {
  const was = await store.find(tx, id)
  if (was === undefined) throw new Problem('not_found')
  if (was.status === 'done') throw new Problem('refund_ended')
  const isUnderWay = was.charge_id !== null && was.status !== 'failed'
  if (isUnderWay) throw new Problem('refund_under_way')
  const now = await tx.now()
  // Later news from the processor about its failed try must not match this refund.
  const untried = { processor_id: null, call: null }
  const changes = { ...untried, status: 'done', trouble: null, next_look_at: null, ended_at: now } as const
  await store.update(tx, was, changes, now)
  // The entry needs another id than that of a failed try of the processor.
  await record(tx, was, 'refund', was.id, tx.clock())
  await credit(tx, was, tx.clock())
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
