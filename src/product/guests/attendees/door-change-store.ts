import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

/**
 * Builds the statement that notes tickets as changed at the doors of their event, if it has any.
 *
 * @param where the condition that selects them, on attendees `a`
 */
const note = (where: string) =>
  `INSERT INTO door_changes (event_id, number, attendee_id, account_id, created_at, updated_at)
   SELECT r.event_id, (SELECT i.write_number FROM instance i WHERE i.id = 1), a.id, r.account_id, $3, $3
   FROM attendees a JOIN registrations r ON r.id = a.registration_id
   WHERE ${where} AND r.account_id = $1
     AND EXISTS (SELECT 1 FROM devices d WHERE d.event_id = r.event_id AND d.revoked_at IS NULL)
   ON CONFLICT DO NOTHING`
const NOTE_TICKET = note('a.id = $2')
const NOTE_REGISTRATION = note('a.registration_id = $2')
// Whether the event has devices is asked once, before any row is read: most events that import have none.
const NOTE_NEW = `INSERT INTO door_changes (event_id, number, attendee_id, account_id, created_at, updated_at)
   SELECT $4, (SELECT i.write_number FROM instance i WHERE i.id = 1), a.id, $1, $3, $3 FROM attendees a
   WHERE a.registration_id = $2 AND EXISTS (SELECT 1 FROM devices d WHERE d.event_id = $4 AND d.revoked_at IS NULL)
   ON CONFLICT DO NOTHING`

export function noteTicket(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(NOTE_TICKET, [tx.accountId, id, now])
}

export function noteRegistration(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(NOTE_REGISTRATION, [tx.accountId, id, now])
}

/** Notes the tickets of a registration that the same write has inserted into this event. */
export function noteNew(tx: WriteTx, eventId: string, registrationId: string, now: number): Promise<number> {
  return tx.run(NOTE_NEW, [tx.accountId, registrationId, now, eventId])
}

/** Notes that a copy of the event's list is no longer of use. */
export function noteEvent(tx: WriteTx, eventId: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO door_changes (event_id, number, attendee_id, account_id, created_at, updated_at)
     SELECT e.id, (SELECT i.write_number FROM instance i WHERE i.id = 1), '', e.account_id, $3, $3 FROM events e
     WHERE e.account_id = $1 AND e.id = $2
       AND EXISTS (SELECT 1 FROM devices d WHERE d.event_id = e.id AND d.revoked_at IS NULL)
     ON CONFLICT DO NOTHING`,
    [tx.accountId, eventId, now],
  )
}

// It compares instants, which grow with the number. The index by age then shows at once that there is no newer change.
const HAS_NEWER = `EXISTS (SELECT 1 FROM door_changes n WHERE n.account_id = $1 AND n.event_id = c.event_id
  AND n.created_at > c.created_at AND n.created_at < $2)`

/** Returns whether an event has changes from before an instant besides the newest of them, which `deleteOlder` keeps. */
export async function hasOlder(tx: ReadTx, before: number): Promise<boolean> {
  const row = await tx.one(
    `SELECT 1 FROM door_changes c WHERE c.account_id = $1 AND c.created_at < $2 AND ${HAS_NEWER} LIMIT 1`,
    [tx.accountId, before],
  )
  return row !== undefined
}

/** Deletes old changes but keeps the newest of them for each event. It shows that a copy from before it cannot catch up. */
export async function deleteOlder(tx: WriteTx, before: number, limit: number): Promise<number> {
  // This call records that the clock has reached this instant.
  await tx.now()
  return tx.run(
    `DELETE FROM door_changes WHERE (account_id, event_id, number, attendee_id) IN (
       SELECT c.account_id, c.event_id, c.number, c.attendee_id FROM door_changes c
       WHERE c.account_id = $1 AND c.created_at < $2 AND ${HAS_NEWER} LIMIT $3)`,
    [tx.accountId, before, limit],
  )
}
