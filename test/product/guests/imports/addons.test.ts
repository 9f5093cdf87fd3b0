import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { startMoving } from '#test/support/moving.ts'
import { asCsv, behindAnotherSheet, PRETIX_ADDONS, PRETIX_ADDONS_JSON } from '#test/support/shop-exports.ts'

type At = Awaited<ReturnType<typeof startMoving>>

const kinds = ({ db }: At) =>
  db.read(INSTANCE, tx =>
    tx.all('SELECT name, kind, price, active, sold FROM registration_types ORDER BY name'),
  )

const LEFT_OUT = 'Add-on to position ID: its ticket is left out, or stands in no line above'
const json = Buffer.from(JSON.stringify(PRETIX_ADDONS_JSON))

const forms = {
  CSV: { file: asCsv(PRETIX_ADDONS), again: json },
  'a workbook': { file: behindAnotherSheet(PRETIX_ADDONS), again: asCsv(PRETIX_ADDONS) },
  JSON: { file: json, again: behindAnotherSheet(PRETIX_ADDONS) },
}

for (const [form, { file, again }] of Object.entries(forms)) {
  test(`an add-on of pretix becomes an extra beside its ticket, once: ${form}`, async t => {
    const at = await startMoving(t)
    const { id, outcome } = await at.move(file)
    assert.equal(outcome?.added, 3)
    const made = { price: 0, active: 0, sold: 1 }
    assert.deepEqual(await kinds(at), [
      { name: 'Dinner – Vegan', kind: 'extra', ...made },
      { name: 'Shirt', kind: 'extra', ...made },
      { name: 'Standard', kind: 'ticket', price: 0, active: 1, sold: 0 },
      { name: 'Ticket', kind: 'ticket', ...made },
    ])
    const guests = await at.guests()
    // Nobody is named on an extra there, so it is its buyer's, and goes to no address.
    const of = ({ type, reference, buyer_name, buyer_email, name, email, note }: (typeof guests)[number]) =>
      [type, reference, buyer_name, buyer_email, name, email, note] as const
    const buyer = ['Grace Hopper', 'grace@example.org', 'Grace Hopper'] as const
    assert.deepEqual(guests.map(of), [
      ['Ticket', 'K7QZ3-1', ...buyer, 'g.hopper@example.org', 'pretix K7QZ3'],
      ['Dinner – Vegan', 'K7QZ3-2', ...buyer, null, 'pretix K7QZ3'],
      ['Shirt', 'K7QZ3-3', ...buyer, null, 'pretix K7QZ3'],
    ])
    // An extra whose ticket was cancelled is no guest, and is told by its line.
    const wrong = (await at.lines(id)).filter(({ fate }) => fate === 'wrong')
    assert.deepEqual(
      wrong.map(({ cells }) => cells.includes('gone@example.org') || cells.includes('nobody@example.org')),
      wrong.map(() => true),
    )
    const told = (await at.leftOut(id)).split('\r\n').slice(1, -1)
    assert.equal(told.length, form === 'JSON' ? 1 : 2)
    for (const line of told) assert.ok(line.includes(LEFT_OUT), line)
    for (const one of [file, again]) {
      const second = await at.check(one)
      assert.deepEqual(
        [second.outcome?.new, second.outcome?.known, second.outcome?.missing],
        [0, 3, undefined],
        JSON.stringify(second.outcome),
      )
      assert.equal((await at.begin(second.id).then(job => at.ended(job.id))).outcome?.added, 0)
    }
    assert.deepEqual(await at.guests(), guests)
  })
}

test('an extra that was handed out there is handed out here, and one that was not is not', async t => {
  const at = await startMoving(t)
  await at.move(asCsv(PRETIX_ADDONS))
  assert.deepEqual(
    (await at.guests()).map(({ type, checked_in_at }) => [type, checked_in_at !== null]),
    [
      ['Ticket', true],
      ['Dinner – Vegan', false],
      ['Shirt', true],
    ],
  )
})

test('only the add-ons whose ticket comes with them are counted, apart from the guests', async t => {
  const at = await startMoving(t)
  const checked = await at.check(asCsv(PRETIX_ADDONS))
  // The type of an extra is asked for only if its ticket can come.
  assert.deepEqual(checked.outcome?.missing, [
    { name: 'Dinner – Vegan', tickets: 1, extra: true },
    { name: 'Shirt', tickets: 1, extra: true },
    { name: 'Ticket', tickets: 1 },
  ])
  const { outcome } = await at.makeTypes(checked.id, [9, 9, 9])
  assert.deepEqual(
    [outcome?.new, outcome?.tickets, outcome?.extras, outcome?.left_out, outcome?.wrong],
    [3, 1, 2, 1, 2],
  )
})

