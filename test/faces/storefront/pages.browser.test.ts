import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { hardTexts } from '#test/support/hard-texts.ts'
import { organization } from '#test/support/organization.ts'
import { startStorefront } from '#test/support/people/storefront.ts'
import { png } from '#test/support/pictures.ts'

after(closeBrowser)

/** A phone, the narrowest window of WCAG's reflow, and a desktop; in the colours of day and night. */
const windows = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 320, colorScheme: 'light' },
] as const

test('pages for visitors stand the hardest texts in every window: nothing overflows, no barrier, no complaint, no other request', async t => {
  const { app, change, setPicture, setStatus, eventId, member } = await startStorefront(t, hardTexts())
  const [event] = hardTexts().events
  const terms = event?.description as string
  const address = `${event?.title}\n${event?.venue}`
  await change({ terms, address, contact_email: 'a@example.org', online_url: 'https://meet.example' })
  const member_ = await member('door')
  const { page, requests, messages } = await openPage(t, `${app.siteUrl}/ada/`)
  const cookie = { name: 'session', value: member_.cookies.get('session') as string, url: app.siteUrl }
  const wrong: string[] = []
  const look = async (path: string, expected = 200) => {
    for (const { width, colorScheme } of windows) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const answer = await page.goto(app.siteUrl + path)
      const where = `${path} at ${width}, ${colorScheme}: `
      if (answer?.status() !== expected) wrong.push(`${where}${answer?.status()}`)
      const [scrolls, ...out] = (await page.evaluate('findOverflow()')) as string[]
      if (scrolls !== `scrolls to ${width}`) wrong.push(`${where}${scrolls} ${out.slice(-2).join(' ')}`)
      if (width !== 320) wrong.push(...(await findBarriers(page)).map(barrier => where + barrier))
    }
  }
  await look('/ada/')
  await look('/ada/spring-meeting/')
  await look('/nobody/', 404)
  await setPicture(png(1200, 630), eventId)
  await look('/ada/?lang=es')
  await look('/ada/spring-meeting/?lang=es')
  await setStatus('draft', eventId)
  await page.context().addCookies([cookie])
  await look('/ada/spring-meeting/')
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    requests.filter(address => !address.startsWith(app.siteUrl) && !address.startsWith('data:')),
    [],
  )
  assert.deepEqual(
    messages.filter(message => !/status of 404/.test(message)),
    [],
  )
})

test('by keyboard alone, each stop is seen, and leads from the top of the page to its links', async t => {
  const { app, change } = await startStorefront(t, organization())
  await change({ contact_email: 'a@example.org', terms: 'No dogs.' })
  const { page } = await openPage(t, `${app.siteUrl}/ada/spring-meeting/`)
  const stops: string[] = []
  for (let stop = 0; stop < 15; stop++) {
    await page.keyboard.press('Tab')
    const at = (await page.evaluate(
      `(() => { const e = document.activeElement; const b = e.getBoundingClientRect();
        return [(e.labels?.[0] ?? e).textContent.trim(), b.width > 1 && b.height > 1 && getComputedStyle(e).outlineStyle !== 'none'] })()`,
    )) as [string, boolean]
    assert.ok(at[1], `${at[0]} is not seen`)
    stops.push(at[0])
  }
  assert.deepEqual(stops, [
    'Skip to the content',
    'Ada Events',
    'Español',
    'Add to calendar',
    'Add to calendar: Google',
    'Add to calendar: Outlook',
    'Show on a map',
    'How many of Free',
    'Register',
    'Send my tickets again',
    'a@example.org',
    'All events of Ada Events',
    'Terms',
    'Imprint',
    'Privacy',
  ])
})
