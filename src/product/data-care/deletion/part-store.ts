import type { WriteTx } from '#machinery/db/port.ts'

const SOME = 'WHERE i.account_id = $1 AND i.event_id = $2 LIMIT $3'
const byId = (table: string) => `DELETE FROM ${table} WHERE id IN (SELECT i.id FROM ${table} i ${SOME})`

const byEvent = (table: string) =>
  `DELETE FROM ${table} WHERE event_id IN (SELECT i.event_id FROM ${table} i ${SOME})`

/**
 * The tables of which an event may have very many rows, in the order in which they go: what refers to other rows goes before
 * them, and mails first, so that none is sent any more. `rows` go in one statement. They are fewer where a row may be long, since
 * deleting a long text reads each of its pages. Registrations with their tickets have a step of their own after the devices.
 */
const tables = {
  emails: { sql: byId('emails'), rows: 20 },
  entries: {
    sql: `DELETE FROM entries WHERE account_id = $1
      AND (attendee_id, slot) IN (SELECT i.attendee_id, i.slot FROM entries i ${SOME})`,
    rows: 50,
  },
  check_ins: { sql: byId('check_ins'), rows: 50 },
  scans: {
    sql: `DELETE FROM scans WHERE account_id = $1 AND id IN (SELECT i.id FROM scans i ${SOME})`,
    rows: 50,
  },
  scan_cases: { sql: byId('scan_cases'), rows: 50 },
  door_changes: {
    sql: `DELETE FROM door_changes WHERE account_id = $1 AND event_id = $2
      AND (number, attendee_id) IN (SELECT i.number, i.attendee_id FROM door_changes i ${SOME})`,
    rows: 100,
  },
  payments: { sql: byId('payments'), rows: 20 },
  waitlist_entries: { sql: byId('waitlist_entries'), rows: 50 },
  orders: { sql: byId('orders'), rows: 20 },
  proposals: {
    sql: `DELETE FROM proposals WHERE account_id = $1 AND abstract_id IN (SELECT i.abstract_id FROM proposals i ${SOME})`,
    rows: 50,
  },
  slots: { sql: byId('slots'), rows: 100 },
  programme_sessions: { sql: byId('programme_sessions'), rows: 20 },
  // What is public refers to a version.
  programmes: { sql: byEvent('programmes'), rows: 1 },
  programme_versions: {
    sql: `DELETE FROM programme_versions WHERE (event_id, number) IN
      (SELECT i.event_id, i.number FROM programme_versions i ${SOME})`,
    rows: 1,
  },
  reviews: {
    sql: `DELETE FROM reviews WHERE account_id = $1
      AND (abstract_id, reviewer_id) IN (SELECT i.abstract_id, i.reviewer_id FROM reviews i ${SOME})`,
    rows: 20,
  },
  reviewers: { sql: byId('reviewers'), rows: 50 },
  submissions: { sql: byId('submissions'), rows: 2 },
  submitters: { sql: byId('submitters'), rows: 50 },
  abstract_revisions: {
    sql: `DELETE FROM abstract_revisions WHERE (abstract_id, number) IN
      (SELECT i.abstract_id, i.number FROM abstract_revisions i ${SOME})`,
    rows: 2,
  },
  abstracts: { sql: byId('abstracts'), rows: 2 },
  announcements: { sql: byId('announcements'), rows: 10 },
  import_lines: {
    sql: `DELETE FROM import_lines WHERE (job_id, line) IN (SELECT i.job_id, i.line
      FROM jobs j JOIN import_lines i ON i.job_id = j.id WHERE j.account_id = $1 AND j.event_id = $2 LIMIT $3)`,
    rows: 20,
  },
  codes: { sql: byId('codes'), rows: 100 },
} as const

export type LargeTable = keyof typeof tables

/** Deletes some rows of an event. @returns how many, or 0 if none is left */
export function deleteSomeOf(tx: WriteTx, table: LargeTable, eventId: string): Promise<number> {
  const { sql, rows } = tables[table]
  return tx.run(sql, [tx.accountId, eventId, rows])
}
