import { HOUR } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { publish } from '#product/programme/publishing/publish.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import type { NewSession, Session } from '#product/programme/timetable/schemas.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import { readTimetable } from '#product/programme/timetable/timetable.ts'

interface Place {
  db: Database
  accountId: string
  eventId: string
  clock: () => number
}

export function addRoom({ db, accountId, eventId }: Place, name = 'Main hall') {
  return db.write(accountId, tx => rooms.add(tx, eventId, { name }))
}

/** Adds a session of an hour, from now on. */
export function addSession(
  { db, accountId, eventId, clock }: Place,
  changes: Partial<NewSession> = {},
): Promise<Session> {
  const starts_at = changes.starts_at ?? clock()
  const session = {
    ...{ title: 'Opening', room_id: null, starts_at, ends_at: starts_at + HOUR, chairs: [], about: null },
    ...changes,
  }
  return db.write(accountId, tx => sessions.add(tx, eventId, session))
}

/** Puts something at the end of a session. @returns the id of the slot */
export async function addSlot(
  { db, accountId, eventId }: Place,
  session: { id: string },
  slot: slots.NewSlot,
): Promise<string> {
  const place = { session_id: session.id, before: null }
  return (await db.write(accountId, tx => slots.add(tx, eventId, place, slot))).id
}

export function read({ db, accountId, eventId }: Place) {
  return db.read(accountId, tx => readTimetable(tx, eventId))
}

/** A room with a session, in which two texts stand, and a published version of it. */
export async function addProgramme(place: Place): Promise<void> {
  const { db, accountId, eventId } = place
  const { id: room_id } = await addRoom(place)
  const chairs = [{ name: 'Chiara Chair', email: 'chiara@example.org' }]
  const session = await addSession(place, { room_id, chairs })
  for (const title of ['Welcome', 'Coffee']) await addSlot(place, session, { title, minutes: 15 })
  await db.write(accountId, tx => publish(tx, eventId, { by: 'cli', language: 'en' }))
}
