import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as questions from '#product/guests/questions/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'
import { orderFree } from '#test/support/ticket-mail.ts'

const guest = (reference: string, changes: object = {}) =>
  registration(reference, {
    registration_type: 'Free',
    buyer: { name: reference, email: `${reference.toLowerCase()}@example.org` },
    ...changes,
  })

async function start(t: TestContext) {
  const file = organization({
    event: {
      registrations: [
        guest('Lin', { attendees: [{ name: 'Lin', email: 'lin@example.org' }] }),
        guest('Mia', { attendees: [{ name: 'Mia' }, { name: 'Bob', email: 'bob@example.org' }] }),
      ],
    },
  })
  const dashboard = await startDashboard(t, file)
  const { accountId, applied, db, eventId, member, types } = dashboard
  const manager = await member('manager')
  const list = `/manage/e/${eventId}/guests`
  const ids = applied.events['spring-meeting']?.registrations as Record<string, string>
  const read = (id: string) => db.read(accountId, tx => registrations.get(tx, id))
  const ask = (changes: object) =>
    db.write(accountId, tx =>
      questions.create(tx, eventId, {
        ...{ help: null, kind: 'text', choices: [], required: false, asked_for: 'order' },
        ...{ registration_type_ids: null, label: 'Q', ...changes },
      } as Parameters<typeof questions.create>[2]),
    )
  const order = () =>
    orderFree(db, { accountId, eventId, typeId: types.Free as string }, 'Grace', [['Grace', null]])
  return { ...dashboard, manager, list, ids, read, ask, order }
}

/** Reads the code in the picture of a page. */
function codeOf({ document }: { document: Document }): string | undefined {
  const href = document.querySelector('svg.qr image')?.getAttribute('href')
  return href?.split(',')[1] && readCode(readPng(Buffer.from(href.split(',')[1] as string, 'base64')))
}

test('a guest’s page has the ticket: its code, a PDF and its link, also where it was imported; others see no code', async t => {
  const { manager, member, list, ids, read, order, client, eventId } = await start(t)
  const lin = await manager.open(`${list}/${ids.Lin}`)
  assert.equal(codeOf(lin), (await read(ids.Lin as string)).attendees[0]?.qr_code)
  assert.match(lin.text, /Not sent by mail yet/)
  const imported = lin.field('Link to the ticket').value
  assert.match(imported, /\/tickets\/[\w-]{46}$/)
  assert.match((await manager.open(new URL(imported).pathname)).text, /Lin/)
  const pdf = await lin.follow('Download as PDF')
  assert.equal(pdf.headers['content-type'], 'application/pdf')
  assert.match(pdf.html, /^%PDF/)
  await order()
  const { body } = await client.get(`/registrations?event_id=${eventId}&email=grace@example.org`)
  const grace = await manager.open(`${list}/${body.data[0].id}`)
  assert.match(grace.text, /Sent by mail on 21 Nov 2026/)
  const link = grace.field('Link to the ticket').value
  const page = await manager.open(new URL(link).pathname)
  assert.equal(page.status, 200)
  assert.match(page.text, /Your ticket.*Grace|Grace/)
  const bob = await (await manager.open(`${list}/${ids.Mia}`)).follow('Show the ticket: Bob')
  assert.equal(codeOf(bob), (await read(ids.Mia as string)).attendees[1]?.qr_code)
  assert.match((await manager.open(new URL(bob.field('Link to the ticket').value).pathname)).text, /Bob/)
  const finance = await member('finance')
  const seen = await finance.open(`${list}/${ids.Lin}`)
  assert.equal(codeOf(seen), undefined)
  assert.doesNotMatch(seen.html, /\/tickets\/[\w-]{46}/)
  const [ticket] = (await read(ids.Lin as string)).attendees
  for (const path of ['', '/pdf'])
    assert.equal((await finance.open(`${list}/${ids.Lin}/tickets/${ticket?.id}${path}`)).status, 403)
  await client.post(`/registrations/${ids.Lin}/cancel`)
  assert.equal(codeOf(await manager.open(`${list}/${ids.Lin}`)), undefined)
  for (const path of ['', '/pdf'])
    assert.equal((await manager.open(`${list}/${ids.Lin}/tickets/${ticket?.id}${path}`)).status, 404)
})

