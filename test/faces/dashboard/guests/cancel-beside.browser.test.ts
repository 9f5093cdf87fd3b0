import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'

after(closeBrowser)

const [LONG, ARABIC] = names

test('the pages that say which extras stay bar nobody, on a phone and on a desktop, with long names', {
  timeout: 120_000,
}, async t => {
  const types = [
    { name: 'Guest', price: 0, capacity: 100 },
    { name: 'Dinner', kind: 'extra', price: 0, capacity: 9 },
    { name: LONG, kind: 'extra', price: 0, capacity: 9 },
    { name: ARABIC, kind: 'extra', price: 0, capacity: 9 },
  ]
  const sale = await startSale(t, { registration_types: types, codes: [] }, { terms: null })
  const order = await sale.take({ Guest: ['Grace'], Dinner: ['', ''], [LONG]: [''], [ARABIC]: [''] })
  const [guest, ticket] = await sale.db.read(INSTANCE, async tx => [
    await tx.one<{ id: string }>(
      'SELECT id FROM registrations WHERE order_id = $1 ORDER BY created_at, id LIMIT 1',
      [order.id],
    ),
    await tx.one<{ id: string }>(
      `SELECT a.id FROM attendees a JOIN registrations r ON r.id = a.registration_id
       WHERE r.order_id = $1 ORDER BY r.created_at, r.id LIMIT 1`,
      [order.id],
    ),
  ])
  const value = (await sale.member('manager')).cookies.get('session') as string
  const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true }
  const cookies = [{ ...cookie, secure: false, sameSite: 'Lax' as const }]
  const event = `${sale.app.siteUrl}/manage/e/${sale.eventId}`
  const { page } = await openPage(t, `${event}/guests/${guest?.id}/cancel`, {
    storageState: { cookies, origins: [] },
  })
  const wrong: string[] = []
  const look = async (name: string, sentence: string) => {
    await page.getByText(sentence).first().waitFor()
    wrong.push(...(await faultsOf(page, name)))
    const { SHOTS } = process.env
    if (SHOTS === undefined) return
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1280, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${SHOTS}/beside-${name}-${width}.png`, fullPage: true })
    }
  }
  await look('cancel', 'What was taken beside it stays')
  await page.goto(`${event}/orders/${order.id}/refund?ticket=${ticket?.id}&how=nothing`)
  await look('refund', 'What was taken beside them stays')
  await page.goto(`${sale.app.siteUrl}${sale.pathOf(order)}/cancel?lang=es`)
  await look('buyer', 'extras se cancelan')
  assert.deepEqual(wrong, [])
})
