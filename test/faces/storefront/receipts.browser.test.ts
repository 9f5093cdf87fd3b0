import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, findFaint } from '../support/axe.ts'
import { closeBrowser, openPage } from '../support/browser.ts'
import { startPaid } from '../support/paid-server.ts'
import { PdfFile, withoutPoppler } from '../support/pdf.ts'
import { names } from '../support/sale.ts'

after(closeBrowser)

/** What is wrong with a page as it stands, on a phone and on a desktop, in the colours of day and night. */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = []
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    const [scrolls, ...out] = (await page.evaluate('findOverflow()')) as string[]
    if (scrolls !== `scrolls to ${width}`) wrong.push(`${scrolls} ${out.slice(-2).join(' ')}`)
    wrong.push(...(await findBarriers(page)))
    await page.emulateMedia({ colorScheme: 'dark' })
    wrong.push(...(await findFaint(page)))
  }
  return wrong.map(each => `${name}: ${each}`)
}

/** Of as many types, with long names, and names in every script. */
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
  // The sum is there, whatever else there was too much of.
  assert.match(drawn.text(1), /Total\s+916\.668,40/)
  // No other site is asked for anything.
  assert.deepEqual(
    requests.filter(url => !url.startsWith(app.siteUrl)),
    [],
  )
})
