import type { ReadTx, Value, WriteTx } from '../db/port.ts'
import { PAIRING_TIME } from '../doors/rules.ts'
import { MAX_MAIL_DELAY } from '../emails/schedule.ts'
import { MAX_APPROVAL_DAYS } from '../events/schemas.ts'
import { LEASE } from '../jobs/rules.ts'
import { DAY, MINUTE } from '../time.ts'
import { LIFETIMES } from '../users/links.ts'
import { MAX_AGE } from '../users/sessions.ts'
import { MAX_RETRY_DELAY } from '../webhooks/delivery/schedule.ts'
import { ROTATION_GRACE } from '../webhooks/endpoints.ts'

/** A processor is asked again within it. */
const MAX_LOOK_DELAY = DAY

/**
 * The instants that the program itself writes, by table and column, and how far ahead of the clock each may lie, in
 * milliseconds. What a person has set, as the dates of an event, is not among them.
 */
export const instants: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  instance: { latest_write_at: 0, heartbeat_at: 0, held_at: 0, epoch_at: 0 },
  accounts: {},
  users: {},
  recovery_codes: {},
  members: {},
  sessions: { last_used_at: 0, expires_at: MAX_AGE },
  one_time_links: { expires_at: LIFETIMES.invitation, used_at: 0 },
  api_keys: { revoked_at: 0, last_used_at: 0 },
  events: {},
  event_pictures: {},
  member_events: {},
  ticket_keys: {},
  registration_types: {},
  registrations: { confirmed_at: 0, cancelled_at: 0, refunded_at: 0, erased_at: 0 },
  registration_words: {},
  answer_keys: {},
  attendees: {},
  check_ins: { checked_in_at: 0 },
  devices: { pairing_expires_at: PAIRING_TIME, paired_at: 0, last_seen_at: 0, revoked_at: 0 },
  scans: { scanned_at: 0, seen_at: 0 },
  door_changes: {},
  waitlist_entries: { notified_at: 0 },
  abstracts: { decided_at: 0, submitted_at: 0 },
  webhook_endpoints: { previous_secret_expires_at: ROTATION_GRACE, failing_since: 0 },
  webhook_events: {},
  // A claim moves both a little into the future.
  webhook_deliveries: { next_attempt_at: MAX_RETRY_DELAY, manual_attempt_at: MINUTE },
  webhook_attempts: {},
  idempotent_responses: {},
  access_log: {},
  // A server works on it until then.
  jobs: { lease_until: LEASE },
  import_lines: {},
  form_receipts: {},
  capacity_pools: {},
  questions: { retired_at: 0 },
  codes: {},
  registration_type_pools: {},
  event_figures: { counted_at: 0 },
  emails: { next_attempt_at: MAX_MAIL_DELAY, sent_at: 0 },
  email_texts: {},
  unsubscribed: {},
  announcements: { sent_at: 0, stopped_at: 0 },
  receipts: { issued_at: 0, erased_at: 0 },
  orders: { expires_at: MAX_APPROVAL_DAYS * DAY, confirmed_at: 0, failed_at: 0, erased_at: 0 },
  payments: { expires_at: MAX_APPROVAL_DAYS * DAY, next_look_at: MAX_LOOK_DELAY, ended_at: 0 },
  refunds: { next_look_at: MAX_LOOK_DELAY, ended_at: 0 },
  ledger_entries: { moved_at: 0 },
  payment_connections: { events_read_at: 0 },
  orphan_payments: { paid_at: 0 },
  disputes: { due_by: MAX_APPROVAL_DAYS * DAY, opened_at: 0 },
  statement_mappings: {},
  statement_files: {},
  statement_lines: { erased_at: 0 },
  test_sessions: { expires_at: MAX_APPROVAL_DAYS * DAY, paid_at: 0 },
}

/** What every table has. */
const always = { created_at: 0, updated_at: 0 }

/** The primary keys that are not `id`. */
const keys: Readonly<Record<string, readonly string[]>> = {
  answer_keys: ['event_id', 'key'],
  event_pictures: ['event_id'],
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
  statement_mappings: ['account_id'],
  statement_files: ['account_id', 'job_id', 'part'],
  scans: ['account_id', 'id'],
  door_changes: ['account_id', 'event_id', 'number', 'attendee_id'],
  registration_words: ['account_number', 'word', 'created_at', 'registration_number'],
}

export type Key = Readonly<Record<string, Value>>

function columnsOf(table: string): [column: string, mayLieAhead: number][] {
  return Object.entries({ ...instants[table], ...always })
}

function keyOf(table: string): readonly string[] {
  return keys[table] ?? ['id']
}

/** A row value, as `(event_id, key)` or `($3, $4)`. */
function row(parts: readonly string[]): string {
  return `(${parts.join(', ')})`
}

/** Said of its type, as PostgreSQL would take `$1` for one that no instant fits into. */
function liesAhead(column: string, most: number): string {
  return `${column} > $1 + CAST(${most} AS BIGINT)`
}

/** True of the rows of which an instant lies ahead of `$1`. */
function isAhead(table: string): string {
  return `(${columnsOf(table)
    .map(([column, most]) => liesAhead(column, most))
    .join(' OR ')})`
}

/** The rows of a table of which an instant lies ahead of `limit`. */
export async function countAhead(tx: ReadTx, table: string, limit: number): Promise<number> {
  const found = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM ${table} WHERE ${isAhead(table)}`,
    [limit],
  )
  return found?.count ?? 0
}

/** Their keys, in order. @param last the key after which they begin */
export function listAhead(
  tx: ReadTx,
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
 * Puts what lies ahead of `limit` in a row back to `now`. By its whole key: between two that lie ahead may be many that do
 * not.
 */
export function putBack(
  tx: WriteTx,
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

export async function findNewestWrite(tx: ReadTx): Promise<number | undefined> {
  const row = await tx.one<{ latest_write_at: number }>('SELECT latest_write_at FROM instance')
  return row?.latest_write_at
}