test('answers stand under their question, in its order and words, and new guests are asked with its control', async t => {
  const { manager, list, ask, client, eventId, types } = await start(t)
  await ask({ key: 'diet', label: 'What do you eat?', kind: 'one_of', choices: ['Vegan', 'Meat'] })
  await ask({ key: 'land', label: 'Where are you from?', kind: 'country' })
  await ask({ key: 'party', label: 'Do you come to the party?', kind: 'yes_no', asked_for: 'ticket' })
  await ask({ key: 'suite', label: 'Which room?', registration_type_ids: [types.Standard] })
  const made = await client.post('/registrations', {
    ...{ event_id: eventId, registration_type_id: types.Free },
    buyer: { name: 'Ola', email: 'ola@example.org' },
    answers: { legacy: 'as it came', land: 'ES', diet: 'Vegan' },
  })
  const page = await manager.open(`${list}/${made.body.id}`)
  assert.match(page.text, /What do you eat\?Vegan.*Where are you from\?Spain.*legacyas it came/)
  assert.doesNotMatch(page.text, /diet|\bland\b/)
  const edited = await manager.open(`${list}/${made.body.id}/edit`)
  const changed = await edited
    .fill({ 'Where are you from?': 'FR', 'Do you come to the party?': 'no' })
    .press('Save')
  assert.match(changed.text, /Changed: answer “Where are you from\?”, answer “Do you come to the party\?”/)
  const form = await manager.open(`${list}/new`)
  assert.equal(form.field('What do you eat?').tagName, 'SELECT')
  assert.equal(form.field('legacy').tagName, 'TEXTAREA')
  assert.match(form.text, /Asked for: Standard/)
  form.fill({
    ...{ 'Name of the buyer': 'New', 'E-mail of the buyer': 'new@example.org', Tickets: '2' },
    ...{ 'What do you eat?': 'Meat', 'Where are you from?': 'FR', 'Do you come to the party?': 'yes' },
  })
  form.field('Ticket type').value = types.Free as string
  const added = await form.press('Add the guest')
  assert.match(added.text, /What do you eat\?Meat.*Where are you from\?France/)
  const { body } = await client.get(`/registrations?event_id=${eventId}&email=new@example.org`)
  assert.deepEqual(body.data[0].answers, { diet: 'Meat', land: 'FR' })
  assert.deepEqual(
    body.data[0].attendees.map(({ answers }: { answers: object }) => answers),
    [{ party: 'yes' }, { party: 'yes' }],
  )
})

test('a corrected name or e-mail changes both where buyer and holder were equal, and nothing else', async t => {
  const { manager, list, ids, read } = await start(t)
  const edit = async (id: string, values: Record<string, string>) => {
    await (await manager.open(`${list}/${id}/edit`)).fill(values).press('Save')
    const { buyer, attendees } = await read(id)
    return [[buyer.name, buyer.email], ...attendees.map(({ name, email }) => [name, email])]
  }
  const lin = ids.Lin as string
  assert.deepEqual(await edit(lin, { 'Name of the buyer': 'Linda' }), [
    ['Linda', 'lin@example.org'],
    ['Linda', 'lin@example.org'],
  ])
  assert.deepEqual(await edit(lin, { 'Name on ticket 1': 'Lynn' }), [
    ['Lynn', 'lin@example.org'],
    ['Lynn', 'lin@example.org'],
  ])
  assert.deepEqual(await edit(lin, { 'E-mail of the buyer': 'lynn@example.org' }), [
    ['Lynn', 'lynn@example.org'],
    ['Lynn', 'lynn@example.org'],
  ])
  // Another name with another address is another person.
  assert.deepEqual(await edit(lin, { 'Name on ticket 1': 'Zoe', 'E-mail on ticket 1': 'zoe@example.org' }), [
    ['Lynn', 'lynn@example.org'],
    ['Zoe', 'zoe@example.org'],
  ])
  const mia = ids.Mia as string
  assert.deepEqual(await edit(mia, { 'Name on ticket 2': 'Rob' }), [
    ['Mia', 'mia@example.org'],
    ['Mia', null],
    ['Rob', 'bob@example.org'],
  ])
  assert.deepEqual(await edit(mia, { 'Name of the buyer': 'Maya', 'Name on ticket 1': 'Other' }), [
    ['Maya', 'mia@example.org'],
    ['Other', null],
    ['Rob', 'bob@example.org'],
  ])
})

test('where names repeat, the search of the check-in shows e-mail and order; other names stand alone', async t => {
  const { manager, eventId, types, client, db, accountId } = await start(t)
  const of = { accountId, eventId, typeId: types.Free as string }
  const { reference } = await orderFree(db, of, 'Sam', [['Sam Lee', 'sam1@example.org']])
  await client.post('/registrations', {
    ...{ event_id: eventId, registration_type_id: types.Free },
    ...{ buyer: { name: 'sam lee', email: 'sam2@example.org' } },
  })
  const found = await manager.open(`/manage/e/${eventId}/check-in?q=lee`)
  const rows = found.rows().filter(row => /lee/i.test(row))
  assert.equal(rows.length, 2)
  assert.ok(rows.some(row => row.includes('sam1@example.org') && row.includes(`order ${reference}`)))
  assert.ok(rows.some(row => row.includes('sam2@example.org') && !row.includes('order')))
  const alone = await manager.open(`/manage/e/${eventId}/check-in?q=lin`)
  assert.match(alone.rows().join(), /Lin/)
  assert.doesNotMatch(alone.rows().join(), /lin@example.org/)
})
