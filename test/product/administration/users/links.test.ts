import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY, HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as uses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import * as rules from '#product/administration/users/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { testClock } from '#test/support/clock.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { addEvents, CHEAP_HASH, cheapHash, count, HOME, ORIGIN, refusalOf, withAda } from './people.ts'

const NEWCOMER = { name: 'Grace', passwordHash: CHEAP_HASH, language: 'es' } as const
const SETUP = {
  account: { name: 'Ada Events', timezone: 'Europe/Madrid', currency: 'EUR' },
  user: { ...NEWCOMER, name: 'Ada', email: 'ada@example.org' },
}

async function withNobody(t: Parameters<typeof withAda>[0]) {
  const clock = testClock()
  const db = await openTestDatabase(t, { clock })
  const setUp = (token: string) => db.write(INSTANCE, tx => uses.setUp(tx, token, SETUP, ORIGIN))
  const makeSetup = async () => (await db.write(INSTANCE, links.makeSetup)).token
  const look = (token: string) => db.read(INSTANCE, tx => links.look(tx, token, clock()))
  return { clock, db, look, makeSetup, setUp }
}

test('the set-up link makes the account and its owner, who runs the instance, and works once', async t => {
  const { db, look, makeSetup, setUp } = await withNobody(t)
  const token = await makeSetup()
  for (let times = 0; times < 3; times++) assert.equal((await look(token))?.status, 'open')
  const { accountId, user, member } = await setUp(token)
  assert.deepEqual([user.operator, user.has_second_factor, user.language], [true, false, 'es'])
  assert.deepEqual([member.role, member.event_ids, member.user.email], ['owner', null, 'ada@example.org'])
  const [account] = await db.read(INSTANCE, accounts.list)
  assert.deepEqual([account?.id, account?.email, account?.timezone], [accountId, user.email, 'Europe/Madrid'])
  assert.equal((await look(token))?.status, 'used')
  assert.equal(await refusalOf(setUp(token)), 'not_found')
  assert.deepEqual([await count(db, 'accounts'), await count(db, 'users')], [1, 1])
  const log = await db.read(accountId, tx => accessLog.list(tx, 10))
  assert.deepEqual(
    log.map(({ actor, action, address }) => [actor, action, address]),
    [
      [`user:${user.id}`, 'member.add', ORIGIN.address],
      [`user:${user.id}`, 'account.create', ORIGIN.address],
    ],
  )
})

test('of two who use the set-up link at once, one is the owner', async t => {
  const { db, makeSetup, setUp } = await withNobody(t)
  const token = await makeSetup()
  const outcomes = await Promise.all([1, 2, 3].map(() => refusalOf(setUp(token))))
  assert.deepEqual(outcomes.sort(), ['not_found', 'not_found', 'nothing'])
  assert.deepEqual([await count(db, 'accounts'), await count(db, 'users')], [1, 1])
})

test('a set-up link ends after an hour, with the next one, and with the first user', async t => {
  const { clock, db, look, makeSetup, setUp } = await withNobody(t)
  const late = await makeSetup()
  clock.advance(HOUR)
  assert.equal((await look(late))?.status, 'expired')
  assert.equal(await refusalOf(setUp(late)), 'not_found')
  const earlier = await makeSetup()
  const newest = await makeSetup()
  assert.equal(await look(earlier), undefined)
  assert.equal(await refusalOf(setUp(earlier)), 'not_found')
  await setUp(newest)
  // This link was made although it should not have been.
  assert.equal(await refusalOf(setUp(await makeSetup())), 'not_found')
  assert.equal(await count(db, 'users'), 1)
})

