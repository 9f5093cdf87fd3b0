import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR, MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { isPassword } from '#product/administration/users/passwords.ts'
import * as rules from '#product/administration/users/rules.ts'
import { ofStranger } from '#product/administration/users/scrypt-lanes.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import * as store from '#product/administration/users/store.ts'
import { newTotpSecret, totpCode } from '#product/administration/users/totp.ts'
import { Tries } from '#product/administration/users/tries.ts'
import { testClock } from '#test/support/clock.ts'
import {
  CHEAP_HASH,
  cheapHash,
  count,
  HOME,
  ORIGIN,
  PASSWORD,
  peopleServices,
  refusalOf,
  withAda,
} from './people.ts'

const QUARTER = 15 * MINUTE
const WRONG = 'a wrong password'

/** Passwords cost next to nothing here: what is upgraded at each success is put back. */
async function withSignIn(t: Parameters<typeof withAda>[0]) {
  const people = await withAda(t)
  const { ada, signIn, write } = people
  const attempt = async (
    password: string,
    changes: { email?: string; address?: string; device?: string } = {},
  ) => {
    const outcome = await signIn.attempt({ ...HOME, email: ada.email, password, ...changes })
    await write(tx => tx.run('UPDATE users SET password_hash = $1', [CHEAP_HASH]))
    return outcome
  }
  const kindsOf = async (times: number, ...args: Parameters<typeof attempt>) => {
    const kinds: string[] = []
    for (let at = 0; at < times; at++) kinds.push((await attempt(...args)).kind)
    return kinds
  }
  return { ...people, attempt, kindsOf }
}

const times = (count: number, kind: string) => Array.from({ length: count }, () => kind)

test('the right password begins a session, in any case and form of the e-mail, and the access log says so', async t => {
  const { ada, clock, db, read, signIn, write } = await withAda(t)
  await write(tx => rules.updateUser(tx, ada.id, { ...ada, email: 'Ada@münchen.example' }, ORIGIN))
  for (const email of [' ADA@MÜNCHEN.example ', 'ada@xn--mnchen-3ya.example']) {
    const outcome = await signIn.attempt({ ...HOME, email, password: PASSWORD })
    assert.ok(outcome.kind === 'in', email)
    const session = await read(tx => sessions.authenticate(tx, outcome.token, clock()))
    assert.deepEqual(session?.user, outcome.user)
  }
  assert.equal(await count(db, 'sessions'), 2)
  const [entry] = await read(tx => accessLog.list(tx, 1))
  const by = [entry?.actor, entry?.action, entry?.address, entry?.request_id, entry?.details]
  assert.deepEqual(by, [`user:${ada.id}`, 'user.sign_in', HOME.address, HOME.requestId, {}])
})

test('a password that was kept at another cost is kept at the present one once it is given', async t => {
  const { read, signIn, ada } = await withAda(t)
  const hashOf = () => read(tx => tx.one<{ hash: string }>('SELECT password_hash AS hash FROM users'))
  await signIn.attempt({ ...HOME, email: ada.email, password: WRONG })
  assert.equal((await hashOf())?.hash, CHEAP_HASH)
  await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
  const upgraded = (await hashOf())?.hash ?? ''
  assert.match(upgraded, /^\$scrypt\$ln=15,r=8,p=3\$/)
  assert.equal((await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })).kind, 'in')
  assert.equal((await hashOf())?.hash, upgraded)
})

test('a wrong password and an e-mail of nobody get the same answer, and no session', async t => {
  const { attempt, db } = await withSignIn(t)
  const refused = { kind: 'refused' }
  assert.deepEqual(await attempt(WRONG), refused)
  assert.deepEqual(await attempt(PASSWORD, { email: 'nobody@example.org' }), refused)
  for (const email of ['', 'ada', 'x'.repeat(1_000_000), 'ada@example.org\u0000']) {
    assert.deepEqual(await attempt(PASSWORD, { email }), refused)
  }
  for (const password of ['', 'short', 'x'.repeat(1_000_000), `${PASSWORD}\u0000`]) {
    assert.deepEqual(await attempt(password), refused)
  }
  assert.equal(await count(db, 'sessions'), 0)
})

