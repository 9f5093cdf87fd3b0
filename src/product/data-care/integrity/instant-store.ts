import { DAY, MINUTE } from '#base/time.ts'
import type { InstanceReadTx, InstanceWriteTx, Value } from '#machinery/db/port.ts'
import { MAX_MAIL_DELAY } from '#machinery/mail/schedule.ts'
import { LEASE } from '#product/administration/jobs/rules.ts'
import { LIFETIMES } from '#product/administration/users/links.ts'
import { MAX_AGE } from '#product/administration/users/sessions.ts'
import { MAX_RETRY_DELAY } from '#product/administration/webhooks/delivery/schedule.ts'
import { ROTATION_GRACE } from '#product/administration/webhooks/endpoints.ts'
import { MAX_APPROVAL_DAYS } from '#product/catalog/events/schemas.ts'
import { PAIRING_TIME } from '#product/entrance/doors/rules.ts'

/** A processor is asked again within this time. */
const MAX_LOOK_DELAY = DAY

/**
 * Lists the instants that the program itself writes, by table and column. Each number says how far ahead of the clock the instant
 * may lie, in milliseconds. Instants that a person has set, such as the dates of an event, are not included.
 */
export const instants: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  instance: { latest_write_at: 0, heartbeat_at: 0, held_at: 0, epoch_at: 0 },
  accounts: { forget_told_at: 0 },
  users: {},
  recovery_codes: {},
  members: {},
  sessions: { last_used_at: 0, expires_at: MAX_AGE },
  one_time_links: { expires_at: LIFETIMES.invitation, used_at: 0 },
  api_keys: { revoked_at: 0, last_used_at: 0 },
  series: {},
  events: { archived_at: 0, deleting_at: 0 },
  event_pictures: {},
  event_picture_sizes: {},
  looks: {},
  member_events: {},
  ticket_keys: {},
  registration_types: {},
  registrations: { confirmed_at: 0, cancelled_at: 0, refunded_at: 0, erased_at: 0 },
  registration_words: {},
  answer_keys: {},
  attendees: { mailed_at: 0, badge_printed_at: 0 },
  check_ins: { checked_in_at: 0 },
  entries: { entered_at: 0, left_at: 0 },
  devices: { pairing_expires_at: PAIRING_TIME, paired_at: 0, last_seen_at: 0, revoked_at: 0 },
  scans: { scanned_at: 0, seen_at: 0 },
  scan_cases: {},
  door_changes: {},
  waitlist_entries: { notified_at: 0 },
  abstract_files: { replaced_at: 0 },
  file_chunks: {},
  abstracts: { decided_at: 0, submitted_at: 0, withdrawn_at: 0, comments_told_at: 0, confirmed_at: 0 },
  proposals: {},
  abstract_revisions: {},
  calls: {},
  submitters: { confirmed_at: 0 },
  submissions: { confirmed_at: 0 },
  review_rounds: {},
  reviewers: { left_at: 0 },
  reviews: { done_at: 0 },
  rooms: {},
  programme_sessions: {},
  slots: {},
  programme_versions: {},
  programmes: {},
  webhook_endpoints: { previous_secret_expires_at: ROTATION_GRACE, failing_since: 0 },
  webhook_events: {},
  // A claim moves both a little into the future.
  webhook_deliveries: { next_attempt_at: MAX_RETRY_DELAY, manual_attempt_at: MINUTE },
  webhook_attempts: {},
  idempotent_responses: {},
  access_log: {},
  // A server works on the job until then.
  jobs: { lease_until: LEASE },
  import_lines: {},
  form_receipts: {},
  capacity_pools: {},
  questions: { retired_at: 0, answered_at: 0 },
  codes: {},
  registration_type_pools: {},
  event_figures: { counted_at: 0 },
  emails: { next_attempt_at: MAX_MAIL_DELAY, sent_at: 0 },
  email_texts: {},
  mail_turns: { due_at: MAX_MAIL_DELAY },
  unsubscribed: {},
  announcements: { sent_at: 0, stopped_at: 0 },
  receipts: { issued_at: 0, erased_at: 0 },
  orders: {
    ...{ expires_at: MAX_APPROVAL_DAYS * DAY, confirmed_at: 0, failed_at: 0, erased_at: 0 },
    verified_at: 0,
  },
  payments: { expires_at: MAX_APPROVAL_DAYS * DAY, next_look_at: MAX_LOOK_DELAY, ended_at: 0 },
  refunds: { next_look_at: MAX_LOOK_DELAY, ended_at: 0 },
  ledger_entries: { moved_at: 0 },
  payment_connections: { events_read_at: 0 },
  orphan_payments: { paid_at: 0 },
  disputes: { due_by: MAX_APPROVAL_DAYS * DAY, opened_at: 0 },
  payouts: { made_at: 0 },
  payout_lines: { moved_at: 0 },
  payout_readings: { read_at: 0 },
  statement_mappings: {},
  statement_files: {},
  statement_lines: { erased_at: 0 },
  test_sessions: { expires_at: MAX_APPROVAL_DAYS * DAY, paid_at: 0 },
}

/** Lists the instants that every table has. */
const always = { created_at: 0, updated_at: 0 }

