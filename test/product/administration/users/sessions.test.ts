import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as rules from '#product/administration/users/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { CHEAP_HASH, count, HOME, ORIGIN, refusalOf, withAda } from './people.ts'

async function withSession(t: Parameters<typeof withAda>[0]) {
  const people = await withAda(t)
  const { ada, clock, db } = people
  const open = () => db.write(INSTANCE, tx => sessions.open(tx, ada.id, HOME))
  const authenticate = (token: string) => db.read(INSTANCE, tx => sessions.authenticate(tx, token, clock()))
  const use = async (token: string) => {
    const { sessionId = '' } = (await authenticate(token)) ?? {}
    await db.write(INSTANCE, tx => sessions.markUsed(tx, sessionId, clock()))
  }
  return { ...people, open, authenticate, use }
}

test('a session is known by its token, of which only the hash is stored', async t => {
  const { open, authenticate, db, ada, clock } = await withSession(t)
  const { token, expiresAt } = await open()
  assert.match(token, /^[\w-]{43}$/)
  assert.equal(expiresAt, clock() + 30 * DAY)
  const session = await authenticate(token)
  assert.deepEqual([session?.user, session?.lastUsedAt], [ada, clock()])
  const rows = JSON.stringify(await db.read(INSTANCE, tx => tx.all('SELECT * FROM sessions')))
  assert.ok(!rows.includes(token))
  for (const other of ['', 'x'.repeat(43), `${token}=`, token.toLowerCase(), 'x'.repeat(1_000_000)]) {
    assert.equal(await authenticate(other), undefined)
  }
})

test('each session has a token of its own, whatever the browser had before', async t => {
  const { open } = await withSession(t)
  const tokens = [await open(), await open(), await open()].map(({ token }) => token)
  assert.equal(new Set(tokens).size, 3)
})

test('a session ends 12 hours after its last use', async t => {
  const { open, authenticate, use, clock } = await withSession(t)
  const { token } = await open()
  clock.advance(12 * HOUR - 1)
  await use(token)
  clock.advance(12 * HOUR - 1)
  assert.notEqual(await authenticate(token), undefined)
  clock.advance(1)
  assert.equal(await authenticate(token), undefined)
})

test('a session ends after 30 days whatever its use', async t => {
  const { open, authenticate, use, clock } = await withSession(t)
  const { token } = await open()
  for (let hours = 0; hours < 30 * 24 - 10; hours += 10) {
    clock.advance(10 * HOUR)
    await use(token)
  }
  clock.advance(10 * HOUR - 1)
  assert.notEqual(await authenticate(token), undefined)
  clock.advance(1)
  assert.equal(await authenticate(token), undefined)
})

test('a session that was begun by a clock that was years ahead is none', async t => {
  const { open, authenticate, clock } = await withSession(t)
  const now = clock()
  clock.advance(3650 * DAY)
  const { token } = await open()
  clock.advance(now - clock())
  assert.equal(await authenticate(token), undefined)
})

test('a person lists the open sessions, newest first, and ends one or all others', async t => {
  const { open, authenticate, db, ada, join, clock } = await withSession(t)
  const { user: bob } = await join('bob@example.org', 'manager')
  await open()
  clock.advance(13 * HOUR)
  const { token } = await open()
  clock.advance(MINUTE)
  const other = await open()
  const third = await open()
  const ids = (await db.read(INSTANCE, tx => sessions.list(tx, ada.id, clock()))).map(({ id }) => id)
  assert.equal(ids.length, 3)
  const [own] = await db.read(INSTANCE, tx => sessions.list(tx, ada.id, clock()))
  assert.deepEqual([own?.address, own?.browser], [HOME.address, HOME.browser])
  // Nobody ends a session of somebody else.
  const ofOther = db.write(INSTANCE, tx => sessions.end(tx, bob.id, ids[1] as string))
  assert.equal(await refusalOf(ofOther), 'not_found')
  assert.notEqual(await authenticate(other.token), undefined)
  await db.write(INSTANCE, tx => sessions.end(tx, ada.id, ids[1] as string))
  assert.equal(await authenticate(other.token), undefined)
  await db.write(INSTANCE, tx => sessions.endOthers(tx, ada.id, ids[0] as string))
  assert.equal(await authenticate(token), undefined)
  assert.notEqual(await authenticate(third.token), undefined)
})

test('a new password ends the other sessions', async t => {
  const { open, authenticate, db, ada } = await withSession(t)
  const [mine, theirs] = [await open(), await open()]
  const sessionId = (await authenticate(mine.token))?.sessionId as string
  await db.write(INSTANCE, tx =>
    rules.changePassword(tx, ada.id, { passwordHash: CHEAP_HASH, sessionId }, ORIGIN),
  )
  assert.notEqual(await authenticate(mine.token), undefined)
  assert.equal(await authenticate(theirs.token), undefined)
})

test('a person has a hundred sessions at most: the oldest end, and what a browser says is cut', async t => {
  const { open, authenticate, db, ada, clock } = await withSession(t)
  const first = await open()
  for (let more = 0; more < 99; more++) await open()
  assert.notEqual(await authenticate(first.token), undefined)
  const browser = `\u001b[2J${'ñ'.repeat(1000)}x`.repeat(1000)
  await db.write(INSTANCE, tx => sessions.open(tx, ada.id, { address: null, browser }))
  assert.equal(await authenticate(first.token), undefined)
  assert.equal(await count(db, 'sessions'), 100)
  const [newest] = await db.read(INSTANCE, tx => sessions.list(tx, ada.id, clock()))
  assert.match(newest?.browser ?? '', /^[\x20-\x7e]{300}$/)
})

test('the cleaning deletes the sessions that have expired, and no others', async t => {
  const { open, authenticate, db, clock } = await withSession(t)
  await open()
  clock.advance(30 * DAY)
  const { token } = await open()
  await cleanUp(db, clock, 365)
  assert.equal(await count(db, 'sessions'), 1)
  assert.notEqual(await authenticate(token), undefined)
})
