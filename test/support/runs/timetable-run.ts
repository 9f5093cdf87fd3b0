import assert from 'node:assert/strict'
import { DAY, HOUR } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { findUnregistered } from '#product/guests/registrations/registered.ts'
import * as people from '#product/programme/timetable/person.ts'
import { listPlaceable } from '#product/programme/timetable/placeable.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import { readTimetable } from '#product/programme/timetable/timetable.ts'
import { addRoom, addSession, addSlot } from '../programme.ts'

/** Does everything that chairs do with a programme. The event has abstracts. */
export async function planProgramme(
  db: Database,
  clock: () => number,
  { accountId, eventId, otherId }: { accountId: string; eventId: string; otherId: string },
): Promise<void> {
  const place = { db, accountId, eventId, clock }
  const hall = await addRoom(place, 'Hall')
  const attic = await addRoom(place, 'Attic')
  const chairs = [{ name: 'Chiara', email: 'chiara@chairs.test' }]
  const one = await addSession(place, { room_id: hall.id, chairs })
  const two = await addSession(place, { starts_at: clock() + DAY })
  const text = await addSlot(place, one, { title: 'Welcome', minutes: 15 })
  const rows = await db.read(accountId, tx =>
    tx.all<{ id: string }>(
      "SELECT id FROM abstracts WHERE account_id = $1 AND event_id = $2 AND status = 'accepted'",
      [accountId, eventId],
    ),
  )
  for (const { id } of rows) await addSlot(place, two, { abstract_id: id, minutes: 15 })
  await db.write(accountId, async tx => {
    await slots.move(tx, eventId, text, { session_id: one.id, before: null })
    const coffee = { title: 'Coffee', minutes: 15 }
    await slots.add(tx, eventId, { session_id: one.id, before: text }, coffee)
    await slots.change(tx, eventId, text, { minutes: 20, session_id: two.id })
    await sessions.change(tx, eventId, one.id, { ends_at: one.ends_at + HOUR })
    await rooms.move(tx, eventId, attic.id, 'up')
    await rooms.copy(tx, eventId, otherId)
  })
  await db.read(accountId, async tx => {
    assert.equal((await readTimetable(tx, eventId)).sessions.length, 2)
    assert.equal((await listPlaceable(tx, eventId)).length, rows.length)
    assert.equal(await rooms.countSessions(tx, hall.id), 1)
    await findUnregistered(tx, eventId, new Set(['grace@example.org', 'nobody@example.org']))
  })
  for await (const some of people.redactChairs(db, accountId, 'chiara@chairs.test'))
    for (const row of some) await db.write(accountId, tx => people.replaceChairs(tx, row))
  await db.write(accountId, async tx => {
    await slots.remove(tx, eventId, text)
    await sessions.remove(tx, eventId, two.id)
    await rooms.remove(tx, eventId, hall.id)
  })
}
