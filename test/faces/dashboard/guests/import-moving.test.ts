import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { onceSettled } from '#test/support/settled.ts'
import {
  asCsv,
  behindAnotherSheet,
  EVENTBRITE,
  many,
  PRETIX,
  PRETIX_JSON,
} from '#test/support/shop-exports.ts'

/** The label of a field that is the name of a type, kept apart from the direction of the text around it. */
const DINNER = '\u2068Dinner\u2069'

async function start(t: TestContext, language: 'en' | 'es' = 'en') {
  const server = await startDashboard(t, organization({ event: { registration_types: [] } }))
  const address = `/manage/e/${server.eventId}/guests/import`
  const manager = await server.member('manager', { language })
  const settled = (page: ReadPage) =>
    onceSettled(server, 'jobs', 'the end of the job', async () => {
      const now = await manager.open(page.path.replace(/\/(columns|start|types)$/, ''))
      return now.document.querySelector('progress') === null && now
    })
  return { ...server, address, manager, settled }
}

test('an organizer moves here: from an event without a ticket type to sending the new tickets', async t => {
  const at = await start(t)
  const empty = await at.manager.open(at.address)
  assert.match(empty.text, /There is no ticket type yet.*export of pretix, Eventbrite or Hi\.Events/)
  const columns = await empty
    .choose('File', 'congress_orders.xlsx', new Uint8Array(behindAnotherSheet(PRETIX)))
    .press('Upload')
  assert.match(columns.messages.join(), /This is an export of pretix\./)
  const choices = [...columns.document.querySelectorAll('#columns\\.3 option')].map(
    ({ textContent }) => textContent,
  )
  assert.ok(choices.includes('State: who cancelled is left out'))
  const checked = await at.settled(await columns.press('Check the lines'))
  assert.match(
    checked.messages.join(),
    /There is no new guest in it\. 2 lines are left out: they are cancelled, refunded or not paid\./,
  )
  assert.match(checked.messages.join(), /The event lacks 2 ticket types that lines name\./)
  assert.match(
    (await checked.follow('Cancelled')).rows().join(),
    /Line 4Gone Away.*canceled.*Line 5Owes Money.*pending/,
  )
  const types = await checked.follow('Make the ticket types')
  assert.equal(types.heading, 'Make the ticket types of the file')
  assert.match(types.text, /Dinner.*1 ticket of it is in the file.*Ticket – Student/)
  const refused = await types.fill({ [DINNER]: '-1' }).press('Make the ticket types')
  assert.equal(refused.status, 422)
  const made = await at.settled(await types.fill({ [DINNER]: '30' }).press('Make the ticket types'))
  assert.match(made.messages.join(), /2 guests can be imported\./)
  const confirm = await made.follow('Import 2 guests')
  assert.match(
    confirm.text,
    /2 lines are left out: they are cancelled.*checked in there is checked in here.*becomes questions, retired/,
  )
  const done = await at.settled(await confirm.press('Import 2 guests'))
  assert.match(
    done.messages.join(),
    /2 guests were added\..*The codes of pretix let nobody in here\. Send these guests their new tickets\./,
  )
  assert.ok(done.links().includes('Send the tickets…'))
  assert.match(done.text, /To sell more tickets here, set the prices of the types and put them on sale\./)
  assert.doesNotMatch(made.text, /To sell more tickets here/)
  // The form of the types leads nowhere any more.
  assert.equal((await at.manager.open(`${done.path}/types`)).status, 404)
  const rows = await at.db.read(INSTANCE, tx =>
    tx.all('SELECT name, capacity, sold FROM registration_types ORDER BY name'),
  )
  assert.deepEqual(rows, [
    { name: 'Dinner', capacity: 30, sold: 1 },
    { name: 'Ticket – Student', capacity: 1, sold: 1 },
  ])
})

