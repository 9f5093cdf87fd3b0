import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as store from './room-store.ts'
import { MAX_ROOMS, type NewRoom, presentRoom, type Room } from './schemas.ts'
import * as sessionStore from './session-store.ts'

/** Lists the rooms of an event in their order. */
export async function list(tx: ReadTx, eventId: string): Promise<Room[]> {
  return (await store.listOfEvent(tx, eventId, MAX_ROOMS)).map(presentRoom)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, eventId: string, id: string): Promise<Room> {
  return presentRoom(await getRow(tx, eventId, id))
}

async function getRow(tx: ReadTx, eventId: string, id: string): Promise<store.RoomRow> {
  const row = await store.find(tx, id)
  if (row?.event_id !== eventId) throw new Problem('not_found')
  return row
}

/** Adds a room behind the others. @throws Problem programme_full; already_taken for a name that the event has */
export async function add(tx: WriteTx, eventId: string, { name }: NewRoom): Promise<Room> {
  const rows = await store.listOfEvent(tx, eventId, MAX_ROOMS)
  if (rows.length === MAX_ROOMS)
    throw new Problem('programme_full', { details: { of: 'rooms', most: MAX_ROOMS } })
  refuseTaken(rows, name)
  const row = { id: newUuid(), event_id: eventId, name, position: (rows.at(-1)?.position ?? -1) + 1 }
  await store.insert(tx, row, await tx.now())
  return presentRoom(row)
}

function refuseTaken(rows: readonly store.RoomRow[], name: string): void {
  if (rows.some(row => row.name.toLowerCase() === name.toLowerCase()))
    throw new Problem('already_taken', { param: 'name' })
}

/** @throws Problem not_found; already_taken */
export async function rename(tx: WriteTx, eventId: string, id: string, { name }: NewRoom): Promise<Room> {
  const row = await getRow(tx, eventId, id)
  const others = (await store.listOfEvent(tx, eventId, MAX_ROOMS)).filter(other => other.id !== id)
  refuseTaken(others, name)
  await store.change(tx, { ...row, name }, await tx.now())
  return presentRoom({ ...row, name })
}

/** Moves a room by one place. At the end of the row it stays. @throws Problem not_found */
export async function move(
  tx: WriteTx,
  eventId: string,
  id: string,
  direction: 'up' | 'down',
): Promise<Room> {
  const rows = await store.listOfEvent(tx, eventId, MAX_ROOMS)
  const at = rows.findIndex(row => row.id === id)
  const [row, other] = [rows[at], rows[direction === 'up' ? at - 1 : at + 1]]
  if (row === undefined) throw new Problem('not_found')
  if (other !== undefined) {
    const now = await tx.now()
    await store.change(tx, { ...row, position: other.position }, now)
    await store.change(tx, { ...other, position: row.position }, now)
  }
  return presentRoom(row)
}

/** Counts the sessions that are held in a room. */
export function countSessions(tx: ReadTx, id: string): Promise<number> {
  return sessionStore.countInRoom(tx, id)
}

/** Removes a room. Its sessions stay, without a room. @throws Problem not_found */
export async function remove(tx: WriteTx, eventId: string, id: string): Promise<void> {
  await getRow(tx, eventId, id)
  await sessionStore.leaveRoom(tx, id, await tx.now())
  await store.remove(tx, id)
}

/** Copies the rooms of an event to another, which has none. */
export async function copy(tx: WriteTx, from: string, to: string): Promise<void> {
  const now = await tx.now()
  for (const row of await store.listOfEvent(tx, from, MAX_ROOMS))
    await store.insert(tx, { ...row, id: newUuid(), event_id: to }, now)
}
