import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { MAX_SLOT_MINUTES, MAX_SLOTS } from './schemas.ts'
import * as sessions from './sessions.ts'
import * as store from './slot-store.ts'

/** A slot as the forms about it show it. */
export interface SlotToChange
  extends Pick<store.SlotRow, 'id' | 'session_id' | 'minutes' | 'abstract_id' | 'title'> {
  /** The title of the abstract, or the text. */
  name: string
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, eventId: string, id: string): Promise<SlotToChange> {
  const { session_id, minutes, abstract_id, title, name } = await getRow(tx, eventId, id)
  return { id, session_id, minutes, abstract_id, title, name: name ?? title ?? '' }
}

async function getRow(tx: ReadTx, eventId: string, id: string): Promise<store.FullSlotRow> {
  const row = await store.find(tx, id)
  if (row?.event_id !== eventId) throw new Problem('not_found')
  return row
}

/** Where something comes to stand: before another slot of a session, or at its end. */
export interface Place {
  session_id: string
  /** The id of a slot; null for the end. */
  before: string | null
}

/** What comes into a slot. */
export type NewSlot =
  | { abstract_id: string; minutes: number; title?: never }
  | { title: string; minutes: number; abstract_id?: never }

/**
 * Adds a slot to a session. An abstract that stands in the session already is added no second time.
 *
 * @returns the id of the slot, and whether it is new
 * @throws Problem not_found; programme_full; seen_changed if the slot to stand before is gone from there
 */
export async function add(
  tx: WriteTx,
  eventId: string,
  place: Place,
  slot: NewSlot,
): Promise<{ id: string; isNew: boolean }> {
  const { minutes, abstract_id, title } = { abstract_id: null, title: null, ...slot }
  await sessions.get(tx, eventId, place.session_id)
  const there = await store.listOfSession(tx, place.session_id, MAX_SLOTS)
  const same = abstract_id === null ? undefined : there.find(slot => slot.abstract_id === abstract_id)
  if (same !== undefined) return { id: same.id, isNew: false }
  if ((await store.count(tx, eventId)) >= MAX_SLOTS)
    throw new Problem('programme_full', { details: { of: 'slots', most: MAX_SLOTS } })
  if (abstract_id !== null && (await store.findPlaceable(tx, abstract_id))?.event_id !== eventId)
    throw new Problem('seen_changed')
  const now = await tx.now()
  const position = await makeRoom(tx, place, there, now)
  const { session_id } = place
  const row = { id: newUuid(), event_id: eventId, session_id, position, abstract_id, title }
  await store.insert(tx, { ...row, minutes: Math.min(minutes, MAX_SLOT_MINUTES) }, now)
  return { id: row.id, isNew: true }
}

/** Returns the position of a place, which no slot has any more. */
async function makeRoom(
  tx: WriteTx,
  { session_id, before }: Place,
  there: readonly store.SlotRow[],
  now: number,
): Promise<number> {
  if (before === null) return (there.at(-1)?.position ?? -1) + 1
  const next = there.find(({ id }) => id === before)
  if (next === undefined) throw new Problem('seen_changed')
  await store.shift(tx, session_id, next.position, now)
  return next.position
}

/**
 * Moves a slot within its session or to another. Others keep their order, whatever has become of it meanwhile.
 *
 * @throws Problem not_found; seen_changed if the slot to stand before is gone from there, or the session has the abstract already
 */
export async function move(tx: WriteTx, eventId: string, id: string, place: Place): Promise<void> {
  const row = await getRow(tx, eventId, id)
  if (place.before === id) return
  await sessions.get(tx, eventId, place.session_id)
  const there = await store.listOfSession(tx, place.session_id, MAX_SLOTS)
  const isTwice =
    row.abstract_id !== null && there.some(slot => slot.id !== id && slot.abstract_id === row.abstract_id)
  if (isTwice) throw new Problem('seen_changed')
  const now = await tx.now()
  const position = await makeRoom(tx, place, there, now)
  await store.change(tx, { ...row, session_id: place.session_id, position }, now)
}

/** What forms change of a slot. */
export interface SlotChanges {
  minutes?: number
  /** Of a text alone. */
  title?: string
  session_id?: string
}

/** Changes a slot; in another session it stands at the end. @throws Problem those of `move` */
export async function change(
  tx: WriteTx,
  eventId: string,
  id: string,
  { minutes, title, session_id }: SlotChanges,
): Promise<void> {
  const was = await getRow(tx, eventId, id)
  if (session_id !== undefined && session_id !== was.session_id)
    await move(tx, eventId, id, { session_id, before: null })
  const row = await getRow(tx, eventId, id)
  const changed = { minutes: minutes ?? row.minutes, title: row.title === null ? null : (title ?? row.title) }
  await store.change(tx, { ...row, ...changed }, await tx.now())
}

/** Counts what stands in a session. */
export async function countOfSession(tx: ReadTx, sessionId: string): Promise<number> {
  return (await store.listOfSession(tx, sessionId, MAX_SLOTS)).length
}

/** Removes a slot. Its abstract can be placed elsewhere. @throws Problem not_found */
export async function remove(tx: WriteTx, eventId: string, id: string): Promise<SlotToChange> {
  const slot = await get(tx, eventId, id)
  await store.remove(tx, id)
  return slot
}
