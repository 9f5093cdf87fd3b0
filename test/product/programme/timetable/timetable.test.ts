import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { HOUR, MINUTE } from '#base/time.ts'
import * as duplication from '#product/data-care/duplication/rules.ts'
import { listPlaceable, presetMinutes } from '#product/programme/timetable/placeable.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import { MAX_ROOMS, MAX_SESSIONS, MAX_SLOTS } from '#product/programme/timetable/schemas.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { addRoom, addSession, addSlot, read } from '#test/support/programme.ts'
import { isSaid } from '#test/support/said.ts'
import { startWithOrganization } from '#test/support/server.ts'

const accepted = { status: 'accepted', decided_at: '2026-11-01T00:00:00Z' }

async function start(t: TestContext, codes: readonly string[] = ['A-1', 'A-2']) {
  const all = [...codes.map(code => abstract(code, accepted)), abstract('R-1')]
  const file = organizationWith(all, { events: [{ slug: 'other', title: 'Other' }] })
  const server = await startWithOrganization(t, file)
  const { db, applied } = server
  const accountId = applied.account_id
  const place = { ...server, accountId }
  const { rows } = await db.read(accountId, async tx => ({
    rows: await tx.all<{ id: string; code: string }>('SELECT id, code FROM abstracts WHERE account_id = $1', [
      accountId,
    ]),
  }))
  const idOf = (code: string) => rows.find(row => row.code === code)?.id as string
  const otherId = applied.events.other?.id as string
  /** Returns what stands in a session, in its order. */
  const namesIn = async (session: { id: string }) =>
    (await read(place)).sessions
      .find(({ id }) => id === session.id)
      ?.slots.map(({ abstract: of, title }) => of?.code ?? title)
  return { ...place, idOf, otherId, namesIn }
}

const refused = (code: string) => (error: unknown) => error instanceof Problem && error.code === code

test('slots follow the beginning of their session, each after the one before, over midnight and a change of the clocks', async t => {
  const at = await start(t)
  // In Madrid, the clocks go back at 3:00 of 25 October.
  const session = await addSession(at, {
    starts_at: Date.parse('2026-10-24T21:30:00Z'),
    ends_at: Date.parse('2026-10-25T02:30:00Z'),
  })
  await addSlot(at, session, { title: 'Late', minutes: 60 })
  await addSlot(at, session, { title: 'Later', minutes: 180 })
  await addSlot(at, session, { title: 'Poster', minutes: 0 })
  const last = await addSlot(at, session, { title: 'Last', minutes: 15 })
  const times = async () =>
    (await read(at)).sessions[0]?.slots.map(({ title, from, to }) => [
      title,
      new Date(from).toISOString().slice(11, 16),
      new Date(to).toISOString().slice(11, 16),
    ])
  assert.deepEqual(await times(), [
    ['Late', '21:30', '22:30'],
    ['Later', '22:30', '01:30'],
    ['Poster', '21:30', '02:30'],
    ['Last', '01:30', '01:45'],
  ])
  const { db, accountId, eventId } = at
  await db.write(accountId, async tx => {
    await sessions.change(tx, eventId, session.id, { starts_at: session.starts_at + HOUR })
    await slots.change(tx, eventId, last, { minutes: 30 })
  })
  assert.deepEqual((await times())?.at(-1), ['Last', '02:30', '03:00'])
})

