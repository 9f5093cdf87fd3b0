import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { hasProcessor, type ProcessorRefund } from './processor.ts'
import { creditRefund, recordRefund } from './refund-books.ts'
import { cutExcess, isOpen, takeParts } from './refund-cut.ts'
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

/**
 * Stores what the processor says of a refund. A refund that was made at the processor is taken over if its payment is ours, and
 * its tickets stay as they are. If it is just what a refund that did not get through was to give back, it is that one.
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
  const open = payment && (await findOpen(tx, payment, facts))
  if (open !== undefined) return settle(tx, open, facts)
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
  await cutExcess(tx, row)
  return settle(tx, (await store.find(tx, row.id)) as store.RefundRow, facts)
}

/** Finds the refund of that amount that did not get through before somebody made this one at the processor. */
async function findOpen(
  tx: ReadTx,
  payment: { id: string; order_id: string },
  { refundId, state, amount, at }: ProcessorRefund,
): Promise<store.RefundRow | undefined> {
  if (refundId !== null || state === 'failed') return undefined
  return (await store.listByOrder(tx, payment.order_id)).find(
    row =>
      row.payment_id === payment.id &&
      row.amount === amount &&
      isOpen(row) &&
      (row.status === 'failed' || row.trouble !== null) &&
      row.created_at <= at + store.CLOCKS_PART,
  )
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
    trouble: status === 'failed' ? (facts.failedFor ?? 'failed') : null,
    next_look_at: nextDueAt(status, tx.clock()),
    looks: 0,
    ended_at: isFinal ? await tx.now() : null,
  }
  await store.update(tx, was, changes, await tx.now())
  const refund = { ...was, ...changes }
  if (status === 'done') {
    await recordRefund(tx, refund, 'refund', facts.id, facts.at)
    await creditRefund(tx, refund, facts.at)
  }
  // The money is back with the organizer, so it is still owed to the buyer.
  if (status === 'failed' && was.status === 'done') {
    await recordRefund(tx, refund, 'refund_reversal', facts.id, tx.clock())
    await receipts.cancelCredit(tx, was.id, tx.clock())
  }
  return presentRefund(refund)
}

function nextDueAt(status: store.RefundRow['status'], now: number): number | null {
  return status === 'pending' || status === 'requires_action' ? now + ON_ITS_WAY : null
}