test('no token is stored, and a link does only what it is for', async t => {
  const { ada, db, read, write } = await withAda(t)
  const invited = { email: 'bob@example.org', role: 'manager', event_ids: null } as const
  const tokens = {
    setup: (await db.write(INSTANCE, links.makeSetup)).token,
    invitation: (await write(tx => links.invite(tx, invited))).token,
    reset: (await write(tx => links.makeReset(tx, ada.id))).token,
    'sign-in': (await write(tx => links.makeSignIn(tx, ada.id))).token,
  }
  const stored = JSON.stringify(await read(tx => tx.all('SELECT * FROM one_time_links')))
  const before = await count(db, 'users')
  for (const [kind, token] of Object.entries(tokens)) {
    assert.ok(!stored.includes(token), kind)
    const wrong = [
      kind === 'setup' ? undefined : write(tx => uses.setUp(tx, token, SETUP, ORIGIN)),
      kind === 'invitation' ? undefined : write(tx => uses.accept(tx, token, NEWCOMER, ORIGIN)),
      kind === 'invitation' ? undefined : write(tx => uses.acceptAs(tx, token, ada.id, ORIGIN)),
      kind === 'reset' ? undefined : write(tx => uses.reset(tx, token, CHEAP_HASH, ORIGIN)),
      kind === 'sign-in' ? undefined : write(tx => uses.signIn(tx, token, ORIGIN)),
    ]
    for (const use of wrong) if (use !== undefined) assert.equal(await refusalOf(use), 'not_found', kind)
  }
  assert.equal(await count(db, 'users'), before)
  for (const token of ['', 'x'.repeat(43), `${tokens.reset}x`, 'x'.repeat(1_000_000)]) {
    assert.equal(await read(tx => links.look(tx, token, 0)), undefined)
    assert.equal(await refusalOf(write(tx => uses.reset(tx, token, CHEAP_HASH, ORIGIN))), 'not_found')
  }
})

test('an invitation makes somebody new a member in its role and events, once, even of two at once', async t => {
  const { accountId, clock, db, read, write } = await withAda(t)
  const [spring = ''] = await addEvents(db, accountId, 'spring')
  const given = { email: 'Grace@example.org', role: 'door', event_ids: [spring, spring] } as const
  const { token, invitation, expires_at } = await write(tx =>
    links.invite(tx, { ...given, event_ids: [...given.event_ids] }),
  )
  assert.equal(Date.parse(expires_at), clock() + 7 * DAY)
  assert.deepEqual([invitation.email, invitation.role, invitation.event_ids], [given.email, 'door', [spring]])
  const seen = await read(tx => links.look(tx, token, clock()))
  assert.ok(seen?.kind === 'invitation')
  assert.deepEqual([seen.account.name, seen.email, seen.has_user], ['Ada Events', given.email, false])
  const accept = () => write(tx => uses.accept(tx, token, NEWCOMER, ORIGIN))
  const outcomes = await Promise.all([1, 2].map(() => refusalOf(accept())))
  assert.deepEqual(outcomes.sort(), ['not_found', 'nothing'])
  const [, member, ...others] = await read(tx => rules.list(tx))
  assert.deepEqual(others, [])
  assert.deepEqual([member?.user.email, member?.role, member?.event_ids], [given.email, 'door', [spring]])
  assert.equal((await read(tx => rules.findUserByEmail(tx, given.email)))?.operator, false)
  assert.deepEqual(await read(tx => links.listInvitations(tx, clock())), [])
})

test('the newest invitation of an e-mail replaces earlier ones, whatever their case and the form of their domain', async t => {
  const { clock, look, read, write } = await withLook(t)
  const invite = async (email: string) =>
    (await write(tx => links.invite(tx, { email, role: 'manager', event_ids: null }))).token
  const tokens = [
    await invite('Grace@münchen.example'),
    await invite('grace@xn--mnchen-3ya.example'),
    await invite('GRACE@MÜNCHEN.example'),
  ]
  const other = await invite('other@example.org')
  assert.deepEqual(await Promise.all(tokens.map(async token => (await look(token))?.status)), [
    undefined,
    undefined,
    'open',
  ])
  assert.equal((await look(other))?.status, 'open')
  const open = await read(tx => links.listInvitations(tx, clock()))
  assert.deepEqual(
    open.map(({ email }) => email),
    ['other@example.org', 'GRACE@MÜNCHEN.example'],
  )
})

async function withLook(t: Parameters<typeof withAda>[0]) {
  const people = await withAda(t)
  const look = (token: string) => people.read(tx => links.look(tx, token, people.clock()))
  return { ...people, look }
}