test('a slot is moved before another by its id, whatever has become of the others meanwhile', async t => {
  const at = await start(t)
  const { db, accountId, eventId, namesIn } = at
  const one = await addSession(at)
  const two = await addSession(at, { title: 'Second' })
  const ids = new Map<string, string>()
  for (const title of ['a', 'b', 'c', 'd']) ids.set(title, await addSlot(at, one, { title, minutes: 15 }))
  ids.set('x', await addSlot(at, two, { title: 'x', minutes: 15 }))
  const move = (title: string, to: { id: string }, before: string | null) =>
    db.write(accountId, tx =>
      slots.move(tx, eventId, ids.get(title) as string, {
        session_id: to.id,
        before: before === null ? null : (ids.get(before) ?? before),
      }),
    )
  await move('c', one, 'a')
  assert.deepEqual(await namesIn(one), ['c', 'a', 'b', 'd'])
  // Two chairs move different slots before the same one: both stand before it.
  await move('d', one, 'b')
  assert.deepEqual(await namesIn(one), ['c', 'a', 'd', 'b'])
  await move('c', one, null)
  assert.deepEqual(await namesIn(one), ['a', 'd', 'b', 'c'])
  await move('d', two, 'x')
  assert.deepEqual(
    [await namesIn(one), await namesIn(two)],
    [
      ['a', 'b', 'c'],
      ['d', 'x'],
    ],
  )
  await move('x', two, 'x')
  assert.deepEqual(await namesIn(two), ['d', 'x'])
  // What it should stand before is in another session by now.
  await assert.rejects(move('a', one, 'd'), refused('seen_changed'))
  await assert.rejects(
    move('a', { id: one.id }, '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'),
    refused('seen_changed'),
  )
  await db.write(accountId, tx => slots.remove(tx, eventId, ids.get('b') as string))
  await assert.rejects(move('b', one, null), refused('not_found'))
  assert.deepEqual(await namesIn(one), ['a', 'c'])
})

test('an abstract stands once in a session, and in as many sessions as wanted', async t => {
  const at = await start(t)
  const { db, accountId, eventId, idOf, namesIn } = at
  const one = await addSession(at)
  const two = await addSession(at, { title: 'Posters' })
  const slot = { abstract_id: idOf('A-1'), minutes: 15 }
  const first = await addSlot(at, one, slot)
  assert.equal(await addSlot(at, one, slot), first)
  const second = await addSlot(at, two, { ...slot, minutes: 0 })
  assert.deepEqual([await namesIn(one), await namesIn(two)], [['A-1'], ['A-1']])
  const into = { session_id: one.id, before: null }
  await assert.rejects(
    db.write(accountId, tx => slots.move(tx, eventId, second, into)),
    refused('seen_changed'),
  )
  const placed = async () =>
    (await db.read(accountId, tx => listPlaceable(tx, eventId))).map(({ code, isPlaced }) => [code, isPlaced])
  assert.deepEqual(await placed(), [
    ['A-1', true],
    ['A-2', false],
  ])
  // What is not accepted is offered nowhere, and not taken.
  await assert.rejects(addSlot(at, one, { ...slot, abstract_id: idOf('R-1') }), refused('seen_changed'))
  await db.write(accountId, tx => sessions.remove(tx, eventId, one.id))
  await db.write(accountId, tx => slots.remove(tx, eventId, second))
  assert.deepEqual(await placed(), [
    ['A-1', false],
    ['A-2', false],
  ])
})

test('minutes begin as those of the kind: none for a poster, and a quarter of an hour where nothing says more', () => {
  const id = (digit: string) => `0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4${digit}`
  const kinds = [
    { id: id('1'), name: 'Talk', minutes: 20, poster: false },
    { id: id('2'), name: 'Open', minutes: null, poster: false },
    { id: id('3'), name: 'Poster', minutes: null, poster: true },
  ]
  const of = (kind_id: string | null) => presetMinutes({ kind_id }, kinds)
  assert.deepEqual([id('1'), id('2'), id('3'), null, id('9')].map(of), [20, 15, 0, 15, 15])
})

test('nothing of another event or account is read, moved or taken', async t => {
  const at = await start(t)
  const { db, accountId, eventId, otherId, idOf } = at
  const session = await addSession(at)
  const slot = await addSlot(at, session, { title: 'x', minutes: 5 })
  const room = await addRoom(at)
  const elsewhere = { ...at, eventId: otherId }
  const foreign = await addSession(elsewhere)
  const rejects = (work: Parameters<typeof db.write>[1]) =>
    assert.rejects(db.write(accountId, work as never), refused('not_found'))
  await rejects(tx => slots.move(tx as never, eventId, slot, { session_id: foreign.id, before: null }))
  await rejects(tx => slots.remove(tx as never, otherId, slot))
  await rejects(tx => sessions.remove(tx as never, otherId, session.id))
  await rejects(tx => rooms.remove(tx as never, otherId, room.id))
  await rejects(tx => sessions.change(tx as never, otherId, foreign.id, { room_id: room.id }))
  await assert.rejects(
    addSlot(elsewhere, foreign, { abstract_id: idOf('A-1'), minutes: 5 }),
    refused('seen_changed'),
  )
})

