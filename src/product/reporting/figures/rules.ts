import { toIso } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { ExactCounts } from './exact.ts'
import type { Counted, Figures } from './schemas.ts'
import * as store from './store.ts'

/** An event with more registrations or more check-ins is counted in the background, because counting takes longer than a page. */
export const MOST_AT_ONCE = 20_000

/**
 * Returns the figures of an event.
 *
 * @param counts remembers the counts for later requests
 * @throws Problem not_found
 */
export async function figures(
  reader: Reader,
  accountId: string,
  eventId: string,
  counts = new ExactCounts(),
): Promise<Figures> {
  const { event, timezone, types, size, large, state, kept } = await reader.read(accountId, async tx => {
    const size = await sizeOf(tx, eventId)
    return {
      event: await events.get(tx, eventId),
      timezone: await store.findTimezone(tx, eventId),
      types: await registrationTypes.listByEvent(tx, eventId),
      size,
      large: Math.max(size.registrations, size.checkIns) > MOST_AT_ONCE,
      state: (await listStates(tx, eventId))[0]?.state,
      kept: await findKept(tx, eventId),
    }
  })
  const always = {
    event_id: event.id,
    timezone,
    types: types.map(({ id, name, capacity, sold }) => ({ id, name, capacity, sold })),
    is_exact: !large,
  }
  if (large) return { ...always, counted_at: kept?.countedAt ?? null, counted: kept?.counted ?? null }
  // The state includes the sizes, so that two changes within a millisecond differ.
  const counted = { id: event.id, timezone, state: `${state} ${size.registrations} ${size.checkIns}` }
  return { ...always, counted_at: null, counted: await counts.count(reader, accountId, counted) }
}

/** Returns whether an event is counted in the background. */
export async function isLarge(tx: ReadTx, eventId: string): Promise<boolean> {
  const { registrations, checkIns } = await sizeOf(tx, eventId)
  return Math.max(registrations, checkIns) > MOST_AT_ONCE
}

/** Counts its registrations and check-ins, each only as far as it takes to tell whether it is large. */
async function sizeOf(tx: ReadTx, eventId: string): Promise<{ registrations: number; checkIns: number }> {
  const limit = MOST_AT_ONCE + 1
  const registrations = await store.countRegistrations(tx, eventId, limit)
  return { registrations, checkIns: await store.countCheckIns(tx, eventId, limit) }
}

/** Holds an event, and a text that changes whenever its count does. */
export interface EventState {
  id: string
  timezone: string
  state: string
}

/**
 * Lists the states of events.
 *
 * @param eventId the only event; all events of the account if undefined
 */
export async function listStates(tx: ReadTx, eventId?: string): Promise<EventState[]> {
  const states: EventState[] = []
  for (const { id, timezone, changed_at, sold } of await store.listStates(tx, eventId)) {
    const checkIn = await store.findLatestCheckIn(tx, id)
    states.push({ id, timezone, state: `${changed_at} ${sold} ${checkIn?.id} ${timezone}` })
  }
  return states
}

export interface Kept {
  counted: Counted
  countedAt: string
  /** The state of the event when it was counted. */
  state: string
}

/** Returns what was counted in the background. */
export async function findKept(tx: ReadTx, eventId: string): Promise<Kept | undefined> {
  const row = await store.find(tx, eventId)
  if (row === undefined) return undefined
  return { ...parseFigures(row), countedAt: toIso(row.counted_at) }
}

export function parseFigures({ figures }: store.KeptRow): { state: string; counted: Counted } {
  return JSON.parse(figures)
}

/** @param countedAt milliseconds */
export async function keep(
  tx: WriteTx,
  eventId: string,
  { state, counted, countedAt }: { state: string; counted: Counted; countedAt: number },
): Promise<void> {
  // The event may be deleted while it is counted.
  if ((await events.findId(tx, eventId)) === undefined) return
  const row = { figures: JSON.stringify({ state, counted }), counted_at: countedAt }
  await store.keep(tx, eventId, row, await tx.now())
}
