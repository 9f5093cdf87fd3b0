import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { setHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { organization } from '#test/support/organization.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { seller } from '#test/support/people/organizer.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'

after(closeBrowser)

test('what says that payments and mails are paused has no barrier and nothing out of the window', {
  timeout: 180_000,
}, async t => {
  const file = organization({
    event: {
      ...{
        status: 'published',
        visibility: 'public',
        starts_at: '2026-12-01T09:00:00Z',
        ends_at: '2026-12-02T18:00:00Z',
      },
      registration_types: [{ name: 'Standard', price: 5000, capacity: 100 }],
    },
  })
  const server = await startDashboard(t, file, { settings: { testPayments: true } })
  const { app, db, accountId, eventId, types, client, clock, member } = server
  const seen = () => client.post('/check-ins', { attendee_id: UNKNOWN_ID })
  const hold = async (at: number | null) => {
    await db.write(INSTANCE, tx => setHold(tx, at))
    await seen()
  }
  await db.write(accountId, tx => accounts.update(tx, seller))
  await seen()
  const operator = await member('owner')
  const wrong: string[] = []
  const { page } = await openPage(t, `${app.siteUrl}/ada/spring-meeting/register?q.${types.Standard}=1`)
  const look = async (name: string, to?: string) => {
    if (to !== undefined) await page.goto(app.siteUrl + to)
    wrong.push(...(await faultsOf(page, name)))
  }
  const cookie = { name: 'session', value: operator.cookies.get('session') as string, url: app.siteUrl }
  await page.context().addCookies([cookie])
  const fillIn = async () => {
    await page.goto(`${app.siteUrl}/ada/spring-meeting/register?q.${types.Standard}=1`)
    clock.advance(5 * SECOND)
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Your e-mail').fill('grace@example.org')
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await fillIn()
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click()
  await page
    .getByRole('link', { name: 'Back to the order' })
    .or(page.getByText('Your places are kept'))
    .first()
    .waitFor()
  const order = (await db.read(INSTANCE, tx => tx.all<{ id: string }>('SELECT id FROM orders'))).length
  assert.equal(order, 1)
  const path = await orderPath(server)
  await hold(clock())
  await look('order', path)
  await look('event', '/ada/spring-meeting/')
  await fillIn()
  await look('review')
  await look('form', `/ada/spring-meeting/register?q.${types.Standard}=1`)
  await db.write(accountId, tx => events.update(tx, eventId, { payment_ways: 'set_up_and_door' }))
  await seen()
  await fillIn()
  await look('review with another way')
  await look('needs', `/manage/a/${accountId}`)
  await look('overview', `/manage/e/${eventId}`)
  await look('payments', `/manage/a/${accountId}/payments`)
  await look('system', `/manage/a/${accountId}/system`)
  assert.deepEqual(wrong, [])
})

async function orderPath({ db }: Awaited<ReturnType<typeof startDashboard>>): Promise<string> {
  const [{ secret } = { secret: '' }] = await db.read(INSTANCE, tx =>
    tx.all<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )
  const [order] = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; secret_version: number }>('SELECT id, secret_version FROM orders'),
  )
  return orderUrl({ baseUrl: '', secret }, order as never)
}
