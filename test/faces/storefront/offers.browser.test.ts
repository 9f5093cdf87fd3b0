import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { startOffering, waiting } from '#test/support/offers.ts'

after(closeBrowser)

const HARD = `${'Überlänge'.repeat(12)} مرحبا <b>&`

test('the page of an offer stands long names in every window, and has no barrier; its waitlist in the dashboard too', async t => {
  const server = await startOffering(t, {
    ...{ title: HARD, terms: `# ${HARD}` },
    registration_types: [{ name: HARD, price: 0, capacity: 2 }],
    waitlist: [waiting('Wes', { name: HARD, quantity: 2, registration_type: HARD })],
    questions: [{ key: 'hotel', label: HARD, kind: 'text', required: true }],
  })
  const { db, accountId, eventId, app, sell, cancel, orderOf, member } = server
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  const secret = await db.read(INSTANCE, async tx => {
    const row = await tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance')
    return row?.secret as string
  })
  await cancel(await sell(2, HARD))
  const owner = await member('owner')
  const { page, messages } = await openPage(t, `${app.siteUrl}/ada/`)
  const cookie = { name: 'session', value: owner.cookies.get('session') as string, url: app.siteUrl }
  await page.context().addCookies([cookie])
  const wrong: string[] = []
  for (const path of [
    orderUrl({ baseUrl: '', secret }, await orderOf(HARD)),
    `/manage/e/${eventId}/waitlist`,
  ])
    for (const [width, colorScheme] of [
      [1280, 'dark'],
      [390, 'light'],
      [320, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.goto(app.siteUrl + path)
      const [scrolls, ...out] = (await page.evaluate('findOverflow()')) as string[]
      if (scrolls !== `scrolls to ${width}`)
        wrong.push(`${path} at ${width}: ${scrolls} ${out.slice(-2).join(' ')}`)
      if (width !== 320)
        wrong.push(...(await findBarriers(page)).map(barrier => `${path} at ${width}: ${barrier}`))
    }
  assert.deepEqual([wrong, messages], [[], []])
})
