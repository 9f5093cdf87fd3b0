import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { startSale } from '#test/support/people/sale.ts'

const types = [
  { name: 'Guest', price: 0, capacity: 100 },
  { name: 'Workshop', price: 0, capacity: 3 },
]
const start = (t: Parameters<typeof startSale>[0]) =>
  startSale(t, { registration_types: types, questions: [], codes: [] }, { terms: null })

test('what is sold out to the last between form and review keeps what was typed: the rest can be taken, and one can wait', async t => {
  const { visitor, formPath, take, clock } = await start(t)
  const form = await visitor().open(formPath({ Workshop: 2, Guest: 2 }))
  form.fill({
    'Your name': 'Grace',
    'Your e-mail': 'grace@example.org',
    'Name on the ticket: Workshop, ticket 2 of 2': 'Bob',
    'Name on the ticket: Guest, ticket 2 of 2': 'Zoë',
  })
  await take({ Workshop: ['A', 'B', 'C'] })
  const refused = await form.press('Continue')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Workshop is sold out\./)
  assert.equal(refused.field('Your name').value, 'Grace')
  assert.equal(refused.field('Name on the ticket: Workshop, ticket 2 of 2').value, 'Bob')
  assert.match((await refused.follow('Join the waitlist: Workshop')).heading, /Wait for Workshop/)
  clock.advance(SECOND)
  const review = await refused.press('Continue')
  assert.equal(review.heading, 'Is this right?')
  assert.match(review.text, /2 × Guest/)
  assert.doesNotMatch(review.text, /Workshop|Bob/)
  // The other tickets keep what was typed for them.
  assert.match(review.text, /Zoë/)
  assert.match((await review.press('Register')).text, /You are in/)
})

test('where some are left, the form offers as many as there are, and no waitlist', async t => {
  const { visitor, formPath, take, clock } = await start(t)
  const form = await visitor().open(formPath({ Workshop: 2 }))
  const review = await form.fill({ 'Your name': 'Grace', 'Your e-mail': 'g@example.org' }).press('Continue')
  await take({ Workshop: ['A', 'B'] })
  clock.advance(SECOND)
  const refused = await review.press('Register')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /not enough places left: 1 of Workshop is free/)
  assert.doesNotMatch(refused.text, /waitlist/)
  const choices = [...refused.field('How many of Workshop now').querySelectorAll('option')]
  assert.deepEqual(
    choices.map(({ value }) => value),
    ['1', '0'],
  )
  const order = await (await refused.press('Continue')).press('Register')
  assert.match(order.text, /You are in/)
})

test('fewer than an order must have are not offered', async t => {
  const least = [{ name: 'Pairs', price: 0, capacity: 5, min_per_order: 2 }]
  const { visitor, formPath, take, clock } = await startSale(
    t,
    { registration_types: least, questions: [], codes: [] },
    { terms: null },
  )
  const form = await visitor().open(formPath({ Pairs: 4 }))
  const review = await form.fill({ 'Your name': 'Grace', 'Your e-mail': 'g@example.org' }).press('Continue')
  await take({ Pairs: ['A', 'B'] })
  clock.advance(SECOND)
  const some = await review.press('Register')
  const offered = (page: typeof some) =>
    [...page.field('How many of Pairs now').querySelectorAll('option')].map(({ value }) => value)
  assert.deepEqual(offered(some), ['3', '2', '0'])
  await take({ Pairs: ['C', 'D'] })
  assert.deepEqual(offered(await some.press('Continue')), ['0'])
})

test('whoever comes too late, or chooses no ticket at all, is told', async t => {
  const { visitor, formPath, path, take } = await start(t)
  const nothing = await (await visitor().open(path)).press('Register')
  assert.deepEqual([nothing.status, /Choose from 1 to 20 tickets/.test(nothing.text)], [422, true])
  await take({ Workshop: ['A', 'B', 'C'] })
  const late = await visitor().open(formPath({ Workshop: 1 }))
  assert.deepEqual([late.status, /Workshop is sold out/.test(late.text)], [409, true])
  assert.equal((await late.follow('Join the waitlist: Workshop')).status, 200)
})