test('nobody becomes a user that there is by a link: they sign in, with the e-mail that was invited', async t => {
  const { accountId, ada, db, join, look, read, write } = await withLook(t)
  const { user: bob } = await join('bob@example.org', 'door')
  const { token: setup } = await db.write(INSTANCE, links.makeSetup)
  const second = await otherAccount(db)
  const given = { email: 'ADA@example.org', role: 'owner', event_ids: null } as const
  const { token } = await db.write(second, tx => links.invite(tx, given))
  const seen = await look(token)
  assert.ok(seen?.kind === 'invitation' && seen.has_user)
  const accept = db.write(second, tx => uses.accept(tx, token, NEWCOMER, ORIGIN))
  assert.equal(await refusalOf(accept), 'sign_in_first')
  const asBob = db.write(second, tx => uses.acceptAs(tx, token, bob.id, ORIGIN))
  assert.equal(await refusalOf(asBob), 'other_email')
  assert.deepEqual(await db.read(second, tx => rules.list(tx)), [])
  // A refused use leaves the link good.
  const { member } = await db.write(second, tx => uses.acceptAs(tx, token, ada.id, ORIGIN))
  assert.deepEqual([member.role, member.user.id], ['owner', ada.id])
  const again = db.write(second, tx => uses.acceptAs(tx, token, ada.id, ORIGIN))
  assert.equal(await refusalOf(again), 'not_found')
  assert.deepEqual(
    (await read(tx => rules.listMemberships(tx, ada.id))).map(({ account }) => account.id),
    [accountId, second],
  )
  assert.equal(await refusalOf(write(tx => uses.setUp(tx, setup, SETUP, ORIGIN))), 'not_found')
})

async function otherAccount(db: Awaited<ReturnType<typeof withNobody>>['db']): Promise<string> {
  const input = { name: 'Bob Events', email: 'bob-events@example.org', timezone: 'UTC', currency: 'EUR' }
  const service_fee = accounts.NO_SERVICE_FEE
  return (await db.write(INSTANCE, tx => accounts.create(tx, { ...input, service_fee }))).id
}

test('an invitation is refused for a member, for an event of another account, and for an owner of some events', async t => {
  const { accountId, db, read, write } = await withAda(t)
  const second = await otherAccount(db)
  const [own = ''] = await addEvents(db, accountId, 'own')
  const [foreign = ''] = await addEvents(db, second, 'foreign')
  const invite = (email: string, role: 'owner' | 'door', event_ids: string[] | null) =>
    refusalOf(write(tx => links.invite(tx, { email, role, event_ids })))
  assert.equal(await invite('ADA@example.org', 'door', null), 'already_member')
  assert.equal(await invite('bob@example.org', 'door', [own, foreign]), 'unknown_event')
  assert.equal(await invite('bob@example.org', 'owner', [own]), 'owner_has_all_events')
  assert.deepEqual(await read(tx => links.listInvitations(tx, 0)), [])
  assert.equal(await invite('bob@example.org', 'door', []), 'nothing')
})

test('an invitation that is revoked, or older than seven days, is none; only its own account revokes it', async t => {
  const { accountId, clock, db, look, write } = await withLook(t)
  const second = await otherAccount(db)
  const given = { email: 'bob@example.org', role: 'door', event_ids: null } as const
  const { token, invitation } = await write(tx => links.invite(tx, given))
  const revoke = (account: string) =>
    refusalOf(db.write(account, tx => links.revokeInvitation(tx, invitation.id)))
  assert.equal(await revoke(second), 'not_found')
  assert.equal((await look(token))?.status, 'open')
  assert.equal(await revoke(accountId), 'nothing')
  assert.equal(await revoke(accountId), 'not_found')
  assert.equal(await refusalOf(write(tx => uses.accept(tx, token, NEWCOMER, ORIGIN))), 'not_found')
  const later = await write(tx => links.invite(tx, given))
  clock.advance(7 * DAY)
  assert.equal((await look(later.token))?.status, 'expired')
  assert.equal(await refusalOf(write(tx => uses.accept(tx, later.token, NEWCOMER, ORIGIN))), 'not_found')
})

test('a link that was made by a clock that was years ahead is none', async t => {
  const { ada, clock, look, write } = await withLook(t)
  const now = clock()
  clock.advance(3650 * DAY)
  const { token } = await write(tx => links.makeReset(tx, ada.id))
  clock.advance(now - clock())
  assert.equal((await look(token))?.status, 'expired')
  assert.equal(await refusalOf(write(tx => uses.reset(tx, token, CHEAP_HASH, ORIGIN))), 'not_found')
})

