import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { INSTANCE } from '#machinery/db/port.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { startMoving as start } from '#test/support/moving.ts'
import { refusalOf } from '#test/support/refused-file.ts'
import {
  asCsv,
  behindAnotherSheet,
  EVENTBRITE,
  EVENTBRITE_GERMAN,
  HI_EVENTS,
  HI_EVENTS_LISTS,
  PRETIX,
  PRETIX_GERMAN,
  PRETIX_JSON,
} from '#test/support/shop-exports.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'
import { sheetOf, workbook } from '#test/support/workbooks.ts'

const GRACE = { buyer_email: 'grace@example.org', name: 'Grace Hopper', email: 'g.hopper@example.org' }

test('order positions of pretix become guests: names, types, seats, notes, answers and check-ins', async t => {
  const at = await start(t)
  const checked = await at.check(asCsv(PRETIX))
  const { id } = checked
  assert.deepEqual(await at.fates(id), { 2: 'wrong', 3: 'wrong', 4: 'left_out', 5: 'left_out' })
  assert.equal(checked.outcome?.left_out, 2)
  assert.deepEqual(await at.missing(id), [
    { name: 'Dinner', tickets: 1 },
    { name: 'Ticket – Student', tickets: 1 },
  ])
  await at.makeTypes(id, [30, 40])
  assert.deepEqual(await at.types(), [
    { name: 'Dinner', price: 0, capacity: 30, sold: 0, active: 0 },
    { name: 'Standard', price: 0, capacity: 100, sold: 0, active: 1 },
    { name: 'Ticket – Student', price: 0, capacity: 40, sold: 0, active: 0 },
  ])
  const before = at.clock()
  const job = await at.ended((await at.begin(id)).id)
  assert.deepEqual(job.outcome, { added: 2, known: 0, wrong: 0, sold_out: 0 })
  const [grace, dinner, ...others] = await at.guests()
  assert.deepEqual(others, [])
  const { checked_in_at, ...rest } = grace as Record<string, number>
  assert.deepEqual(rest, {
    ...GRACE,
    ...{ reference: 'K7QZ3-1', type: 'Ticket – Student', buyer_name: 'Navy Ltd', seat: 'Row 1, Seat 2' },
    ...{ note: 'pretix K7QZ3\nComes late', language: 'es' },
    answers: JSON.stringify({ 'Phone number': '+34600000001', 'What do you eat?': 'Vegan' }),
  })
  // The export does not say when, so it is the instant of the import.
  assert.ok((checked_in_at as number) >= before)
  // Nobody asked for a name there, and a language that is not ours is none.
  assert.deepEqual(dinner, {
    ...{ reference: 'K7QZ3-2', type: 'Dinner', buyer_name: 'grace', buyer_email: 'grace@example.org' },
    ...{ name: 'grace', email: 'grace@example.org', seat: null, note: 'pretix K7QZ3', language: 'en' },
    ...{ answers: '{}', checked_in_at: null },
  })
})

const samples: Readonly<Record<string, { file: Buffer; again: Buffer; guests: number; voided: number }>> = {
  'pretix, CSV': { file: asCsv(PRETIX), again: behindAnotherSheet(PRETIX), guests: 2, voided: 2 },
  'pretix, a workbook': { file: behindAnotherSheet(PRETIX), again: asCsv(PRETIX), guests: 2, voided: 2 },
  'pretix, in German': { file: asCsv(PRETIX_GERMAN), again: asCsv(PRETIX), guests: 2, voided: 2 },
  'pretix, JSON': {
    file: Buffer.from(JSON.stringify(PRETIX_JSON)),
    again: asCsv(PRETIX),
    ...{ guests: 2, voided: 2 },
  },
  'Eventbrite, CSV': { file: asCsv(EVENTBRITE), again: sheetOf(EVENTBRITE), guests: 2, voided: 2 },
  'Eventbrite, a workbook': { file: sheetOf(EVENTBRITE), again: asCsv(EVENTBRITE), guests: 2, voided: 2 },
  'Hi.Events, a workbook': {
    file: sheetOf(HI_EVENTS),
    again: sheetOf(HI_EVENTS_LISTS),
    guests: 2,
    voided: 1,
  },
  'Hi.Events with its lists': {
    file: sheetOf(HI_EVENTS_LISTS),
    again: asCsv(HI_EVENTS),
    ...{ guests: 2, voided: 1 },
  },
}