/** Lists the primary keys that are not `id`. */
const keys: Readonly<Record<string, readonly string[]>> = {
  abstract_files: ['account_id', 'id'],
  answer_keys: ['event_id', 'key'],
  event_pictures: ['event_id'],
  file_chunks: ['account_id', 'file_id', 'number'],
  event_picture_sizes: ['event_id', 'use', 'width'],
  idempotent_responses: ['account_id', 'idempotency_key'],
  member_events: ['member_id', 'event_id'],
  recovery_codes: ['user_id', 'code_hash'],
  import_lines: ['job_id', 'line'],
  form_receipts: ['account_id', 'user_id', 'form_id'],
  registration_type_pools: ['registration_type_id', 'pool_id'],
  email_texts: ['event_id', 'kind', 'language'],
  unsubscribed: ['account_id', 'email_key'],
  event_figures: ['event_id'],
  ledger_entries: ['account_id', 'kind', 'entry_id'],
  payment_connections: ['account_id', 'method'],
  orphan_payments: ['account_id', 'session_id'],
  disputes: ['account_id', 'id'],
  payouts: ['account_id', 'id'],
  payout_lines: ['account_id', 'id'],
  payout_readings: ['account_id'],
  statement_mappings: ['account_id'],
  statement_files: ['account_id', 'job_id', 'part'],
  entries: ['attendee_id', 'slot'],
  scans: ['account_id', 'id'],
  door_changes: ['account_id', 'event_id', 'number', 'attendee_id'],
  abstract_revisions: ['abstract_id', 'number'],
  calls: ['event_id'],
  proposals: ['account_id', 'abstract_id'],
  review_rounds: ['event_id'],
  reviews: ['account_id', 'abstract_id', 'reviewer_id'],
  programme_versions: ['event_id', 'number'],
  programmes: ['event_id'],
  registration_words: ['account_number', 'word', 'created_at', 'registration_number'],
}

export type Key = Readonly<Record<string, Value>>

function columnsOf(table: string): [column: string, mayLieAhead: number][] {
  return Object.entries({ ...instants[table], ...always })
}

function keyOf(table: string): readonly string[] {
  return keys[table] ?? ['id']
}

/** Writes a row value, such as `(event_id, key)` or `($3, $4)`. */
function row(parts: readonly string[]): string {
  return `(${parts.join(', ')})`
}

/**
 * Writes the condition that an instant lies ahead of `$1`. It casts the number, because PostgreSQL would otherwise give `$1` a
 * type that is too small for an instant.
 */
function liesAhead(column: string, most: number): string {
  return `${column} > $1 + CAST(${most} AS BIGINT)`
}

/** Writes the condition for rows with an instant that lies ahead of `$1`. */
function isAhead(table: string): string {
  return `(${columnsOf(table)
    .map(([column, most]) => liesAhead(column, most))
    .join(' OR ')})`
}

/** Counts the rows of a table with an instant that lies ahead of `limit`. */
export async function countAhead(tx: InstanceReadTx, table: string, limit: number): Promise<number> {
  const found = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM ${table} WHERE ${isAhead(table)}`,
    [limit],
  )
  return found?.count ?? 0
}

/**
 * Lists the keys of these rows, in order.
 *
 * @param last the key after which the list begins
 */
export function listAhead(
  tx: InstanceReadTx,
  table: string,
  limit: number,
  last: Key | undefined,
  size: number,
): Promise<Key[]> {
  const key = keyOf(table)
  const after = last === undefined ? '' : `AND ${row(key)} > ${row(key.map((_, at) => `$${at + 3}`))}`
  return tx.all(
    `SELECT ${key.join(', ')} FROM ${table} WHERE ${isAhead(table)} ${after} ORDER BY ${key.join(', ')} LIMIT $2`,
    [limit, size, ...valuesOf(key, last)],
  )
}

/**
 * Puts the instants of a row that lie ahead of `limit` back to `now`. It finds the row by its whole key, because many rows that
 * do not lie ahead may be between two that do.
 */
export function putBack(
  tx: InstanceWriteTx,
  table: string,
  { limit, now }: { limit: number; now: number },
  key: Key,
): Promise<number> {
  const names = keyOf(table)
  const changes = columnsOf(table).map(([column, most]) =>
    column === 'updated_at'
      ? 'updated_at = $2'
      : `${column} = CASE WHEN ${liesAhead(column, most)} THEN $2 ELSE ${column} END`,
  )
  const isRow = names.map((name, at) => `${name} = $${at + 3}`)
  return tx.run(
    `UPDATE ${table} SET ${changes.join(', ')} WHERE ${isRow.join(' AND ')} AND ${isAhead(table)}`,
    [limit, now, ...valuesOf(names, key)],
  )
}

function valuesOf(key: readonly string[], row: Key | undefined): Value[] {
  return row === undefined ? [] : key.map(column => row[column] as Value)
}

export async function findNewestWrite(tx: InstanceReadTx): Promise<number | undefined> {
  const row = await tx.one<{ latest_write_at: number }>('SELECT latest_write_at FROM instance')
  return row?.latest_write_at
}
