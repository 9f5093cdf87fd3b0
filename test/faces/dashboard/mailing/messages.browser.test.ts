import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { organizationOfDates } from '#test/support/series-dates.ts'

after(closeBrowser)

/** Returns the faults of a page as it stands, on a phone and on a desktop. */
async function faultsOf(page: Page): Promise<string[]> {
  const wrong: string[] = []
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 })
    // A page that begins at its preview has the bar over what stands above that.
    await page.evaluate('scrollTo(0, 0)')
    const [scrolls, ...out] = (await page.evaluate('findOverflow()')) as string[]
    if (scrolls !== `scrolls to ${width}`) wrong.push(`${scrolls} ${out.join(' ')}`)
    wrong.push(...(await findBarriers(page)))
  }
  return wrong.map(each => `${page.url()}: ${each}`)
}

test('an announcement is written and sent, its page renews itself, its letter runs nothing, and its link ends them', async t => {
  const mailServer = await startMailServer(t)
  const settings = { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' }
  const file = organization({ event: { registrations: [registration('one'), registration('two')] } })
  const { app, member, eventId } = await startDashboard(t, file, { settings })
  const manager = await member('manager')
  let go = () => {}
  const wait = new Promise<undefined>(resolve => {
    go = () => resolve(undefined)
  })
  mailServer.script.data = () => wait
  const { page, requests, messages } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
  const cookie = { name: 'session', value: manager.cookies.get('session') as string, url: app.siteUrl }
  await page.context().addCookies([cookie])
  const path = `${app.siteUrl}/manage/e/${eventId}/messages`
  await page.goto(`${path}/announcements`)
  const wrong = await faultsOf(page)
  await page.getByRole('link', { name: 'Write an announcement' }).click()
  await page.getByLabel('Subject').fill('News')
  const body =
    'Hello {name} <img src=x onerror=alert(1)> ![](https://evil.example/p.png) [x](javascript:alert(1))'
  await page.getByLabel('Text').fill(body)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('As Person manager gets it.').waitFor()
  wrong.push(...(await faultsOf(page)))
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByRole('link', { name: 'Send…' }).click()
  wrong.push(...(await faultsOf(page)))
  await page.getByRole('button', { name: 'Send it to one person' }).click()
  await page.getByRole('button', { name: 'Stop sending' }).waitFor()
  wrong.push(...(await faultsOf(page)))
  const sending = page.url()

  await page.goto(path)
  await page.getByRole('link', { name: 'grace@example.org' }).click()
  await page.getByRole('link', { name: 'See it as a mail program shows it' }).click()
  await page.getByText('No more announcements').waitFor()
  assert.equal(
    await page.evaluate('getComputedStyle(document.querySelector(".letter")).borderTopStyle'),
    'solid',
  )
  await page.goto(sending)
  await page.getByRole('button', { name: 'Stop sending' }).waitFor()
  go()
  await page.getByText('All of its mails have gone out').waitFor()

  await app.settled('mails')
  assert.equal(mailServer.received.length, 1)
  const link = /http:\/\/\S+\/unsubscribe\/\S+/.exec(mailServer.received[0]?.parsed.text ?? '')?.[0] as string
  await page.goto(link)
  wrong.push(...(await faultsOf(page)))
  await page.getByRole('button', { name: 'Send me no more' }).click()
  await page.getByRole('heading', { name: 'You get no more announcements' }).waitFor()
  wrong.push(...(await faultsOf(page)))
  await page.goto(`${path}/texts`)
  wrong.push(...(await faultsOf(page)))
  await page.getByRole('link', { name: 'Order received, Spanish', exact: true }).click()
  await page.getByRole('heading', { name: 'Order received, Spanish' }).waitFor()
  await page.goto(`${path}/texts/abstract_accepted.es`)
  wrong.push(...(await faultsOf(page)))
  assert.deepEqual(wrong, [])
  const foreign = requests.filter(each => !each.startsWith(app.siteUrl) && !each.startsWith('data:'))
  assert.deepEqual(foreign, [])
  assert.deepEqual(messages, [])
})

test('an announcement to the dates of a series has no barriers from the choice to the other dates, on phones and in the dark', async t => {
  const mailServer = await startMailServer(t)
  const settings = { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' }
  const { app, member, eventId } = await startDashboard(t, organizationOfDates() as never, { settings })
  const manager = await member('manager')
  const value = manager.cookies.get('session') as string
  const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/' }
  const cookies = [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }]
  const path = `${app.siteUrl}/manage/e/${eventId}/messages/announcements/new`
  const { page } = await openPage(t, path, { storageState: { cookies, origins: [] } })
  const look = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await faultsOf(page), [], `${name} ${colorScheme}`)
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        if (process.env.SHOTS !== undefined)
          await page.screenshot({
            path: join(process.env.SHOTS, `${name}-${width}-${colorScheme}.png`),
            fullPage: true,
          })
      }
    }
  }
  await page.getByLabel('All dates of the series').check()
  await page.getByLabel('Standard').check()
  await page.getByLabel('Subject').fill('News of {event}')
  await page.getByLabel('Text').fill('Hello {name}')
  await look('dates-form')
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await look('dates-draft')
  await page.getByRole('link', { name: 'Send…' }).click()
  await look('dates-send')
  await page.getByRole('button', { name: 'Send 6 mails' }).click()
  await page.getByText('Sent with it to other dates').waitFor()
  await look('dates-sent')
})