test('rooms keep their order and names of their own; one that goes leaves its sessions without a room', async t => {
  const at = await start(t)
  const { db, accountId, eventId } = at
  const write = <Result>(work: (tx: Parameters<typeof rooms.add>[0]) => Promise<Result>) =>
    db.write(accountId, work)
  const names = async () => (await db.read(accountId, tx => rooms.list(tx, eventId))).map(({ name }) => name)
  const hall = await addRoom(at, 'Hall')
  const attic = await addRoom(at, 'Attic')
  await assert.rejects(addRoom(at, 'hall'), refused('already_taken'))
  await write(tx => rooms.move(tx, eventId, attic.id, 'up'))
  await write(tx => rooms.move(tx, eventId, attic.id, 'up'))
  assert.deepEqual(await names(), ['Attic', 'Hall'])
  await write(tx => rooms.rename(tx, eventId, attic.id, { name: 'attic' }))
  const session = await addSession(at, { room_id: hall.id })
  await write(tx => rooms.remove(tx, eventId, hall.id))
  assert.equal((await db.read(accountId, tx => sessions.get(tx, eventId, session.id))).room_id, null)
  for (let count = 1; count < MAX_ROOMS; count++) await addRoom(at, `Room ${count}`)
  await assert.rejects(addRoom(at, 'One more'), isSaid('programme_full'))
})

test('a programme has 500 sessions and 2,000 slots, and says so in words', async t => {
  const at = await start(t)
  const { db, accountId, idOf } = at
  const first = await addSession(at)
  const slot = await addSlot(at, first, { title: 'Welcome', minutes: 5 })
  const copy = (table: string, id: string, count: number, changed: string) =>
    db.write(accountId, async tx => {
      const row = await tx.one<Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = $1`, [id])
      const columns = Object.keys(row ?? {})
      await tx.run(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < $2)
         INSERT INTO ${table} (${columns.join(', ')})
         SELECT ${columns.map(name => (name === 'id' ? 's.id || n.n' : name === changed ? `s.${name} + n.n` : `s.${name}`)).join(', ')}
         FROM ${table} s, n WHERE s.id = $1`,
        [id, count],
      )
    })
  await copy('programme_sessions', first.id, MAX_SESSIONS - 2, '')
  const last = await addSession(at)
  await assert.rejects(addSession(at), isSaid('programme_full'))
  await copy('slots', slot, MAX_SLOTS - 2, 'position')
  await addSlot(at, last, { abstract_id: idOf('A-1'), minutes: 5 })
  await assert.rejects(addSlot(at, last, { title: 'Coffee', minutes: 5 }), isSaid('programme_full'))
})

test('a session ends after it begins, within seven days', async t => {
  const at = await start(t)
  const starts_at = at.clock()
  for (const ends_at of [starts_at, starts_at - MINUTE, starts_at + 8 * 24 * HOUR])
    await assert.rejects(addSession(at, { starts_at, ends_at }), refused('session_times'))
})

test('the copy of an event has its rooms, and none of its sessions', async t => {
  const at = await start(t)
  const { db, accountId, eventId } = at
  const { id: room_id } = await addRoom(at, 'Hall')
  await addRoom(at, 'Attic')
  await addSession(at, { room_id })
  const copy = { title: 'Next', slug: 'next', starts_at: null, ends_at: null }
  const { id } = await db.write(accountId, tx => duplication.duplicateEvent(tx, eventId, copy))
  await db.read(accountId, async tx => {
    assert.deepEqual(
      (await rooms.list(tx, id)).map(({ name }) => name),
      ['Hall', 'Attic'],
    )
    assert.deepEqual(await sessions.list(tx, id), [])
  })
})