for (const [name, { file, again, guests, voided }] of Object.entries(samples)) {
  test(`an export adds each guest once, also where it comes again in another form: ${name}`, async t => {
    const at = await start(t)
    const { id, outcome } = await at.move(file)
    assert.equal(outcome?.added, guests)
    const counts = await at.db.read(at.accountId, tx => imports.countLines(tx, id))
    assert.deepEqual([counts.added, counts.left_out, counts.wrong], [guests, voided, 0])
    const first = await at.guests()
    assert.equal(first.length, guests)
    assert.deepEqual(
      first.map(({ answers }) => /Vegan/.test(String(answers))),
      [true, false],
    )
    for (const one of [file, again]) {
      const second = await at.check(one)
      assert.deepEqual(
        [second.outcome?.new, second.outcome?.known, second.outcome?.missing],
        [0, guests, undefined],
      )
      assert.deepEqual(await at.guests(), first)
    }
  })
}

test('the attendees of Eventbrite keep their order and their check-in', async t => {
  const at = await start(t)
  await at.move(asCsv(EVENTBRITE))
  const [grace, ada] = await at.guests()
  assert.deepEqual(
    [grace?.reference, grace?.note, grace?.name, grace?.type, grace?.checked_in_at !== null],
    ['11211912243-20044187793', 'Eventbrite 11211912243', 'Grace Hopper', 'Standard', true],
  )
  assert.deepEqual([ada?.type, ada?.checked_in_at], ['VIP', null])
  // Where somebody lives was not asked for an event.
  assert.deepEqual(grace?.answers, JSON.stringify({ 'What do you eat?': 'Vegan' }))
})

test('the attendees of Eventbrite are known in German, and a state that nobody has seen there is told', async t => {
  const at = await start(t)
  const { id } = await at.move(asCsv(EVENTBRITE_GERMAN))
  assert.deepEqual(await at.fates(id), { 2: 'added', 3: 'wrong' })
  const [, stays] = await at.lines(id)
  assert.deepEqual(
    stays?.details.faults?.map(({ field }) => field),
    ['status'],
  )
  const [grace, ...others] = await at.guests()
  assert.deepEqual(others, [])
  assert.deepEqual(
    [grace?.reference, grace?.name, grace?.email, grace?.type, grace?.note, grace?.answers],
    [
      ...['11211912243-20044187793', 'Grace Hopper', 'grace@example.org', 'Standard'],
      ...['Eventbrite 11211912243', '{}'],
    ],
  )
})

test('a check-in of Hi.Events keeps its instant, and tells the webhooks as any other', async t => {
  for (const file of [HI_EVENTS, HI_EVENTS_LISTS]) {
    const at = await start(t)
    await subscribeToAll(at.db, at.accountId)
    await at.move(sheetOf(file))
    const [grace, ada] = await at.guests()
    assert.deepEqual(
      [grace?.reference, grace?.note, grace?.checked_in_at],
      ['A-7KQ2ZXC', 'Hi.Events A-7KQ2ZXC\nComes late', Date.parse('2026-05-01T10:15:00Z')],
    )
    assert.deepEqual([ada?.name, ada?.checked_in_at], ['Ada Lovelace', null])
    const events = await at.db.read(INSTANCE, tx =>
      tx.all<{ type: string }>('SELECT type FROM webhook_events ORDER BY type'),
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['checkin.created', 'registration.created', 'registration.created'],
    )
  }
})

