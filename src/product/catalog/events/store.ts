import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { eventStatuses, eventVisibilities, paymentWays, reminders, waitlistModes } from './states.ts'

export interface EventRow {
  id: string
  account_id: string
  slug: string
  title: string
  starts_at: number | null
  ends_at: number | null
  timezone: string
  venue: string | null
  city: string | null
  currency: string
  status: (typeof eventStatuses)[number]
  visibility: (typeof eventVisibilities)[number] | null
  requires_approval: 0 | 1
  description: string | null
  address: string | null
  online_url: string | null
  contact_email: string | null
  terms: string | null
  names_locked_at: number | null
  cancel_until: number | null
  cancel_refund_basis_points: number
  payment_days: number
  withdrawal_excluded: 0 | 1
  waitlist_mode: (typeof waitlistModes)[number]
  waitlist_hours: number
  reminder: (typeof reminders)[number]
  approval_days: number
  payment_ways: (typeof paymentWays)[number]
  decision_mails: 0 | 1
  takes_abstracts: 0 | 1
  give_on: 0 | 1
  /** A JSON object, or null. */
  badge_layout: string | null
  /** When it was taken off the dashboard's list, or null. */
  archived_at: number | null
  /** The series that it is a date of, or null. */
  series_id: string | null
  created_at: number
}

const SELECT = `SELECT e.id, e.account_id, e.slug, e.title, e.starts_at, e.ends_at, e.timezone, e.venue, e.city, e.currency,
  e.status, e.visibility, e.requires_approval, e.description, e.address, e.online_url, e.contact_email, e.terms,
  e.names_locked_at, e.cancel_until, e.cancel_refund_basis_points, e.payment_days, e.withdrawal_excluded, e.waitlist_mode,
  e.waitlist_hours, e.reminder, e.approval_days, e.payment_ways, e.decision_mails, e.takes_abstracts,
  e.give_on, e.badge_layout, e.archived_at, e.series_id, e.created_at FROM events e`

export function find(tx: ReadTx, id: string): Promise<EventRow | undefined> {
  return tx.one(`${SELECT} WHERE e.account_id = $1 AND e.id = $2 AND e.deleting_at IS NULL`, [
    tx.accountId,
    id,
  ])
}

export function findWaitlistMode(
  tx: ReadTx,
  id: string,
): Promise<Pick<EventRow, 'waitlist_mode'> | undefined> {
  return tx.one('SELECT e.waitlist_mode FROM events e WHERE e.account_id = $1 AND e.id = $2', [
    tx.accountId,
    id,
  ])
}

const nextNumber = (accountId: '$1' | '$2') =>
  `SELECT coalesce(max(n.number), 0) + 1 AS number FROM events n WHERE n.account_id = ${accountId}`

/** Returns the number of an event, or the number that the next event of the account gets. */
export async function findNumber(tx: ReadTx, id?: string): Promise<number> {
  const row =
    id === undefined
      ? await tx.one<{ number: number }>(nextNumber('$1'), [tx.accountId])
      : await tx.one<{ number: number }>(
          'SELECT e.number FROM events e WHERE e.account_id = $1 AND e.id = $2',
          [tx.accountId, id],
        )
  return row?.number as number
}

export function findBySlug(tx: ReadTx, slug: string): Promise<EventRow | undefined> {
  return tx.one(`${SELECT} WHERE e.account_id = $1 AND e.slug = $2`, [tx.accountId, slug])
}

export async function hasRegistrations(tx: ReadTx, eventId: string): Promise<boolean> {
  const query = 'SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.event_id = $2 LIMIT 1'
  return (await tx.one(query, [tx.accountId, eventId])) !== undefined
}

/** Lists all events of the account, oldest first. */
export function listByAccount(tx: ReadTx): Promise<EventRow[]> {
  return tx.all(`${SELECT} WHERE e.account_id = $1 AND e.deleting_at IS NULL ORDER BY e.created_at, e.id`, [
    tx.accountId,
  ])
}

export function listPage(tx: ReadTx, page: Page): Promise<EventRow[]> {
  return readPage(tx, SELECT, 'e', { account_id: tx.accountId, deleting_at: null }, page)
}

export function insert(tx: WriteTx, row: EventRow): Promise<number> {
  return tx.run(
    `INSERT INTO events (id, account_id, slug, title, starts_at, ends_at, timezone, venue, city, currency, status,
       visibility, requires_approval, description, created_at, updated_at, address, online_url, contact_email, terms,
       names_locked_at, cancel_until, cancel_refund_basis_points, payment_days, withdrawal_excluded, waitlist_mode,
       waitlist_hours, reminder, approval_days, payment_ways, decision_mails, takes_abstracts,
       archived_at, give_on, badge_layout, number)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17, $18, $19, $20, $21, $22, $23,
       $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, (${nextNumber('$2')}))`,
    [
      row.id,
      row.account_id,
      row.slug,
      row.title,
      row.starts_at,
      row.ends_at,
      row.timezone,
      row.venue,
      row.city,
      row.currency,
      row.status,
      row.visibility,
      row.requires_approval,
      row.description,
      row.created_at,
      row.address,
      row.online_url,
      row.contact_email,
      row.terms,
      row.names_locked_at,
      row.cancel_until,
      row.cancel_refund_basis_points,
      row.payment_days,
      row.withdrawal_excluded,
      row.waitlist_mode,
      row.waitlist_hours,
      row.reminder,
      row.approval_days,
      row.payment_ways,
      row.decision_mails,
      row.takes_abstracts,
      row.archived_at,
      row.give_on,
      row.badge_layout,
    ],
  )
}

