import type { WriteTx } from '../db/port.ts'

/** Notes tickets as changed at the doors of their event, where it has any. @param where says which, of attendees `a` */
function note(
  tx: WriteTx,
  where: string,
  params: [accountId: string, id: string, now: number],
): Promise<number> {
  return tx.run(
    `INSERT INTO door_changes (event_id, number, attendee_id, account_id, created_at, updated_at)
     SELECT r.event_id, i.write_number, a.id, r.account_id, $3, $3
     FROM attendees a JOIN registrations r ON r.id = a.registration_id, instance i
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
     SELECT e.id, i.write_number, '', e.account_id, $3, $3 FROM events e, instance i
     WHERE e.account_id = $1 AND e.id = $2
       AND EXISTS (SELECT 1 FROM devices d WHERE d.event_id = e.id AND d.revoked_at IS NULL)
     ON CONFLICT DO NOTHING`,
    [accountId, eventId, now],
  )
}