test('an extra follows its ticket: not if that is sold out, later if that is imported later', async t => {
  const at = await startMoving(t)
  const { id } = await at.check(asCsv(PRETIX_ADDONS))
  await at.makeTypes(id, [9, 9, 0])
  assert.deepEqual(await at.fates(id), {
    ...{ 2: 'sold_out', 3: 'wrong', 4: 'wrong', 5: 'left_out', 6: 'wrong', 7: 'wrong' },
  })
  // A file with the add-on above its ticket: the first time it waits, the second time the ticket is there.
  const other = await startMoving(t)
  const [header, ticket, dinner] = PRETIX_ADDONS as [string[], string[], string[]]
  const turned = asCsv([header, dinner, ticket])
  const first = await other.check(turned)
  assert.deepEqual(first.outcome?.missing, [{ name: 'Ticket', tickets: 1 }])
  assert.equal((await other.move(turned)).outcome?.added, 1)
  assert.equal((await other.move(turned)).outcome?.added, 1)
  const types = (await other.guests()).map(({ type }) => type)
  assert.deepEqual(types, ['Ticket', 'Dinner – Vegan'])
})

test('a ticket that was cancelled here after its import takes no more extras', async t => {
  const at = await startMoving(t)
  const [header, ticket, dinner] = PRETIX_ADDONS as [string[], string[], string[]]
  await at.move(asCsv([header, ticket]))
  const { data } = (await at.client.get('/registrations')).body
  assert.equal((await at.client.post(`/registrations/${data[0].id}/cancel`)).status, 200)
  const { id, outcome } = await at.check(asCsv([header, dinner]))
  assert.deepEqual([await at.fates(id), outcome?.missing], [{ 2: 'wrong' }, undefined])
})

test('a product that is sold alone too becomes one type of tickets, and an extra of the event takes both', async t => {
  const [header, ticket, , shirt] = PRETIX_ADDONS as string[][]
  const alone = (shirt as string[]).map((cell, at) => (at === 1 ? '9' : at === 10 ? '' : cell))
  // Which of them stands above the other does not matter.
  const file = asCsv([header, ticket, shirt, alone] as string[][])
  for (const one of [file, asCsv([header, ticket, alone, shirt] as string[][])]) {
    const at = await startMoving(t)
    await at.move(one)
    assert.deepEqual(
      (await kinds(at)).filter(type => (type as { name: string }).name === 'Shirt'),
      [{ name: 'Shirt', kind: 'ticket', price: 0, active: 0, sold: 2 }],
    )
  }
  const other = await startMoving(t)
  await other.move(asCsv([header, ticket, shirt] as string[][]))
  assert.equal((await other.move(file)).outcome?.added, 1)
  const shirts = (await kinds(other)).filter(one => (one as { name: string }).name === 'Shirt')
  assert.deepEqual(shirts, [{ name: 'Shirt', kind: 'extra', price: 0, active: 0, sold: 2 }])
})

test('who skips the column of add-ons gets tickets of their own, and another table has no extras', async t => {
  const at = await startMoving(t)
  const { id, input } = await at.check(asCsv(PRETIX_ADDONS))
  const columns = (input.columns as string[]).map(column => (column === 'addon_to' ? 'none' : column))
  await at.db.write(at.accountId, tx =>
    imports.check(tx, id, { columns, registrationTypeId: null, by: 'cli' }),
  )
  const { outcome } = await at.ended(id)
  assert.deepEqual(
    ((outcome as { missing?: { extra?: true }[] }).missing ?? []).map(({ extra }) => extra),
    [undefined, undefined, undefined],
  )
  await at.move(asCsv(PRETIX_ADDONS))
  const table = await at.check(Buffer.from('Name,Email,Type\nAda,ada@example.org,Shirt\n'))
  assert.deepEqual(await at.fates(table.id), { 2: 'wrong' })
})

test('an extra is not said to be the person of its ticket once more, and a second ticket of the same person is', async t => {
  const at = await startMoving(t)
  const columns = PRETIX_ADDONS[0] ?? []
  const lineOf = (cells: Readonly<Record<string, string>>) => columns.map(column => cells[column] ?? '')
  const grace = { 'Order code': 'A', Status: 'paid', Email: 'g@example.org', 'Attendee name': 'Grace' }
  const table = [
    columns,
    lineOf({ ...grace, 'Position ID': '1', Product: 'Ticket' }),
    lineOf({ ...grace, 'Position ID': '2', Product: 'Dinner', 'Add-on to position ID': '1' }),
    lineOf({ ...grace, 'Position ID': '3', Product: 'Ticket' }),
  ]
  const { id } = await at.check(asCsv(table))
  const { outcome } = await at.makeTypes(id, [5, 5])
  assert.deepEqual([outcome?.new, outcome?.twice], [3, 1])
  const [ticket, dinner, second] = await at.lines(id)
  assert.deepEqual(
    [ticket?.details.same_as, dinner?.details.same_as, typeof second?.details.same_as],
    [undefined, undefined, 'number'],
  )
})
