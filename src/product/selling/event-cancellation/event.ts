import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { runRecorded, type WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import type { JobKind, RunningJob } from '#product/administration/jobs/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { LedgerSubject } from '#product/selling/ledger/rules.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import { queueCancelled } from '#product/selling/orders/queue-mails.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { queueRefund } from '#product/selling/payments/queue-mails.ts'
import { sumRefundable } from '#product/selling/payments/refund-limit.ts'
import { readRefundable } from '#product/selling/payments/refundable.ts'
import { type Refunded, refundOf } from '#product/selling/payments/refunding.ts'
import * as store from './store.ts'

export const REFUND_EVENT = 'event.refund'

/** How many orders or registrations one read looks at. */
const A_TURN = 200

/** What refunding everybody of an event comes to. Amounts are in minor units. */
export interface EventForecast {
  /** How many orders, and registrations without one, end by it. */
  count: number
  /** How much money goes back. */
  amount: number
}

/**
 * Sums up what refunding everybody of an event comes to. It reads all of them in turns, so the result is exact, however long it
 * takes.
 */
export async function forecastRefunds(
  reader: Reader,
  accountId: string,
  eventId: string,
): Promise<EventForecast> {
  const forecast: EventForecast = { count: 0, amount: 0 }
  let at: Place | undefined = FIRST
  while (at !== undefined) {
    const place: Place = at
    at = await reader.read(accountId, async tx => {
      const found = await findNext(tx, eventId, place)
      forecast.count += found.some.length
      const paid = found.some.flatMap(({ of, isPending }) => (isPending ? [] : [of]))
      const orderIds = paid.flatMap(of => ('orderId' in of ? [of.orderId] : []))
      const registrationIds = paid.flatMap(of => ('registrationId' in of ? [of.registrationId] : []))
      for (const of of [{ orderIds }, { registrationIds }]) forecast.amount += await sumRefundable(tx, of)
      return found.next
    })
  }
  return forecast
}

/**
 * Starts the job that refunds everybody of a cancelled event, one after the other.
 *
 * @param total the count of `forecastRefunds`
 */
export function startRefunds(
  tx: WriteTx,
  eventId: string,
  { isNotified, total, by }: { isNotified: boolean; total: number; by: string },
): Promise<Job> {
  return jobs.start(tx, { kind: REFUND_EVENT, eventId, input: { is_told: isNotified }, total, by })
}

/** How far the job is. It takes all orders first, newest first, and then the registrations without one. */
interface Place {
  list: 'orders' | 'registrations'
  after?: Position | undefined
}

const FIRST: Place = { list: 'orders' }

/** An order or a registration that is still to end. */
interface ToEnd {
  of: LedgerSubject
  isPending: boolean
  at: Position
}

/** Returns the next ones that stand. @returns where to go on; undefined at the end */
async function findNext(
  tx: ReadTx,
  eventId: string,
  { list, after }: Place,
): Promise<{ some: ToEnd[]; next: Place | undefined }> {
  const page = { limit: A_TURN, after }
  if (list === 'orders') {
    const found = await orders.list(tx, { event_id: eventId }, page)
    const all = found.map(({ id, status, created_at }) => {
      return { id, order_id: null, status: status as string, created_at: Date.parse(created_at) }
    })
    const some = unfinished(all, orderId => ({ orderId }))
    const next = all.length < A_TURN ? ({ list: 'registrations' } as const) : { list, after: all.at(-1) }
    return { some, next }
  }
  const all = await store.listOfEvent(tx, eventId, page)
  const some = unfinished(all, registrationId => ({ registrationId }))
  return { some, next: all.length < A_TURN ? undefined : { list, after: all.at(-1) } }
}

function unfinished(rows: readonly store.StatusRow[], subject: (id: string) => LedgerSubject): ToEnd[] {
  return rows
    .filter(({ order_id, status }) => order_id === null && (status === 'confirmed' || status === 'pending'))
    .map(({ id, status, created_at }) => {
      return { of: subject(id), isPending: status === 'pending', at: { created_at, id } }
    })
}

/** How many of each there were. */
type Outcome = Record<'refunded' | 'cancelled' | 'tickets' | 'by_hand', number>

/**
 * Ends all orders and registrations of a cancelled event: refunds what was paid, and cancels what waits. Each ends in its own
 * recorded step, and the same transaction notes how far the job is. A job that is killed and begins again does nothing twice.
 */
export const refundEvent: JobKind = {
  name: REFUND_EVENT,
  permission: 'refunds',
  async run(tx, job, actor) {
    const eventId = job.event_id as string
    const { status } = await events.get(tx, eventId)
    // Somebody has reopened the event, so nobody else is refunded.
    if (status !== 'cancelled') throw new Problem('invalid_transition')
    const until = performance.now() + tx.batchTime
    const { is_told: isNotified } = job.input as { is_told: boolean }
    const outcome = { ...NOTHING, ...(job.outcome as Partial<Outcome> | null) }
    const place = job.position === null ? FIRST : (JSON.parse(job.position) as Place)
    const { some, next } = await findNext(tx, eventId, place)
    let done = 0
    for (const one of some) {
      await endRecorded(tx, actor, { job, one, isNotified }, outcome)
      done++
      if (performance.now() > until) break
    }
    const last = some[done - 1]
    const at = done === some.length ? next : { list: place.list, after: last?.at }
    return {
      position: at === undefined ? job.position : JSON.stringify(at),
      done: job.done + done,
      finished: at === undefined,
      outcome,
    }
  },
}

const NOTHING: Outcome = { refunded: 0, cancelled: 0, tickets: 0, by_hand: 0 }

interface Ending {
  job: Pick<RunningJob, 'id'>
  one: ToEnd
  isNotified: boolean
}

async function endRecorded(
  tx: WriteTx,
  actor: Actor,
  { job, one, isNotified }: Ending,
  outcome: Outcome,
): Promise<void> {
  const { of, isPending } = one
  const isOrder = 'orderId' in of
  const entry: WriteEntry<Refunded | undefined> = {
    action: `${isOrder ? 'order' : 'registration'}.${isPending ? 'cancel' : 'refund'}`,
    targetType: isOrder ? 'order' : 'registration',
    targetId: isOrder ? of.orderId : of.registrationId,
    details: () => ({ job_id: job.id }),
  }
  const work = (inner: WriteTx) =>
    isPending ? endWaiting(inner, of, isNotified) : payBack(inner, of, isNotified)
  const { result, problem } = await runRecorded(tx, actor, work, entry)
  if (problem !== undefined) throw problem
  const { refunds, tickets } = result ?? { refunds: [], tickets: 0 }
  outcome[refunds.length > 0 ? 'refunded' : 'cancelled']++
  outcome.tickets += tickets
  outcome.by_hand += refunds.filter(({ is_by_hand }) => is_by_hand).length
}

/**
 * Voids all tickets and refunds everything that is left. This mail tells the buyer the sum, and another one tells them about the
 * event.
 */
async function payBack(tx: WriteTx, of: LedgerSubject, isNotified: boolean): Promise<Refunded> {
  const subject = await readRefundable(tx, of)
  const { tickets, left, order } = subject
  const ticketIds = tickets.flatMap(({ id, stands }) => (stands ? [id] : []))
  const refund = {
    ticketIds,
    amount: left,
    reason: 'event_cancelled',
    note: null,
    isNotified: false,
  } as const
  const { lines: _, ...done } = await refundOf(tx, subject, refund)
  const [first] = done.refunds
  if (isNotified && order !== undefined && first !== undefined)
    await queueRefund(tx, order, { cause: first.id, amount: left })
  return done
}

/** Cancels an order or a registration that waits. A payment that comes later goes back. */
async function endWaiting(tx: WriteTx, of: LedgerSubject, isNotified: boolean): Promise<undefined> {
  if ('registrationId' in of) await cancelRegistration(tx, of.registrationId)
  else {
    const order = await orders.getDetails(tx, of.orderId)
    const cancelled = await orders.end(tx, order, 'cancelled')
    if (isNotified) await queueCancelled(tx, cancelled, cancelled.registrations)
  }
}
