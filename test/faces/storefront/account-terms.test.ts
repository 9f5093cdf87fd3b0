import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startOffering, waiting } from '#test/support/offers.ts'
import { startSale } from '#test/support/people/sale.ts'

type Changes = Parameters<typeof accounts.update>[1]

async function start(t: TestContext, terms: string | null = null) {
  const sale = await startSale(t, {}, { terms })
  const { db, accountId, change, visitor, formPath, clock, eventId } = sale
  const set = async (changes: Changes) => {
    await db.write(accountId, tx => accounts.update(tx, changes))
    await change({})
  }
  const fillIn = async () => {
    const form = await visitor().open(formPath({ Guest: 1 }))
    clock.advance(SECOND)
    form.fill({ 'Your name': 'Grace', 'Your e-mail': 'grace@example.org' })
    return form
  }
  const accept = async () => (await fillIn()).fill({ 'I accept the terms': true }).press('Continue')
  const accepted = async () =>
    (await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 50 }))).map(
      ({ terms: kept }) => kept,
    )
  return { ...sale, set, fillIn, accept, accepted }
}

test('a buyer of an event without terms accepts those of its organizer, and the order keeps them as they were', async t => {
  const { set, fillIn, accept, accepted } = await start(t)
  await set({ terms_text: 'Be **kind**.' })
  const refused = await (await fillIn()).press('Continue')
  assert.equal(refused.status, 422)
  const review = await accept()
  assert.match(review.document.querySelector('main details')?.textContent ?? '', /Be kind\./)
  const order = await review.press('Register')
  assert.match(order.text, /The terms that you accepted/)
  await set({ terms_text: 'No dogs.' })
  assert.deepEqual(await accepted(), ['Be **kind**.'])
})

test('terms that have changed since the review are shown before anything is ordered', async t => {
  const { set, accept, accepted } = await start(t)
  await set({ terms_text: 'Be kind.' })
  const review = await accept()
  await set({ terms_text: 'No dogs.' })
  const again = await review.press('Register')
  assert.equal(again.status, 409)
  assert.match(again.document.querySelector('main details')?.textContent ?? '', /No dogs\./)
  assert.deepEqual(await accepted(), [])
  await again.press('Register')
  assert.deepEqual(await accepted(), ['No dogs.'])
})

test('terms that stand elsewhere are accepted by the link to them', async t => {
  const { set, accept, accepted } = await start(t)
  await set({ terms_url: 'https://ada.example/a b' })
  const review = await accept()
  const link = review.document.querySelector('main details a')
  assert.equal(link?.getAttribute('href'), 'https://ada.example/a%20b')
  await review.press('Register')
  assert.deepEqual(await accepted(), ['<https://ada.example/a%20b>'])
})

test('the terms of an event come before those of its organizer, and without any there is nothing to accept', async t => {
  const { set, fillIn, accept, accepted, change, visitor, path } = await start(t, 'No cats.')
  const form = await fillIn()
  await set({ terms_text: 'No dogs.' })
  const page = await visitor().open(path)
  assert.match(page.document.querySelector('.foot details')?.textContent ?? '', /No cats\./)
  assert.equal(page.document.querySelector('.foot a[href="/ada/terms.html"]'), null)
  await (await form.fill({ 'I accept the terms': true }).press('Continue')).press('Register')
  await change({ terms: null })
  const linked = await visitor().open(path)
  assert.equal(linked.document.querySelector('.foot details'), null)
  assert.ok(linked.document.querySelector('.foot a[href="/ada/terms.html"]'))
  await (await accept()).press('Register')
  await set({ terms_text: null })
  const bare = await fillIn()
  assert.doesNotMatch(bare.text, /I accept the terms/)
  await (await bare.press('Continue')).press('Register')
  assert.deepEqual((await accepted()).sort(), ['No cats.', 'No dogs.', null])
})

test('an offered place is taken by the terms of the organizer, as the page of the offer shows them', async t => {
  const { db, accountId, sell, cancel, take, orderOf } = await startOffering(t, {
    waitlist: [waiting('Wes')],
  })
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada', terms_text: 'No dogs.' }))
  await sell()
  await cancel(await sell())
  await assert.rejects(take('Wes'), { code: 'seen_changed' })
  const event = { currency: 'EUR', terms: 'No dogs.' }
  await take('Wes', { agreement: agreementHash({ total: 0, event }) })
  const { status, terms } = await orderOf('Wes')
  assert.deepEqual([status, terms], ['confirmed', 'No dogs.'])
})
