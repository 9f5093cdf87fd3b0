import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSale } from '#test/support/people/sale.ts'

const types = [
  { name: 'Guest', price: 0, capacity: 100 },
  { name: 'Seat', price: 5000, capacity: 100 },
]
const questions = [
  { key: 'diet', label: 'What do you eat?', kind: 'text', required: true, asked_for: 'ticket' },
  {
    ...{ key: 'how', label: 'How did you hear of us?', kind: 'one_of', choices: ['A friend', 'A poster'] },
    ...{ required: true, asked_for: 'order' },
  },
]
const sells = { registration_types: types, questions, codes: [], payment_ways: 'door' }

/** The names of fields, in the order in which the page has them. */
function fieldsIn(document: Document): string[] {
  const controls = document.querySelectorAll<HTMLInputElement>(
    'main form :is(input:not([type=hidden]), textarea, select)',
  )
  return [...controls].map(({ name }) => name).filter(name => name !== 'website')
}

test('a refused form names each question with its ticket, in the order of the page, and its title begins with “Error:”', async t => {
  const { visitor, formPath, clock } = await startSale(t, sells)
  const form = await visitor().open(formPath({ Guest: 2, Seat: 1 }))
  assert.equal(form.title, 'Register for Spring Meeting · Ada Events')
  clock.advance(1_000)
  const refused = await form
    .fill({ 'E-mail, if not yours: Guest, ticket 2 of 2': 'nobody', VAT: 'x'.repeat(300) })
    .press('Continue')
  assert.equal(refused.status, 422)
  assert.equal(refused.title, 'Error: Register for Spring Meeting · Ada Events')
  const links = [...refused.document.querySelectorAll<HTMLAnchorElement>('.banner.bad li a')]
  const messages = links.map(({ textContent }) => textContent)
  assert.deepEqual(
    messages.map(text => text?.replace(/: [^:]*$/, '')),
    [
      'Your name',
      'Your e-mail',
      'VAT ID',
      'What do you eat?: Guest, ticket 1 of 2',
      'E-mail, if not yours: Guest, ticket 2 of 2',
      'What do you eat?: Guest, ticket 2 of 2',
      'What do you eat?: Seat',
      'How did you hear of us?',
      'I accept the terms',
    ],
  )
  const inOrder = fieldsIn(refused.document)
  const places = links.map(link => inOrder.indexOf(link.hash.slice(1)))
  assert.ok(!places.includes(-1), 'a link leads to no field')
  assert.deepEqual(
    places,
    [...places].sort((one, other) => one - other),
  )
  const spanish = await visitor('es').open(formPath({ Guest: 1 }))
  clock.advance(1_000)
  assert.match((await spanish.press('Continuar')).title, /^Error: Inscripción en Spring Meeting/)
})

test('a question about a single ticket is named without one, and its label is as before', async t => {
  const { visitor, formPath, clock } = await startSale(t, sells)
  const form = await visitor().open(formPath({ Guest: 1 }))
  assert.ok(form.field('What do you eat?'))
  clock.advance(1_000)
  const refused = await form.press('Continue')
  assert.match(refused.text, /How did you hear of us\?: Choose an answer\.What do you eat\?: Fill this in\./)
})

test('whatever else is refused to visitors has a title that says so: names, the waitlist, the review', async t => {
  const sale = await startSale(t, {
    ...sells,
    registration_types: [...types, { name: 'Workshop', price: 0, capacity: 1 }],
    questions: [],
    waitlist_mode: 'notify',
  })
  const { visitor, take, pathOf, path, types: ids, clock } = sale
  const order = pathOf(await take({ Workshop: ['Grace'] }))
  const names = await visitor().open(`${order}/names`)
  assert.match(names.title, /^Change the names/)
  assert.match(
    (await names.fill({ 'Name on the ticket': '' }).press('Save')).title,
    /^Error: Change the names/,
  )
  const waiting = await visitor().open(`${path}waitlist?type=${ids.Workshop}`)
  clock.advance(1_000)
  assert.match((await waiting.press('Join the waitlist')).title, /^Error: Wait for Workshop/)
  assert.match((await visitor().open(`${path}register?code=none`)).title, /^Error: Register for/)
})
