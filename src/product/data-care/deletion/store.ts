import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

const OF_EVENT = 'account_id = $1 AND event_id = $2'
const REGISTRATIONS = `SELECT r.id FROM registrations r WHERE r.${OF_EVENT.replace('AND ', 'AND r.')}`
const JOBS = `SELECT j.id FROM jobs j WHERE j.${OF_EVENT.replace('AND ', 'AND j.')}`

const OF_MEMBERS =
  'DELETE FROM member_events WHERE event_id = (SELECT e.id FROM events e WHERE e.account_id = $1 AND e.id = $2)'

/**
 * The statements that delete the rows of an event, in their order: what refers to other rows goes before them. The words of the
 * registrations are gone by then, as they have no column for the event.
 */
const statements: readonly string[] = [
  `DELETE FROM entries WHERE ${OF_EVENT}`,
  `DELETE FROM check_ins WHERE ${OF_EVENT}`,
  `DELETE FROM scans WHERE ${OF_EVENT}`,
  `DELETE FROM scan_cases WHERE ${OF_EVENT}`,
  `DELETE FROM door_changes WHERE ${OF_EVENT}`,
  `DELETE FROM devices WHERE ${OF_EVENT}`,
  `DELETE FROM attendees WHERE registration_id IN (${REGISTRATIONS})`,
  `DELETE FROM registrations WHERE ${OF_EVENT}`,
  `DELETE FROM payments WHERE ${OF_EVENT}`,
  `DELETE FROM orders WHERE ${OF_EVENT}`,
  `DELETE FROM answer_keys WHERE ${OF_EVENT}`,
  `DELETE FROM waitlist_entries WHERE ${OF_EVENT}`,
  `DELETE FROM file_chunks WHERE account_id = $1 AND file_id IN
     (SELECT f.id FROM abstract_files f WHERE f.account_id = $1 AND f.event_id = $2)`,
  `DELETE FROM abstract_files WHERE ${OF_EVENT}`,
  `DELETE FROM proposals WHERE ${OF_EVENT}`,
  `DELETE FROM reviews WHERE ${OF_EVENT}`,
  `DELETE FROM reviewers WHERE ${OF_EVENT}`,
  `DELETE FROM review_rounds WHERE ${OF_EVENT}`,
  `DELETE FROM slots WHERE ${OF_EVENT}`,
  `DELETE FROM programme_sessions WHERE ${OF_EVENT}`,
  `DELETE FROM rooms WHERE ${OF_EVENT}`,
  `DELETE FROM programmes WHERE ${OF_EVENT}`,
  `DELETE FROM programme_versions WHERE ${OF_EVENT}`,
  `DELETE FROM submissions WHERE ${OF_EVENT}`,
  `DELETE FROM submitters WHERE ${OF_EVENT}`,
  `DELETE FROM abstract_revisions WHERE ${OF_EVENT}`,
  `DELETE FROM abstracts WHERE ${OF_EVENT}`,
  `DELETE FROM calls WHERE ${OF_EVENT}`,
  `DELETE FROM announcements WHERE ${OF_EVENT}`,
  `DELETE FROM emails WHERE ${OF_EVENT}`,
  `DELETE FROM email_texts WHERE ${OF_EVENT}`,
  `DELETE FROM import_lines WHERE job_id IN (${JOBS})`,
  `DELETE FROM jobs WHERE ${OF_EVENT}`,
  `DELETE FROM codes WHERE ${OF_EVENT}`,
  `DELETE FROM questions WHERE ${OF_EVENT}`,
  `DELETE FROM registration_type_pools WHERE registration_type_id IN
     (SELECT t.id FROM registration_types t WHERE t.account_id = $1 AND t.event_id = $2)`,
  `DELETE FROM capacity_pools WHERE ${OF_EVENT}`,
  `DELETE FROM registration_types WHERE ${OF_EVENT}`,
  `DELETE FROM event_picture_sizes WHERE ${OF_EVENT}`,
  `DELETE FROM event_pictures WHERE ${OF_EVENT}`,
  `DELETE FROM looks WHERE ${OF_EVENT}`,
  `DELETE FROM event_figures WHERE ${OF_EVENT}`,
  `DELETE FROM ticket_keys WHERE event_id = (SELECT e.id FROM events e WHERE e.account_id = $1 AND e.id = $2)`,
  OF_MEMBERS,
  'DELETE FROM events WHERE account_id = $1 AND id = $2',
  // A series without any date is gone.
  `DELETE FROM series WHERE account_id = $1
     AND NOT EXISTS (SELECT 1 FROM events e WHERE e.account_id = $1 AND e.series_id = series.id AND e.id <> $2)`,
]

