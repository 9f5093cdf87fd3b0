import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as questions from '#product/guests/questions/rules.ts'
import type { NewQuestion } from '#product/guests/questions/schemas.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { takeOrders } from '#test/support/runs/order-run.ts'

function question(label: string, changes: Partial<NewQuestion> = {}): NewQuestion {
  return {
    ...{ label, key: label.toLowerCase(), help: null, kind: 'text', choices: [], required: false },
    ...{ asked_for: 'ticket', registration_type_ids: null },
    ...changes,
  }
}

const imported = {
  attendees: [
    { name: 'Ann', answers: { size: 'M', born: '2001-02-03', legacy: 'kept', meals: 'Soup, Cake' } },
    { name: 'Ben', answers: { size: 'Huge', born: 'in May' } },
  ],
  answers: { hotel: 'Ritz' },
}

/** Starts with a registration of two tickets, of which the second has answers that its questions would not take. */
async function start(t: TestContext, quantity = 2) {
  const attendees = Array.from(
    { length: quantity },
    (_, at) => imported.attendees[at] ?? { name: `Nr ${at}` },
  )
  const file = organization({ event: { registrations: [registration('one', { ...imported, attendees })] } })
  const server = await startDashboard(t, file)
  const { db, accountId, eventId, applied, types, client } = server
  const ask = (input: NewQuestion) => db.write(accountId, tx => questions.create(tx, eventId, input))
  await ask(question('Size', { kind: 'one_of', choices: ['S', 'M', 'L'], required: true }))
  await ask(question('Born', { kind: 'date' }))
  await ask(question('Meals', { kind: 'several_of', choices: ['Soup', 'Fish', 'Cake'] }))
  await ask(question('Visa', { required: true }))
  await ask(question('Other', { registration_type_ids: [types.Free as string] }))
  const gone = await ask(question('Gone'))
  await db.write(accountId, tx => questions.setRetired(tx, eventId, gone.id, true))
  const id = applied.events['spring-meeting']?.registrations.one as string
  const read = async () => (await client.get(`/registrations/${id}`)).body
  const path = `/manage/e/${eventId}/guests/${id}`
  return { ...server, id, read, path }
}

