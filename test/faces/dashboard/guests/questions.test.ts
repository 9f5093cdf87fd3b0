import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

async function start(t: TestContext) {
  const event = {
    registrations: [registration('one', { answers: { diet: 'vegan' } })],
    questions: [
      { key: 'diet', label: 'What do you eat?', kind: 'one_of', choices: ['All', 'Vegan'], required: true },
      { key: 'size', label: 'Size', asked_for: 'ticket', registration_types: ['Standard'] },
      { key: 'born', label: 'Born on', kind: 'date' },
    ],
  }
  const server = await startDashboard(t, organization({ event }))
  const { db, accountId, eventId } = server
  const list = () => db.read(accountId, tx => questions.list(tx, eventId))
  return { ...server, list, path: `/manage/e/${eventId}/tickets/questions` }
}

test('questions stand in their order with what they ask of whom, and buttons move, retire and bring them back', async t => {
  const { member, path } = await start(t)
  const manager = await member('manager')
  let page = await (await manager.open(path.replace('/questions', ''))).follow('Questions')
  assert.deepEqual(
    page.rows().map(row => row.replace(/\s+/g, ' ')),
    [
      'What do you eat?One of several choicesRequiredOnce for an order',
      'SizeA short textOptionalFor each ticketStandard',
      'Born onA dateOptionalOnce for an order',
    ],
  )
  page = await page.press('Move Born on up')
  assert.deepEqual(page.messages, ['“Born on” is further up now.'])
  assert.match(page.rows()[1] as string, /^Born on/)
  page = await (await page.follow('Born on')).press('Retire')
  assert.match(page.messages[0] as string, /“Born on” is not asked any more/)
  page = await page.press('Ask again: Born on')
  assert.match(page.rows().at(-1) as string, /^Born on/)
})

test('a question is made once, and what is wrong is told with what was typed kept', async t => {
  const { member, path, list } = await start(t)
  const manager = await member('manager')
  const form = await (await manager.open(path)).follow('New question')
  form.fill({ Question: '<b>Diet</b>', Choices: 'One, two\nThree', Key: 'diet' })
  form.field('Kind of answer').value = 'several_of'
  let page = await form.press('Add the question')
  assert.equal(page.status, 422)
  assert.match(page.text, /none with a comma before a space/)
  assert.equal(page.field('Question').value, '<b>Diet</b>')
  page = await page.fill({ Choices: 'One\n\n Two ' }).press('Add the question')
  assert.match(page.text, /Another one has this already/)
  const good = page.fill({ Key: '', 'It must be answered': true, Free: true, 'For each ticket': true })
  page = await good.press('Add the question')
  assert.deepEqual(page.messages, ['“<b>Diet</b>” is added.'])
  await good.press('Add the question')
  const all = await list()
  assert.equal(all.length, 4)
  const { key, choices, required, asked_for, registration_type_ids: ids } = all[3] as (typeof all)[number]
  assert.deepEqual(
    [key, choices, required, asked_for, ids?.length],
    ['b-diet-b', ['One', 'Two'], true, 'ticket', 1],
  )
})

test('two people who edit a question at once keep both changes, and one with answers keeps its key', async t => {
  const { member, path, list } = await start(t)
  const manager = await member('manager')
  const open = async () => (await manager.open(path)).follow('What do you eat?')
  const [mine, other] = [await open(), await open()]
  await other.fill({ Help: 'So that nobody goes hungry.' }).press('Save')
  await mine.fill({ Question: 'Diet' }).press('Save')
  const [diet] = await list()
  assert.deepEqual([diet?.label, diet?.help], ['Diet', 'So that nobody goes hungry.'])
  const page = await (await (await manager.open(path)).follow('Diet')).fill({ Key: 'food' }).press('Save')
  assert.equal(page.status, 409)
  assert.match(page.text, /There are answers already/)
  const refused = await (await (await manager.open(path)).follow('Diet')).follow('Remove…')
  assert.match(refused.text, /“Diet” cannot be removed/)
  const remove = await (await (await manager.open(path)).follow('Size')).follow('Remove…')
  assert.deepEqual((await remove.press('Remove the question')).messages, ['“Size” is removed.'])
  assert.deepEqual(
    (await list()).map(({ key }) => key),
    ['diet', 'born'],
  )
})

test('the preview asks what the ticket asks, tells each fault at its field, and saves nothing', async t => {
  const { member, path, db } = await start(t)
  const manager = await member('manager', { language: 'es' })
  const page = await (await manager.open(path)).follow('Vista previa')
  assert.match(page.text, /Tu pedido.*What do you eat\?.*Born on.*Entrada 1.*Size/)
  const form = page.fill({ Size: 'XL <i>' })
  const refused = await form.press('Comprobar')
  assert.equal(refused.status, 422)
  assert.match(refused.messages[0] as string, /What do you eat\?: Elige una respuesta/)
  assert.equal(refused.field('Size').value, 'XL <i>')
  const good = await refused.fill({ Vegan: true }).press('Comprobar')
  assert.match(good.messages[0] as string, /con 2 respuestas.*Vegan.*XL <i>/)
  const free = await manager.open(`${path}/preview?type=${(await typeId(db, 'Free')) as string}`)
  assert.doesNotMatch(free.text, /Size/)
  const rows = await db.read(INSTANCE, tx => tx.all("SELECT answers FROM attendees WHERE answers <> '{}'"))
  assert.deepEqual(rows, [])
})

async function typeId(db: Awaited<ReturnType<typeof start>>['db'], name: string) {
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ id: string }>('SELECT id FROM registration_types WHERE name = $1', [name]),
  )
  return row?.id
}

test('who may not edit the event sees no questions, and makes none', async t => {
  const { member, path } = await start(t)
  const finance = await member('finance')
  assert.equal((await finance.open(path)).status, 403)
  for (const role of ['chair', 'reviewer'] as const) {
    const reader = await member(role)
    assert.equal((await reader.post(`${path}/new`, { label: 'x' })).status, 403, role)
  }
})
