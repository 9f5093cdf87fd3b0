import type { AnyReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Role } from './roles.ts'

export interface MemberRow {
  id: string
  account_id: string
  user_id: string
  email: string
  name: string
  role: Role
  all_events: 0 | 1
  created_at: number
}

/** A membership as the member sees it. */
export interface MembershipRow {
  id: string
  account_id: string
  account_name: string
  role: Role
  all_events: 0 | 1
}

interface MemberEvent {
  member_id: string
  event_id: string
}

const SELECT = `SELECT m.id, m.account_id, m.user_id, u.email, u.name, m.role, m.all_events, m.created_at
  FROM members m JOIN users u ON u.id = m.user_id`
const SELECT_EVENTS =
  'SELECT me.member_id, me.event_id FROM members m JOIN member_events me ON me.member_id = m.id'

export function find(tx: ReadTx, id: string): Promise<MemberRow | undefined> {
  return tx.one(`${SELECT} WHERE m.account_id = $1 AND m.id = $2`, [tx.accountId, id])
}

export function findByUser(tx: ReadTx, userId: string): Promise<MemberRow | undefined> {
  return tx.one(`${SELECT} WHERE m.account_id = $1 AND m.user_id = $2`, [tx.accountId, userId])
}

/** Lists the members in no order. */
export function listByAccount(tx: ReadTx): Promise<MemberRow[]> {
  return tx.all(`${SELECT} WHERE m.account_id = $1`, [tx.accountId])
}

/** Lists the events of all members in no order. */
export function listEventsByAccount(tx: ReadTx): Promise<MemberEvent[]> {
  return tx.all(`${SELECT_EVENTS} WHERE m.account_id = $1`, [tx.accountId])
}

export function listEvents(tx: AnyReadTx, accountId: string, id: string): Promise<MemberEvent[]> {
  return tx.all(`${SELECT_EVENTS} WHERE m.account_id = $1 AND m.id = $2 ORDER BY me.event_id`, [
    accountId,
    id,
  ])
}

/** Lists the memberships of a user, oldest first. */
export function listByUser(tx: AnyReadTx, userId: string): Promise<MembershipRow[]> {
  return tx.all(
    `SELECT m.id, m.account_id, a.name AS account_name, m.role, m.all_events
     FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = $1 ORDER BY m.created_at, m.id`,
    [userId],
  )
}

export function insert(
  tx: WriteTx,
  row: Pick<MemberRow, 'id' | 'account_id' | 'user_id' | 'role' | 'all_events' | 'created_at'>,
): Promise<number> {
  return tx.run(
    `INSERT INTO members (id, account_id, user_id, role, all_events, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [row.id, row.account_id, row.user_id, row.role, row.all_events, row.created_at],
  )
}

export function update(
  tx: WriteTx,
  row: Pick<MemberRow, 'id' | 'account_id' | 'role' | 'all_events'>,
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE members SET role = $3, all_events = $4, updated_at = $5 WHERE account_id = $1 AND id = $2',
    [row.account_id, row.id, row.role, row.all_events, now],
  )
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM members WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

/** @param memberId of a member whose account the caller has checked */
export function insertEvent(tx: WriteTx, memberId: string, eventId: string, now: number): Promise<number> {
  return tx.run(
    'INSERT INTO member_events (member_id, event_id, created_at, updated_at) VALUES ($1, $2, $3, $3)',
    [memberId, eventId, now],
  )
}

/** @param memberId of a member whose account the caller has checked */
export function deleteEvents(tx: WriteTx, memberId: string): Promise<number> {
  return tx.run('DELETE FROM member_events WHERE member_id = $1', [memberId])
}

/** Returns whether the account has the event. */
export async function hasEvent(tx: ReadTx, eventId: string): Promise<boolean> {
  const row = await tx.one(
    'SELECT id FROM events WHERE account_id = $1 AND id = $2 AND deleting_at IS NULL',
    [tx.accountId, eventId],
  )
  return row !== undefined
}