/** Returns the controls of a ticket, by their labels. */
function controls(page: { document: Document }, ticket: number): Map<string, HTMLInputElement> {
  const group = [...page.document.querySelectorAll('fieldset')].find(
    each => each.querySelector('legend')?.textContent === `Ticket ${ticket}`,
  )
  const named = [...(group?.querySelectorAll('label') ?? [])].map(
    label =>
      [
        label.textContent?.replace(/\(.*/, '').trim() ?? '',
        (label.control ?? label) as HTMLInputElement,
      ] as const,
  )
  return new Map(named)
}

test('the form of a registration has the answers of each ticket, as its questions take them', async t => {
  const { member, path, read } = await start(t)
  const manager = await member('manager')
  const form = await manager.open(`${path}/edit`)
  const [first, second] = [controls(form, 1), controls(form, 2)]
  for (const label of ['S', 'M', 'L', 'Born', 'Visa', 'legacy', 'Soup', 'Fish', 'Cake'])
    assert.ok(first.has(label), label)
  for (const label of ['Other', 'Gone', 'hotel']) assert.ok(!first.has(label), label)
  assert.ok(!second.has('legacy'), 'what only another ticket has been told')
  ;(first.get('Fish') as HTMLInputElement).checked = true
  ;(first.get('L') as HTMLInputElement).checked = true
  ;(first.get('legacy') as HTMLInputElement).value = ''
  ;(second.get('Visa') as HTMLInputElement).value = '<b>yes</b>'
  const saved = await form.press('Save')
  assert.equal(saved.status, 200)
  assert.match(saved.text, /<b>yes<\/b>/)
  const { attendees, answers } = await read()
  assert.deepEqual(attendees[0].answers, { size: 'L', born: '2001-02-03', meals: 'Soup, Fish, Cake' })
  assert.deepEqual(attendees[1].answers, { size: 'Huge', born: 'in May', visa: '<b>yes</b>' })
  assert.deepEqual(answers, { hotel: 'Ritz' })
})

test('what a question would not take is refused where it is typed, and kept where it stood already', async t => {
  const { member, path, read } = await start(t)
  const manager = await member('manager')
  const form = await manager.open(`${path}/edit`)
  const before = await read()
  const [first, second] = [controls(form, 1), controls(form, 2)]
  assert.equal((second.get('Size') as HTMLInputElement).value, 'Huge')
  ;(first.get('Born') as HTMLInputElement).value = '2001-02-30'
  ;(second.get('Size') as HTMLInputElement).value = 'Giant'
  const refused = await form.press('Save')
  assert.equal(refused.status, 422)
  assert.deepEqual(await read(), before)
  const again = controls(refused, 2)
  assert.equal((again.get('Size') as HTMLInputElement).value, 'Giant')
  ;(controls(refused, 1).get('Born') as HTMLInputElement).value = ''
  ;(again.get('Size') as HTMLInputElement).value = ''
  const emptied = await refused.press('Save')
  assert.equal(emptied.status, 422, 'an answer that must be there is not taken away')
  ;(controls(emptied, 2).get('Size') as HTMLInputElement).value = 'S'
  assert.equal((await emptied.press('Save')).status, 200)
  const { attendees } = await read()
  assert.deepEqual(attendees[0].answers, { size: 'M', legacy: 'kept', meals: 'Soup, Cake' })
  // Nobody has to answer for the guest what nobody has asked them.
  assert.deepEqual(attendees[1].answers, { size: 'S', born: 'in May' })
})

test('two who change answers of different tickets both keep theirs', async t => {
  const { member, path, read } = await start(t)
  const manager = await member('manager')
  const [mine, theirs] = [await manager.open(`${path}/edit`), await manager.open(`${path}/edit`)]
  ;(controls(mine, 1).get('Visa') as HTMLInputElement).value = 'one'
  ;(controls(theirs, 2).get('Visa') as HTMLInputElement).value = 'two'
  await mine.press('Save')
  assert.equal((await theirs.press('Save')).status, 200)
  const { attendees } = await read()
  assert.deepEqual(
    attendees.map((ticket: { answers: Record<string, string> }) => ticket.answers.visa),
    ['one', 'two'],
  )
})

test('a form of 100 tickets has no more fields than a form may send, and says whose answers it has', async t => {
  const { member, path, db, accountId, eventId } = await start(t, 100)
  await db.write(accountId, async tx => {
    for (let n = 0; n < 20; n++) await questions.create(tx, eventId, question(`Q${n}`))
  })
  const form = await (await member('manager')).open(`${path}/edit`)
  assert.match(form.text, /has room for the answers of 19 tickets\./)
  assert.ok(controls(form, 19).has('Q19') && !controls(form, 20).has('Q19'))
  const saved = await form.fill({ 'Name on ticket 100': 'Zoë' }).press('Save')
  assert.equal(saved.status, 200)
  assert.match(saved.text, /Zoë/)
})

test('a registration leads to its order, and the order to its registrations; one that was not ordered to none', async t => {
  const { member, path, db, clock, accountId, eventId, types } = await start(t)
  const manager = await member('manager')
  assert.doesNotMatch((await manager.open(path)).html, /\/orders\//)
  await takeOrders(db, clock, { accountId, eventId, typeId: types.Free as string })
  const [order] = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 1 }))
  const page = await manager.open(`/manage/e/${eventId}/orders/${order?.id}`)
  const guest = await page.follow('1 × Free')
  assert.match(guest.path, /\/guests\//)
  assert.equal((await guest.follow(order?.reference as string)).path, page.path)
})