test('the whole way in Spanish has no English word, and takes the JSON of pretix', async t => {
  const at = await start(t, 'es')
  const json = new Uint8Array(Buffer.from(JSON.stringify(PRETIX_JSON)))
  const columns = await (await at.manager.open(at.address))
    .choose('Archivo', 'congress_pretixdata.json', json)
    .press('Subir')
  assert.match(columns.messages.join(), /Es una exportación de pretix\./)
  const checked = await at.settled(await columns.press('Comprobar las líneas'))
  assert.match(checked.messages.join(), /2 líneas se quedan fuera.*faltan 2 tipos de entrada/)
  const types = await checked.follow('Crear los tipos de entrada')
  const made = await at.settled(await types.press('Crear los tipos de entrada'))
  const done = await at.settled(
    await (await made.follow('Importar 2 asistentes')).press('Importar 2 asistentes'),
  )
  assert.match(done.messages.join(), /Los códigos de pretix no dejan entrar a nadie aquí\./)
  for (const page of [checked, types, made, done])
    assert.doesNotMatch(page.text, /\b(line|guests?|wrong|the|codes?|types?)\b/i, page.path)
})

test('a type made by somebody else meanwhile is said in the form, and a table of no shop has no such page', async t => {
  const at = await start(t)
  const columns = await (await at.manager.open(at.address))
    .choose('File', 'e.csv', new Uint8Array(asCsv(EVENTBRITE)))
    .press('Upload')
  const checked = await at.settled(await columns.press('Check the lines'))
  const types = await checked.follow('Make the ticket types')
  const form = await at.manager.open(`/manage/e/${at.eventId}/tickets/new`)
  await form.fill({ Name: 'VIP', Price: '0', Available: '5' }).press('Add the type')
  const refused = await types.press('Make the ticket types')
  assert.equal(refused.status, 409)
  const plain = 'Name,Email,Type\nAda,ada@example.org,Gold\n'
  const next = await (await at.manager.open(at.address)).choose('File', 'p.csv', plain).press('Upload')
  const none = await at.settled(await next.press('Check the lines'))
  assert.ok(!none.links().some(link => /Make the ticket types/.test(link)))
  assert.equal((await at.manager.open(`${none.path}/types`)).status, 404)
})

test('a page that cannot show all types of an export says that there are more', async t => {
  const { address, manager, settled } = await start(t)
  const product = PRETIX[0]?.indexOf('Product')
  const file = many(PRETIX, 51).map((cells, line) =>
    cells.map((cell, column) => (line > 0 && column === product ? `Product ${line}` : cell)),
  )
  const upload = await manager.open(address)
  const columns = await upload.choose('File', 'a.csv', new Uint8Array(asCsv(file))).press('Upload')
  const checked = await settled(columns)
  assert.match(checked.messages.join(), /lacks 50 ticket types that lines name\. There are more\. Make these/)
  const made = await settled(
    await (await checked.follow('Make the ticket types')).press('Make the ticket types'),
  )
  assert.match(made.messages.join(), /lacks 1 ticket type that lines name\./)
  assert.doesNotMatch(made.messages.join(), /There are more/)
})

test('the columns of an export that are skipped are folded, and can still be chosen', async t => {
  const { address, manager, settled } = await start(t)
  const upload = await manager.open(address)
  const page = await upload.choose('File', 'a.csv', new Uint8Array(asCsv(PRETIX))).press('Upload')
  const folded = page.document.querySelector('main form details')
  const [skipped, all] = [folded, page.document].map(part => part?.querySelectorAll('select[id^="columns."]'))
  assert.equal(folded?.hasAttribute('open'), false)
  assert.equal(folded?.querySelector('summary')?.textContent, `${skipped?.length} columns are skipped`)
  assert.equal(all?.length, PRETIX[0]?.length)
  assert.ok([...(skipped ?? [])].every(select => (select as HTMLSelectElement).value === 'none'))
  const price = folded?.querySelector('select[id="columns.10"]') as HTMLSelectElement
  price.value = 'email'
  const refused = await page.press('Check the lines')
  assert.equal(refused.document.querySelector('main form details')?.hasAttribute('open'), true)
  const again = refused.document.getElementById('columns.10') as HTMLSelectElement
  again.value = 'answer:Price'
  const checked = await settled(await refused.press('Check the lines'))
  const columns = await checked.follow('Change the columns')
  assert.equal(columns.document.querySelector('main form details select[id="columns.10"]'), null)
})
