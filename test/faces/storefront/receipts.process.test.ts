import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND } from '#base/time.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startPaid } from '#test/support/paid-server.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'

test('the order’s page leads to its receipts, which say everything in the language of the order, as a page and as PDF', async t => {
  const { app, browser, pathOf, pay } = await startPaid(t, {
    ...{ language: 'es', buyer_company: 'Hopper & Söhne', buyer_vat_id: 'DE1' },
    ...{ buyer: { name: 'محمد <b>', email: 'm@example.org' }, buyer_address: 'Weg 1\nBerlin' },
  })
  const [receipt, credit] = await pay('A')
  const path = await pathOf('A')
  const page = await browser.open(path)
  assert.match(page.text, /Recibos\s*Factura R-000001/)
  const paper = await page.follow('Factura R-000001')
  for (const words of [
    ...[
      'Factura',
      'R-000001',
      'Ada Events SL',
      'NIF: B12345678',
      'Hopper & Söhne',
      'A la atención de محمد <b>',
    ],
    ...['Berlin', 'NIF-IVA: DE1', '21 nov 2026', '1–2 dic 2026', 'por transferencia', 'Standard'],
    ...['84,04 €', '15,96 €', '100,00 €', '19 %'],
  ]) {
    assert.ok(paper.text.replaceAll('\u00a0', ' ').includes(words), words)
  }
  assert.equal(paper.document.querySelector('article.receipt')?.getAttribute('lang'), 'es')
  assert.equal(paper.document.querySelector('[style], script'), null)
  const note = await browser.open(`${path}/receipts/${credit.id}?lang=en`)
  for (const words of [
    'Back to the order',
    'Factura rectificativa',
    'R-000001 del 21 nov 2026',
    '-10,00 €',
  ]) {
    assert.ok(note.text.replaceAll('\u00a0', ' ').includes(words), words)
  }
  const { headers } = await fetch(`${app.siteUrl}${path}/receipts/${receipt.id}`)
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('the PDF is one page of A4, the same bytes each time, and leaves nothing out', {
  skip: withoutPoppler,
}, async t => {
  const { app, pathOf, pay } = await startPaid(t, {
    buyer_company: 'Hopper & Söhne',
    buyer_address: 'Weg 1\nBerlin',
  })
  const [receipt] = await pay('A')
  const url = `${app.siteUrl}${await pathOf('A')}/receipts/${receipt.id}/pdf`
  const [one, other] = await Promise.all([fetch(url), fetch(url)])
  assert.equal(one.headers.get('content-type'), 'application/pdf')
  assert.equal(one.headers.get('content-disposition'), 'attachment; filename="R-000001.pdf"')
  const bytes = Buffer.from(await one.arrayBuffer())
  assert.deepEqual(Buffer.from(await other.arrayBuffer()), bytes)
  const pdf = new PdfFile(t, bytes)
  assert.match(pdf.info(), /Pages:\s+1\n/)
  assert.match(pdf.info(), /Title:\s+Invoice R-000001\n/)
  assert.match(pdf.info(), /\(A4\)/)
  const text = pdf.text(1)
  for (const words of [
    'Invoice',
    'R-000001',
    'Ada Events SL',
    'Hopper & Söhne',
    'Berlin',
    '€84.04',
    '€15.96',
    '€100.00',
    '19 %',
  ]) {
    assert.ok(text.includes(words), `${words}\n${text}`)
  }
  assert.doesNotMatch(text, /cannot be printed/)
})

test('the secret of another order shows no receipt, and neither do another id, an ended link or what is no secret', async t => {
  const { app, db, accountId, pathOf, pay, orderOf } = await startPaid(t)
  const [receipt] = await pay('A')
  const path = await pathOf('A')
  const statusOf = async (place: string) => (await fetch(app.siteUrl + place, { redirect: 'manual' })).status
  assert.equal(await statusOf(`${path}/receipts/${receipt.id}`), 200)
  const other = await pathOf('B')
  for (const of of [
    `${other}/receipts/${receipt.id}`,
    `${path}/receipts/${UNKNOWN_ID}`,
    `${path}/receipts/1`,
  ]) {
    assert.equal(await statusOf(of), 404, of)
    assert.equal(await statusOf(`${of}/pdf`), 404, of)
  }
  assert.equal(await statusOf(`${path.slice(0, -1)}x/receipts/${receipt.id}`), 404)
  const { id } = await orderOf('A')
  await db.write(accountId, tx => orders.renewLinks(tx, id))
  assert.equal(await statusOf(`${path}/receipts/${receipt.id}`), 404)
  assert.equal(await statusOf(`${path}/receipts/${receipt.id}/pdf`), 404)
  assert.equal(await statusOf(`${path}/invoice`), 404)
})

test('buyers say whom the receipt is made out to until it is made, and not after', async t => {
  const { browser, pathOf, pay, orderOf } = await startPaid(t)
  const path = await pathOf('A')
  const form = await (await browser.open(path)).follow('Details for the receipt')
  const bad = await form
    .fill({ Company: 'x'.repeat(201), 'Postal address': 'Weg 1\r\nBerlin', 'VAT ID': 'DE1' })
    .press('Save')
  assert.match(bad.text, /at most 200 characters/)
  const saved = await bad.fill({ Company: 'Hopper GmbH' }).press('Save')
  assert.match(saved.text, /saved/i)
  const invoice = { company: 'Hopper GmbH', address: 'Weg 1\nBerlin', vat_id: 'DE1' }
  assert.deepEqual((await orderOf('A')).invoice, invoice)
  // While the form is open somewhere, the money comes.
  const late = await saved.follow('Details for the receipt')
  const [receipt] = await pay('A')
  assert.deepEqual(receipt.buyer, { name: 'Grace', ...invoice })
  const refused = await late.fill({ Company: 'Another' }).press('Save')
  assert.match(refused.text, /The receipt is made already/)
  assert.deepEqual((await orderOf('A')).invoice, invoice)
  const page = await browser.open(path)
  assert.doesNotMatch(page.text, /Details for the receipt/)
  const led = await browser.open(`${path}/invoice`)
  assert.match(led.text, /Invoice R-000001/)
})

test('a form asks for an invoice only where it costs something, closed, and keeps what was typed when it is refused', async t => {
  const { browser, types, clock, db, accountId, eventId } = await startPaid(t)
  await db.write(accountId, tx => events.update(tx, eventId, { payment_ways: 'door' }))
  const formOf = (type: string) => browser.open(`/ada/spring-meeting/register?q.${types[type]}=1`)
  const gratis = await formOf('Free')
  assert.doesNotMatch(gratis.text, /Invoice to a company/)
  const form = await formOf('Standard')
  const details = () =>
    [...form.document.querySelectorAll('details')].find(each => /company/.test(each.textContent ?? ''))
  assert.equal(details()?.hasAttribute('open'), false)
  clock.advance(SECOND)
  const bad = await form
    .fill({ Company: 'Hopper GmbH', 'Postal address': 'Weg 1', 'VAT ID': 'DE1' })
    .press('Continue')
  const kept = [...bad.document.querySelectorAll('details')].find(each =>
    /company/.test(each.textContent ?? ''),
  )
  assert.equal(kept?.hasAttribute('open'), true)
  assert.equal(bad.document.querySelector<HTMLInputElement>('[name="invoice.company"]')?.value, 'Hopper GmbH')
  const review = await bad.fill({ 'Your name': 'Grace', 'Your e-mail': 'g@example.org' }).press('Continue')
  for (const words of ['Hopper GmbH', 'Weg 1', 'DE1']) assert.ok(review.text.includes(words), words)
})

test('an order that costs nothing has no receipts and asks for no invoice', async t => {
  const { app, browser, pathOf } = await startPaid(t)
  const path = await pathOf('F')
  assert.doesNotMatch((await browser.open(path)).text, /Receipts|Details for the receipt/)
  const answer = await fetch(`${app.siteUrl}${path}/invoice`, { redirect: 'manual' })
  assert.equal(answer.headers.get('location'), path)
})