export function update(tx: WriteTx, row: EventRow, now: number): Promise<number> {
  return tx.run(
    `UPDATE events SET title = $3, starts_at = $4, ends_at = $5, timezone = $6, venue = $7, city = $8, currency = $9,
       status = $10, visibility = $11, requires_approval = $12, description = $13, slug = $14, updated_at = $15,
       address = $16, online_url = $17, contact_email = $18, terms = $19, names_locked_at = $20, cancel_until = $21,
       cancel_refund_basis_points = $22, payment_days = $23, withdrawal_excluded = $24, waitlist_mode = $25,
       waitlist_hours = $26, reminder = $27, approval_days = $28, payment_ways = $29, decision_mails = $30,
       takes_abstracts = $31, archived_at = $32, give_on = $33, badge_layout = $34, revision = revision + 1 WHERE account_id = $1 AND id = $2`,
    [
      row.account_id,
      row.id,
      row.title,
      row.starts_at,
      row.ends_at,
      row.timezone,
      row.venue,
      row.city,
      row.currency,
      row.status,
      row.visibility,
      row.requires_approval,
      row.description,
      row.slug,
      now,
      row.address,
      row.online_url,
      row.contact_email,
      row.terms,
      row.names_locked_at,
      row.cancel_until,
      row.cancel_refund_basis_points,
      row.payment_days,
      row.withdrawal_excluded,
      row.waitlist_mode,
      row.waitlist_hours,
      row.reminder,
      row.approval_days,
      row.payment_ways,
      row.decision_mails,
      row.takes_abstracts,
      row.archived_at,
      row.give_on,
      row.badge_layout,
    ],
  )
}

export function setArchived(
  tx: WriteTx,
  id: string,
  archivedAt: number | null,
  now: number,
): Promise<number> {
  return tx.run('UPDATE events SET archived_at = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    archivedAt,
    now,
  ])
}

/** @param seriesId null for none */
export function setSeries(tx: WriteTx, id: string, seriesId: string | null, now: number): Promise<number> {
  return tx.run('UPDATE events SET series_id = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    seriesId,
    now,
  ])
}

/** Marks an event as being deleted, and gives it another link name. */
export function markDeleting(tx: WriteTx, id: string, slug: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE events SET deleting_at = $3, slug = $4, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND deleting_at IS NULL`,
    [tx.accountId, id, now, slug],
  )
}

/** Returns the date and place that ticket holders know, or null if these are current. */
export function findUnnotified(tx: ReadTx, id: string): Promise<{ untold: string | null } | undefined> {
  return tx.one('SELECT e.untold FROM events e WHERE e.account_id = $1 AND e.id = $2', [tx.accountId, id])
}

export function setUnnotified(tx: WriteTx, id: string, untold: string | null, now: number): Promise<number> {
  return tx.run('UPDATE events SET untold = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    untold,
    now,
  ])
}

export interface ToRemindRow {
  id: string
  account_id: string
  starts_at: number
  timezone: string
}

/**
 * Lists the events of all accounts that begin after `from` and not after `until`, and whose people are still to be reminded, the
 * next one first.
 */
export function listToRemind(
  tx: InstanceReadTx,
  from: { starts_at: number; id: string },
  until: number,
  limit: number,
): Promise<ToRemindRow[]> {
  return tx.all(
    `SELECT e.id, e.account_id, e.starts_at, e.timezone FROM events e
     WHERE e.status = 'published' AND e.reminder <> 'off' AND (e.starts_at, e.id) > ($1, $2) AND e.starts_at <= $3
       AND (e.reminded_for IS NULL OR e.reminded_for <> e.starts_at)
     ORDER BY e.starts_at, e.id LIMIT $4`,
    [from.starts_at, from.id, until, limit],
  )
}

/** Returns the start that the people of an event were reminded of. */
export function findReminded(tx: ReadTx, id: string): Promise<{ reminded_for: number | null } | undefined> {
  return tx.one('SELECT e.reminded_for FROM events e WHERE e.account_id = $1 AND e.id = $2', [
    tx.accountId,
    id,
  ])
}

export function setReminded(tx: WriteTx, id: string, start: number | null, now: number): Promise<number> {
  return tx.run('UPDATE events SET reminded_for = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    start,
    now,
  ])
}
