import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { fillPath } from '#machinery/web/link.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as links from '#product/administration/users/links.ts'
import * as events from '#product/catalog/events/rules.ts'
import { asInstance } from '#test/support/as-instance.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { findIds, hardTexts, useEverything } from '#test/support/hard-texts.ts'
import { walkByTab } from '#test/support/keyboard.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { PageReader } from '#test/support/people/page-reader.ts'
import { onceSettled } from '#test/support/settled.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Texts } from '#texts/texts.ts'

after(closeBrowser)

/**
 * A phone, the narrowest window of WCAG's reflow, and a desktop. What fits depends on the language, and what is seen on the colours;
 * each width has all of both.
 */
const windows = {
  en: [
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
    { width: 320, colorScheme: 'light' },
  ],
  es: [
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
    { width: 320, colorScheme: 'dark' },
  ],
} as const

/** An open link of each kind, by the path of its page. */
async function makeLinks({ db, accountId }: Dashboard, userId: string): Promise<Record<string, string>> {
  const made = await db.write(accountId, async tx => [
    await links.makeSetup(asInstance(tx)),
    await links.invite(tx, { email: 'new@example.org', role: 'door', event_ids: null }),
    await links.makeReset(tx, userId),
    await links.makeSignIn(tx, userId),
  ])
  const paths = ['/setup/{token}', '/join/{token}', '/reset/{token}', '/sign-in/{token}']
  return Object.fromEntries(paths.map((path, at) => [path, made[at]?.token as string]))
}

/** Uploads a list, and waits until it is checked. @returns the id of its job */
async function uploadGuests(
  { app, db, accountId, eventId }: Dashboard,
  owner: PageReader,
  { file, upload }: Texts['imports'],
): Promise<string> {
  const [type] = hardTexts().events[0]?.registration_types ?? []
  const lines = `Name;Email;Ticket type\n${type?.name};a@example.org;${type?.name}\n;;\n`
  const page = await owner.open(`${DASHBOARD_PATH}/e/${eventId}/guests/import`)
  const { path } = await page.choose(file, `${type?.name}.csv`, lines).press(upload)
  const id = /import\/([0-9a-f-]{36})/.exec(path)?.[1] as string
  return onceSettled({ app }, 'jobs', 'the end of the check', async () => {
    const { state } = await db.read(accountId, tx => jobs.get(tx, id))
    return state === 'done' && id
  })
}

async function findOverflow(page: Page, width: number): Promise<string[]> {
  const [scrolls, ...out] = (await page.evaluate('findOverflow()')) as string[]
  return scrolls === `scrolls to ${width}` ? [] : [`${scrolls} ${out.slice(-2).join(' ')}`]
}

/** Returns what does not fit once a reader has spaced the text (WCAG 2.2, 1.4.12). */
async function findSpacedOut(page: Page, width: number): Promise<string[]> {
  await page.evaluate('spaceText(true)')
  const found = [
    ...(await findOverflow(page, width)),
    ...((await page.evaluate('findCutText()')) as string[]),
  ]
  await page.evaluate('spaceText(false)')
  return found.map(fault => `spaced: ${fault}`)
}

/** Returns the shapes that are not seen where the reader's colours are forced on the page. */
async function findLostShapes(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const lost = (await page.evaluate('findLostShapes()')) as string[]
  await page.emulateMedia({ forcedColors: 'none' })
  return lost
}

/** Returns what a sheet of A4 with its margins would not show well, although the browser is dark. */
async function findUnprintable(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 680, height: 900 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const found = [
    ...(await findOverflow(page, 680)),
    ...((await page.evaluate('findUnprintable()')) as string[]),
  ]
  await page.emulateMedia({ media: 'screen' })
  return found.map(fault => `printed: ${fault}`)
}

type Dashboard = Awaited<ReturnType<typeof startDashboard>>

/** These refuse what is here, in words. The tests of what they are about open them whole. */
const REFUSED: Readonly<Record<string, number>> = {
  // Only the export of another shop can lack types.
  '/e/{event}/guests/import/{job}/types': 404,
  // Only a ticket that was ordered can be exchanged.
  '/e/{event}/guests/{registration}/tickets/{ticket}/exchange': 409,
}

for (const [language, ways] of [
  ['en', 'in every window, spaced, by Tab, in forced colours, on paper'],
  ['es', 'in every window, spaced, on paper'],
] as const) {
  test(`in ${language === 'en' ? 'English' : 'Spanish'} every page stands the hardest texts: nothing overflows, overlaps, is cut or covered, ${ways}; no barrier, complaint or other request`, async t => {
    const dashboard = await startDashboard(t, hardTexts())
    const { app, db, accountId, eventId } = dashboard
    const work = { kind: 'guests.cancel', eventId, input: { ids: [] }, total: 5, by: 'cli' }
    await db.write(accountId, tx => jobs.prepare(tx, work))
    const owner = await dashboard.member('owner', { email: 'owner@example.org', language })
    await useEverything(db, accountId, eventId)
    // Nobody has been notified of this change yet.
    await db.write(accountId, tx => events.update(tx, eventId, { city: null }))
    const params: Record<string, string> = { account: accountId, event: eventId, ...(await findIds(db)) }
    const upload = await uploadGuests(dashboard, owner, textsIn(language).imports)
    const tokens = await makeLinks(dashboard, owner.user.id)
    const { page, requests, messages } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
    const cookie = { name: 'session', value: owner.cookies.get('session') as string, url: app.siteUrl }
    await page.context().addCookies([cookie])
    const wrong: string[] = []
    // The bar and the navigation are the same on many pages, and walked through on the first of them.
    const frames = new Set<string | undefined>()
    for (const { path, get, isFile } of pages) {
      if (get === undefined || isFile) continue
      const job = path.includes('/import/') ? upload : (params.job as string)
      // The links of an ordered ticket are renewed with its order.
      const registration = (path.endsWith('/renew') ? params.unordered : params.registration) as string
      const filled = fillPath(path, { ...params, job, registration, token: tokens[path] ?? '' })
      const answer = await page.goto(app.siteUrl + DASHBOARD_PATH + filled)
      if (answer?.status() !== (REFUSED[path] ?? 200)) wrong.push(`${path}: ${answer?.status()}`)
      for (const { width, colorScheme } of windows[language]) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        const found = [
          ...(await findOverflow(page, width)),
          ...((await page.evaluate('findOverlaps()')) as string[]),
          ...(width === 320 ? [] : await findBarriers(page)),
          ...(width === 390 ? [] : await findSpacedOut(page, width)),
        ]
        wrong.push(...found.map(fault => `${path} at ${width}: ${fault}`))
      }
      const part = path.split('/')[1]
      const from = frames.has(part) ? '#content' : '.bar a'
      frames.add(part)
      const found = [
        ...(await findUnprintable(page)),
        // Stops and shapes are the same in each language.
        ...(language === 'en' ? await walkByTab(page, from) : []),
        ...(language === 'en' ? await findLostShapes(page) : []),
      ]
      wrong.push(...found.map(fault => `${path}: ${fault}`))
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(
      requests.filter(address => !address.startsWith(app.siteUrl) && !address.startsWith('data:')),
      [],
    )
    assert.deepEqual(
      messages.filter(message => !/status of 4\d\d/.test(message)),
      [],
    )
  })
}
