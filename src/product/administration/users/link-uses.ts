import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { AnyWriteTx, InstanceWriteTx, WriteTx } from '#machinery/db/port.ts'
import { type Actor, record } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
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
 * These functions carry out one-time links. Each one claims the link in the transaction of its effect. If two requests use a link
 * at once, the second finds it used. If the rest is refused, the link can still be used. None of them begins a session, because
 * the caller does that by `sessions.open`.
 */

interface Newcomer {
  name: string
  /** The result of `hashPassword`. */
  passwordHash: string
  language: Language
}

/** A person who has become a member, and the new membership. */
export interface Joined {
  user: User
  member: Member
}

/**
 * Makes the first account and its owner, who runs the instance. It is a write of the instance because the account does not exist
 * yet.
 *
 * @throws Problem not_found for a link that cannot be used, or if there are users already
 */
export async function setUp(
  tx: InstanceWriteTx,
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
  const ofAccount = tx.of(account.id)
  const member = await rules.addMember(ofAccount, user.id, { role: 'owner', event_ids: null })
  const by = byUser(user.id, origin)
  await record(ofAccount, {
    ...by,
    action: 'account.create',
    targetType: 'account',
    targetId: account.id,
  })
  await recordJoin(ofAccount, member, by)
  return { accountId: account.id, user, member }
}

/**
 * Accepts an invitation for somebody new, whose e-mail is that of the invitation. The first owner of an instance runs it.
 *
 * @throws Problem not_found for a link that cannot be used; invalid_parameter with `details.reason` sign_in_first if the e-mail
 *   has a user, because nobody becomes an existing user by a link; or unknown_event
 */
export async function accept(tx: WriteTx, token: string, input: Newcomer, origin: Origin): Promise<Joined> {
  const { email, ...part } = await useInvitation(tx, token)
  if ((await rules.findUserByEmail(tx, email)) !== undefined) throw refusal('sign_in_first')
  const operator = part.role === 'owner' && !(await users.hasAny(tx, 'operators'))
  const user = await rules.createUser(tx, { ...input, email }, operator)
  const member = await rules.addMember(tx, user.id, part)
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
  const { email, ...part } = await useInvitation(tx, token)
  const user = await rules.getUser(tx, userId)
  if (emailKey(user.email) !== emailKey(email)) throw refusal('other_email')
  // An owner may have made a link for this user and kept it. It would let that owner act as this person in the new account too.
  await store.removeOfUser(tx, userId, tx.clock())
  const member = await rules.addMember(tx, userId, part)
  await recordJoin(tx, member, byUser(userId, origin))
  return { user, member }
}

/**
 * Chooses a new password. All sessions end and the second factor stays, so the person has to sign in again.
 *
 * @param passwordHash of `hashPassword`
 * @throws Problem not_found for a link that cannot be used
 */
export async function reset(
  tx: InstanceWriteTx,
  token: string,
  passwordHash: string,
  origin: Origin,
): Promise<User> {
  const user = await useOfUser(tx, token, 'reset')
  await replacePassword(tx, user.id, passwordHash, '')
  await recordOfUser(tx, user.id, byUser(user.id, origin), 'user.reset')
  return user
}

/** Uses a sign-in link and returns its user. @throws Problem not_found for a link that cannot be used */
export async function signIn(tx: InstanceWriteTx, token: string, origin: Origin): Promise<User> {
  const user = await useOfUser(tx, token, 'sign-in')
  await recordOfUser(tx, user.id, byUser(user.id, origin), 'user.sign_in', { by: 'link' })
  return user
}

async function use(tx: AnyWriteTx, token: string, kind: store.LinkKind): Promise<store.LinkRow> {
  const hash = hashToken(token)
  const clock = tx.clock()
  const used = await store.use(tx, hash, kind, { clock, latest: latestEnd(clock, LIFETIMES[kind]) })
  const row = used === 0 ? undefined : await store.findByHash(tx, hash)
  if (row === undefined) throw unusable()
  return row
}

async function useInvitation(tx: WriteTx, token: string) {
  const row = await use(tx, token, 'invitation')
  if (row.account_id !== tx.accountId) throw unusable()
  const { email, role, event_ids } = presentInvitation(row)
  return { email, role, event_ids }
}

async function useOfUser(tx: InstanceWriteTx, token: string, kind: 'reset' | 'sign-in'): Promise<User> {
  const { user_id } = await use(tx, token, kind)
  return rules.getUser(tx, user_id as string)
}

function unusable(): Problem {
  return new Problem('not_found', { message: 'This link was used already, or has expired.' })
}

function recordJoin(tx: WriteTx, member: Member, by: Omit<Actor, 'accountId'>): Promise<void> {
  const { id, role, event_ids } = member
  const details = { role, event_ids }
  return record(tx, { ...by, action: 'member.add', targetType: 'member', targetId: id, details })
}
