import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import * as ledger from '../ledger/rules.ts'
import { Problem } from '../problem.ts'
import * as receipts from '../receipts/rules.ts'
import { hasProcessor, type ProcessorRefund } from './processor.ts'
import * as store from './refund-store.ts'
import { presentRefund, type Refund } from './schemas.ts'
import { sourcesOf } from './sources.ts'

/** What money goes back for: an order, or a registration without one. */
type Goal = { orderId: string; registrationId?: undefined } | { orderId?: undefined; registrationId: string }

/** Money that is to go back. */
export type Wanted = Goal & {
  eventId: string
  currency: string
  /** Minor units. */
  amount: number
  reason: store.RefundReason
  /** Of the organizer, whom alone it is shown to. */
  note?: string | null
  /** Of this payment alone, as the ledger names it. */
  entryId?: string
  /** The part of each ticket that it is for, in minor units. */
  tickets?: ReadonlyMap<string, number>
  /** Of this payment alone, by our own name. */
  paymentId?: string | undefined
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Refund> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return presentRefund(row)
}

/** The account that has a refund, for the command line, which names none. @throws Problem not_found */
export async function findOwner(tx: ReadTx, id: string): Promise<string> {
  const row = await store.findOwner(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row.account_id
}

/** Of an order, the oldest first. */
export async function listByOrder(tx: ReadTx, accountId: string, orderId: string): Promise<Refund[]> {
  return (await store.listByOrder(tx, accountId, orderId)).map(presentRefund)
}

/** Money that has not gone back yet, the newest first. */
export async function listOwed(tx: ReadTx, accountId: string, limit: number): Promise<Refund[]> {
  return (await store.listOwed(tx, accountId, limit)).map(presentRefund)
}

/** Money that has not gone back, and that somebody has to see to, the newest first. @param eventIds of these alone; null for all */
export async function listToPayBack(
  tx: ReadTx,
  accountId: string,
  eventIds: readonly string[] | null,
  limit: number,
): Promise<Refund[]> {
  return (await store.listToPayBack(tx, accountId, eventIds, limit)).map(presentRefund)
}

/** What can still go back of an order, in minor units: what is asked for already, or owed, is not. */
export async function leftOf(
  tx: ReadTx,
  accountId: string,
  orderId: string,
  paymentId?: string,
): Promise<number> {
  return (await sourcesOf(tx, accountId, { orderId }))
    .filter(source => paymentId === undefined || source.paymentId === paymentId)
    .reduce((sum, { left }) => sum + left, 0)
}

/**
 * Has money go back: by the processor it came by, where there is one, else by hand. What was paid by several payments goes back to
 * the newest first.
 *
 * @returns what was asked for, one a payment
 * @throws Problem refund_too_large with `details.left`
 */
export async function request(tx: WriteTx, accountId: string, wanted: Wanted): Promise<Refund[]> {
  const { orderId, registrationId, eventId, amount, reason, note = null, entryId, paymentId } = wanted
  const of = orderId === undefined ? { registrationId } : { orderId }
  const sources = (await sourcesOf(tx, accountId, of)).filter(
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
    const isAsked = hasProcessor(source.method)
    const row: store.RefundRow = {
      ...{
        id: newUuid(),
        account_id: accountId,
        event_id: eventId,
        order_id: orderId ?? null,
        registration_id: registrationId ?? null,
        tickets: takeParts(parts, part),
      },
      ...{ payment_id: source.paymentId, method: source.method, charge_id: isAsked ? source.entryId : null },
      ...{
        status: 'requested',
        currency: source.currency,
        amount: part,
        reason,
        note,
        processor_id: null,
        call: null,
      },
      ...{ next_look_at: isAsked ? tx.clock() : null, looks: 0, trouble: null, ended_at: null },
      created_at: await tx.now(),
    }
    await store.insert(tx, row)
    made.push(presentRefund(row))
  }
  return made
}

/** Takes as much of the parts of tickets as goes back by one payment. @returns JSON; null for none */
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
  const was = await store.findTold(tx, accountId, facts)
  if (was !== undefined) return settle(tx, was, facts)
  // A try of ours that has failed, and was given up.
  const isGivenUp = facts.refundId !== null && facts.state === 'failed'
  if (payment === undefined || isGivenUp) return undefined
  const row: store.RefundRow = {
    ...{ id: newUuid(), account_id: accountId, event_id: payment.event_id, order_id: payment.order_id },
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
  if (status === 'done') {
    await record(tx, now, 'refund', facts.id, facts.at)
    await credit(tx, now, facts.at)
  }
  // The money is back at the organizer's: it is owed still.
  if (status === 'failed' && was.status === 'done') {
    await record(tx, now, 'refund_reversal', facts.id, tx.clock())
    await receipts.cancelCredit(tx, was.account_id, was.id, tx.clock())
  }
  return presentRefund(now)
}

function nextLook(status: store.RefundRow['status'], now: number): number | null {
  return status === 'pending' || status === 'requires_action' ? now + ON_ITS_WAY : null
}

/** Money that went straight back was on no receipt. */
const WITHOUT_RECEIPT: readonly store.RefundReason[] = ['late', 'twice', 'excess', 'line_cancelled', 'orphan']

/** Makes the credit note of a refund that is done. */
async function credit(tx: WriteTx, row: store.RefundRow, at: number): Promise<void> {
  const { id: refundId, account_id: accountId, order_id: orderId, payment_id: paymentId, amount } = row
  if (orderId === null || paymentId === null || WITHOUT_RECEIPT.includes(row.reason)) return
  const tickets = row.tickets === null ? undefined : Object.keys(JSON.parse(row.tickets) as object)
  await receipts.credit(tx, accountId, { orderId, paymentId, refundId, amount, at, tickets })
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
  // What the processor says once more of its failed try is of that alone.
  const untried = { processor_id: null, call: null }
  const changes = { ...untried, status: 'done', trouble: null, next_look_at: null, ended_at: now } as const
  await store.update(tx, was, changes, now)
  // Under another id than that of a try of the processor which failed.
  await record(tx, was, 'refund', was.id, tx.clock())
  await credit(tx, was, tx.clock())
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
