import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { printCreditorReference } from '#base/creditor-reference.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { settle } from '#product/selling/payments/settle.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { PageReader, ReadPage } from '#test/support/people/page-reader.ts'
import { onceSettled } from '#test/support/settled.ts'

const BANK = { holder: 'Elm Hall', account: 'DE89370400440532013000', code: null, note: null }

/** Starts with an organizer who takes transfers, and somebody who does their books. */
async function start(t: TestContext) {
  const file = organization({
    event: {
      ...{ status: 'published', starts_at: '2027-02-01T09:00:00Z', ends_at: '2027-02-02T18:00:00Z' },
      registration_types: [{ name: 'Standard', price: 5000, capacity: 20 }],
    },
  })
  const server = await startDashboard(t, file)
  const { db, accountId, eventId, types, clock } = server
  await db.write(accountId, async tx => {
    await tx.run(
      `INSERT INTO payment_connections (account_id, method, bank, created_at, updated_at) VALUES ($1, 'transfer', $2, 1, 1)`,
      [accountId, JSON.stringify(BANK)],
    )
  })
  const day = new Date(clock()).toISOString().slice(0, 10)
  let forms = 0
  const order = async (name: string) => {
    const placed = await db.write(accountId, tx =>
      payments.placeOrder(
        tx,
        eventId,
        {
          ...{
            formId: `f${forms++}`,
            buyer: { name, email: `b${forms}@example.org` },
            language: 'en',
            answers: {},
          },
          agreement: agreementHash({ total: 5000, event: { currency: 'EUR', terms: null } }),
          lines: [{ typeId: types.Standard as string, tickets: [{ name, email: null }] }],
        },
        { method: 'transfer', processors: new Map(), signed: [] },
      ),
    )
    const [payment] = await db.read(accountId, tx => payments.listByOrder(tx, placed.id))
    return { ...placed, text: printCreditorReference(payment?.reference as string), payment }
  }
  const stateOf = async (id: string) => (await db.read(accountId, tx => orders.get(tx, id))).status
  const address = `/manage/a/${accountId}/statements`
  const csvOf = (...rows: string[]) => `Date;Amount;Name;Text\n${rows.map(row => `${day};${row}\n`).join('')}`
  return { ...server, order, stateOf, address, csvOf, finance: await server.member('finance') }
}

async function upload(
  reader: PageReader,
  address: string,
  content: string,
  label = 'File',
  button = 'Upload',
) {
  return (await reader.open(address)).choose(label, 'bank.csv', content).press(button)
}

function settled(
  { app }: Awaited<ReturnType<typeof start>>,
  page: ReadPage,
  reader: PageReader,
): Promise<ReadPage> {
  const look = async () => {
    const now = await reader.open(page.path)
    return now.document.querySelector('progress') === null && now
  }
  return onceSettled({ app }, 'jobs', 'the end of the job', look)
}

test('a file is uploaded, its columns are said once, what it would pay is shown, and then it is paid', async t => {
  const at = await start(t)
  const { id, text, reference } = await at.order('Grace Hopper')
  const file = at.csvOf(`50,00;Grace;${text}`, '7,00;Zoe <b>;no idea', '-9,00;Rent;rent')
  const columns = await upload(at.finance, at.address, file)
  assert.equal(columns.heading, 'Which column is what?')
  assert.match(columns.text, /bank\.csv.*Zoe <b>/)
  assert.equal(columns.field('Amount').value, 'c1')
  const preview = await columns.press('Read the lines')
  assert.match(preview.text, /1 line would pay an order: €50\.00/)
  assert.match(preview.text, /1 line would be listed/)
  assert.match(preview.rows()[0] ?? '', new RegExp(`${reference} Grace Hopper`))
  assert.equal(await at.stateOf(id), 'pending')
  const done = await settled(at, await preview.press('Match these lines'), at.finance)
  assert.match(done.text, /This file is done\.Paid an order1To decide1Left out1To the lines/)
  assert.equal(await at.stateOf(id), 'confirmed')
  const list = await done.follow('To the lines to decide about')
  assert.match(list.rows()[0] ?? '', /Zoe <b>no idea.*€7\.00It names no order/)
  // The same file is uploaded again: the page asks nothing, and nothing changes.
  const again = await upload(at.finance, at.address, file)
  assert.match(again.text, /Every line of this file was dealt with before\. It changes nothing\./)
  assert.equal(again.document.querySelector('form[action$="/match"]'), null)
  const home = await at.finance.open(`/manage/a/${at.accountId}`)
  assert.match(home.text, /Needs you.*1 line of a bank statement is to decide/)
})