test('the e-mail of nobody takes the time of a scrypt as well', async t => {
  const { db, signIn } = await withAda(t)
  const nobody = (at: number) => signIn.attempt({ ...HOME, email: `${at}@example.org`, password: WRONG })
  const attempts = Promise.all([nobody(1), nobody(2)])
  // Both have asked the database, and take the two places for a fifth of a second.
  for (let turns = 0; turns < 5; turns++) await db.read(INSTANCE, async () => undefined)
  const others = Array.from({ length: 31 }, (_, at) =>
    refusalOf(isPassword(WRONG, CHEAP_HASH, ofStranger(`203.0.113.${at}`, undefined))),
  )
  const kinds = await Promise.all(others)
  assert.deepEqual(kinds, [...times(30, 'nothing'), 'unavailable'])
  await attempts
})

test('an address has ten tries a quarter of an hour, over all e-mails; IPv6 by its /64', async t => {
  const { attempt, clock, join } = await withSignIn(t)
  // The attempts are for other people, who cost next to nothing here.
  for (let at = 0; at < 10; at++) await join(`${at}@example.org`, 'door')
  for (const [address, same, other] of [
    ['192.0.2.9', '192.0.2.9', '192.0.2.10'],
    ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:db8:0:1::1'],
  ] as const) {
    for (let at = 0; at < 10; at++) {
      assert.equal((await attempt(WRONG, { email: `${at}@example.org`, address })).kind, 'refused')
    }
    assert.deepEqual(await attempt(PASSWORD, { address: same }), { kind: 'too-many', retryAfter: 900 })
    assert.equal((await attempt(PASSWORD, { address: other })).kind, 'in')
    clock.advance(QUARTER - SECOND)
    assert.deepEqual(await attempt(PASSWORD, { address: same }), { kind: 'too-many', retryAfter: 1 })
    clock.advance(SECOND)
    assert.equal((await attempt(PASSWORD, { address: same })).kind, 'in')
  }
})

test('an e-mail has ten tries a quarter of an hour over all addresses, whether or not anybody has it', async t => {
  const { attempt, clock } = await withSignIn(t)
  for (const email of ['ada@example.org', 'nobody@example.org']) {
    const spellings = [email, email.toUpperCase(), ` ${email}`]
    for (let at = 0; at < 10; at++) {
      const address = `198.51.100.${at}`
      assert.equal((await attempt(WRONG, { email: spellings[at % 3] as string, address })).kind, 'refused')
    }
    for (const password of [WRONG, PASSWORD]) {
      assert.deepEqual(await attempt(password, { email, address: '203.0.113.1' }), {
        kind: 'too-many',
        retryAfter: 900,
      })
    }
    clock.advance(QUARTER)
  }
  assert.equal((await attempt(PASSWORD)).kind, 'in')
})

test('what is refused for being too many does not count, and so prolongs nothing', async t => {
  const { attempt, clock, kindsOf } = await withSignIn(t)
  assert.deepEqual(await kindsOf(10, WRONG), times(10, 'refused'))
  for (let minutes = 0; minutes < 14; minutes++) {
    clock.advance(MINUTE)
    assert.equal((await attempt(WRONG)).kind, 'too-many')
  }
  clock.advance(MINUTE)
  assert.equal((await attempt(PASSWORD)).kind, 'in')
})

test('whoever attacks an e-mail for days locks out nobody at an address where the person has a session', async t => {
  const { attempt, kindsOf, clock } = await withSignIn(t)
  assert.equal((await attempt(PASSWORD)).kind, 'in')
  for (let quarters = 0; quarters < 4; quarters++) {
    for (let at = 0; at < 10; at++) await attempt(WRONG, { address: `198.51.${quarters}.${at}` })
    assert.equal((await attempt(PASSWORD, { address: '203.0.113.1' })).kind, 'too-many')
    assert.equal((await attempt(PASSWORD)).kind, 'in')
    clock.advance(QUARTER)
  }
  // An e-mail that looks like a counter's name does not reach that counter either.
  for (const email of [
    'ada@example.org 192.0.2.1',
    'ada@example.org\n192.0.2.1',
    'known ada@example.org 192.0.2.1',
  ]) {
    for (let at = 0; at < 10; at++) await attempt(WRONG, { email, address: `203.0.113.${at + 2}` })
    assert.equal((await attempt(PASSWORD)).kind, 'in', email)
    clock.advance(QUARTER)
  }
  // The limit is ten tries there too.
  assert.deepEqual(await kindsOf(11, WRONG), [...times(10, 'refused'), 'too-many'])
})

