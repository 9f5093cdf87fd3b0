import { randomUUID } from 'node:crypto'
import { HOUR } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'

interface Place {
  db: Database
  accountId: string
  eventId: string
  clock: () => number
}

/** A room with a session of one hour, in which two texts stand, and a published version of it. */
export async function addProgramme({ db, accountId, eventId, clock }: Place): Promise<void> {
  const now = clock()
  const [room, session] = [randomUUID(), randomUUID()]
  const chairs = JSON.stringify([{ name: 'Chiara Chair', email: 'chiara@example.org' }])
  await db.write(accountId, async tx => {
    await tx.run(
      `INSERT INTO rooms (id, account_id, event_id, name, position, created_at, updated_at)
       VALUES ($1, $2, $3, 'Main hall', 0, $4, $4)`,
      [room, accountId, eventId, now],
    )
    await tx.run(
      `INSERT INTO programme_sessions (id, account_id, event_id, room_id, title, about, starts_at, ends_at, chairs, created_at,
         updated_at) VALUES ($1, $2, $3, $4, 'Opening', NULL, $5, $6, $7, $8, $8)`,
      [session, accountId, eventId, room, now, now + HOUR, chairs, now],
    )
    for (const [position, title] of ['Welcome', 'Coffee'].entries())
      await tx.run(
        `INSERT INTO slots (id, account_id, event_id, session_id, position, minutes, abstract_id, title, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, 15, NULL, $6, $7, $7)`,
        [randomUUID(), accountId, eventId, session, position, title, now],
      )
    await tx.run(
      `INSERT INTO programme_versions (event_id, number, account_id, content, published_by, created_at, updated_at)
       VALUES ($1, 1, $2, '{}', 'cli', $3, $3)`,
      [eventId, accountId, now],
    )
    await tx.run(
      `INSERT INTO programmes (event_id, account_id, texts_from, published, created_at, updated_at)
       VALUES ($1, $2, NULL, 1, $3, $3)`,
      [eventId, accountId, now],
    )
  })
}
