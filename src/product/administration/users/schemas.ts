import { toIso } from '#base/time.ts'
import type { LinkRow } from './link-store.ts'
import type { MemberRow } from './member-store.ts'
import type { Role } from './roles.ts'
import type { SessionRow } from './session-store.ts'
import type { UserRow } from './store.ts'

export type Language = UserRow['language']

/** A person who signs in. */
export interface User {
  id: string
  email: string
  name: string
  /** Whether the person runs the instance: backups, and all that belongs to no single account. */
  operator: boolean
  language: Language
  has_second_factor: boolean
  created_at: string
}

export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    operator: row.operator === 1,
    language: row.language,
    has_second_factor: row.totp_secret !== null,
    created_at: toIso(row.created_at),
  }
}

/** What somebody may do in an account. */
export interface Part {
  role: Role
  /** Null stands for all events of the account. */
  event_ids: string[] | null
}

export interface Member extends Part {
  id: string
  account_id: string
  user: { id: string; email: string; name: string }
  created_at: string
}

/** @param eventIds the events that were named, whether or not the member has all events */
export function presentMember(row: MemberRow, eventIds: string[]): Member {
  return {
    id: row.id,
    account_id: row.account_id,
    user: { id: row.user_id, email: row.email, name: row.name },
    role: row.role,
    event_ids: row.all_events === 1 ? null : eventIds,
    created_at: toIso(row.created_at),
  }
}

/** An account, as one of its members sees it. */
export interface Membership extends Part {
  member_id: string
  account: { id: string; name: string }
}

export interface Session {
  id: string
  address: string | null
  browser: string | null
  last_used_at: string
  expires_at: string
  created_at: string
}

export function presentSession(row: SessionRow): Session {
  return {
    id: row.id,
    address: row.address,
    browser: row.browser,
    last_used_at: toIso(row.last_used_at),
    expires_at: toIso(row.expires_at),
    created_at: toIso(row.created_at),
  }
}

export interface Invitation extends Part {
  id: string
  email: string
  expires_at: string
  created_at: string
}

export function presentInvitation(row: LinkRow): Invitation {
  return {
    id: row.id,
    email: row.email as string,
    role: row.role as Role,
    event_ids: row.event_ids === null ? null : (JSON.parse(row.event_ids) as string[]),
    expires_at: toIso(row.expires_at),
    created_at: toIso(row.created_at),
  }
}
