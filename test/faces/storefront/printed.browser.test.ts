import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { startPaid } from '#test/support/paid-server.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'
import { strays, unpackedPdf } from '#test/support/people/passed-on.ts'

after(closeBrowser)

test('an order’s page and its receipts, printed with the header and footer of the browser, do not say where the order is', {
  skip: withoutPoppler,
  timeout: 120_000,
}, async t => {
  const { app, pathOf, pay } = await startPaid(t)
  const [receipt] = await pay('A')
  const path = await pathOf('A')
  const secrets = { order: path.split('/').at(-1) as string }
  const { page } = await openPage(t, `${app.siteUrl}/ada/spring-meeting/`)
  const print = async (from: string) => {
    await page.goto(app.siteUrl + from)
    const margin = { top: '15mm', bottom: '15mm', left: '10mm', right: '10mm' }
    const pdf = await page.pdf({ displayHeaderFooter: true, preferCSSPageSize: true, margin })
    return [...unpackedPdf(pdf), new PdfFile(t, pdf).text(1).replace(/\s/g, '')]
  }
  const shown = (await print('/ada/spring-meeting/')).at(-1) as string
  assert.ok(shown.includes('/ada/spring-meeting/'), 'The browser prints where other pages are.')
  for (const way of ['', `/receipts/${receipt.id}`]) {
    const content = await print(path + way)
    assert.ok(content.at(-1)?.includes(way.startsWith('/receipts') ? 'R-000001' : 'Spring'), way)
    assert.deepEqual(strays({ name: way, may: [], content }, secrets), [])
  }
})
