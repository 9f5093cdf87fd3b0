import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { AnyReadTx, AnyWriteTx, InstanceWriteTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as members from './member-store.ts'
import { byUser, type Origin, recordOfUser } from './record.ts'
import { refusal } from './refusal.ts'
import {
  type Language,
  type Member,
  type Membership,
  type Part,
  presentMember,
  presentUser,
  type User,
} from './schemas.ts'
import * as sessions from './sessions.ts'
import * as store from './store.ts'

export {
  changePassword,
  countRecoveryCodes,
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
} from './credentials.ts'

/** Lists all members of an account, oldest first. */
export async function list(tx: ReadTx): Promise<Member[]> {
  const eventsOf = new Map<string, string[]>()
  for (const { member_id, event_id } of await members.listEventsByAccount(tx)) {
    eventsOf.set(member_id, [...(eventsOf.get(member_id) ?? []), event_id])
  }
  const rows = await members.listByAccount(tx)
  rows.sort((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))
  return rows.map(row => presentMember(row, (eventsOf.get(row.id) ?? []).sort()))
}

/**
 * Returns the membership of a user in an account, if there is one. Each request asks for it, so that the next request of a
 * removed member fails.
 */
export async function findMembership(tx: ReadTx, userId: string): Promise<Member | undefined> {
  const row = await members.findByUser(tx, userId)
  return row && present(tx, row)
}

/** Lists the accounts of a user, oldest membership first. */
export async function listMemberships(tx: AnyReadTx, userId: string): Promise<Membership[]> {
  const memberships: Membership[] = []
  for (const row of await members.listByUser(tx, userId)) {
    memberships.push({
      member_id: row.id,
      account: { id: row.account_id, name: row.account_name },
      role: row.role,
      event_ids: await eventIdsOf(tx, row),
    })
  }
  return memberships
}

/** @throws Problem not_found; invalid_parameter with `details.reason` last_owner, owner_has_all_events or unknown_event */
export async function changeMember(tx: WriteTx, memberId: string, part: Part): Promise<Member> {
  const row = await findMember(tx, memberId)
  await checkPart(tx, part)
  if (part.role !== 'owner') await keepOwner(tx, row, 'role')
  const now = await tx.now()
  const changed = { ...row, role: part.role, all_events: part.event_ids === null ? 1 : 0 } as const
  await members.update(tx, changed, now)
  await members.deleteEvents(tx, memberId)
  await addEvents(tx, memberId, part.event_ids, now)
  return present(tx, changed)
}

/**
 * Removes somebody from an account. The user and any other memberships stay. If none is left, all sessions of the user end.
 *
 * @returns the removed member
 * @throws Problem not_found; invalid_parameter with `details.reason` last_owner
 */
export async function removeMember(tx: WriteTx, memberId: string): Promise<Member> {
  const row = await findMember(tx, memberId)
  await keepOwner(tx, row)
  const removed = await present(tx, row)
  await members.deleteEvents(tx, memberId)
  await members.remove(tx, memberId)
  if ((await members.listByUser(tx, row.user_id)).length === 0) await sessions.endAll(tx, row.user_id)
  return removed
}

/**
 * Makes a user a member. The caller has already found out who may become one.
 *
 * @throws Problem invalid_parameter with `details.reason` already_member, owner_has_all_events or unknown_event
 */
export async function addMember(tx: WriteTx, userId: string, part: Part): Promise<Member> {
  if ((await members.findByUser(tx, userId)) !== undefined) {
    throw refusal('already_member', 'email')
  }
  await checkPart(tx, part)
  const id = newUuid()
  const now = await tx.now()
  await members.insert(tx, {
    id,
    account_id: tx.accountId,
    user_id: userId,
    role: part.role,
    all_events: part.event_ids === null ? 1 : 0,
    created_at: now,
  })
  await addEvents(tx, id, part.event_ids, now)
  return present(tx, await findMember(tx, id))
}

/** @throws Problem invalid_parameter with `details.reason` owner_has_all_events or unknown_event */
export async function checkPart(tx: ReadTx, { role, event_ids }: Part): Promise<void> {
  if (event_ids === null) return
  if (role === 'owner') throw refusal('owner_has_all_events', 'event_ids')
  for (const id of event_ids) {
    if (!(await members.hasEvent(tx, id))) throw refusal('unknown_event', 'event_ids')
  }
}

async function addEvents(
  tx: WriteTx,
  memberId: string,
  eventIds: string[] | null,
  now: number,
): Promise<void> {
  for (const id of new Set(eventIds ?? [])) await members.insertEvent(tx, memberId, id, now)
}

/**
 * Refuses to remove the last owner. Writes of an account run one after the other, so two owners cannot remove each other at once.
 */
async function keepOwner(tx: ReadTx, row: members.MemberRow, param?: string): Promise<void> {
  if (row.role !== 'owner') return
  const all = await members.listByAccount(tx)
  if (!all.some(({ id, role }) => role === 'owner' && id !== row.id)) throw refusal('last_owner', param)
}

async function findMember(tx: ReadTx, id: string): Promise<members.MemberRow> {
  const row = await members.find(tx, id)
  if (row === undefined) throw new Problem('not_found', { message: `There is no member ${id}.` })
  return row
}

async function present(tx: ReadTx, row: members.MemberRow): Promise<Member> {
  return presentMember(row, (await eventIdsOf(tx, row)) ?? [])
}

async function eventIdsOf(
  tx: AnyReadTx,
  { id, account_id, all_events }: Pick<members.MemberRow, 'id' | 'account_id' | 'all_events'>,
): Promise<string[] | null> {
  if (all_events === 1) return null
  return (await members.listEvents(tx, account_id, id)).map(({ event_id }) => event_id)
}

export async function findUserByEmail(tx: AnyReadTx, email: string): Promise<User | undefined> {
  const row = await store.findByEmailKey(tx, emailKey(email))
  return row && presentUser(row)
}

/** Returns whether there are no users, so that nobody can sign in yet. */
export async function isWithoutUsers(tx: AnyReadTx): Promise<boolean> {
  return !(await store.hasAny(tx, 'users'))
}

export interface NewUser {
  email: string
  name: string
  /** The result of `hashPassword`. */
  passwordHash: string
  language: Language
}

/** @throws Problem invalid_parameter with `details.reason` email_taken */
export async function createUser(tx: AnyWriteTx, input: NewUser, operator: boolean): Promise<User> {
  const key = emailKey(input.email)
  if ((await store.findByEmailKey(tx, key)) !== undefined) throw refusal('email_taken', 'email')
  const row = {
    id: newUuid(),
    email: input.email,
    email_key: key,
    name: input.name,
    password_hash: input.passwordHash,
    operator: operator ? 1 : 0,
    language: input.language,
    created_at: await tx.now(),
  } as const
  await store.insert(tx, row)
  return presentUser({ ...row, totp_secret: null, totp_last_step: null })
}

/** @throws Problem not_found; invalid_parameter with `details.reason` email_taken */
export async function updateUser(
  tx: InstanceWriteTx,
  userId: string,
  changes: { name: string; email: string; language: Language },
  origin: Origin,
): Promise<User> {
  const row = await findUser(tx, userId)
  const { name, email, language } = changes
  const changed = { ...row, name, email, language, email_key: emailKey(email) }
  const names = (['name', 'email', 'language'] as const).filter(field => row[field] !== changed[field])
  if (names.length === 0) return presentUser(row)
  const other = await store.findByEmailKey(tx, changed.email_key)
  if (other !== undefined && other.id !== userId) throw refusal('email_taken', 'email')
  await store.update(tx, changed, await tx.now())
  await recordOfUser(tx, userId, byUser(userId, origin), 'user.update', { changed: names })
  return presentUser(changed)
}

/** @throws Problem not_found */
export async function getUser(tx: AnyReadTx, userId: string): Promise<User> {
  return presentUser(await findUser(tx, userId))
}

/** Returns the names of these users by their ids. Ids that belong to no user are left out. */
export async function namesOf(tx: AnyReadTx, ids: Iterable<string>): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const id of new Set(ids)) {
    const row = await store.find(tx, id)
    if (row !== undefined) names.set(id, row.name)
  }
  return names
}

async function findUser(tx: AnyReadTx, id: string): Promise<store.UserRow> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found', { message: `There is no user ${id}.` })
  return row
}
