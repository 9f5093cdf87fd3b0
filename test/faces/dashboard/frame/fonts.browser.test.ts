import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { fontFamily } from '#test/support/fonts.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

after(closeBrowser)

/** @returns the families of the fonts that the text of a page was drawn with, each once */
async function fontsOf(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeIds } = await devtools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'body *' })
  const found = await Promise.all(
    nodeIds.map(nodeId => devtools.send('CSS.getPlatformFontsForNode', { nodeId })),
  )
  await devtools.detach()
  return [...new Set(found.flatMap(({ fonts }) => fonts.map(({ familyName }) => familyName)))].sort()
}

test('a page is drawn with the fonts of the tests, whatever fonts the machine has', async t => {
  const { app } = await startDashboard(t)
  const { page } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
  assert.deepEqual(await fontsOf(page), [fontFamily])

  const families = ['system-ui', 'ui-monospace', 'sans-serif', 'serif', 'monospace', 'DejaVu Sans', 'Arial']
  const texts = families.map(
    family => `<p style="font-family: '${family}'">Price 1,234.50</p>
    <p style="font-family: ${family.includes(' ') ? `'${family}'` : family}"><b>Price</b> <i>1,234.50</i></p>`,
  )
  await page.setContent(texts.join(''))
  assert.deepEqual(await fontsOf(page), [fontFamily])

  await page.setContent('<p>Łódź Ωμέγα Москва</p><p>שלום</p><p>مرحبا</p><p>สวัสดี</p>')
  assert.deepEqual(await fontsOf(page), [
    fontFamily,
    `${fontFamily} Arabic`,
    `${fontFamily} Hebrew`,
    `${fontFamily} Thai`,
  ])

  // A character that no font has is drawn as a box, and not with a font of the machine.
  await page.setContent('<p>中文 😀</p>')
  assert.deepEqual(await fontsOf(page), [fontFamily])
})