test('a new password by a link ends all sessions and other links, and keeps the second factor', async t => {
  const { ada, clock, db, look, read, write } = await withLook(t)
  await write(tx => tx.run("UPDATE users SET totp_secret = 'A', totp_last_step = 1"))
  const { token: session } = await write(tx => sessions.open(tx, ada.id, HOME))
  const first = await write(tx => links.makeReset(tx, ada.id))
  const { token } = await write(tx => links.makeReset(tx, ada.id))
  assert.equal(await look(first.token), undefined)
  const door = await write(tx => links.makeSignIn(tx, ada.id))
  const choose = () => write(tx => uses.reset(tx, token, cheapHash('another password'), ORIGIN))
  const outcomes = await Promise.all([1, 2].map(() => refusalOf(choose())))
  assert.deepEqual(outcomes.sort(), ['not_found', 'nothing'])
  assert.equal(await read(tx => sessions.authenticate(tx, session, clock())), undefined)
  assert.equal(await refusalOf(write(tx => uses.signIn(tx, door.token, ORIGIN))), 'not_found')
  assert.equal((await read(tx => rules.getUser(tx, ada.id))).has_second_factor, true)
  const hash = await read(tx => tx.one<{ hash: string }>('SELECT password_hash AS hash FROM users'))
  assert.equal(hash?.hash, cheapHash('another password'))
  const [entry] = await read(tx => accessLog.list(tx, 1))
  assert.deepEqual([entry?.action, entry?.actor, entry?.details], ['user.reset', `user:${ada.id}`, {}])
  assert.equal(await count(db, 'sessions'), 0)
})

test('an owner makes a reset link for members of this account alone, and not for who runs the instance', async t => {
  const { accountId, adaMember, db, join, write } = await withAda(t)
  const { user: bob, member: bobMember } = await join('bob@example.org', 'door')
  const { user: eveUser, member: eve } = await join('eve@example.org', 'owner')
  const second = await otherAccount(db)
  const make = (accountId: string, id: string) =>
    refusalOf(db.write(accountId, tx => links.makeResetOfMember(tx, id, 'somebody else')))
  assert.equal(await make(accountId, bobMember.id), 'nothing')
  assert.equal(await make(accountId, eve.id), 'nothing')
  assert.equal(await make(accountId, adaMember.id), 'not_by_owner')
  // With a stolen session one would choose the password by it.
  const own = db.write(accountId, tx => links.makeResetOfMember(tx, eve.id, eveUser.id))
  assert.equal(await refusalOf(own), 'own_reset')
  assert.equal(await make(second, bobMember.id), 'not_found')
  const given = { email: 'bob@example.org', role: 'owner', event_ids: null } as const
  const { token } = await db.write(second, tx => links.invite(tx, given))
  await db.write(second, tx => uses.acceptAs(tx, token, bob.id, ORIGIN))
  // The door's owner would become the owner of another account by this link.
  assert.equal(await make(accountId, bobMember.id), 'not_by_owner')
  assert.equal(await refusalOf(write(tx => links.makeReset(tx, bob.id))), 'nothing')
})

test('a reset link that an owner has kept is void once its person joins another account', async t => {
  const { db, join, write } = await withAda(t)
  const { user: bob, member } = await join('bob@example.org', 'door')
  const kept = await write(tx => links.makeResetOfMember(tx, member.id, 'somebody else'))
  const second = await otherAccount(db)
  const given = { email: 'bob@example.org', role: 'owner', event_ids: null } as const
  const { token } = await db.write(second, tx => links.invite(tx, given))
  await db.write(second, tx => uses.acceptAs(tx, token, bob.id, ORIGIN))
  assert.equal(await refusalOf(write(tx => uses.reset(tx, kept.token, CHEAP_HASH, ORIGIN))), 'not_found')
})

test('the first owner of an instance that had accounts without people runs it', async t => {
  const { db } = await withNobody(t)
  const accountId = await otherAccount(db)
  const join = async (email: string, role: 'owner' | 'door') => {
    const given = { email, role, event_ids: null }
    const { token } = await db.write(accountId, tx => links.invite(tx, given))
    return (await db.write(accountId, tx => uses.accept(tx, token, NEWCOMER, ORIGIN))).user.operator
  }
  assert.deepEqual(
    [
      await join('door@example.org', 'door'),
      await join('ada@example.org', 'owner'),
      await join('eve@example.org', 'owner'),
    ],
    [false, true, false],
  )
})

test('the cleaning deletes the links that have expired, and no others', async t => {
  const { ada, clock, db, look, write } = await withLook(t)
  const { token: gone } = await write(tx => links.makeSignIn(tx, ada.id))
  clock.advance(DAY)
  const { token } = await write(tx => links.makeReset(tx, ada.id))
  await cleanUp(db, clock, 365)
  assert.equal(await look(gone), undefined)
  assert.equal((await look(token))?.status, 'open')
  assert.equal(await count(db, 'one_time_links'), 1)
})
