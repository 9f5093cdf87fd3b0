import type { TestContext } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { DAY, HOUR } from '#base/time.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import type { NewDevice } from '#product/entrance/doors/schemas.ts'
import { chromiumOptions } from '../chromium.ts'
import { testClock } from '../clock.ts'
import { organization } from '../organization.ts'
import { newRegistration } from '../requests.ts'
import { startWithOrganization } from '../server.ts'
import { DOOR } from './door.ts'

/** Starts a server on the clock of the browsers, with an event of today. @param more of the event */
export async function startEvent(t: Pick<TestContext, 'after'>, more: object = {}) {
  const iso = (from: number) => new Date(Date.now() + from).toISOString()
  const dates = { starts_at: iso(-2 * HOUR), ends_at: iso(DAY), ...more }
  const clock = testClock()
  let shift = 0
  const running = Object.assign(() => Date.now() + shift, {
    ...clock,
    advance: (milliseconds: number) => {
      shift += milliseconds
    },
  })
  const server = await startWithOrganization(t, organization({ event: dates }), { clock: running })
  const accountId = server.applied.account_id
  const sell = async (changes: Record<string, unknown> = {}) => {
    const { body } = await server.client.post('/registrations', newRegistration(server, changes))
    const [attendee] = body.attendees
    return { id: body.id as string, ticket: attendee.id as string, code: attendee.qr_code as string }
  }
  return {
    ...server,
    accountId,
    sell,
    /** Sells a ticket that can be cancelled without a refund. */
    sellFree: () => sell({ registration_type_id: server.types.Free }),
    /** Makes a door. @returns the address that its phone opens */
    async addDoor(input: Partial<NewDevice> = {}) {
      const device = { ...DOOR, event_id: server.eventId, ...input }
      const made = await server.db.write(accountId, tx => doors.add(tx, device, server.app.siteUrl))
      return { id: made.id, url: made.pairing_url }
    },
  }
}

/** Launches Chromium with a camera that sees a film, for pages with the permission. */
export function launchWithCamera(film: string): Promise<Browser> {
  return chromium.launch(
    chromiumOptions([
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ]),
  )
}

export interface Phone {
  context: BrowserContext
  page: Page
  /** Every message in the console of the page, and every error in it. */
  messages: string[]
  /** Gives a code by the field, and waits for what is shown. @returns its `data-outcome` */
  give(code: string): Promise<string>
  waiting(): Promise<number>
}

/** Opens a phone at an address. @param prepare what it has before that */
export async function openPhone(
  browser: Pick<Browser, 'newContext'>,
  url: string,
  options: BrowserContextOptions = {},
  prepare: (context: BrowserContext) => Promise<unknown> = async () => undefined,
): Promise<Phone> {
  const context = await browser.newContext({ viewport: { width: 390, height: 780 }, ...options })
  await prepare(context)
  const page = await context.newPage()
  const messages: string[] = []
  page.on('console', message => messages.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => messages.push(error.message))
  await page.goto(url)
  return {
    context,
    page,
    messages,
    async give(code) {
      await page.press('#code', 'Escape')
      const before = await page.getAttribute('#result', 'data-scan')
      await page.fill('#code', code)
      await page.press('#code', 'Enter')
      await page.waitForFunction(
        was => {
          const { scan, outcome } = document.getElementById('result')?.dataset ?? {}
          return outcome !== undefined && (scan === undefined || scan !== was)
        },
        before,
        { polling: 10 },
      )
      return (await page.getAttribute('#result', 'data-outcome')) ?? ''
    },
    waiting: async () => Number(await page.getAttribute('#waiting', 'data-count')),
  }
}

/** Pairs a phone and starts it. */
export async function openDoor(
  browser: Browser,
  url: string,
  options?: BrowserContextOptions,
): Promise<Phone> {
  const phone = await openPhone(browser, url, options)
  await phone.page.click('#pair')
  await phone.page.click('#start')
  await phone.page.waitForSelector('#code')
  return phone
}