test('a success clears the tries of its e-mail, and takes none of its address', async t => {
  const { attempt, kindsOf, join } = await withSignIn(t)
  assert.deepEqual(await kindsOf(9, WRONG), times(9, 'refused'))
  // A team may sign in behind one address.
  assert.deepEqual(await kindsOf(3, PASSWORD), times(3, 'in'))
  const { user } = await join('bob@example.org', 'door')
  assert.equal((await attempt(PASSWORD, { email: user.email })).kind, 'in')
  assert.equal((await attempt(WRONG, { email: 'cyd@example.org' })).kind, 'refused')
  assert.equal((await attempt(WRONG, { email: 'dan@example.org' })).kind, 'too-many')
  // People who are signed in there have their own count.
  assert.equal((await attempt(PASSWORD)).kind, 'in')
  const elsewhere = { address: '198.51.100.7' }
  assert.deepEqual(await kindsOf(10, WRONG, elsewhere), times(10, 'refused'))
})

test('a hundred wrong passwords at once are ten', async t => {
  const { ada, signIn } = await withAda(t)
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      signIn.attempt({ ...HOME, email: ada.email, password: WRONG, address: `198.51.100.${at}` }),
    ),
  )
  assert.equal(outcomes.filter(({ kind }) => kind === 'refused').length, 10)
  assert.equal(outcomes.filter(({ kind }) => kind === 'too-many').length, 90)
})

test('tries of any number of names take bounded memory, and drive out none that still counts before 40,000', () => {
  const clock = testClock()
  const tries = new Tries(clock)
  for (let at = 0; at < 10; at++) tries.take('victim')
  for (let at = 0; at < 39_999; at++) tries.take(`${at}@example.org`.padStart(200, 'x'))
  assert.equal(tries.take('victim'), 900)
  for (let at = 0; at < 45_000; at++) tries.take(`other ${at}`)
  assert.equal(tries.size, 40_000)
  clock.advance(-QUARTER)
  for (let at = 0; at < 10; at++) assert.equal(tries.take('other 44999'), undefined)
})

test('a /48 has thirty tries a quarter of an hour, over all of its /64s', async t => {
  const { attempt, clock, join } = await withSignIn(t)
  // The attempts are for other people, who cost next to nothing here.
  for (let at = 0; at < 31; at++) await join(`${at}@example.org`, 'door')
  const wrong = (at: number, address: string) => attempt(WRONG, { email: `${at}@example.org`, address })
  for (let at = 0; at < 30; at++) assert.equal((await wrong(at, `2001:db8:1:${at}::1`)).kind, 'refused')
  assert.deepEqual(await wrong(30, '2001:db8:1:ffff::1'), { kind: 'too-many', retryAfter: 900 })
  assert.equal((await wrong(30, '2001:db8:2::1')).kind, 'refused')
  // IPv4 is counted by itself alone.
  for (let at = 0; at < 31; at++) assert.equal((await wrong(at, `192.0.3.${at}`)).kind, 'refused')
  clock.advance(QUARTER)
  assert.equal((await wrong(30, '2001:db8:1:ffff::1')).kind, 'refused')
})

test('a known device has a count of its own, which nobody else fills, at an address that others have used up', async t => {
  const { attempt, db, kindsOf, ada, signIn, write } = await withSignIn(t)
  const done = await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
  assert.ok(done.kind === 'in')
  await write(tx => sessions.endAll(tx, ada.id))
  const hash = await db.read(INSTANCE, tx =>
    tx.one<{ hash: string }>('SELECT password_hash AS hash FROM users'),
  )
  const own = { address: '203.0.113.1', device: done.device }
  await kindsOf(10, WRONG, { address: '203.0.113.1' })
  for (let at = 0; at < 10; at++) await attempt(WRONG, { address: `198.51.100.${at}` })
  // A wrong password costs next to nothing above, and the mark depends on the stored hash.
  await write(tx => tx.run('UPDATE users SET password_hash = $1', [hash?.hash ?? '']))
  const attemptFrom = (password: string, changes = {}) =>
    signIn.attempt({ ...HOME, email: ada.email, password, ...changes })
  assert.equal((await attemptFrom(PASSWORD, { address: '203.0.113.1' })).kind, 'too-many')
  assert.equal((await attemptFrom(PASSWORD, own)).kind, 'in')
  await write(tx => sessions.endAll(tx, ada.id))
  // A thief of the cookie has ten tries in all, from however many addresses.
  const kinds: string[] = []
  for (let at = 0; at < 11; at++)
    kinds.push((await attemptFrom(WRONG, { ...own, address: `10.0.0.${at}` })).kind)
  assert.deepEqual(kinds, [...times(10, 'refused'), 'too-many'])
  // The cookie counts for nothing with the e-mail of somebody else.
  const other = { email: 'nobody@example.org', password: WRONG, device: done.device }
  for (let at = 0; at < 10; at++) await signIn.attempt({ ...HOME, ...other, address: `10.1.0.${at}` })
  assert.equal((await signIn.attempt({ ...HOME, ...other, address: '10.1.1.1' })).kind, 'too-many')
})