test('a line to decide is matched to an order that is searched for, after a page that says what happens', async t => {
  const at = await start(t)
  const { id, reference } = await at.order('Ada Lovelace')
  await at.order('Grace Hopper')
  const columns = await upload(at.finance, at.address, at.csvOf('30,00;Zed;for Ada'))
  await settled(at, await (await columns.press('Read the lines')).press('Match these lines'), at.finance)
  const line = await (await at.finance.open(at.address)).follow('Zed')
  assert.match(line.text, /No open order lacks just this amount/)
  const found = await line.fill({ 'Name, e-mail': 'lovelace' }).press('Search')
  assert.equal(found.rows().length, 1)
  const ask = await found.follow('Match')
  assert.equal(ask.heading, `Match €30.00 to order ${reference}?`)
  assert.match(ask.text, /It is a part: €20\.00 will be lacking still/)
  const matched = await ask.press('Match it')
  assert.match(matched.messages.join(), /The line is matched/)
  assert.equal(await at.stateOf(id), 'pending')
  const one = await (await matched.follow('Matched')).follow('Zed')
  const undone = await one.press('Undo this match')
  assert.match(undone.messages.join(), /The match is undone/)
  const left = await undone.press('Skip')
  assert.match(left.messages.join(), /The line is left out/)
  assert.equal((await left.follow('Left out')).rows().length > 0, true)
  const entries = await at.db.read(INSTANCE, tx =>
    tx.all<{ action: string }>(
      "SELECT action FROM access_log WHERE action LIKE 'statement%' ORDER BY created_at, id",
    ),
  )
  assert.deepEqual(entries.map(({ action }) => action).sort(), [
    ...['statement.columns', 'statement.start', 'statement.upload'],
    ...['statement_line.ignore', 'statement_line.match', 'statement_line.undo'],
  ])
})

test('a line that went out names whose refund it may have paid, and why it is owed', async t => {
  const at = await start(t)
  const { reference, payment } = await at.order('Grace Hopper')
  const money = { entryId: 'one', amount: 6_000, currency: 'EUR', at: at.clock(), fee: 0 }
  await at.db.write(at.accountId, tx => settle(tx, payment?.id as string, { ...money, method: 'transfer' }))
  const columns = await upload(at.finance, at.address, at.csvOf('-10,00;Grace H;back'))
  await settled(at, await (await columns.press('Read the lines')).press('Match these lines'), at.finance)
  const line = await (await at.finance.open(at.address)).follow('Grace H')
  assert.match(line.text, new RegExp(`owedGrace Hopper · ${reference}More than it costs was paid`))
  const ask = await line.follow('It paid this back')
  assert.equal(ask.heading, 'Has this paid €10.00 back?')
  await ask.press('Yes, it is paid back')
  assert.doesNotMatch((await at.finance.open(line.path)).text, /that are owed/)
})

test('a match that would be another one by now is shown again', async t => {
  const at = await start(t)
  const { payment, id } = await at.order('Ada Lovelace')
  const columns = await upload(at.finance, at.address, at.csvOf('50,00;Zed;for Ada'))
  await settled(at, await (await columns.press('Read the lines')).press('Match these lines'), at.finance)
  const ask = await (await (await at.finance.open(at.address)).follow('Zed')).follow('Match')
  assert.match(ask.text, /The order is paid/)
  await at.db.write(at.accountId, tx => payments.markPaid(tx, payment?.id as string))
  const again = await ask.press('Match it')
  assert.equal(again.status, 409)
  assert.match(again.text, /What would happen has changed/)
  assert.equal(await at.stateOf(id), 'confirmed')
})

test('what is no statement is told beside its field, and so is a mapping that does not fit', async t => {
  const at = await start(t)
  const none = await (await at.finance.open(at.address)).press('Upload')
  assert.deepEqual([none.status, none.field('File').getAttribute('aria-invalid')], [400, 'true'])
  const empty = await upload(at.finance, at.address, 'Date;Amount\n')
  assert.match(empty.text, /bank\.csv: /)
  const columns = await upload(at.finance, at.address, at.csvOf('50,00;Zed;x'))
  const refused = await columns.fill({ 'Day of the booking': 'none' }).press('Read the lines')
  assert.equal(refused.status, 400)
  assert.equal(refused.field('Day of the booking').getAttribute('aria-invalid'), 'true')
  assert.equal(refused.field('Amount').value, 'c1', 'what was chosen stays')
})

