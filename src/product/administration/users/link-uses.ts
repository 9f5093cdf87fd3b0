import { type Actor, record } from '../access-log/rules.ts'
import * as accounts from '../accounts/rules.ts'
import type { WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { Problem } from '../problem.ts'
import { replacePassword } from './credentials.ts'
import * as store from './link-store.ts'
import { LIFETIMES } from './links.ts'
import { byUser, type Origin, recordOfUser } from './record.ts'
import { refusal } from './refusal.ts'
import * as rules from './rules.ts'
import { type Language, type Member, presentInvitation, type User } from './schemas.ts'
import * as users from './store.ts'
import { hashToken, latestEnd } from './token.ts'

/**
 * What one-time links do. Each use is claimed in the transaction of what it does: of two at once one finds the link used, and
 * where the rest is refused the link can still be used. None begins a session, which the caller does: `sessions.open`.
 */

interface Newcomer {
  name: string
  /** Of `hashPassword`. */
  passwordHash: string
  language: Language
}

/** Who has become a member, of what. */
export interface Joined {
  user: User
  member: Member
}

/**
 * Makes the first account, and its owner, who runs the instance. A write of the instance, as the account is only being made.
 *
 * @throws Problem not_found for a link that cannot be used, or while there are users
 */
export async function setUp(
  tx: WriteTx,
  token: string,
  input: {
    account: { name: string; timezone: string; currency: string }
    user: Newcomer & { email: string }
  },
  origin: Origin,
): Promise<Joined & { accountId: string }> {
  await use(tx, token, 'setup')
  if (!(await rules.isWithoutUsers(tx))) throw unusable()
  const { email } = input.user
  const account = await accounts.create(tx, { ...input.account, email, service_fee: accounts.NO_SERVICE_FEE })
  const user = await rules.createUser(tx, input.user, true)
  const member = await rules.addMember(tx, account.id, user.id, { role: 'owner', event_ids: null })
  const by = byUser(user.id, origin)
  await record(tx, account.id, {
    ...by,
    action: 'account.create',
    targetType: 'account',
    targetId: account.id,
  })
  await recordJoin(tx, member, by)
  return { accountId: account.id, user, member }
}

/**
 * Accepts an invitation for somebody new, whose e-mail is that of the invitation. The first owner of an instance runs it.
 *
 * @throws Problem not_found for a link that cannot be used; invalid_parameter with `details.reason` sign_in_first where the
 *   e-mail has a user, whom nobody becomes by a link, or unknown_event
 */
export async function accept(tx: WriteTx, token: string, input: Newcomer, origin: Origin): Promise<Joined> {
  const { accountId, email, ...part } = await useInvitation(tx, token)
  if ((await rules.findUserByEmail(tx, email)) !== undefined) throw refusal('sign_in_first')
  const operator = part.role === 'owner' && !(await users.hasAny(tx, 'operators'))
  const user = await rules.createUser(tx, { ...input, email }, operator)
  const member = await rules.addMember(tx, accountId, user.id, part)
  await recordJoin(tx, member, byUser(user.id, origin))
  return { user, member }
}

/**
 * Accepts an invitation for a user who is signed in.
 *
 * @throws Problem not_found for a link that cannot be used; invalid_parameter with `details.reason` other_email,
 *   already_member or unknown_event
 */
export async function acceptAs(tx: WriteTx, token: string, userId: string, origin: Origin): Promise<Joined> {
  const { accountId, email, ...part } = await useInvitation(tx, token)
  const user = await rules.getUser(tx, userId)
  if (emailKey(user.email) !== emailKey(email)) throw refusal('other_email')
  // An owner who has made one may have kept it, and would become this person here as well.
  await store.removeOfUser(tx, userId, tx.clock())
  const member = await rules.addMember(tx, accountId, userId, part)
  await recordJoin(tx, member, byUser(userId, origin))
  return { user, member }
}

/**
 * Chooses a new password. All sessions end, and the second factor stays: so the person signs in anew.
 *
 * @param passwordHash of `hashPassword`
 * @throws Problem not_found for a link that cannot be used
 */
export async function reset(tx: WriteTx, token: string, passwordHash: string, origin: Origin): Promise<User> {
  const user = await useOfUser(tx, token, 'reset')
  await replacePassword(tx, user.id, passwordHash, '')
  await recordOfUser(tx, user.id, byUser(user.id, origin), 'user.reset')
  return user
}

/** Says who signs in. @throws Problem not_found for a link that cannot be used */
export async function signIn(tx: WriteTx, token: string, origin: Origin): Promise<User> {
  const user = await useOfUser(tx, token, 'sign-in')
  await recordOfUser(tx, user.id, byUser(user.id, origin), 'user.sign_in', { by: 'link' })
  return user
}

async function use(tx: WriteTx, token: string, kind: store.LinkKind): Promise<store.LinkRow> {
  const hash = hashToken(token)
  const clock = tx.clock()
  const used = await store.use(tx, hash, kind, { clock, latest: latestEnd(clock, LIFETIMES[kind]) })
  const row = used === 0 ? undefined : await store.findByHash(tx, hash)
  if (row === undefined) throw unusable()
  return row
}

async function useInvitation(tx: WriteTx, token: string) {
  const row = await use(tx, token, 'invitation')
  const { email, role, event_ids } = presentInvitation(row)
  return { accountId: row.account_id as string, email, role, event_ids }
}

async function useOfUser(tx: WriteTx, token: string, kind: 'reset' | 'sign-in'): Promise<User> {
  const { user_id } = await use(tx, token, kind)
  return rules.getUser(tx, user_id as string)
}

function unusable(): Problem {
  return new Problem('not_found', { message: 'This link was used already, or has expired.' })
}

function recordJoin(tx: WriteTx, member: Member, by: Omit<Actor, 'accountId'>): Promise<void> {
  const { id, account_id, role, event_ids } = member
  const details = { role, event_ids }
  return record(tx, account_id, { ...by, action: 'member.add', targetType: 'member', targetId: id, details })
}
