import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { MINUTE, SECOND } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { undo as undoScan } from '#product/entrance/check-ins/scan-decisions.ts'
import * as scans from '#product/entrance/check-ins/scans.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { secretOf } from '#test/support/door/door.ts'
import { ofSqlite, openTestDatabase } from '#test/support/engine.ts'
import { organization, registration } from '#test/support/organization.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { assertRefused, commandLine } from './turnout.ts'

const TICKETS = 8

/** Starts on a server's database with some tickets, and adds doors as a test needs them. */
async function start(t: TestContext) {
  const cli = commandLine(t)
  const file = organization({
    event: {
      registrations: Array.from({ length: TICKETS }, (_, at) =>
        registration(`r${at}`, { attendees: [{ name: `Guest ${at}` }] }),
      ),
    },
  })
  const applied = await cli.json('apply', cli.write('organization.json', file))
  const accountId = applied.account_id as string
  const eventId = applied.events['spring-meeting'].id as string
  const opened = async (data: string): Promise<Database> => {
    const db = await openTestDatabase(t, { data, clock: cli.clock })
    return db
  }
  const db = await opened(cli.data)
  const rows = await db.read(INSTANCE, tx => tx.all<{ id: string }>('SELECT id FROM attendees ORDER BY name'))
  const tickets = rows.map(({ id }) => id)
  const on = (data: string, ...argv: string[]) => cli.turnout(...argv, '--data', data)
  /** Restores the database as it is now for another server of the same account. */
  const restore = async (name: string) => {
    const [backup, data] = [join(cli.folder, `${name}.db`), join(cli.folder, name)]
    for (const argv of [
      ['backup', backup, '--data', cli.data],
      ['restore', backup, '--data', data],
    ]) {
      const { code, err } = await cli.turnout(...argv)
      assert.equal(code, 0, err)
    }
    cli.clock.advance(SECOND)
    return { data, db: await opened(data) }
  }
  const door = { deviceId: null, eventId, name: 'Main door', typeIds: null, isRevoked: false }
  let count = 0
  const admit = async (
    at: Database,
    ticket: string,
    more: Partial<scans.Scan> = {},
    of: Partial<scans.Door> = {},
  ) => {
    const now = cli.clock()
    const scan = { id: `scan-${count++}`, kind: 'scan', ticketId: ticket, signedFor: eventId } as const
    const instants = { deviceAt: now, offset: 0, at: now }
    const item = { ...scan, ...instants, shown: 'admitted' as const, note: null, ...more }
    await at.write(accountId, tx => scans.receive(tx, { ...door, ...of }, item))
    return item.id
  }
  const checkIn = async (at: Database, ticket: string) =>
    (await at.write(accountId, tx => checkIns.create(tx, { attendee_id: ticket }))).resource.id
  /** Returns the tickets that are in, and the scans with their outcomes. */
  const state = async (at: Database) =>
    at.read(INSTANCE, async tx => ({
      inside: (await tx.all<{ id: string }>('SELECT attendee_id AS id FROM check_ins ORDER BY 1')).map(
        ({ id }) => id,
      ),
      scans: await tx.all<Record<string, string>>('SELECT id, outcome, reason FROM scans ORDER BY id'),
    }))
  return {
    ...cli,
    applied,
    accountId,
    eventId,
    db,
    tickets,
    on,
    opened,
    restore,
    admit,
    checkIn,
    state,
    door,
  }
}

