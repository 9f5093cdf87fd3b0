import { fold } from '#base/fold.ts'
import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { notePrinted } from '#product/guests/attendees/printed-badges.ts'
import { gatherTickets } from '#product/guests/registrations/gathered-tickets.ts'
import type { GuestFilters } from '#product/guests/registrations/guests.ts'
import { MARK_PRINTED } from './mark-printed.ts'
import { type Badge, presentBadge } from './schemas.ts'
import * as store from './store.ts'

/** The most badges of a print, which is one file. Those who are left come with the next. */
export const MOST_BADGES = 1_000
/** A print of so many badges is noted by a job. */
export const MANY_BADGES = 200
/** The badges of an event are listed up to this many tickets. */
const MOST_TICKETS = 50_000
/** The latest prints that are listed. */
const MOST_PRINTS = 10

/** A print by its instant in milliseconds, with how many of its badges were not printed again since. */
export interface Print {
  at: number
  badges: number
}

/** The badges that filters find. */
export interface FoundBadges {
  /** The ids of the tickets whose badge was not printed yet, in the order of their names. */
  waiting: readonly string[]
  /** The ids of all of them, in the same order. */
  all: readonly string[]
  /** The latest first. */
  prints: readonly Print[]
  /** Whether there are more tickets than can be looked at. */
  isMore: boolean
}

/**
 * Finds the tickets that have a badge: those that admit somebody, and no extras.
 *
 * @param chosen only the tickets of these registrations; undefined for all that the filters find
 */
export async function findBadges(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
  types: readonly Pick<TypeDetails, 'id' | 'kind'>[],
  chosen?: readonly string[],
): Promise<FoundBadges> {
  const gathering = { sort: 'name', typeIds: types.map(({ id }) => id) } as const
  const extras = new Set(types.filter(({ kind }) => kind === 'extra').map(({ id }) => id))
  const { status, ...others } = filters
  if (status !== undefined && status !== 'confirmed')
    return { waiting: [], all: [], prints: [], isMore: false }
  const wanted = { ...others, status: 'confirmed' } as const
  const { tickets, isMore } = await gatherTickets(reader, accountId, wanted, gathering, MOST_TICKETS)
  const valid = tickets.filter(({ isVoid, typeId }) => !isVoid && !extras.has(typeId))
  const counts = new Map<number, number>()
  for (const { printedAt } of valid)
    if (printedAt !== null) counts.set(printedAt, (counts.get(printedAt) ?? 0) + 1)
  const prints = [...counts].map(([at, badges]) => ({ at, badges })).sort((one, other) => other.at - one.at)
  const own = chosen && new Set(chosen)
  const asked = own === undefined ? valid : valid.filter(({ registrationId }) => own.has(registrationId))
  return {
    waiting: asked.filter(({ printedAt }) => printedAt === null).map(({ id }) => id),
    all: asked.map(({ id }) => id),
    prints: prints.slice(0, MOST_PRINTS),
    isMore,
  }
}

interface NewPrint {
  /** The ids of tickets of the event. */
  ids: readonly string[]
  /** Whether badges that were printed before are printed again. */
  again: boolean
  /** The `who` of the actor. */
  by: string
}

/**
 * Notes that badges are printed. Many are noted by a job, so that no other write waits for them.
 *
 * @returns the print, and the job that still notes it
 */
export async function startPrint(
  tx: WriteTx,
  eventId: string,
  { ids, again, by }: NewPrint,
): Promise<{ at: number; badges: number; job: string | undefined }> {
  const at = await tx.now()
  const some = ids.slice(0, MOST_BADGES)
  if (some.length < MANY_BADGES) {
    return { at, badges: await notePrinted(tx, some, { at, again }), job: undefined }
  }
  const input = { ids: some, at, again }
  const job = await jobs.start(tx, { kind: MARK_PRINTED, eventId, input, total: some.length, by })
  return { at, badges: some.length, job: job.id }
}

/**
 * Prints the badge of one ticket, also if it was printed before.
 *
 * @throws Problem not_found; registration_not_confirmed for a ticket without a badge
 */
export async function printOne(tx: WriteTx, eventId: string, id: string): Promise<{ at: number }> {
  if (!(await store.isOfEvent(tx, eventId, id))) throw new Problem('not_found', { subject: id })
  if ((await store.listBadges(tx, [id])).length === 0) throw new Problem('registration_not_confirmed')
  const at = await tx.now()
  await notePrinted(tx, [id], { at, again: true })
  return { at }
}

/** Returns those of these tickets that have a badge, and whether it was printed. */
export async function findBadgesOf(
  tx: ReadTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await store.listBadges(tx, ids)
  return new Map(rows.map(({ id, badge_printed_at: at }) => [id, at !== null]))
}

/** Lists the badges of a print in the order of their names as people write them, ignoring case and accents. */
export async function listOfPrint(tx: ReadTx, eventId: string, at: number): Promise<Badge[]> {
  const badges = (await store.listOfPrint(tx, eventId, at)).map(presentBadge)
  const keyed = badges.map(badge => ({ badge, key: `${fold(badge.name)}\n${badge.id}` }))
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ badge }) => badge)
}