test('an address is one of the person only while a session of theirs is open there', async t => {
  const { attempt, clock, kindsOf } = await withSignIn(t)
  assert.equal((await attempt(PASSWORD)).kind, 'in')
  for (let at = 0; at < 10; at++) await attempt(WRONG, { address: `198.51.100.${at}` })
  assert.equal((await attempt(PASSWORD)).kind, 'in')
  clock.advance(13 * HOUR)
  assert.deepEqual(await kindsOf(10, WRONG, { address: '203.0.113.1' }), times(10, 'refused'))
  assert.equal((await attempt(PASSWORD)).kind, 'too-many')
})

test('a restart forgets no device', async t => {
  const { ada, clock, db, signIn, write } = await withAda(t)
  const done = await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
  assert.ok(done.kind === 'in')
  await write(tx => sessions.endAll(tx, ada.id))
  const again = peopleServices(db, clock)
  const user = await db.read(INSTANCE, tx => store.findByEmailKey(tx, 'ada@example.org'))
  assert.equal(again.devices.proofOf(again.devices.read(done.device), user), 'sign-in')
})

test('a try that is given back keeps no name, so that what costs nothing drives out no count', () => {
  const tries = new Tries(testClock())
  for (let at = 0; at < 100; at++) {
    tries.take(`name ${at}`)
    tries.giveBack(`name ${at}`)
  }
  assert.equal(tries.size, 0)
})

/** Starts with Ada, who has a second factor. */
async function withCodes(t: Parameters<typeof withAda>[0]) {
  const people = await withSignIn(t)
  const { ada, clock, write } = people
  const secret = newTotpSecret()
  const code = (ahead = 0) => totpCode(secret, Math.floor(clock() / 30_000) + ahead)
  const recovery = await write(tx => rules.enableSecondFactor(tx, ada.id, secret, code(-1), ORIGIN))
  return { ...people, code, recovery }
}

test('with a second factor the password begins no session: a ticket and a code do', async t => {
  const { ada, clock, code, db, read, signIn } = await withCodes(t)
  const outcome = await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
  assert.ok(outcome.kind === 'second-factor')
  assert.equal(await count(db, 'sessions'), 0)
  const { ticket } = outcome
  assert.deepEqual(await signIn.continueWith({ ...HOME, ticket, code: '000000' }), { kind: 'refused' })
  const done = await signIn.continueWith({
    ...HOME,
    ticket,
    code: ` ${code().slice(0, 3)} ${code().slice(3)} `,
  })
  assert.ok(done.kind === 'in')
  assert.equal((await read(tx => sessions.authenticate(tx, done.token, clock())))?.user.id, ada.id)
})

test('each step of time is accepted once, also of two codes at once, and none of before', async t => {
  const { ada, clock, code, db, signIn } = await withCodes(t)
  const outcome = await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
  assert.ok(outcome.kind === 'second-factor')
  const { ticket } = outcome
  const use = async (text: string) => (await signIn.continueWith({ ...HOME, ticket, code: text })).kind
  assert.equal(await use(code(-1)), 'refused', 'the code that the second factor was turned on with')
  assert.deepEqual((await Promise.all([use(code()), use(code())])).sort(), ['in', 'refused'])
  assert.equal(await count(db, 'sessions'), 1)
  assert.equal(await use(code()), 'refused')
  assert.equal(await use(code(1)), 'in')
  assert.equal(await use(code()), 'refused')
  clock.advance(60 * SECOND)
  assert.equal(await use(code()), 'in')
  assert.equal(await count(db, 'sessions'), 3)
})

test('a recovery code is good once in the place of a code, also of two at once', async t => {
  const { ada, db, read, recovery, signIn } = await withCodes(t)
  const outcome = await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
  assert.ok(outcome.kind === 'second-factor')
  const use = async (code = '') => (await signIn.continueWith({ ...HOME, ticket: outcome.ticket, code })).kind
  assert.deepEqual((await Promise.all([use(recovery[0]), use(recovery[0])])).sort(), ['in', 'refused'])
  assert.equal(await use(recovery[1]?.toLowerCase().replaceAll('-', ' ')), 'in')
  assert.equal(await use('AAAA-AAAA-AAAA-AAAA'), 'refused')
  assert.equal(await use('x'.repeat(1_000_000)), 'refused')
  assert.equal(await read(tx => rules.countRecoveryCodes(tx, ada.id)), 8)
  assert.equal(await count(db, 'sessions'), 2)
})

