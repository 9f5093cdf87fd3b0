import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CopyAnswer } from '#faces/scanner/page/contract.ts'
import { Copy } from '#faces/scanner/page/copy.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { forecastCancel, forecastMany } from '#product/guests/registrations/forecast.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import { pairDoor } from '#test/support/door/door.ts'
import { startMoving } from '#test/support/moving.ts'
import { asCsv, behindAnotherSheet, PRETIX_ADDONS, PRETIX_ADDONS_JSON } from '#test/support/shop-exports.ts'

type At = Awaited<ReturnType<typeof startMoving>>

interface Line {
  id: string
  ticket: string
  type: string
  code: string
  beside: string | null
}

async function linesOf({ client, db }: At): Promise<Line[]> {
  const rows = await db.read(INSTANCE, tx =>
    tx.all<Omit<Line, 'code'>>(
      `SELECT r.id, a.id AS ticket, t.name AS type, r.beside FROM registrations r
       JOIN registration_types t ON t.id = r.registration_type_id JOIN attendees a ON a.registration_id = r.id ORDER BY r.number`,
    ),
  )
  const lines: Line[] = []
  for (const row of rows) {
    const { body } = await client.get(`/registrations/${row.id}`)
    lines.push({ ...row, code: body.attendees[0].qr_code })
  }
  return lines
}

async function doorOf(at: At, types: string[] | null = null) {
  return (await pairDoor(at, at.accountId, { event_id: at.eventId, registration_type_ids: types })).door
}

async function listOf(door: Awaited<ReturnType<typeof doorOf>>) {
  const { body } = (await door.copy()) as unknown as { body: CopyAnswer & { device: Copy['device'] } }
  const copy = new Copy(body.device)
  copy.replace(body, Date.parse(body.now))
  return { body, copy, extrasOf: (id: string) => copy.extrasOf(copy.find(id)) }
}

async function moved(t: TestContext, file = asCsv(PRETIX_ADDONS)) {
  const at = await startMoving(t)
  await at.move(file)
  const [ticket, dinner, shirt] = (await linesOf(at)) as [Line, Line, Line]
  return { ...at, ticket, dinner, shirt }
}

const forms = {
  CSV: asCsv(PRETIX_ADDONS),
  'a workbook': behindAnotherSheet(PRETIX_ADDONS),
  JSON: Buffer.from(JSON.stringify(PRETIX_ADDONS_JSON)),
}

for (const [form, file] of Object.entries(forms)) {
  test(`the screen of a door lists the extras beside a ticket that came from pretix: ${form}`, async t => {
    const at = await moved(t, file)
    const { ticket, dinner, shirt, db } = at
    assert.deepEqual([ticket.beside, dinner.beside, shirt.beside], [null, ticket.id, ticket.id])
    const door = await doorOf(at)
    // A shirt that was handed out there is so here, and the samples say so but for the JSON.
    const left =
      form === 'JSON'
        ? [['Dinner – Vegan', 1] as const, ['Shirt', 1] as const]
        : [['Dinner – Vegan', 1] as const]
    const list = await listOf(door)
    assert.deepEqual(list.extrasOf(ticket.ticket), left, 'without a network')
    assert.equal(list.extrasOf(dinner.ticket), undefined, 'an extra has none itself')
    const scan = await door.one(door.scan({ code: ticket.code }))
    assert.deepEqual(scan.extras, left)
    list.copy.put(scan.ticket)
    assert.deepEqual(list.extrasOf(ticket.ticket), left)
    // The same file again adds nothing, and leaves everything where it is.
    const before = await linesOf(at)
    assert.equal((await at.move(file)).outcome?.added ?? 0, 0)
    assert.deepEqual(await linesOf(at), before)
    assert.deepEqual(await findDamage(db), [])
  })
}

