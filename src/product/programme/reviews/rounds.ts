import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { atLocalHour, DAY, MINUTE } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { mergeChoices } from '#product/programme/calls/choices.ts'
import { endOf } from '#product/programme/calls/deadline.ts'
import { offered } from '#product/programme/calls/schemas.ts'
import { type NewRound, presentRound, type Round } from './round-schemas.ts'
import * as store from './round-store.ts'

/** For how long reviewers can read what they have written, once the review is over. */
export const READABLE = 30 * DAY
/** The most criteria of an event, with those that have retired. */
const MOST_KEPT = 100

/** Returns how the abstracts of an event are reviewed. @returns undefined if they are not */
export async function find(tx: ReadTx, eventId: string): Promise<Round | undefined> {
  const row = await store.find(tx, eventId)
  return row && presentRound(row)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, eventId: string): Promise<Round> {
  const round = await find(tx, eventId)
  if (round === undefined) throw new Problem('not_found')
  return round
}

/**
 * Makes the review of an event, or changes it. A criterion keeps the scores that it has.
 *
 * @throws Problem not_found; in_use with the reason too_many_choices
 */
export async function put(tx: WriteTx, eventId: string, input: NewRound): Promise<Round> {
  const { id: event_id } = await events.get(tx, eventId)
  const was = await find(tx, event_id)
  const criteria = mergeChoices(was?.criteria ?? [], input.criteria)
  if (criteria.length > MOST_KEPT) throw new Problem('in_use', { details: { reason: 'too_many_choices' } })
  const row = { ...input, event_id, blind: Number(input.blind), criteria: JSON.stringify(criteria) }
  return presentRound((await store.put(tx, row, await tx.now())) as store.RoundRow)
}

/** Returns whether reviewers of an event are not to know who has written what. A review that nobody has set up yet is so. */
export async function isBlind(tx: ReadTx, eventId: string): Promise<boolean> {
  return (await find(tx, eventId))?.blind ?? true
}

/** How long a new review is open, in days. */
const OPEN_DAYS = 21

/**
 * Returns what a new review says until somebody changes it: blind, three reviews an abstract, one criterion, until a minute before
 * midnight three weeks later.
 *
 * @param from when reviewers can begin with all of it, in milliseconds
 * @param criterion the name of the criterion
 */
export function defaultsAt(from: number, timezone: string, criterion: string): NewRound {
  const closes_at = atLocalHour(from, timezone, OPEN_DAYS + 1, 0) - MINUTE
  return { closes_at, blind: true, wanted: 3, criteria: [{ name: criterion, weight: 1 }], about: null }
}

/** Where a review stands for its reviewers: they write, only read, or do neither any more. */
export type Phase = 'open' | 'over' | 'gone'

export function phaseOf({ closes_at }: Pick<Round, 'closes_at'>, now: number): Phase {
  const end = endOf(Date.parse(closes_at))
  if (now < end) return 'open'
  return now < end + READABLE ? 'over' : 'gone'
}

/**
 * Copies how abstracts are reviewed to another event. Its reviewers are people, and are asked anew.
 *
 * @param shift how much later the other event is, in milliseconds, on its calendar
 */
export async function copy(
  tx: WriteTx,
  from: string,
  to: string,
  shift: (instant: number) => number,
): Promise<void> {
  const row = await store.find(tx, from)
  if (row === undefined) return
  const { updated_at: _, ...rest } = row
  const criteria = offered(presentRound(row).criteria).map(each => ({ ...each, id: newUuid() }))
  const copied = { event_id: to, closes_at: shift(row.closes_at), criteria: JSON.stringify(criteria) }
  await store.put(tx, { ...rest, ...copied }, await tx.now())
}