test('codes count as tries, and passwords between them clear nothing', async t => {
  const { ada, clock, code, signIn } = await withCodes(t)
  const kinds: string[] = []
  let ticket = ''
  for (let at = 0; at < 11; at++) {
    const outcome = await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
    kinds.push(outcome.kind)
    if (outcome.kind === 'second-factor') ticket = outcome.ticket
    kinds.push((await signIn.continueWith({ ...HOME, ticket, code: '000000' })).kind)
  }
  assert.deepEqual(kinds, [
    ...times(10, 'second-factor').flatMap(kind => [kind, 'refused']),
    ...times(2, 'too-many'),
  ])
  assert.equal((await signIn.continueWith({ ...HOME, ticket, code: code() })).kind, 'too-many')
  clock.advance(QUARTER)
  const later = await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
  assert.ok(later.kind === 'second-factor')
  const done = await signIn.continueWith({ ...HOME, ticket: later.ticket, code: code() })
  assert.equal(done.kind, 'in')
})

test('a ticket is good for five minutes, for its user, its instance and its password, and cannot be made', async t => {
  const { ada, clock, code, db, join, signIn, write } = await withCodes(t)
  const { user: bob } = await join('bob@example.org', 'door')
  const getTicket = async () => {
    const outcome = await signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
    assert.ok(outcome.kind === 'second-factor')
    return outcome.ticket
  }
  const kindOf = async (ticket: string, from = signIn) =>
    (await from.continueWith({ ...HOME, ticket, code: code() })).kind
  const ticket = await getTicket()
  const [id = '', expires = '', signature = ''] = ticket.split('.')
  const forged = [
    ...['', 'x', '.', '..', 'x'.repeat(1_000_000), `${ticket}=`, ticket.toUpperCase()],
    `${bob.id}.${expires}.${signature}`,
    `${id}.${Number(expires) + 1}.${signature}`,
    `${id}.${expires}.${'A'.repeat(43)}`,
  ]
  for (const each of forged) assert.equal(await kindOf(each), 'expired', each.slice(0, 100))
  assert.equal(await kindOf(ticket, peopleServices(db, clock, 'other').signIn), 'expired')
  clock.advance(5 * MINUTE)
  assert.equal(await kindOf(ticket), 'expired')
  const old = await getTicket()
  await write(tx => tx.run('UPDATE users SET password_hash = $1', [cheapHash('another password')]))
  assert.equal(await kindOf(old), 'expired')
  assert.equal(await count(db, 'sessions'), 0)
})

test('a password that is changed while it is compared signs nobody in', async t => {
  const { ada, db, signIn, write } = await withAda(t)
  const pending = signIn.attempt({ ...HOME, email: ada.email, password: PASSWORD })
  // The old one is being upgraded, which takes a scrypt: the change comes before it.
  await new Promise(resolve => setImmediate(resolve))
  await write(tx =>
    rules.changePassword(tx, ada.id, { passwordHash: cheapHash('another one'), sessionId: '' }, ORIGIN),
  )
  await pending
  const stored = await db.read(INSTANCE, tx =>
    tx.one<{ hash: string }>('SELECT password_hash AS hash FROM users'),
  )
  assert.equal(stored?.hash, cheapHash('another one'))
  assert.equal((await pending).kind, 'refused')
  assert.equal(await count(db, 'sessions'), 0)
})

test('a person who is signed in gives the password again, with as many tries, which nobody else uses up', async t => {
  const { ada, clock, signIn } = await withAda(t)
  const session = { userId: ada.id, sessionId: 'one' }
  const confirm = async (password: string) => (await signIn.confirm(session, password)).kind
  for (let at = 0; at < 11; at++) {
    await signIn.attempt({ ...HOME, email: ada.email, password: WRONG })
    await signIn.attempt({ ...HOME, address: `203.0.113.${at}`, email: ada.email, password: WRONG })
  }
  assert.equal(await confirm(PASSWORD), 'confirmed')
  for (let at = 0; at < 10; at++) assert.equal(await confirm(WRONG), 'refused')
  assert.equal(await confirm(PASSWORD), 'too-many')
  // A thief of one session has ten tries, from wherever, and the person signs in anew.
  assert.equal((await signIn.confirm({ ...session, sessionId: 'two' }, PASSWORD)).kind, 'confirmed')
  clock.advance(QUARTER)
  assert.equal(await confirm(PASSWORD), 'confirmed')
  assert.equal((await signIn.confirm({ ...session, userId: 'nobody' }, PASSWORD)).kind, 'refused')
})