/** Deletes an event with all rows of it that are left, except the words of its registrations. */
export async function deleteRows(tx: WriteTx, eventId: string): Promise<void> {
  for (const statement of statements) await tx.run(statement, [tx.accountId, eventId])
}

/** Takes an event from the members who are limited to some events. */
export function deleteMembers(tx: WriteTx, eventId: string): Promise<number> {
  return tx.run(OF_MEMBERS, [tx.accountId, eventId])
}

/** A registration with its buyer, and the numbers that its words have. */
export interface NamedRow {
  id: string
  name: string
  email: string
  created_at: number
  number: number
  account_number: number
}

/** Lists registrations of an event, the newest first. */
export function listRegistrations(tx: ReadTx, eventId: string, most: number): Promise<NamedRow[]> {
  return tx.all(
    `SELECT r.id, r.buyer_name AS name, r.buyer_email AS email, r.created_at, r.number,
       (SELECT a.number FROM accounts a WHERE a.id = $1) AS account_number FROM registrations r
     WHERE r.account_id = $1 AND r.event_id = $2 ORDER BY r.created_at DESC, r.id DESC LIMIT $3`,
    [tx.accountId, eventId, most],
  )
}

/** One statement deletes so many words. Most registrations have no more. */
const WORDS = 8

/** Deletes the words that a registration is found by. A statement for each word takes as long as all the rest. */
export async function deleteWords(
  tx: WriteTx,
  { account_number, created_at, number }: NamedRow,
  words: ReadonlySet<string>,
): Promise<void> {
  const all = [...words]
  for (let start = 0; start < all.length; start += WORDS) {
    const some = all.slice(start, start + WORDS)
    while (some.length < WORDS) some.push(some[0] as string)
    await tx.run(
      `DELETE FROM registration_words WHERE account_number = $1 AND created_at = $2 AND registration_number = $3
         AND word IN ($4, $5, $6, $7, $8, $9, $10, $11)`,
      [account_number, created_at, number, ...some],
    )
  }
}

export interface HolderRow {
  registration_id: string
  name: string | null
  email: string | null
}

/** Lists the holders of the tickets of these registrations, those of each in their order. */
export async function listHolders(tx: ReadTx, registrationIds: readonly string[]): Promise<HolderRow[]> {
  const rows = await readInList<HolderRow & { position: number }>(
    tx,
    registrationIds,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT a.registration_id, a.position, a.name, a.email
       FROM attendees a JOIN registrations r ON r.id = a.registration_id
       WHERE a.registration_id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
  return rows.sort((one, other) => one.position - other.position)
}

/** Deletes a registration with its tickets. Its words, check-ins and scans are gone by then. */
export async function deleteRegistration(tx: WriteTx, id: string): Promise<number> {
  const tickets = await tx.run(
    `DELETE FROM attendees WHERE registration_id =
       (SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.id = $2)`,
    [tx.accountId, id],
  )
  await tx.run('DELETE FROM registrations WHERE account_id = $1 AND id = $2', [tx.accountId, id])
  return tickets
}

export interface InvitationRow {
  id: string
  event_ids: string
}

/** Lists the invitations of the account to some of its events, also those that were used. */
export function listInvitations(tx: ReadTx): Promise<InvitationRow[]> {
  return tx.all(
    `SELECT l.id, l.event_ids FROM one_time_links l
     WHERE l.account_id = $1 AND l.event_ids IS NOT NULL`,
    [tx.accountId],
  )
}

export function setInvitedTo(tx: WriteTx, id: string, eventIds: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE one_time_links SET event_ids = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, eventIds, now],
  )
}
