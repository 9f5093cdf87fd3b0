import { newUuid } from '#base/ids.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import { MAX_DATES } from '#product/catalog/events/series-schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { type CountedAudience, countAudiences } from './audience.ts'
import { getDraft, present, type Sending, send } from './rules.ts'
import type { Announcement, Audience } from './schemas.ts'
import * as store from './store.ts'

/** A date that an announcement goes to. */
export interface ReachedDate {
  eventId: string
  /** ISO 8601, or null if the date is open. */
  starts_at: string | null
  /** The same people there: ticket types are those of the same names. */
  audience: Audience
}

/** The dates that an announcement would reach, and those that it leaves out. */
export interface Reach {
  /** The date that it is written for comes first, then the others in their order. */
  dates: readonly ReachedDate[]
  /** Dates that whoever sends it may not see. */
  hidden: number
  /** Dates that have none of the chosen ticket types. */
  without: number
}

/**
 * Finds the dates that an announcement of an event goes to: the event itself, and those of its series that are chosen. Others
 * that are drafts or cancelled are none of them.
 *
 * @param seen the ids of the events that whoever sends it may see. Null means all
 * @throws Problem not_found
 */
export async function findReach(
  tx: ReadTx,
  eventId: string,
  { dates: chosen, ...audience }: Audience,
  seen: readonly string[] | null,
): Promise<Reach> {
  const own = await events.getDetails(tx, eventId)
  const reach = {
    dates: [{ eventId, starts_at: own.starts_at, audience } as ReachedDate],
    ...{ hidden: 0, without: 0 },
  }
  if (own.series_id === null || chosen === undefined || chosen === 'this') return reach
  const from = own.starts_at === null ? Number.POSITIVE_INFINITY : Date.parse(own.starts_at)
  const others = (await series.listDates(tx, own.series_id)).filter(
    ({ id, status, starts_at }) =>
      id !== eventId &&
      (status === 'published' || status === 'completed') &&
      (chosen === 'all' || (starts_at !== null && starts_at > from)),
  )
  const open = others.filter(({ id }) => seen === null || seen.includes(id))
  const typesOf = await matchTypes(tx, eventId, audience.types, open)
  for (const { id, starts_at } of open) {
    const types = typesOf(id)
    // An empty list would mean all of its tickets.
    if (audience.types.length > 0 && types.length === 0) continue
    const at = starts_at === null ? null : new Date(starts_at).toISOString()
    reach.dates.push({ eventId: id, starts_at: at, audience: { ...audience, types } })
  }
  const without = open.length + 1 - reach.dates.length
  return { ...reach, hidden: others.length - open.length, without }
}

/** Returns what finds the ticket types of another date that have the names of these. */
async function matchTypes(
  tx: ReadTx,
  eventId: string,
  chosen: readonly string[],
  others: readonly { id: string }[],
): Promise<(eventId: string) => string[]> {
  if (chosen.length === 0) return () => []
  const types = await registrationTypes.listOfEvents(tx, [eventId, ...others.map(({ id }) => id)])
  const own = (types.get(eventId) ?? []).filter(({ id }) => chosen.includes(id))
  const names = new Set(own.map(({ name }) => name))
  return of => (types.get(of) ?? []).filter(({ name }) => names.has(name)).map(({ id }) => id)
}

/** Those who would get an announcement. */
export interface CountedReach {
  /** Of each date, in the order of the reach. */
  each: readonly CountedAudience[]
  /** The sums of all dates: somebody who is a guest of two counts twice, as they get two mails. */
  all: CountedAudience
}

export async function countReach(
  reader: Reader,
  accountId: string,
  { dates }: Reach,
  most?: number,
): Promise<CountedReach> {
  const each = await countAudiences(reader, accountId, dates, most)
  return {
    each,
    all: {
      recipients: each.reduce((sum, { recipients }) => sum + recipients, 0),
      unsubscribed: each.reduce((sum, { unsubscribed }) => sum + unsubscribed, 0),
      isMore: each.some(({ isMore }) => isMore),
    },
  }
}

/**
 * Sends a draft to its date and, in the same transaction, one with the same text to each other date that it reaches: each has a
 * job of its own. Dates where nobody would get it have none.
 *
 * @param reach with the date that the draft is of as the first
 * @returns the one of the date itself, and then those of the others
 * @throws Problem not_found; announcement_sent
 */
export async function sendToDates(
  tx: WriteTx,
  id: string,
  { dates: [own, ...others] }: Reach,
  { each: [counted, ...ofOthers] }: Pick<CountedReach, 'each'>,
  how: Omit<Sending, 'total'>,
): Promise<Announcement[]> {
  const { eventId } = own as ReachedDate
  const { subject, body } = await getDraft(tx, eventId, id)
  const sent = [await send(tx, eventId, id, { ...how, total: totalOf(counted) })]
  for (const [at, { eventId: other, audience }] of others.entries()) {
    const there = ofOthers[at]
    if (there === undefined || (there.recipients === 0 && !there.isMore)) continue
    const row = { id: newUuid(), event_id: other, subject, body, audience: JSON.stringify(audience) }
    await store.insert(tx, { ...row, created_by: how.by, origin_id: id }, await tx.now())
    sent.push(await send(tx, other, row.id, { ...how, total: totalOf(there) }))
  }
  return sent
}

function totalOf(counted: CountedAudience | undefined): number | null {
  return counted === undefined || counted.isMore ? null : counted.recipients
}

/**
 * Lists the announcements of other dates that one was sent with.
 *
 * @param seen the ids of the events whose announcements are listed. Null means all
 */
export async function listSentWith(
  tx: ReadTx,
  { id, origin_id: originId }: Pick<Announcement, 'id' | 'origin_id'>,
  seen: readonly string[] | null,
): Promise<Announcement[]> {
  const origin = originId === null ? undefined : await store.find(tx, originId)
  const rows = await store.listSentWith(tx, originId ?? id, MAX_DATES)
  return [...(origin === undefined ? [] : [origin]), ...rows]
    .filter(row => row.id !== id && (seen === null || seen.includes(row.event_id)))
    .map(present)
}
