import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as scans from '#product/entrance/check-ins/scans.ts'
import * as doors from '#product/entrance/doors/rules.ts'

/** Adds a door with scans of every outcome: admitted, twice, turned away, held, taken back. No file brings them. */
export async function addDoor(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  eventId: string,
  names: { door: string; note: string } = { door: 'Main door', note: 'Why' },
): Promise<void> {
  const tickets = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>(
      `SELECT a.id FROM attendees a JOIN registrations r ON r.id = a.registration_id
         JOIN registration_types t ON t.id = r.registration_type_id AND t.kind = 'ticket'
       WHERE r.account_id = $1 AND r.event_id = $2 AND r.status = 'confirmed' AND a.voided = 0
         AND NOT EXISTS (SELECT 1 FROM check_ins c WHERE c.attendee_id = a.id) ORDER BY a.id LIMIT 1`,
      [accountId, eventId],
    ),
  )
  const ticketId = tickets[0]?.id as string
  const note = names.note
  await db.write(accountId, async tx => {
    const about = { event_id: eventId, name: names.door, registration_type_ids: null }
    const input = { ...about, search: true, unlisted: true }
    const { id: deviceId } = await doors.add(tx, input, 'http://127.0.0.1')
    const door = { deviceId, eventId, name: names.door, typeIds: null, isRevoked: false }
    const [now, signedFor] = [tx.clock(), eventId]
    const item = (id: string) => ({ id: `${id}-${eventId}`, deviceAt: now, offset: 0, at: now, note })
    const scan = (id: string, shown: scans.Shown) =>
      ({ ...item(id), kind: 'scan', ticketId, signedFor, shown }) as const
    const revoked = { ...door, isRevoked: true }
    await scans.receive(tx, door, scan('a', 'admitted'))
    await scans.receive(tx, door, scan('conflict', 'admitted'))
    await scans.receive(tx, door, scan('refused', 'refused'))
    await scans.receive(tx, revoked, scan('held', 'admitted'))
    await scans.receive(tx, revoked, { ...item('held-undo'), kind: 'undo', of: `a-${eventId}` })
    await scans.receive(tx, door, { ...item('undo'), kind: 'undo', of: 'never-seen' })
    await doors.add(tx, { ...input, search: false, unlisted: false }, 'http://127.0.0.1')
  })
}