test('roles without the permission, members of some events and other accounts see and change nothing', async t => {
  const at = await start(t)
  const columns = await upload(at.finance, at.address, at.csvOf('50,00;Zed;x'))
  await settled(at, await (await columns.press('Read the lines')).press('Match these lines'), at.finance)
  const path = (await (await at.finance.open(at.address)).follow('Zed')).path
  const door = await at.member('door')
  const some = await at.member('manager', { email: 'some@example.org', eventIds: [at.eventId] })
  for (const reader of [door, some]) {
    for (const each of [at.address, path]) assert.equal((await reader.open(each)).status, 403)
    assert.equal((await reader.send(`${path}/ignore`, '', path)).status, 403)
    assert.doesNotMatch((await reader.open(`/manage/a/${at.accountId}`)).text, /Bank statements/)
  }
  const other = await at.apply(organization({ email: 'bob@example.org' }))
  const stranger = await at.member('owner', { email: 'x@example.org', accountId: other.account_id })
  const foreign = path.replace(at.accountId, other.account_id)
  assert.equal((await stranger.open(foreign)).status, 404)
  assert.equal((await stranger.send(`${foreign}/ignore`, '', foreign)).status, 404)
  assert.match((await at.finance.open(path)).text, /Skip/)
})

test('in Spanish', async t => {
  const at = await start(t)
  const manager = await at.member('manager', { language: 'es' })
  const { text } = await at.order('José')
  const columns = await upload(manager, at.address, at.csvOf(`50,00;A;${text}`), 'Archivo', 'Subir')
  assert.equal(columns.heading, '¿Qué es cada columna?')
  const preview = await columns.press('Leer las líneas')
  assert.match(preview.text, /1 línea pagaría un pedido: 50,00/)
  const done = await settled(at, await preview.press('Asignar estas líneas'), manager)
  assert.match(done.text, /Este archivo está terminado/)
})

test('the preview says of each line what its money does: it pays, is kept as a part, is more than asked for, or comes after that', async t => {
  const server = await start(t)
  const { order, address, csvOf, finance, stateOf } = server
  const [ada, grace] = [await order('Ada'), await order('Grace')]
  const columns = await upload(
    finance,
    address,
    csvOf(
      `"20,00";Ada;${ada.text}`,
      `"10,00";Ada;${ada.text}`,
      `"25,00";Ada;${ada.text}`,
      `"5,00";Ada;${ada.text}`,
      `"50,00";Grace;${grace.text}`,
    ),
  )
  const ready = await columns.press('Read the lines')
  const rows = [...ready.document.querySelectorAll('tbody tr')].map(row => row.textContent ?? '')
  for (const [at, words] of [
    'Kept as a part, €30.00 lacking',
    'Kept as a part, €20.00 lacking',
    'Pays it, and €5.00 are owed back',
    'Too late or twice',
  ].entries())
    assert.ok(rows[at]?.includes(words), `${at}: ${rows[at]}`)
  assert.doesNotMatch(rows[4] ?? '', /Kept|owed|late/, 'what just pays needs no more words')
  await settled(server, await ready.press('Match these lines'), finance)
  assert.deepEqual([await stateOf(ada.id), await stateOf(grace.id)], ['confirmed', 'confirmed'])
})

test('a guess that has all that is needed stands in words with its fields folded, and one that lacks something asks', async t => {
  const { order, address, finance } = await start(t)
  const { text } = await order('Ada')
  const good = await upload(finance, address, `Date;Amount;Name;Text\n2026-11-21;"50,00";Ada;${text}\n`)
  const folded = (page: ReadPage, name: string) =>
    page.document.querySelector(`[name="${name}"]`)?.closest('details:not([open])') !== null
  assert.match(good.text, /Day of the booking\s?Date/)
  assert.deepEqual([folded(good, 'date'), folded(good, 'flag')], [true, true])
  assert.match(good.text, /Choose other columns/)
  const poor = await upload(finance, address, `Date;Amount\n2026-11-21;"50,00"\n`)
  assert.deepEqual([folded(poor, 'date'), folded(poor, 'flag')], [false, true])
})
