import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR } from '#base/time.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { publish, unpublish } from '#product/programme/publishing/publish.ts'
import * as rooms from '#product/programme/timetable/rooms.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { damageOf, openDatabase } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { acceptOne, addSession, openProgrammeCall, publishNow, readChanges } from '#test/support/published.ts'

type Cli = ReturnType<typeof commandLine>

async function within<T>({ data, clock }: Cli, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(data, clock)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/**
 * Builds a programme of which each thing is there, published three times: with a room, a session and slots that were taken out between,
 * an abstract that left it, one that stands twice, and texts that are public later.
 */
async function build(place: {
  db: Database
  accountId: string
  eventId: string
  clock: Cli['clock']
}): Promise<void> {
  const { db, accountId, eventId, clock } = place
  const { kinds } = await openProgrammeCall(place)
  const write = <T>(work: (tx: WriteTx) => Promise<T>) => db.write(accountId, work)
  const content = (title: string, kind = 0) => ({ title, kind_id: kinds[kind]?.id ?? null })
  const made = []
  for (const [title, kind] of [
    ['One', 0],
    ['Two', 1],
    ['Three', 0],
    ['Left', 0],
  ] as const)
    made.push(await acceptOne(place, content(title, kind)))
  const [one, two, three, left] = made as [
    (typeof made)[0],
    (typeof made)[0],
    (typeof made)[0],
    (typeof made)[0],
  ]
  const first = await addSession(place, { title: 'Opening', room: 'Größer Saal', chairs: ['Chiara C'] }, [
    'Welcome',
    one,
    left,
  ])
  await addSession(place, { title: 'Posters', room: 'Foyer', from: clock() + 2 * DAY }, [
    { id: two.id, minutes: 0 },
    { id: one.id, minutes: 0 },
  ])
  const gone = await addSession(place, { title: 'Gone', room: 'Old room', from: clock() + 3 * DAY }, [
    three,
    'Tea',
  ])
  await publishNow(place, 'user:ada')
  clock.advance(60_000)
  await write(async tx => {
    await slots.remove(tx, eventId, first.slots[2] as string)
    await rooms.remove(tx, eventId, gone.room_id as string)
    await sessions.change(tx, eventId, first.id, { about: 'All *begins*.', ends_at: first.ends_at + HOUR })
  })
  await publishNow(place)
  await write(tx => sessions.remove(tx, eventId, gone.id))
  clock.advance(60_000)
  await addSession(place, { title: 'No room', from: clock() + 2 * DAY }, [])
  await publishNow(place)
  await write(tx => versions.setTextsFrom(tx, eventId, clock() + DAY))
  const pair = { one: 'a'.repeat(22), other: 'b'.repeat(22) }
  await write(tx => versions.setVerdicts(tx, eventId, [{ ...pair, same: true }]))
  await write(tx => rooms.move(tx, eventId, first.room_id as string, 'down'))
}

/** Makes a data folder with such a programme, and its export. */
async function lived(t: TestContext) {
  const cli = commandLine(t)
  const path = cli.write('first.json', organization({ event: { takes_abstracts: true } }))
  const { account_id: accountId, events } = await cli.json('apply', path)
  const place = { accountId, eventId: events['spring-meeting'].id as string, clock: cli.clock }
  await within(cli, db => build({ db, ...place }))
  const text = await exported(cli)
  return { ...cli, ...place, text, file: cli.write('all.json', text) }
}

async function exported({ turnout, data }: Cli): Promise<string> {
  const { code, out, err } = await turnout('export', '--data', data)
  assert.deepEqual([code, err], [0, ''])
  return out
}

test('a programme with its versions is exported from an empty folder as the same text, and the same again changes nothing', async t => {
  const one = await lived(t)
  const { programme } = JSON.parse(one.text).events[0]
  assert.deepEqual(programme.rooms, ['Foyer', 'Größer Saal'])
  assert.equal(programme.versions.length, 3)
  assert.deepEqual([programme.published, typeof programme.texts_from], [3, 'string'])
  assert.doesNotMatch(JSON.stringify(programme.versions), /Größer|Opening|Chiara|[0-9a-f]{8}-/)
  for (const flags of [[], ['--in-batches']]) {
    const other = commandLine(t)
    other.clock.set('2031-05-05T05:05:05.055Z')
    const applied = await other.json('apply', one.file, ...flags)
    assert.ok(applied.changes.includes('created programme of spring-meeting'))
    assert.equal(await exported(other), one.text)
    assert.deepEqual(await damageOf(other.data), [])
    const again = await other.json('apply', one.file, ...flags)
    assert.deepEqual([again.created, again.updated, again.changes, again.differences], [0, 0, [], []])
  }
})

test('a programme that was brought goes on as the one that was left: its numbers stay, and nothing is told anew', async t => {
  const one = await lived(t)
  const other = commandLine(t)
  const { account_id: accountId, events } = await other.json('apply', one.file)
  const eventId = events['spring-meeting'].id as string
  await within(other, async db => {
    const place = { db, accountId, eventId, clock: other.clock }
    const { changes, untold, content } = await readChanges(place)
    assert.deepEqual([changes.added, changes.moved, changes.removed, changes.hasOthers], [[], [], [], false])
    assert.deepEqual([untold.added, untold.moved, untold.removed], [[], [], []])
    assert.deepEqual(Object.values(content.numbers).sort(), ['O-01', 'O-02', 'O-03', 'P-001'])
    const { version, told } = await publishNow(place)
    assert.deepEqual([version.number, told], [3, 0])
    const jobs = await db.read(accountId, tx =>
      tx.all('SELECT id FROM jobs WHERE account_id = $1', [accountId]),
    )
    assert.deepEqual(jobs, [])
  })
})

test('a programme that is there stays as it is, and what the file says otherwise is told', async t => {
  const one = await lived(t)
  const file = JSON.parse(one.text)
  const { programme } = file.events[0]
  programme.rooms.push('Another')
  programme.sessions[0].title = 'Another'
  programme.published = 1
  const path = one.write('other.json', file)
  for (const flags of [[], ['--in-batches']]) {
    const { created, updated, differences } = await one.json('apply', path, ...flags)
    assert.deepEqual([created, updated], [0, 0])
    assert.deepEqual(differences, [
      'programme of spring-meeting keeps published, rooms, sessions as in the database: the file says otherwise',
    ])
  }
  assert.equal(await exported(one), one.text)
  // Rooms alone are a programme too.
  const other = commandLine(t)
  const { account_id: accountId, events } = await other.json('apply', other.write('f.json', organization()))
  await within(other, db =>
    db.write(accountId, tx => rooms.add(tx, events['spring-meeting'].id, { name: 'Mine' })),
  )
  const { differences } = await other.json('apply', one.file)
  assert.match(differences.join(), /programme of spring-meeting keeps .*rooms, sessions, versions/)
  assert.deepEqual(JSON.parse(await exported(other)).events[0].programme.rooms, ['Mine'])
})

test('a programme that was taken back stays so, and its versions come along', async t => {
  const one = await lived(t)
  await within(one, db => db.write(one.accountId, tx => unpublish(tx, one.eventId)))
  const text = await exported(one)
  const other = commandLine(t)
  const { account_id: accountId, events } = await other.json('apply', other.write('f.json', text))
  assert.equal(await exported(other), text)
  const by = { by: 'cli', language: 'en' } as const
  const done = await within(other, db =>
    db.write(accountId, tx => publish(tx, events['spring-meeting'].id, by)),
  )
  assert.deepEqual([done.version.number, done.told], [3, 0])
})

// biome-ignore lint/suspicious/noExplicitAny: a file may have anything
type Programme = any

/** Changes the programme of an export, with the place and the rest of the sentence that refuses it. */
const wrong: [change: (programme: Programme) => unknown, sentence: string][] = [
  [p => (p.rooms[1] = 'FOYER'), 'rooms.1 is there twice'],
  [
    p => (p.sessions[0].room = 'Nowhere'),
    'sessions.0.room is "Nowhere", and the programme has no room of that name',
  ],
  [p => (p.sessions[0].ends_at = p.sessions[0].starts_at), 'sessions.0.ends_at contradicts starts_at'],
  [p => (p.sessions[0].ends_at = '2027-12-01T00:00:00Z'), 'sessions.0.ends_at contradicts starts_at'],
  [
    p => (p.sessions[0].slots[0].abstract = p.sessions[0].slots[1].abstract),
    'sessions.0.slots.0.title contradicts abstract',
  ],
  [p => delete p.sessions[0].slots[0].title, 'sessions.0.slots.0.title is required'],
  [p => p.sessions[0].slots.push(p.sessions[0].slots[1]), 'sessions.0.slots.2.abstract is there twice'],
  [
    p => (p.sessions[0].slots[1].abstract = 'none'),
    'sessions.0.slots.1.abstract is "none", and the event has no abstract of that code',
  ],
  [
    p => (p.sessions[0].slots[1].minutes = 1441),
    'sessions.0.slots.1.minutes must be an integer from 0 to 1440',
  ],
  [
    p => (p.sessions[0].slots = Array(2001).fill({ minutes: 5, title: 'Tea' })),
    'sessions.0.slots must be an array of 0 to 2000 items',
  ],
  [
    p => {
      for (const session of p.sessions.slice(0, 2))
        session.slots = Array(1001).fill({ minutes: 5, title: 'Tea' })
    },
    'sessions have more than the 2000 slots that a programme takes',
  ],
  [p => (p.rooms = Array(51).fill('x')), 'rooms must be an array of 0 to 50 items'],
  [p => (p.published = 4), 'published must be an integer from 1 to 3'],
  [
    p => (p.versions[0].numbers[0].number = 'X-1'),
    'versions.0.numbers.0.number must be a number of a programme such as O-12',
  ],
  [
    p => (p.versions[0].numbers[1].number = p.versions[0].numbers[0].number),
    'versions.0.numbers.1.number is there twice',
  ],
  [p => (p.versions[1].numbers[0].number = 'O-77'), 'versions.1.numbers.0.number contradicts versions.0'],
  [p => p.versions[1].numbers.pop(), 'versions.1.numbers contradicts versions.0'],
  [
    p => {
      for (const version of p.versions) version.numbers.push({ abstract: 'none', number: 'O-99' })
    },
    'versions.0.numbers.4.abstract is "none", and the event has no abstract of that code',
  ],
  [
    p => (p.versions[0].sessions[1].session = p.versions[0].sessions[0].session),
    'versions.0.sessions.1.session is there twice',
  ],
  [
    p => (p.versions[0].sessions[0].slots[1].slot = p.versions[0].sessions[0].slots[0].slot),
    'versions.0.sessions.0.slots.1.slot is there twice',
  ],
  [
    p => (p.versions[0].sessions[0].slots[1].abstract = 'none'),
    'versions.0.sessions.0.slots.1.abstract contradicts numbers',
  ],
  [
    p => (p.versions[0].sessions[0].room = 0),
    'versions.0.sessions.0.room must be an integer from 1 to 10000000',
  ],
]

test('a programme that contradicts itself or names what is not there is told by its place, and nothing is written', async t => {
  const one = await lived(t)
  for (const [change, sentence] of wrong) {
    const file = JSON.parse(one.text)
    change(file.events[0].programme)
    const other = commandLine(t)
    for (const mode of [[], ['--in-batches']]) {
      const path = other.write('f.json', file)
      const { code, err } = await other.turnout('apply', path, '--data', other.data, ...mode)
      assert.equal(code, 1, sentence)
      assert.ok(err.includes(`events.0.programme.${sentence}.\n`), `${sentence}: ${err.slice(0, 500)}`)
      assert.ok(!existsSync(other.data))
    }
  }
})
