import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openPhone, type Phone } from './door-page.ts'
import type { PhoneLine } from './phone-line.ts'

/** A phone with a line of its own. */
export interface LinedPhone extends Phone {
  line: PhoneLine
  /** Has the network back, and the page know it. */
  comeBack(): Promise<void>
  /** Resolves once the server has all. */
  allSent(): Promise<void>
}

/**
 * Pairs a phone with a door by a line of its own, and starts it.
 *
 * @param address of the pairing, by the line
 * @param shift of its clocks
 */
export async function openLined(
  browser: Browser,
  line: PhoneLine,
  address: string,
  { shift = { date: 0, steady: 0 }, ...options }: BrowserContextOptions & { shift?: Shift } = {},
): Promise<LinedPhone> {
  const phone = await openPhone(browser, address, options, context =>
    context.addInitScript(moveClocks, shift),
  )
  const { page } = phone
  await page.click('#pair')
  await page.click('#start')
  await page.waitForSelector('#code')
  return {
    ...phone,
    line,
    async comeBack() {
      line.weather = 'good'
      await page.evaluate(() => void dispatchEvent(new Event('online')))
    },
    allSent: async () => void (await page.waitForSelector('#waiting[data-count="0"]', { state: 'attached' })),
  }
}

/** Returns all that the phone keeps, as text. */
export function readKept(page: Page): Promise<string> {
  return page.evaluate(READ_KEPT)
}

/** The function is text, because what turns tests into JavaScript names functions by one that no page has. */
const READ_KEPT = `(async () => {
  const done = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const db = await done(indexedDB.open('turnout-door'))
  const kept = {}
  for (const name of db.objectStoreNames) {
    const store = db.transaction(name).objectStore(name)
    const keys = await done(store.getAllKeys())
    const values = await done(store.getAll())
    kept[name] = keys.map((key, at) => [key, values[at]])
  }
  db.close()
  return JSON.stringify(kept)
})()`

/** What a test adds to the clocks of a page, in milliseconds. */
interface Shift {
  date: number
  steady: number
}

declare global {
  var shifted: Shift
}

/** Has the clocks of a page moved by a test; to be run in it before its own scripts. */
function moveClocks(shift: Shift): void {
  globalThis.shifted = shift
  const date = Date.now
  const steady = performance.now.bind(performance)
  Date.now = () => date() + globalThis.shifted.date
  performance.now = () => steady() + globalThis.shifted.steady
}
