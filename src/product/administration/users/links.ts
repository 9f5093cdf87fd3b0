import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { DAY, HOUR, toIso } from '#base/time.ts'
import type {
  AnyReadTx,
  AnyWriteTx,
  InstanceReadTx,
  InstanceWriteTx,
  ReadTx,
  WriteTx,
} from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
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

/** The path of the dashboard on a server. The pages of links are below it. */
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

/** A new link. Its token exists only in this answer. */
export interface NewLink {
  id: string
  token: string
  expires_at: string
}

/**
 * Makes a link to set the instance up, while nobody can sign in.
 *
 * @param voidsEarlier without it, links that other servers of the same database have printed stay good for their hour
 */
export async function makeSetup(
  tx: InstanceWriteTx,
  { voidsEarlier = true }: { voidsEarlier?: boolean } = {},
): Promise<NewLink> {
  if (voidsEarlier) await store.removeSetups(tx, tx.clock())
  return (await insert(tx, 'setup', {})).made
}

/**
 * Invites somebody. The link is bound to the given e-mail. It voids earlier invitations of that e-mail to the account.
 *
 * @throws Problem invalid_parameter with `details.reason` already_member, owner_has_all_events or unknown_event
 */
export async function invite(
  tx: WriteTx,
  { email, ...part }: Part & { email: string },
): Promise<NewLink & { invitation: Invitation }> {
  await rules.checkPart(tx, part)
  const user = await rules.findUserByEmail(tx, email)
  if (user !== undefined && (await rules.findMembership(tx, user.id)) !== undefined) {
    throw refusal('already_member', 'email')
  }
  for (const earlier of await store.listByAccount(tx)) {
    const isSame = emailKey(earlier.email as string) === emailKey(email)
    if (isSame) await store.removeInvitation(tx, earlier.id)
  }
  const event_ids = part.event_ids === null ? null : JSON.stringify([...new Set(part.event_ids)])
  const given = { account_id: tx.accountId, email, role: part.role, event_ids }
  const { made, row } = await insert(tx, 'invitation', given)
  return { ...made, invitation: presentInvitation(row) }
}

/**
 * Makes a link to choose a new password, for the person who runs the server. An owner makes one by `makeResetOfMember`. It voids
 * earlier ones. The second factor stays.
 */
export async function makeReset(tx: AnyWriteTx, userId: string): Promise<NewLink> {
  await store.removeOfUser(tx, userId, tx.clock())
  return (await insert(tx, 'reset', { user_id: userId })).made
}

/**
 * Does the same for somebody who asks on the sign-in page. That may be anybody, so it voids no earlier link. Otherwise strangers
 * could void the links of others.
 */
export async function makeRequestedReset(tx: InstanceWriteTx, userId: string): Promise<NewLink> {
  return (await insert(tx, 'reset', { user_id: userId })).made
}

/**
 * Makes a link for a new password on behalf of an owner, only for a person who is a member of this account alone. Whoever has the
 * link becomes that person, also in accounts where the owner has no say.
 *
 * @param byUserId the owner. They change their own password by giving the old one, because a stolen session must not be enough
 * @throws Problem not_found; invalid_parameter with `details.reason` not_by_owner or own_reset
 */
export async function makeResetOfMember(
  tx: WriteTx,
  memberId: string,
  byUserId: string,
): Promise<NewLink & { user: User }> {
  const member = (await rules.list(tx)).find(({ id }) => id === memberId)
  if (member === undefined) throw new Problem('not_found', { message: `There is no member ${memberId}.` })
  const user = await rules.getUser(tx, member.user.id)
  if (user.id === byUserId) throw refusal('own_reset')
  if (user.operator || (await rules.listMemberships(tx, user.id)).length > 1) throw refusal('not_by_owner')
  return { ...(await makeReset(tx, user.id)), user }
}

/** Makes a link that signs in without a password or a second factor. Only a sandbox may use it. */
export async function makeSignIn(tx: WriteTx, userId: string): Promise<NewLink> {
  return (await insert(tx, 'sign-in', { user_id: userId })).made
}

/** Lists the open invitations of an account, newest first. @param now in milliseconds */
export async function listInvitations(tx: ReadTx, now: number): Promise<Invitation[]> {
  const rows = await store.listByAccount(tx)
  return rows.filter(row => statusOf(row, now) === 'open').map(presentInvitation)
}

/** Voids an invitation, unless it was accepted. @throws Problem not_found */
export async function revokeInvitation(tx: WriteTx, id: string): Promise<Invitation> {
  const row = (await store.listByAccount(tx)).find(each => each.id === id)
  if (row === undefined || (await store.removeInvitation(tx, id)) === 0) {
    throw new Problem('not_found', { message: `There is no invitation ${id}.` })
  }
  return presentInvitation(row)
}

type Given = Partial<Pick<store.LinkRow, 'account_id' | 'user_id' | 'email' | 'role' | 'event_ids'>>

async function insert(
  tx: AnyWriteTx,
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

/** A link as its page shows it. */
export type Link = { status: 'open' | 'used' | 'expired'; expires_at: string } & (
  | { kind: 'setup' }
  | {
      kind: 'invitation'
      account: { id: string; name: string }
      email: string
      part: Part
      /** Whether somebody has this e-mail already. That person signs in to accept. */
      has_user: boolean
    }
  | { kind: 'reset' | 'sign-in'; user: { id: string; email: string; name: string } }
)

/**
 * Looks at a link without using it.
 *
 * @param now in milliseconds
 * @returns undefined if there is no such link, or a newer one has voided it
 */
export function look(tx: InstanceReadTx, token: string, now: number): Promise<Link | undefined> {
  return lookBy(tx, accountId => tx.of(accountId), token, now)
}

/** Does the same for a link that its own account has mailed. */
export function lookOfAccount(tx: ReadTx, token: string, now: number): Promise<Link | undefined> {
  return lookBy(tx, accountId => (accountId === tx.accountId ? tx : undefined), token, now)
}

async function lookBy(
  tx: AnyReadTx,
  ofAccount: (accountId: string) => ReadTx | undefined,
  token: string,
  now: number,
): Promise<Link | undefined> {
  const row = isToken(token) ? await store.findByHash(tx, hashToken(token)) : undefined
  if (row === undefined) return undefined
  const common = { status: statusOf(row, now), expires_at: toIso(row.expires_at) }
  if (row.kind === 'setup') return { ...common, kind: row.kind }
  if (row.kind === 'invitation') {
    const account = ofAccount(row.account_id as string)
    if (account === undefined) return undefined
    const { id, name } = await accounts.get(account)
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
