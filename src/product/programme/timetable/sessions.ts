import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as rooms from './rooms.ts'
import { MAX_SESSION, MAX_SESSIONS, type NewSession, presentSession, type Session } from './schemas.ts'
import * as store from './session-store.ts'
import * as slotStore from './slot-store.ts'

/** Lists the sessions of an event by their beginning. */
export async function list(tx: ReadTx, eventId: string): Promise<Session[]> {
  return (await store.listOfEvent(tx, eventId, MAX_SESSIONS)).map(presentSession)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, eventId: string, id: string): Promise<Session> {
  const row = await store.find(tx, id)
  if (row?.event_id !== eventId) throw new Problem('not_found')
  return presentSession(row)
}

/** @throws Problem programme_full; not_found for a room that the event has not; session_times */
export async function add(tx: WriteTx, eventId: string, input: NewSession): Promise<Session> {
  if ((await store.count(tx, eventId)) >= MAX_SESSIONS)
    throw new Problem('programme_full', { details: { of: 'sessions', most: MAX_SESSIONS } })
  await refuseWrong(tx, eventId, input)
  const row = { ...input, id: newUuid(), event_id: eventId, chairs: JSON.stringify(input.chairs) }
  await store.insert(tx, row, await tx.now())
  return presentSession(row)
}

/** Changes some of what a session says. Its slots follow its beginning. @throws Problem those of `add`, but programme_full */
export async function change(
  tx: WriteTx,
  eventId: string,
  id: string,
  changes: Partial<NewSession>,
): Promise<Session> {
  const session = { ...(await get(tx, eventId, id)), ...changes }
  await refuseWrong(tx, eventId, session)
  const row = { ...session, chairs: JSON.stringify(session.chairs) }
  await store.change(tx, row, await tx.now())
  return session
}

async function refuseWrong(
  tx: ReadTx,
  eventId: string,
  { room_id, starts_at, ends_at }: Pick<NewSession, 'room_id' | 'starts_at' | 'ends_at'>,
): Promise<void> {
  if (room_id !== null) await rooms.get(tx, eventId, room_id)
  if (ends_at <= starts_at || ends_at - starts_at > MAX_SESSION)
    throw new Problem('session_times', { param: 'ends_at' })
}

/** Removes a session with its slots, whose abstracts can be placed elsewhere. @throws Problem not_found */
export async function remove(tx: WriteTx, eventId: string, id: string): Promise<Session> {
  const session = await get(tx, eventId, id)
  await slotStore.removeOfSession(tx, id)
  await store.remove(tx, id)
  return session
}
