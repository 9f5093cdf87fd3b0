import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSale } from '#test/support/people/sale.ts'

test('each page of an order, and that of a ticket, leads to itself in the other language and back', async t => {
  const { visitor, take, pathOf, ticketPathOf } = await startSale(t)
  const order = await take({ Guest: ['Grace', 'Alan'] })
  const path = pathOf(order)
  for (const page of [
    path,
    await ticketPathOf(order.id),
    `${path}/names`,
    `${path}/cancel`,
    `${path}/withdraw`,
  ]) {
    const english = await visitor().open(page)
    assert.equal(english.document.documentElement.lang, 'en')
    const spanish = await english.follow('Español')
    assert.equal(spanish.path, `${page}?lang=es`)
    assert.equal(spanish.document.documentElement.lang, 'es')
    const back = await spanish.follow('English')
    assert.equal(back.path, `${page}?lang=en`)
    assert.equal(back.heading, english.heading)
    assert.equal(back.document.querySelector('link[rel=canonical], link[rel=alternate]'), null)
  }
})

test('a refused form of an order leads to the page that can be opened in the other language', async t => {
  const { visitor, take, pathOf } = await startSale(t)
  const path = pathOf(await take({ Guest: ['Grace'] }))
  const names = await visitor().open(`${path}/names`)
  const refused = await names.fill({ 'Name on the ticket': '' }).press('Save')
  assert.equal(refused.status, 422)
  const spanish = await refused.follow('Español')
  assert.equal(spanish.status, 200)
  assert.equal(spanish.path, `${path}/names?lang=es`)
})
