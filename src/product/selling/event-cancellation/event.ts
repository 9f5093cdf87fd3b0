import { runRecorded, type WriteEntry } from '../access-log/recorded-write.ts'
import type { Actor } from '../access-log/rules.ts'
import type { Reader } from '../db/batches.ts'
import type { Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import type { JobKind, RunningJob } from '../jobs/rules.ts'
import * as jobs from '../jobs/rules.ts'
import type { Job } from '../jobs/schemas.ts'
import type { LedgerSubject } from '../ledger/rules.ts'
import { cancelRegistration } from '../orders/cancellation.ts'
import * as orders from '../orders/rules.ts'
import { tellCancelled } from '../orders/telling.ts'
import { readRefundable } from '../payments/refundable.ts'
import { type Refunded, refund } from '../payments/refunding.ts'
import { sumLeft } from '../payments/sources.ts'
import { tellRefund } from '../payments/telling.ts'
import { Problem } from '../problem.ts'
import * as store from './store.ts'

export const REFUND_EVENT = 'event.refund'

/** How long a batch takes at most, in milliseconds: the writes of everybody else wait for it. */
const BATCH_TIME = 4
/** Orders or registrations that are looked at in one read. */
const A_TURN = 200

/** What refunding everybody of an event comes to. Amounts in minor units. */
export interface EventForecast {
  /** Orders, and registrations without one, that end by it. */
  count: number
  /** What goes back. */
  amount: number
}

/** Counts what refunding everybody of an event comes to, in turns: exactly, however long it takes. */
export async function forecastRefunds(
  reader: Reader,
  accountId: string,
  eventId: string,
): Promise<EventForecast> {
  const forecast: EventForecast = { count: 0, amount: 0 }
  let at: Place | undefined = FIRST
  while (at !== undefined) {
    const place: Place = at
    at = await reader.read(async tx => {
      const found = await findNext(tx, accountId, eventId, place)
      forecast.count += found.some.length
      const paid = found.some.flatMap(({ of, isPending }) => (isPending ? [] : [of]))
      const orderIds = paid.flatMap(of => ('orderId' in of ? [of.orderId] : []))
      const registrationIds = paid.flatMap(of => ('registrationId' in of ? [of.registrationId] : []))
      for (const of of [{ orderIds }, { registrationIds }])
        forecast.amount += await sumLeft(tx, accountId, of)
      return found.next
    })
  }
  return forecast
}

/** Has everybody of a cancelled event paid back, one after the other. @param total as `forecastRefunds` has counted them */
export function startRefunds(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  { isTold, total, by }: { isTold: boolean; total: number; by: string },
): Promise<Job> {
  return jobs.start(tx, accountId, { kind: REFUND_EVENT, eventId, input: { is_told: isTold }, total, by })
}

/** How far the job is: all orders, newest first, and then what was registered without one. */
interface Place {
  list: 'orders' | 'registrations'
  after?: Position | undefined
}

const FIRST: Place = { list: 'orders' }

/** What is still to be ended. */
interface ToEnd {
  of: LedgerSubject
  isPending: boolean
  at: Position
}

/** The next of them that stand. @returns where to go on; undefined at the end */
async function findNext(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  { list, after }: Place,
): Promise<{ some: ToEnd[]; next: Place | undefined }> {
  const page = { limit: A_TURN, after }
  if (list === 'orders') {
    const found = await orders.list(tx, accountId, { event_id: eventId }, page)
    const all = found.map(({ id, status, created_at }) => {
      return { id, order_id: null, status: status as string, created_at: Date.parse(created_at) }
    })
    const some = standing(all, orderId => ({ orderId }))
    const next = all.length < A_TURN ? ({ list: 'registrations' } as const) : { list, after: all.at(-1) }
    return { some, next }
  }
  const all = await store.listOfEvent(tx, accountId, eventId, page)
  const some = standing(all, registrationId => ({ registrationId }))
  return { some, next: all.length < A_TURN ? undefined : { list, after: all.at(-1) } }
}

function standing(rows: readonly store.EndedRow[], subject: (id: string) => LedgerSubject): ToEnd[] {
  return rows
    .filter(({ order_id, status }) => order_id === null && (status === 'confirmed' || status === 'pending'))
    .map(({ id, status, created_at }) => {
      return { of: subject(id), isPending: status === 'pending', at: { created_at, id } }
    })
}

/** What came of them. */
type Outcome = Record<'refunded' | 'cancelled' | 'tickets' | 'by_hand', number>

/**
 * Ends all orders and registrations of a cancelled event: what was paid goes back, what waits ends. Each is done in its own recorded
 * step, and how far it is in the transaction of that: killed and begun again, it does nothing twice.
 */
export const refundEvent: JobKind = {
  name: REFUND_EVENT,
  permission: 'refunds',
  async run(tx, job, actor) {
    const eventId = job.event_id as string
    const { status } = await events.get(tx, actor.accountId, eventId)
    // Somebody has opened it again: nobody else is paid back.
    if (status !== 'cancelled') throw new Problem('invalid_transition')
    const until = performance.now() + BATCH_TIME
    const { is_told: isTold } = job.input as { is_told: boolean }
    const outcome = { ...NOTHING, ...(job.outcome as Partial<Outcome> | null) }
    const place = job.position === null ? FIRST : (JSON.parse(job.position) as Place)
    const { some, next } = await findNext(tx, actor.accountId, eventId, place)
    let done = 0
    for (const one of some) {
      await endRecorded(tx, actor, { job, one, isTold }, outcome)
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
  isTold: boolean
}

async function endRecorded(
  tx: WriteTx,
  actor: Actor,
  { job, one, isTold }: Ending,
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
    isPending ? endWaiting(inner, actor.accountId, of, isTold) : payBack(inner, actor.accountId, of, isTold)
  const { result, problem } = await runRecorded(tx, actor, work, entry)
  if (problem !== undefined) throw problem
  const { refunds, tickets } = result ?? { refunds: [], tickets: 0 }
  outcome[refunds.length > 0 ? 'refunded' : 'cancelled']++
  outcome.tickets += tickets
  outcome.by_hand += refunds.filter(({ is_by_hand }) => is_by_hand).length
}

/** All of its tickets become void, and all that is left goes back: the buyer is told of the sum, and of the event by its own mail. */
async function payBack(
  tx: WriteTx,
  accountId: string,
  of: LedgerSubject,
  isTold: boolean,
): Promise<Refunded> {
  const { tickets, left, order } = await readRefundable(tx, accountId, of)
  const ticketIds = tickets.flatMap(({ id, stands }) => (stands ? [id] : []))
  const asked = { ticketIds, amount: left, reason: 'event_cancelled', note: null, isTold: false } as const
  const done = await refund(tx, accountId, of, asked)
  const [first] = done.refunds
  if (isTold && order !== undefined && first !== undefined)
    await tellRefund(tx, accountId, order, { cause: first.id, amount: left })
  return done
}

/** What is paid for it all the same goes back when it comes. */
async function endWaiting(
  tx: WriteTx,
  accountId: string,
  of: LedgerSubject,
  isTold: boolean,
): Promise<undefined> {
  if ('registrationId' in of) await cancelRegistration(tx, accountId, of.registrationId)
  else {
    const { registrations: lines } = await orders.getDetails(tx, accountId, of.orderId)
    const order = await orders.fail(tx, accountId, of.orderId, 'cancelled')
    if (isTold) await tellCancelled(tx, accountId, order, lines)
  }
}