test('what was asked becomes questions that nobody is asked again, once, and is found by its words', async t => {
  const at = await start(t)
  const { db, accountId, eventId } = at
  const list = () => db.read(accountId, tx => questions.list(tx, eventId))
  await at.move(asCsv(EVENTBRITE))
  const [asked, ...others] = await list()
  assert.deepEqual(
    [asked?.key, asked?.label, asked?.kind, asked?.required, asked?.retired, others],
    ['What do you eat?', 'What do you eat?', 'text', false, true, []],
  )
  await db.write(accountId, tx => questions.setRetired(tx, eventId, asked?.id ?? '', false))
  // An answer goes to the question of the event that has the same words, whatever its key is.
  const own = await db.write(accountId, tx =>
    questions.create(tx, eventId, {
      ...{ key: 'phone', label: 'phone NUMBER', help: null, kind: 'phone', choices: [], required: false },
      ...{ asked_for: 'order', registration_type_ids: null },
    }),
  )
  await at.move(asCsv(PRETIX))
  assert.deepEqual(new Set((await list()).map(({ id }) => id)), new Set([asked?.id, own.id]))
  const guests = await at.guests()
  assert.deepEqual(guests[2]?.answers, JSON.stringify({ phone: '+34600000001', 'What do you eat?': 'Vegan' }))
})

test('the log names the types and questions that an import has made', async t => {
  const at = await start(t)
  const { id } = await at.move(asCsv(EVENTBRITE))
  const log = await at.db.read(INSTANCE, tx =>
    tx.all<{ action: string; actor: string; details: string }>(
      "SELECT action, actor, details FROM access_log WHERE action LIKE 'registration_type.%' OR action LIKE 'question.%' ORDER BY created_at, id",
    ),
  )
  const details = JSON.stringify({ job_id: id })
  assert.deepEqual(log, [
    { action: 'registration_type.create', actor: 'cli', details },
    { action: 'question.create', actor: 'cli', details },
  ])
})

test('too few places, a state that no shop has, and a line without an e-mail are told and change nothing', async t => {
  const at = await start(t)
  const table = EVENTBRITE.map(cells => cells.map(cell => (cell === 'Attending' ? 'Somewhere' : cell)))
  const { id } = await at.check(asCsv(table))
  assert.deepEqual(await at.fates(id), { 2: 'new', 3: 'wrong', 4: 'left_out', 5: 'left_out' })
  const [, ada] = await at.lines(id)
  assert.deepEqual(
    ada?.details.faults?.map(({ field }) => field),
    ['status', 'type'],
  )
  // A type is not made for a line that is wrong all the same.
  assert.deepEqual(await at.missing(id), [])
  const nobody = HI_EVENTS.map(cells => cells.map(cell => (cell === 'ada@example.org' ? '' : cell)))
  const second = await at.check(sheetOf(nobody))
  assert.deepEqual(await at.fates(second.id), { 2: 'new', 3: 'wrong', 4: 'left_out' })
  const pretix = await at.check(asCsv(PRETIX))
  await at.makeTypes(pretix.id, [0, 1])
  assert.deepEqual(await at.fates(pretix.id), { 2: 'new', 3: 'sold_out', 4: 'left_out', 5: 'left_out' })
})

test('a type that somebody has made meanwhile is not made twice, and none of the others either', async t => {
  const at = await start(t)
  const { id } = await at.check(asCsv(PRETIX))
  const type = { name: 'Ticket – Student', price: 0, capacity: 3 }
  assert.equal((await at.client.post(`/events/${at.eventId}/registration_types`, type)).status, 404)
  await at.makeTypes((await at.check(asCsv(PRETIX))).id, [5, 5])
  await assert.rejects(at.makeTypes(id, [7, 7]), { code: 'already_taken' })
  assert.deepEqual(
    (await at.types()).map(one => (one as { capacity: number }).capacity),
    [5, 100, 5],
  )
})

