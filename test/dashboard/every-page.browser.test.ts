import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DASHBOARD_PATH } from '../../src/dashboard/paths.ts'
import { pages } from '../../src/dashboard/routes.ts'
import * as jobs from '../../src/jobs/rules.ts'
import * as links from '../../src/users/links.ts'
import { fillPath } from '../../src/web/link.ts'
import { findBarriers } from '../support/axe.ts'
import { closeBrowser, openPage } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { findIds, hardTexts, useEverything } from '../support/hard-texts.ts'
import type { PageReader } from '../support/page-reader.ts'
import { eventually } from '../support/webhooks.ts'

after(closeBrowser)

/** A phone, the narrowest window of WCAG's reflow, and a desktop. */
const windows = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 320, colorScheme: 'light' },
] as const

/** An open link of each kind, by the path of its page. */
async function makeLinks({ db, accountId }: Dashboard, userId: string): Promise<Record<string, string>> {
  const made = await db.write(accountId, async tx => [
    await links.makeSetup(tx),
    await links.invite(tx, accountId, { email: 'new@example.org', role: 'door', event_ids: null }),
    await links.makeReset(tx, userId),
    await links.makeSignIn(tx, userId),
  ])
  const paths = ['/setup/{token}', '/join/{token}', '/reset/{token}', '/sign-in/{token}']
  return Object.fromEntries(paths.map((path, at) => [path, made[at]?.token as string]))
}

/** Uploads a list, and waits until it is checked. @returns the id of its job */
async function uploadGuests({ db, accountId, eventId }: Dashboard, owner: PageReader): Promise<string> {
  const [type] = hardTexts().events[0]?.registration_types ?? []
  const lines = `Name;Email;Ticket type\n${type?.name};a@example.org;${type?.name}\n;;\n`
  const page = await owner.open(`${DASHBOARD_PATH}/e/${eventId}/guests/import`)
  const { path } = await page.choose('File', `${type?.name}.csv`, lines).press('Upload')
  const id = /import\/([0-9a-f-]{36})/.exec(path)?.[1] as string
  return eventually('the end of the check', async () => {
    const { state } = await db.read(tx => jobs.get(tx, accountId, id))
    return state === 'done' && id
  })
}

type Dashboard = Awaited<ReturnType<typeof startDashboard>>

test('every page stands the hardest texts in every window: nothing overflows, no barrier, no complaint, no other request', async t => {
  const dashboard = await startDashboard(t, hardTexts())
  const { app, db, accountId, eventId } = dashboard
  const work = { kind: 'guests.cancel', eventId, input: { ids: [] }, total: 5, by: 'cli' }
  await db.write(accountId, tx => jobs.prepare(tx, accountId, work))
  const owner = await dashboard.member('owner', { email: 'owner@example.org' })
  await useEverything(db, accountId)
  const params: Record<string, string> = { account: accountId, event: eventId, ...(await findIds(db)) }
  const upload = await uploadGuests(dashboard, owner)
  const tokens = await makeLinks(dashboard, owner.user.id)
  const { page, requests, messages } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
  const cookie = { name: 'session', value: owner.cookies.get('session') as string, url: app.siteUrl }
  await page.context().addCookies([cookie])
  const wrong: string[] = []
  for (const { path, get, isFile } of pages) {
    if (get === undefined || isFile) continue
    const job = path.includes('/import/') ? upload : (params.job as string)
    const filled = fillPath(path, { ...params, job, token: tokens[path] ?? '' })
    for (const { width, colorScheme } of windows) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const answer = await page.goto(app.siteUrl + DASHBOARD_PATH + filled)
      const where = `${path} at ${width}: `
      if (answer?.status() !== 200) wrong.push(`${where}${answer?.status()}`)
      const [scrolls, ...out] = (await page.evaluate('findOverflow()')) as string[]
      if (scrolls !== `scrolls to ${width}`) wrong.push(`${where}${scrolls} ${out.slice(-2).join(' ')}`)
      if (width !== 320) wrong.push(...(await findBarriers(page)).map(barrier => where + barrier))
    }
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
