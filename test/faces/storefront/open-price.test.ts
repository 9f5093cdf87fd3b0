import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { startSale } from '#test/support/people/sale.ts'

const types = [
  { name: 'Guest', price: 0, capacity: 100 },
  { name: 'Supporter', price: 1000, capacity: 100, open_price: true },
]

const start = (t: TestContext, currency = 'EUR') =>
  startSale(
    t,
    { registration_types: types, questions: [], codes: [], currency },
    { terms: null, payment_ways: 'set_up_and_door' },
  )

const ME = { 'Your name': 'Grace', 'Your e-mail': 'grace@example.org' }
const GIVEN = 'What you give for each of “Supporter”'

test('the page of the event says the least and asks what each gives; review and order have that sum', async t => {
  const { visitor, path, clock } = await start(t)
  const page = await visitor().open(path)
  assert.match(page.text, /Supporter\s*from €10\.00/)
  const field = page.field('Supporter: What you give for each, in EUR')
  assert.equal(field.value, '10.00')
  page.fill({ 'Supporter: What you give for each, in EUR': '25,50', 'How many of Supporter': '2' })
  const form = await page.press('Register')
  assert.match(form.text, /2 × Supporter\s*€51\.00\s*2 × €25\.50/)
  clock.advance(SECOND)
  const review = await form.fill(ME).press('Continue')
  assert.equal(review.heading, 'Is this right?')
  assert.match(review.text, /Total\s*€51\.00/)
  const order = await review.press('Order with obligation to pay')
  assert.match(order.text, /€51\.00/)
})

test('where nothing is filled in, the form asks, says the least, and goes on with a sum that can be given', async t => {
  const { visitor, formPath, clock } = await start(t)
  const form = await visitor().open(formPath({ Supporter: 1 }))
  assert.match(form.text, /At least 10\.00 EUR\./)
  clock.advance(SECOND)
  const refused = await form.fill(ME).press('Continue')
  assert.equal(refused.status, 422)
  const review = await refused.fill({ [GIVEN]: '12' }).press('Continue')
  assert.match(review.text, /Total\s*€12\.00/)
})

const said = {
  '9.99': 'Give at least 10.00 EUR.',
  '0': 'Give at least 10.00 EUR.',
  '-1': 'Enter a sum in EUR',
  '1000000000000': 'Enter a sum in EUR',
  '1000000': 'Give at most 999999.99 EUR.',
  '1.999': 'Enter a sum in EUR',
  '1,999.00': 'Enter a sum in EUR',
  '1e9': 'Enter a sum in EUR',
  ten: 'Enter a sum in EUR',
}
for (const [sum, sentence] of Object.entries(said)) {
  test(`a sum of ${sum} euros is refused in words and kept, by the link and by the form`, async t => {
    const { visitor, formPath, types: ids, clock } = await start(t)
    const form = await visitor().open(`${formPath({ Supporter: 1 })}&p.${ids.Supporter}=${sum}`)
    assert.ok(form.text.includes(sentence), form.text)
    assert.equal(form.field(GIVEN).value, sum)
    clock.advance(SECOND)
    const refused = await form.fill({ ...ME, [GIVEN]: sum }).press('Continue')
    assert.equal(refused.status, 422)
    assert.ok(refused.text.includes(sentence))
    assert.equal(refused.field(GIVEN).value, sum)
  })
}

test('whoever types a donation without choosing how many gives it once; what is empty, or filled in by the page, is not taken', async t => {
  const donation = { name: 'Donation', kind: 'extra', price: 0, capacity: 100, open_price: true }
  const { visitor, path, clock } = await startSale(
    t,
    { registration_types: [...types, donation], questions: [], codes: [] },
    { terms: null, payment_ways: 'set_up_and_door' },
  )
  const choose = async (sum: string) => {
    const page = await visitor().open(path)
    const field = 'Donation: What you give for each, in EUR'
    return page.fill({ 'How many of Guest': '1', [field]: sum }).press('Register')
  }
  const form = await choose('20')
  assert.match(form.text, /1 × Guest[\s\S]*1 × Donation\s*€20\.00[\s\S]*Total\s*€20\.00/)
  assert.doesNotMatch(form.text, /Supporter/)
  clock.advance(SECOND)
  const review = await form.fill(ME).press('Continue')
  assert.match(review.text, /1 × Donation\s*€20\.00/)
  for (const sum of ['', '0', ' ']) assert.doesNotMatch((await choose(sum)).text, /Donation/, `“${sum}”`)
  assert.match((await choose('ten')).text, /Enter a sum in EUR/)
})

test('a currency without minor units takes no decimals, and one with three takes three', async t => {
  const yen = await start(t, 'JPY')
  const open = (of: typeof yen, sum: string) =>
    of.visitor().open(`${of.formPath({ Supporter: 1 })}&p.${of.types.Supporter}=${sum}`)
  assert.match((await open(yen, '1500.5')).text, /Enter a sum in JPY/)
  assert.match((await open(yen, '1500')).text, /¥1,500/)
  const dinar = await start(t, 'KWD')
  assert.match((await open(dinar, '1.999')).text, /KWD\s*1\.999/)
})

test('who raises the least meanwhile has the buyer asked once more, with all that was typed', async t => {
  const { visitor, formPath, types: ids, clock, db, accountId, client } = await start(t)
  const form = await visitor().open(`${formPath({ Supporter: 1 })}&p.${ids.Supporter}=12`)
  clock.advance(SECOND)
  const review = await form.fill(ME).press('Continue')
  await db.write(accountId, tx =>
    tx.run('UPDATE registration_types SET price = 2000 WHERE id = $1', [ids.Supporter as string]),
  )
  await client.post('/check-ins', { attendee_id: ids.Supporter })
  const refused = await review.press('Order with obligation to pay')
  assert.equal(refused.status, 422)
  assert.ok(refused.text.includes('Give at least 20.00 EUR.'))
  assert.equal(refused.field('Your name').value, 'Grace')
})