test('who takes the columns for something else gets what was chosen: also who cancelled, if the state is skipped', async t => {
  const at = await start(t)
  const { id, input } = await at.check(asCsv(EVENTBRITE))
  const columns = (input.columns as string[]).map(column => (column === 'status' ? 'none' : column))
  const choice = { columns, registrationTypeId: null, by: 'cli' }
  await at.db.write(at.accountId, tx => imports.check(tx, id, choice))
  await at.ended(id)
  assert.deepEqual(await at.fates(id), { 2: 'new', 3: 'wrong', 4: 'new', 5: 'new' })
})

test('another table has none of this: no state, no check-in, no type is made, and no question', async t => {
  const at = await start(t)
  const { id, outcome } = await at.check(
    Buffer.from('Name,Email,Type,Status,Diet\nAda,ada@example.org,Gold,Refunded,Vegan\n'),
  )
  assert.deepEqual(await at.fates(id), { 2: 'wrong' })
  assert.deepEqual(Object.keys(outcome ?? {}), [
    'new',
    'known',
    'wrong',
    'sold_out',
    'added',
    'tickets',
    'twice',
  ])
  assert.deepEqual(await at.missing(id), [])
  const plain = await at.check(Buffer.from('Name,Email,Type,Status\nAda,ada@example.org,Standard,Refunded\n'))
  await at.ended((await at.begin(plain.id)).id)
  const [ada] = await at.guests()
  assert.deepEqual(
    [ada?.note, ada?.checked_in_at, ada?.answers],
    [null, null, JSON.stringify({ Status: 'Refunded' })],
  )
  assert.deepEqual(await at.db.read(at.accountId, tx => questions.list(tx, at.eventId)), [])
})

test('JSON that ends early, is too deep, is none, or has no order is refused with a reason', async () => {
  const text = JSON.stringify(PRETIX_JSON)
  const refused: [string, string][] = [
    [text.slice(0, -3), 'unreadableExport'],
    [text.replace('"orders":[', '"orders":[{"code":}, '), 'unreadableExport'],
    ['{"event":{"orders":['.padEnd(1_000_000, '['), 'unreadableExport'],
    [`{"event":{"orders":[{"code":"${'x'.repeat(2_000_000)}"}]}}`, 'unreadableExport'],
    [`{"event":{"orders":[]}}`, 'noLines'],
    [
      `{"event":{"questions":[${Array.from({ length: 300 }, (_, id) => JSON.stringify({ id })).join()}]}}`,
      'tooManyColumns',
    ],
  ]
  for (const [json, key] of refused)
    assert.deepEqual((await refusalOf(readTable(Buffer.from(json))))[0], key, json.slice(0, 50))
  const bytes = Buffer.from(text)
  bytes[bytes.indexOf('Congress')] = 0xff
  assert.deepEqual((await refusalOf(readTable(bytes)))[0], 'unreadableExport')
  // The order of the parts, spaces and escapes are the exporter's own choice.
  const { orders, ...rest } = PRETIX_JSON.event
  const other = JSON.stringify({ event: { orders, ...rest } }, null, 2).replaceAll('Grace', '\\u0047race')
  assert.equal((await readTable(Buffer.from(`\ufeff${other}`))).total, 4)
})

test('a workbook whose sheet unpacks to 4 GB is refused, and costs little', { timeout: 60_000 }, async () => {
  // A block that is complete in itself, again and again: 4 GB of rows in some megabytes.
  const row = `<row><c t="inlineStr"><is><t>Order code</t></is></c></row>`
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, row), { finishFlush: 2 })
  const deflated = Buffer.concat(Array.from({ length: 4096 }, () => block))
  const before = process.memoryUsage().rss
  for (const size of [0xfffffff0, 1000]) {
    const file = workbook({
      sheets: ['', ''],
      parts: { 'xl/worksheets/sheet2.xml': { deflated, size } },
    })
    const [key] = await refusalOf(readTable(file))
    assert.ok(['unpackedBytes', 'unreadableWorkbook', 'tooManyLines'].includes(key), key)
  }
  assert.ok(process.memoryUsage().rss - before < 400 * 1024 * 1024)
})
