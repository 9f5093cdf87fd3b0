import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { startPaid } from '#test/support/paid-server.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'
import { names } from '#test/support/people/sale.ts'

after(closeBrowser)

/** The order has twenty types with long names, and names in every script. */
const twenty = Array.from({ length: 20 }, (_, at) => ({
  type: at < names.length ? `${at} ${names[at]}`.slice(0, 190) : `Ticket ${at}`,
  ...{ price: 4_999_999 + at, rate: at % 2 === 0 ? 1900 : 700, discount: at % 4 === 0 ? 1_666_666 : 0 },
}))

test('a receipt of 20 lines with the hardest names has no barrier, nothing out of the window, and is printed on one page', {
  timeout: 120_000,
  skip: withoutPoppler,
}, async t => {
  const buyer = { name: names[1], email: 'b@example.org' }
  const { app, pathOf, pay } = await startPaid(
    t,
    { language: 'es', buyer, buyer_company: names[0], buyer_address: `${names[3]}\n${names[2]}` },
    twenty,
  )
  const path = await pathOf('A')
  const { page, requests } = await openPage(t, `${app.siteUrl}${path}/invoice`)
  const wrong = await faultsOf(page, 'invoice')
  const [receipt, credit] = await pay('A')
  for (const [name, place] of [
    ['order', path],
    ['receipt', `${path}/receipts/${receipt.id}`],
    ['credit note', `${path}/receipts/${credit.id}?lang=en`],
  ] as const) {
    await page.goto(app.siteUrl + place)
    wrong.push(...(await faultsOf(page, name)))
  }
  assert.deepEqual(wrong, [])
  await page.goto(`${app.siteUrl}${path}/receipts/${receipt.id}`)
  await page.emulateMedia({ media: 'print' })
  const printed = new PdfFile(t, await page.pdf({ preferCSSPageSize: true }))
  assert.match(printed.info(), /Pages:\s+1\n/)
  const file = await fetch(`${app.siteUrl}${path}/receipts/${receipt.id}/pdf`)
  const drawn = new PdfFile(t, Buffer.from(await file.arrayBuffer()))
  assert.match(drawn.info(), /Pages:\s+1\n/)
  // The sum is there, whatever else was cut.
  assert.match(drawn.text(1), /Total\s+916\.668,40/)
  // No other site is asked for anything.
  assert.deepEqual(
    requests.filter(url => !url.startsWith(app.siteUrl)),
    [],
  )
})
