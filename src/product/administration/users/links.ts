import * as accounts from '../accounts/rules.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import { DAY, HOUR, toIso } from '../time.ts'
import * as store from './link-store.ts'
import { refusal } from './refusal.ts'
import * as rules from './rules.ts'
import { type Invitation, type Part, presentInvitation, type User } from './schemas.ts'
import { hashToken, isLive, isToken, newToken } from './token.ts'

/** How long each kind of link can be used, in milliseconds. */
export const LIFETIMES: Readonly<Record<store.LinkKind, number>> = {
  setup: HOUR,
  invitation: 7 * DAY,
  reset: HOUR,
  'sign-in': DAY,
}

/** Where the dashboard is, and in it the pages of links, below the address of a server. */
export const DASHBOARD_PATH = '/manage'
const PATHS: Readonly<Record<store.LinkKind, string>> = {
  setup: '/setup/',
  invitation: '/join/',
  reset: '/reset/',
  'sign-in': '/sign-in/',
}

/** @param base the address of the server, without a slash at its end */
export function linkUrl(base: string, kind: store.LinkKind, token: string): string {
  return base + DASHBOARD_PATH + PATHS[kind] + token
}

/** The token, which only this answer has, and when it expires. */
export interface NewLink {
  id: string
  token: string
  expires_at: string
}

/** A link to set the instance up, while nobody can sign in. It voids those before it. */
export async function makeSetup(tx: WriteTx): Promise<NewLink> {
  await store.removeSetups(tx, tx.clock())
  return (await insert(tx, 'setup', {})).made
}

/**
 * Invites somebody, by an e-mail that the link is for. It voids earlier invitations of that e-mail to the account.
 *
 * @throws Problem invalid_parameter with `details.reason` already_member, owner_has_all_events or unknown_event
 */
export async function invite(
  tx: WriteTx,
  accountId: string,
  { email, ...part }: Part & { email: string },
): Promise<NewLink & { invitation: Invitation }> {
  await rules.checkPart(tx, accountId, part)
  const user = await rules.findUserByEmail(tx, email)
  if (user !== undefined && (await rules.findMembership(tx, accountId, user.id)) !== undefined) {
    throw refusal('already_member', 'email')
  }
  for (const earlier of await store.listByAccount(tx, accountId)) {
    const isSame = emailKey(earlier.email as string) === emailKey(email)
    if (isSame) await store.removeInvitation(tx, accountId, earlier.id)
  }
  const event_ids = part.event_ids === null ? null : JSON.stringify([...new Set(part.event_ids)])
  const given = { account_id: accountId, email, role: part.role, event_ids }
  const { made, row } = await insert(tx, 'invitation', given)
  return { ...made, invitation: presentInvitation(row) }
}

/**
 * A link to choose a new password, for whoever runs the server: an owner makes one by `makeResetOfMember`. It voids those
 * before it. The second factor stays.
 */
export async function makeReset(tx: WriteTx, userId: string): Promise<NewLink> {
  await store.removeOfUser(tx, userId, tx.clock())
  return (await insert(tx, 'reset', { user_id: userId })).made
}

/**
 * The same by an owner of an account, for a member of this account alone: whoever has the link becomes that person, also
 * where the owner has no say.
 *
 * @param byUserId the owner, who gives their own password to change it: a stolen session must not do without
 * @throws Problem not_found; invalid_parameter with `details.reason` not_by_owner or own_reset
 */
export async function makeResetOfMember(
  tx: WriteTx,
  accountId: string,
  memberId: string,
  byUserId: string,
): Promise<NewLink & { user: User }> {
  const member = (await rules.list(tx, accountId)).find(({ id }) => id === memberId)
  if (member === undefined) throw new Problem('not_found', { message: `There is no member ${memberId}.` })
  const user = await rules.getUser(tx, member.user.id)
  if (user.id === byUserId) throw refusal('own_reset')
  if (user.operator || (await rules.listMemberships(tx, user.id)).length > 1) throw refusal('not_by_owner')
  return { ...(await makeReset(tx, user.id)), user }
}

/** A link that signs in without a password or a second factor: for a sandbox alone. */
export async function makeSignIn(tx: WriteTx, userId: string): Promise<NewLink> {
  return (await insert(tx, 'sign-in', { user_id: userId })).made
}

/** The open invitations of an account, newest first. @param now milliseconds */
export async function listInvitations(tx: ReadTx, accountId: string, now: number): Promise<Invitation[]> {
  const rows = await store.listByAccount(tx, accountId)
  return rows.filter(row => statusOf(row, now) === 'open').map(presentInvitation)
}

/** Voids an invitation; one that was accepted stays. @throws Problem not_found */
export async function revokeInvitation(tx: WriteTx, accountId: string, id: string): Promise<Invitation> {
  const row = (await store.listByAccount(tx, accountId)).find(each => each.id === id)
  if (row === undefined || (await store.removeInvitation(tx, accountId, id)) === 0) {
    throw new Problem('not_found', { message: `There is no invitation ${id}.` })
  }
  return presentInvitation(row)
}

type Given = Partial<Pick<store.LinkRow, 'account_id' | 'user_id' | 'email' | 'role' | 'event_ids'>>

async function insert(
  tx: WriteTx,
  kind: store.LinkKind,
  given: Given,
): Promise<{ made: NewLink; row: store.LinkRow }> {
  const token = newToken()
  const row: store.LinkRow = {
    id: newUuid(),
    kind,
    account_id: null,
    user_id: null,
    email: null,
    role: null,
    event_ids: null,
    ...given,
    expires_at: tx.clock() + LIFETIMES[kind],
    used_at: null,
    created_at: await tx.now(),
  }
  await store.insert(tx, { ...row, token_hash: hashToken(token) })
  return { made: { id: row.id, token, expires_at: toIso(row.expires_at) }, row }
}

/** What a link is, for the page that shows it. */
export type Link = { status: 'open' | 'used' | 'expired'; expires_at: string } & (
  | { kind: 'setup' }
  | {
      kind: 'invitation'
      account: { id: string; name: string }
      email: string
      part: Part
      /** Whether somebody has this e-mail, who signs in to accept. */
      has_user: boolean
    }
  | { kind: 'reset' | 'sign-in'; user: { id: string; email: string; name: string } }
)

/**
 * Looks at a link, which uses nothing up.
 *
 * @param now milliseconds
 * @returns undefined where there is none, or a newer one has voided it
 */
export async function look(tx: ReadTx, token: string, now: number): Promise<Link | undefined> {
  const row = isToken(token) ? await store.findByHash(tx, hashToken(token)) : undefined
  if (row === undefined) return undefined
  const common = { status: statusOf(row, now), expires_at: toIso(row.expires_at) }
  if (row.kind === 'setup') return { ...common, kind: row.kind }
  if (row.kind === 'invitation') {
    const { id, name } = await accounts.get(tx, row.account_id as string)
    const { email, role, event_ids } = presentInvitation(row)
    const has_user = (await rules.findUserByEmail(tx, email)) !== undefined
    return { ...common, kind: row.kind, account: { id, name }, email, part: { role, event_ids }, has_user }
  }
  const { id, email, name } = await rules.getUser(tx, row.user_id as string)
  return { ...common, kind: row.kind, user: { id, email, name } }
}

function statusOf(row: store.LinkRow, now: number): Link['status'] {
  if (row.used_at !== null) return 'used'
  return isLive(row.expires_at, now, LIFETIMES[row.kind]) ? 'open' : 'expired'
}
