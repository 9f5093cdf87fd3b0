import type { ReadTx, WriteTx } from '../db/port.ts'

/** Notes tickets as changed at the doors of their event, where it has any. @param where says which, of attendees `a` */
function note(
  tx: WriteTx,
  where: string,
  params: [accountId: string, id: string, now: number],
): Promise<number> {
  return tx.run(
    `INSERT INTO door_changes (event_id, number, attendee_id, account_id, created_at, updated_at)
     SELECT r.event_id, (SELECT i.write_number FROM instance i WHERE i.id = 1), a.id, r.account_id, $3, $3
     FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE ${where} AND r.account_id = $1
       AND EXISTS (SELECT 1 FROM devices d WHERE d.event_id = r.event_id AND d.revoked_at IS NULL)
     ON CONFLICT DO NOTHING`,
    params,
  )
}

export function noteTicket(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return note(tx, 'a.id = $2', [accountId, id, now])
}

export function noteRegistration(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return note(tx, 'a.registration_id = $2', [accountId, id, now])
}

/** Notes that a copy of the event's list is of no use any more. */
export function noteEvent(tx: WriteTx, accountId: string, eventId: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO door_changes (event_id, number, attendee_id, account_id, created_at, updated_at)
     SELECT e.id, (SELECT i.write_number FROM instance i WHERE i.id = 1), '', e.account_id, $3, $3 FROM events e
     WHERE e.account_id = $1 AND e.id = $2
       AND EXISTS (SELECT 1 FROM devices d WHERE d.event_id = e.id AND d.revoked_at IS NULL)
     ON CONFLICT DO NOTHING`,
    [accountId, eventId, now],
  )
}

// By the instant, which grows with the number: the index by age finds at once that there is no newer one.
const HAS_NEWER = `EXISTS (SELECT 1 FROM door_changes n WHERE n.account_id = $1 AND n.event_id = c.event_id
  AND n.created_at > c.created_at AND n.created_at < $2)`

/** Whether there are changes from before an instant, but for those by which that is known. */
export async function hasOlder(tx: ReadTx, accountId: string, before: number): Promise<boolean> {
  const row = await tx.one(
    `SELECT 1 FROM door_changes c WHERE c.account_id = $1 AND c.created_at < $2 AND ${HAS_NEWER} LIMIT 1`,
    [accountId, before],
  )
  return row !== undefined
}

/** Of each event the newest of the old stays: a copy from before it cannot catch up. */
export async function deleteOlder(
  tx: WriteTx,
  accountId: string,
  before: number,
  limit: number,
): Promise<number> {
  // From then on it is known that the clock was there.
  await tx.now()
  return tx.run(
    `DELETE FROM door_changes WHERE (account_id, event_id, number, attendee_id) IN (
       SELECT c.account_id, c.event_id, c.number, c.attendee_id FROM door_changes c
       WHERE c.account_id = $1 AND c.created_at < $2 AND ${HAS_NEWER} LIMIT $3)`,
    [accountId, before, limit],
  )
}