test('doors are made, listed, paired again and revoked by commands, each in the access log', async t => {
  const { json, turnout, data, accountId, eventId, db, clock } = await start(t)
  const base = ['--base-url', 'https://tickets.example.org']
  const args = ['--event', 'spring-meeting', '--name', 'Main door', '--types', 'Free, Standard', '--search']
  const made = await json('device', 'add', ...args, ...base)
  assert.deepEqual(Object.keys(made).sort(), ['event_id', 'expires_at', 'id', 'name', 'pairing_url'])
  assert.deepEqual([made.name, made.event_id], ['Main door', eventId])
  assert.match(made.pairing_url, /^https:\/\/tickets\.example\.org\/door\/#pair=[\w-]{22}$/)
  assert.equal(made.expires_at, new Date(clock() + 15 * MINUTE).toISOString())
  const [row, ...others] = (await json('device', 'list', '--event', 'spring-meeting')).data
  assert.deepEqual((await json('device', 'list')).data, [row])
  assert.deepEqual(others, [])
  assert.deepEqual((await json('device', 'list')).data, [row])
  assert.deepEqual(
    [row.id, row.search, row.unlisted, row.registration_type_ids.length],
    [made.id, true, false, 2],
  )
  assert.equal(JSON.stringify(row).includes(secretOf(made.pairing_url)), false)

  await json('device', 'add', '--event', 'spring-meeting', '--name', 'Exit', '--way', 'out')
  const ways = (await json('device', 'list')).data as { name: string; way: string }[]
  assert.deepEqual(
    ways.map(({ name, way }) => [name, way]),
    [
      ['Main door', 'in'],
      ['Exit', 'out'],
    ],
  )
  assert.match((await turnout('device', 'list', '--data', data)).out, / Exit +out /)
  const again = await json('device', 'pair', made.id)
  assert.match(again.pairing_url, /^http:\/\/127\.0\.0\.1:8080\/door\/#pair=/)
  await assert.rejects(
    db.write(accountId, tx => doors.pair(tx, secretOf(made.pairing_url))),
    { code: 'not_found' },
  )
  const { out } = await turnout('device', 'pair', made.id, '--data', data)
  assert.match(
    out,
    /#pair=[\w-]{22}\n\n[█▀▄ \n]+\nThis is an address of this machine alone: .* --base-url\.\n$/,
  )
  const reached = await turnout('device', 'pair', made.id, ...base, '--data', data)
  assert.match(reached.out, /#pair=[\w-]{22}\n\n[█▀▄ \n]+$/)

  const revoked = await json('device', 'revoke', made.id)
  assert.notEqual(revoked.revoked_at, null)
  clock.advance(MINUTE)
  const twice = await turnout('device', 'revoke', made.id, '--data', data)
  assert.match(twice.out, /^Revoked door \S+ \(Main door\)\. It was already revoked at /)
  const logged = (await json('log', 'list')).data.map(
    ({ actor, action }: Record<string, string>) => `${actor} ${action}`,
  )
  assert.deepEqual(
    logged.filter((line: string) => line.includes('device')),
    ['cli device.revoke', ...Array(3).fill('cli device.pair'), ...Array(2).fill('cli device.create')],
  )
  for (const [argv, sentence] of [
    [['pair', made.id], /no such resource/],
    [['revoke', UNKNOWN_ID], /no such resource/],
    [['add', ...args.slice(0, 4), '--types', 'Nobody'], /no ticket type Nobody. It has: Standard, Free/],
    [['add', '--event', 'nowhere', '--name', 'N'], /no event nowhere/],
    [['add', '--event', 'spring-meeting', '--name', ''], /--name/],
    [['add', '--event', 'spring-meeting', '--name', 'N', '--way', 'through'], /--way.*in.*out/],
    [['list', '--event', 'nowhere'], /no event nowhere/],
  ] as const) {
    assertRefused(await turnout('device', ...argv, '--data', data), sentence)
  }
})

test('a door is renamed and gets other types by a command, also those with a comma in their name, and the access log has it', async t => {
  const { json, turnout, write, data } = await start(t)
  const free = (name: string) => ({ name, price: 0, capacity: 10 })
  const types = ['Day', 'Saturday', 'Day, Saturday', 'Speaker'].map(free)
  await json(
    'apply',
    write('more.json', organization({ event: { slug: 'long', registration_types: types } })),
  )
  const all = ['--event', 'long']
  const typesOf = async (id: string) =>
    (await json('device', 'list', ...all)).data.find((door: { id: string }) => door.id === id)
      .registration_type_ids
  const add = async (...more: string[]) =>
    typesOf((await json('device', 'add', ...all, '--name', 'N', ...more)).id)
  const [day] = await add('--types', 'Day')
  const [saturday] = await add('--type', 'Saturday')
  const [both, ...others] = await add('--types', 'Day, Saturday')
  assert.deepEqual(others, [], 'the longest name counts')
  assert.equal(new Set([day, saturday, both]).size, 3)
  assert.deepEqual(await add('--type', 'Day', '--type', 'Saturday'), [day, saturday])
  assert.deepEqual(await add('--types', 'Saturday,Day'), [saturday, day])
  const { id } = await json('device', 'add', ...all, '--name', 'North', '--type', 'Day, Saturday')
  const renamed = await json('device', 'change', id, '--name', 'South')
  assert.deepEqual([renamed.name, renamed.registration_type_ids], ['South', [both]])
  const { out } = await turnout('device', 'change', id, '--types', 'Speaker,Day', '--data', data)
  assert.match(out, /^Door \S+ is "South", and admits 2 ticket types\.\n$/)
  await json('device', 'change', id, '--all-types')
  await json('device', 'change', id, '--name', 'South')
  assert.equal(await typesOf(id), null)
  const logged = (await json('log', 'list')).data.filter(
    ({ action }: { action: string }) => action === 'device.update',
  )
  assert.equal(logged.length, 3, 'a change to what it was is none')
  for (const argv of [[id], [id, '--type', 'Nobody'], [UNKNOWN_ID, '--name', 'N'], [id, '--name', '']]) {
    assert.notEqual((await turnout('device', 'change', ...argv, '--data', data)).code, 0)
  }
})

test('scans are listed and taken back by commands', async t => {
  const { json, turnout, data, db, tickets, admit, state } = await start(t)
  const [one, two] = tickets as [string, string]
  const first = await admit(db, one)
  const second = await admit(db, one)
  await admit(db, two)
  const all = (await json('scan', 'list', '--event', 'spring-meeting')).data
  assert.equal(all.length, 3)
  const [conflict, ...others] = (
    await json('scan', 'list', '--event', 'spring-meeting', '--only', 'conflict')
  ).data
  const listed = async (...more: string[]) => json('scan', 'list', '--event', 'spring-meeting', ...more)
  const page = await listed('--limit', '2')
  assert.deepEqual([page.data, page.has_more], [all.slice(0, 2), true])
  const rest = await listed('--limit', '2', '--cursor', page.next_cursor)
  assert.deepEqual(rest, { data: all.slice(2), has_more: false, next_cursor: '' })
  assert.equal((await listed('--limit', '3')).has_more, false, 'a full page may be the last')
  const cases = await listed('--conflicts', '--limit', '1')
  assert.deepEqual([cases.data.length, cases.has_more, cases.next_cursor], [1, false, ''])
  const told = await turnout('scan', 'list', '--event', 'spring-meeting', '--limit', '2', '--data', data)
  assert.match(told.out, new RegExp(`There are more: go on with --cursor ${page.next_cursor}\\n$`))
  for (const cursor of ['nonsense', 'W10', '']) {
    const refused = await turnout(
      'scan',
      'list',
      '--event',
      'spring-meeting',
      '--cursor',
      cursor,
      '--data',
      data,
    )
    if (cursor !== '') assertRefused(refused, /--cursor must be/)
  }
  assert.deepEqual([conflict.id, conflict.holder.scan_id, others], [second, first, []])
  const { out } = await turnout('scan', 'list', '--event', 'spring-meeting', '--data', data)
  assert.match(out, /^ID +SCANNED.*\n(.*Main door.*Guest \d.*\n){3}$/)
  const undone = await json('scan', 'undo', first, '--reason', 'Scanned by mistake')
  assert.deepEqual([undone.id, undone.outcome, undone.holder.scan_id], [first, 'undone', second])
  const again = await turnout('scan', 'undo', first, '--reason', 'Again', '--data', data)
  assert.match(again.out, /was undone before/)
  assert.equal((await state(db)).inside.length, 2)
  assertRefused(await turnout('scan', 'undo', 'nobody', '--reason', 'R', '--data', data), /no such resource/)
  assertRefused(await turnout('scan', 'undo', second, '--reason', '', '--data', data), /--reason/)
})

test('what is held is one row a ticket and door, and is decided for a door, a time or all, after a look', async t => {
  const { json, turnout, data, db, tickets, admit, state, clock, accountId, eventId } = await start(t)
  const [one, two, three] = tickets as [string, string, string]
  const input = { event_id: eventId, registration_type_ids: null, search: true, unlisted: true }
  const [north, south] = await db.write(accountId, async tx => [
    (await doors.add(tx, { ...input, name: 'North' }, 'http://127.0.0.1')).id,
    (await doors.add(tx, { ...input, name: 'South' }, 'http://127.0.0.1')).id,
  ])
  const receiveHeld = (ticket: string, deviceId = north, name = 'North') =>
    admit(db, ticket, {}, { deviceId: deviceId as string, name, isRevoked: true })
  for (let count = 0; count < 60; count++) await receiveHeld(one)
  await receiveHeld(two, south, 'South')
  clock.advance(MINUTE)
  await receiveHeld(three)
  const of = ['--event', 'spring-meeting'] as const
  const { data: rows } = await json('scan', 'list', ...of, '--held')
  assert.deepEqual(
    rows.map(({ scans: n, door, device_id }: Record<string, unknown>) => [n, door, device_id]).sort(),
    [
      [1, 'North', north],
      [1, 'South', south],
      [60, 'North', north],
    ],
  )
  const { out } = await turnout('scan', 'list', ...of, '--held', '--data', data)
  assert.match(out, /^DOOR .*SCANS.*\n(.*\n)*North .*Guest \d+ .* 60 /m)

  const before = await state(db)
  const look = await json('scan', 'decide', 'count', ...of, '--all', '--dry-run')
  assert.deepEqual(
    [look.dry_run, look.scans, look.outcomes.admitted, look.outcomes.conflict],
    [true, 62, 3, 59],
  )
  assert.equal(look.tickets.length, 3)
  const dryRun = await turnout('scan', 'decide', 'count', ...of, '--all', '--dry-run', '--data', data)
  assert.match(dryRun.out, /^Would be decided: 62 scans: 3 admitted, 59 conflict\.\nTICKET .*WOULD BE\n/)
  assert.deepEqual(await state(db), before)

  const dismissed = await json('scan', 'decide', 'dismiss', ...of, '--device', south as string)
  assert.deepEqual([dismissed.dry_run, dismissed.scans, dismissed.outcomes.dismissed], [false, 1, 1])
  const from = new Date(clock()).toISOString()
  const late = await json('scan', 'decide', 'count', ...of, '--from', from)
  assert.deepEqual([late.scans, late.outcomes.admitted], [1, 1])
  const rest = await turnout('scan', 'decide', 'count', ...of, '--to', from, '--data', data)
  assert.equal(rest.out, 'Decided: 60 scans: 1 admitted, 59 conflict.\n')
  assert.deepEqual((await state(db)).inside, [one, three].sort())
  const again = await turnout('scan', 'decide', 'count', ...of, '--all', '--data', data)
  assert.equal(again.out, 'Decided: 0 scans.\n')
  assert.deepEqual(
    (await json('scan', 'list', ...of, '--conflicts')).data.map(({ scans: n }: { scans: number }) => n),
    [59],
  )
  assert.equal((await json('scan', 'decide', 'seen', ...of, '--all')).outcomes.seen, 59)
  assert.deepEqual((await json('scan', 'list', ...of, '--conflicts')).data, [])
  const actions = (await json('log', 'list')).data.map(({ action }: { action: string }) => action)
  assert.equal(actions.filter((action: string) => action === 'scans.decided').length, 5)

  const usage = await turnout('scan', 'decide', 'count', ...of, '--data', data)
  assert.deepEqual([usage.code, /--all/.test(usage.err)], [2, true])
  for (const [argv, sentence] of [
    [['count', '--device', eventId], /no such resource/],
    [['forget', '--all'], /count/],
    [['count', '--from', 'yesterday'], /--from/],
    [['count', '--from', from, '--to', from], /--to must be later/],
  ] as const) {
    assertRefused(await turnout('scan', 'decide', ...argv, ...of, '--data', data), sentence)
  }
  assert.equal((await turnout('scan', 'list', ...of, '--held', '--only', 'held', '--data', data)).code, 2)
})

test(
  'a server and a box at the door that both admitted are brought together: one check-in a ticket, conflicts are exactly the others',
  ofSqlite,
  async t => {
    const { restore, db, data, tickets, admit, checkIn, state, on, folder, json, accountId } = await start(t)
    const [before, both, box, api, here, gone, wrong, mine] = tickets as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    const old = await checkIn(db, before)
    const undoneLater = await admit(db, gone)
    const other = await restore('box')
    // Both admit one; each admits some of its own; the box takes back what was before it, by API and by a scan.
    const hereBoth = await admit(db, both)
    const there = [await admit(other.db, both), await admit(other.db, box)]
    const boxApi = await checkIn(other.db, api)
    await admit(db, here)
    const byHand = await checkIn(db, api)
    await other.db.write(accountId, tx => checkIns.undo(tx, before, {}, 'Left again'))
    await other.db.write(accountId, tx => undoScan(tx, { id: undoneLater }, 'Wrong person'))
    const never = await admit(other.db, wrong, {}, { typeIds: [] })
    await admit(other.db, mine, { shown: 'refused' })
    const file = join(folder, 'scans.jsonl')
    const exported = await on(other.data, 'scan', 'export', file, '--json')
    assert.equal(JSON.parse(exported.out).scans, 6)
    assertRefused(await on(other.data, 'scan', 'export', file), /already exists/)

    const report = await json('scan', 'import', file)
    assert.deepEqual(report, { admitted: 1, conflicts: 3, undone: 2, known: 0, bad: 0, errors: [] })
    const now = await state(db)
    assert.deepEqual(now.inside, [both, box, api, here].sort())
    assert.deepEqual(
      now.scans.filter(({ outcome }) => outcome === 'conflict').map(({ id, reason }) => `${id} ${reason}`),
      [`${boxApi} already_checked_in`, `${there[0]} already_checked_in`, `${never} wrong_door`].sort(),
    )
    const kept = await db.read(INSTANCE, tx =>
      tx.all<{ id: string }>('SELECT coalesce(scan_id, id) AS id FROM check_ins'),
    )
    assert.ok(kept.some(({ id }) => id === hereBoth) && kept.some(({ id }) => id === byHand))
    assert.ok(!kept.some(({ id }) => id === old))

    // A second import changes nothing, neither from the box nor from here.
    const again = await json('scan', 'import', file)
    assert.deepEqual([again.known, again.admitted + again.conflicts + again.undone], [6, 0])
    const own = join(folder, 'own.jsonl')
    assert.equal((await on(data, 'scan', 'export', own)).code, 0)
    const fromHere = await json('scan', 'import', own)
    assert.deepEqual([fromHere.admitted, fromHere.conflicts, fromHere.undone, fromHere.bad], [0, 0, 0, 0])
    assert.deepEqual(await state(db), now)
    const imports = (await json('log', 'list')).data.filter(
      ({ action }: { action: string }) => action === 'scan.import',
    )
    assert.equal(imports.length, 1)

    // The check-in of the box waits for this one, and takes its place once it is undone here.
    await db.write(accountId, tx => checkIns.undo(tx, api, {}, 'By mistake'))
    const { scan_id } = (await db.read(INSTANCE, tx =>
      tx.one<{ scan_id: string }>('SELECT scan_id FROM check_ins WHERE attendee_id = $1', [api]),
    )) as { scan_id: string }
    assert.equal(scan_id, boxApi)
  },
)

test('two boxes give the same tickets in, whichever is brought first', ofSqlite, async t => {
  const { restore, tickets, admit, checkIn, state, on, folder, accountId } = await start(t)
  const [a, b] = [await restore('box-a'), await restore('box-b')]
  const homes = [await restore('home-ab'), await restore('home-ba')]
  const [one, two, three, four, five] = tickets as [string, string, string, string, string]
  const mistaken = await admit(a.db, one)
  await admit(b.db, one)
  await a.db.write(accountId, tx => undoScan(tx, { id: mistaken }, 'By mistake'))
  await admit(a.db, two)
  await admit(b.db, two)
  await checkIn(a.db, three)
  await checkIn(b.db, three)
  await admit(b.db, four, {}, { typeIds: [] })
  await checkIn(b.db, five)
  await b.db.write(accountId, tx => checkIns.undo(tx, five))
  const files = ['a', 'b'].map(name => join(folder, `${name}.jsonl`)) as [string, string]
  await on(a.data, 'scan', 'export', files[0])
  await on(b.data, 'scan', 'export', files[1])
  for (const [at, order] of [files, files.toReversed()].entries()) {
    for (const file of order) {
      const { code, err } = await on(homes[at]?.data as string, 'scan', 'import', file)
      assert.equal(code, 0, err)
    }
  }
  const [ab, ba] = [await state(homes[0]?.db as Database), await state(homes[1]?.db as Database)]
  assert.deepEqual(ab.inside, [one, two, three].sort())
  assert.deepEqual(ba.inside, ab.inside)
  const countOf = (scans: typeof ab.scans) => scans.filter(({ outcome }) => outcome === 'conflict').length
  assert.deepEqual([countOf(ab.scans), countOf(ba.scans)], [3, 3])
})

test(
  'scan export names the doors that have not said what their guests saw, until they have',
  ofSqlite,
  async t => {
    const { restore, db, tickets, admit, on, folder, state, door, accountId, turnout, data } = await start(t)
    const box = await restore('box')
    const [one, two, three] = tickets as [string, string, string]
    await admit(box.db, three)
    const granted = await admit(box.db, one, { shown: null }, { name: 'North' })
    await admit(box.db, two, { shown: null }, { name: 'South' })
    await admit(box.db, two, { shown: null }, { name: 'South' })
    await admit(box.db, three, { kind: 'exit', shown: null }, { name: 'Way out' })
    const exported = async (name: string) => {
      const file = join(folder, name)
      const { code, out } = await on(box.data, 'scan', 'export', file)
      assert.equal(code, 0)
      return { file, out }
    }
    const { out } = await exported('first.jsonl')
    assert.match(
      out,
      /^Wrote 3 scans to .*first\.jsonl\.\nOpen are 3, at North, South: the phone has not said/,
    )
    assert.match(out, /export again before you import\.\n$/)
    const json = await on(box.data, 'scan', 'export', join(folder, 'json.jsonl'), '--json')
    const { open, scans: written } = JSON.parse(json.out)
    assert.deepEqual([open, written], [3, 3])
    // The phones say what the guests saw: one was turned away, and so has the ticket back.
    await box.db.write(accountId, async tx => {
      const rows = await tx.all<{ id: string; attendee_id: string; device_at: number; door: string }>(
        "SELECT id, attendee_id, device_at, door FROM scans WHERE shown IS NULL AND kind = 'scan'",
        [],
      )
      for (const { id, attendee_id: ticketId, device_at: at, door: name } of rows) {
        const shown = id === granted ? ('refused' as const) : ('admitted' as const)
        const item = {
          id,
          kind: 'scan',
          ticketId,
          signedFor: door.eventId,
          deviceAt: at,
          offset: 0,
          at,
        } as const
        await scans.receive(tx, { ...door, name }, { ...item, shown, note: null })
      }
    })
    const second = await exported('second.jsonl')
    assert.equal(second.out, `Wrote 3 scans to ${second.file}.\n`)
    assert.equal((await turnout('scan', 'import', second.file, '--data', data)).code, 0)
    assert.deepEqual((await state(db)).inside, [two, three].sort())
  },
)

test(
  'a bad line is told with its number, and the rest goes on; a file of something else is refused',
  ofSqlite,
  async t => {
    const { restore, db, tickets, admit, on, folder, data, state, write, turnout } = await start(t)
    const box = await restore('box')
    const [one, two] = tickets as [string, string]
    await admit(box.db, one)
    await admit(box.db, two)
    const file = join(folder, 'scans.jsonl')
    await on(box.data, 'scan', 'export', file)
    const [head, first, second] = readFileSync(file, 'utf8').split('\n') as [string, string, string]
    const scan = JSON.parse(first)
    const bad = [
      '{',
      '[]',
      JSON.stringify({ ...scan, id: 'x y' }),
      JSON.stringify({ ...scan, id: 'a', event_id: UNKNOWN_ID }),
      JSON.stringify({ ...scan, ticket: UNKNOWN_ID }),
      JSON.stringify({ ...scan, id: 'b', note: 'long'.repeat(2000) }),
      JSON.stringify({ ...scan, id: 'c', at: '2026-13-01T00:00:00Z' }),
      JSON.stringify({ ...scan, id: '..' }),
    ]
    writeFileSync(file, [head, first, ...bad, '', `${second}\r`].join('\n'))
    const { code, out, err } = await turnout('scan', 'import', file, '--data', data)
    assert.deepEqual([code, out], [1, 'New here: 2 admitted, 0 conflicts, 0 undone. Known already: 0.\n'])
    assert.deepEqual(err.split('\n'), [
      'line 3: It is no scan.',
      'line 4: It is no scan.',
      'line 5: id is wrong or missing.',
      'line 6: Its event, or the scan that it undoes, is not of this account.',
      'line 7: Another scan has this id already.',
      'line 8: It is longer than 4000 bytes.',
      'line 9: at is wrong or missing.',
      'line 10: id is wrong or missing.',
      `error: 8 lines of ${file} are bad; the others were taken.`,
      '',
    ])
    assert.deepEqual((await state(db)).inside, [one, two].sort())
    const again = await turnout('scan', 'import', file, '--data', data)
    assert.equal(again.out, 'New here: 0 admitted, 0 conflicts, 0 undone. Known already: 2.\n')
    for (const [content, sentence] of [
      ['', /is empty/],
      ['{}\n', /is no file of "turnout scan export"/],
      [`${first}\n`, /is no file of "turnout scan export"/],
      [`${JSON.stringify({ ...JSON.parse(head), account_id: UNKNOWN_ID })}\n`, /There is no account/],
    ] as const) {
      assertRefused(await turnout('scan', 'import', write('other.jsonl', content), '--data', data), sentence)
    }
    assertRefused(await turnout('scan', 'import', join(folder, 'none'), '--data', data), /There is no file/)
  },
)