test('who comes alone has nothing beside it, and what is handed out is listed no more', async t => {
  const at = await moved(t)
  const alone = await at.client.post('/registrations', {
    event_id: at.eventId,
    registration_type_id: (await at.client.get(`/registrations/${at.ticket.id}`)).body.registration_type_id,
    buyer: { name: 'Ada', email: 'ada@example.org' },
  })
  const other = alone.body.attendees[0]
  const door = await doorOf(at)
  const list = await listOf(door)
  assert.equal(list.extrasOf(other.id), undefined)
  assert.equal((await door.one(door.scan({ code: other.qr_code }))).extras, undefined)
  const { registration_type_id: type } = (await at.client.get(`/registrations/${at.dinner.id}`)).body
  const kitchen = await doorOf(at, [type])
  const handed = await kitchen.one(kitchen.scan({ code: at.dinner.code }))
  assert.deepEqual([handed.outcome, handed.extras], ['admitted', undefined])
  assert.equal((await door.one(door.scan({ code: at.ticket.code }))).extras, undefined)
  list.copy.change((await door.changes(list.body.cursor)).body, Date.parse(list.body.now))
  assert.equal(list.extrasOf(at.ticket.ticket), undefined)
})

test('a phone that has the ticket already learns of the extras that come later', async t => {
  const at = await startMoving(t)
  const [header, ticket, dinner] = PRETIX_ADDONS as [string[], string[], string[]]
  await at.move(asCsv([header, ticket]))
  const door = await doorOf(at)
  const list = await listOf(door)
  await at.move(asCsv([header, dinner]))
  const [first] = (await linesOf(at)) as [Line]
  assert.equal(list.extrasOf(first.ticket), undefined)
  list.copy.change((await door.changes(list.body.cursor)).body, Date.parse(list.body.now))
  assert.deepEqual(list.extrasOf(first.ticket), [['Dinner – Vegan', 1]])
})

test('the page that asks whether to cancel a ticket says what stays beside it; who cancels many cancels that too', async t => {
  const at = await moved(t)
  const { db, accountId, eventId, ticket, dinner, shirt } = at
  const asked = await db.read(accountId, tx => forecastCancel(tx, ticket.id, Date.now()))
  assert.deepEqual(
    asked.staying.map(({ id, type, count }) => [id, type, count]),
    [
      [dinner.id, 'Dinner – Vegan', 1],
      [shirt.id, 'Shirt', 1],
    ],
  )
  const ofExtra = await db.read(accountId, tx => forecastCancel(tx, dinner.id, Date.now()))
  assert.deepEqual(ofExtra.staying, [])
  const many = async (...ids: string[]) => {
    const { ids: all, extras } = await forecastMany(db, accountId, { event_id: eventId, ids })
    return [all.sort(), extras]
  }
  assert.deepEqual(await many(ticket.id), [[ticket.id, dinner.id, shirt.id].sort(), 2])
  assert.deepEqual(await many(ticket.id, dinner.id), [[ticket.id, dinner.id, shirt.id].sort(), 1])
  assert.deepEqual(await many(dinner.id), [[dinner.id], 0])
  await db.write(accountId, tx => cancelRegistration(tx, dinner.id))
  assert.deepEqual(await many(ticket.id), [[ticket.id, shirt.id].sort(), 1])
  const door = await doorOf(at)
  assert.equal((await door.one(door.scan({ code: ticket.code }))).extras, undefined, 'nor is it handed out')
  assert.deepEqual(await findDamage(db), [])
})

test('an add-on whose product is a type of tickets stands beside nothing, and nothing stands beside an extra', async t => {
  const at = await startMoving(t)
  const [header, ticket, , shirt] = PRETIX_ADDONS as string[][]
  const alone = (shirt as string[]).map((cell, n) => (n === 1 ? '9' : n === 10 ? '' : cell))
  await at.move(asCsv([header, ticket, shirt, alone] as string[][]))
  assert.deepEqual(
    (await linesOf(at)).map(({ type, beside }) => [type, beside]),
    [
      ['Ticket', null],
      ['Shirt', null],
      ['Shirt', null],
    ],
  )
  const other = await startMoving(t)
  const besideShirt = (shirt as string[]).map((cell, n) => (n === 1 ? '4' : n === 10 ? '3' : cell))
  await other.move(asCsv([header, ticket, shirt, besideShirt] as string[][]))
  const lines = await linesOf(other)
  assert.deepEqual(
    lines.map(({ beside }) => beside),
    [null, lines[0]?.id, null],
  )
  assert.deepEqual(await findDamage(other.db), [])
})
