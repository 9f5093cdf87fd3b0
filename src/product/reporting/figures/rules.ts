import type { Reader } from '../db/batches.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { toIso } from '../time.ts'
import { ExactCounts } from './exact.ts'
import type { Counted, Figures } from './schemas.ts'
import * as store from './store.ts'

/** An event with more registrations, or more check-ins, is counted in the background: it takes longer than a page. */
export const MOST_AT_ONCE = 20_000

/**
 * @param counts remembers what was counted for those who ask again
 * @throws Problem not_found
 */
export async function figures(
  reader: Reader,
  accountId: string,
  eventId: string,
  counts = new ExactCounts(),
): Promise<Figures> {
  const { event, timezone, types, size, large, state, kept } = await reader.read(async tx => {
    const size = await sizeOf(tx, accountId, eventId)
    return {
      event: await events.get(tx, accountId, eventId),
      timezone: await store.findTimezone(tx, accountId, eventId),
      types: await registrationTypes.listByEvent(tx, accountId, eventId),
      size,
      large: Math.max(size.registrations, size.checkIns) > MOST_AT_ONCE,
      state: (await listStates(tx, accountId, eventId))[0]?.state,
      kept: await findKept(tx, accountId, eventId),
    }
  })
  const always = {
    event_id: event.id,
    timezone,
    types: types.map(({ id, name, capacity, sold }) => ({ id, name, capacity, sold })),
    is_exact: !large,
  }
  if (large) return { ...always, counted_at: kept?.countedAt ?? null, counted: kept?.counted ?? null }
  // With how many there are, so that two changes within a millisecond are two.
  const counted = { id: event.id, timezone, state: `${state} ${size.registrations} ${size.checkIns}` }
  return { ...always, counted_at: null, counted: await counts.count(reader, accountId, counted) }
}

/** Whether an event is counted in the background. */
export async function isLarge(tx: ReadTx, accountId: string, eventId: string): Promise<boolean> {
  const { registrations, checkIns } = await sizeOf(tx, accountId, eventId)
  return Math.max(registrations, checkIns) > MOST_AT_ONCE
}

/** Its registrations and check-ins, each counted no further than tells whether it is large. */
async function sizeOf(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<{ registrations: number; checkIns: number }> {
  const limit = MOST_AT_ONCE + 1
  const registrations = await store.countRegistrations(tx, accountId, eventId, limit)
  return { registrations, checkIns: await store.countCheckIns(tx, accountId, eventId, limit) }
}

/** An event, and a text that differs from before whenever what is counted of it does. */
export interface EventState {
  id: string
  timezone: string
  state: string
}

/** @param eventId just that one; else all of the account */
export async function listStates(tx: ReadTx, accountId: string, eventId?: string): Promise<EventState[]> {
  const states: EventState[] = []
  for (const { id, timezone, changed_at, sold } of await store.listStates(tx, accountId, eventId)) {
    const checkIn = await store.findLatestCheckIn(tx, accountId, id)
    states.push({ id, timezone, state: `${changed_at} ${sold} ${checkIn?.id} ${timezone}` })
  }
  return states
}

export interface Kept {
  counted: Counted
  countedAt: string
  /** Of the event when it was counted. */
  state: string
}

/** What was counted in the background. */
export async function findKept(tx: ReadTx, accountId: string, eventId: string): Promise<Kept | undefined> {
  const row = await store.find(tx, accountId, eventId)
  if (row === undefined) return undefined
  return { ...parseFigures(row), countedAt: toIso(row.counted_at) }
}

export function parseFigures({ figures }: store.KeptRow): { state: string; counted: Counted } {
  return JSON.parse(figures)
}

/** @param countedAt milliseconds */
export async function keep(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  { state, counted, countedAt }: { state: string; counted: Counted; countedAt: number },
): Promise<void> {
  const row = { figures: JSON.stringify({ state, counted }), counted_at: countedAt }
  await store.keep(tx, accountId, eventId, row, await tx.now())
}
