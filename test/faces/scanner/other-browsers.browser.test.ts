import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEvent } from '#test/support/door/door-page.ts'
import { PhoneLine } from '#test/support/door/phone-line.ts'
import { BrowserLost, type Keyboard } from '#test/support/keyboard-walk.ts'
import { otherBrowsers, type SimpleBrowser, walkInOne } from '#test/support/other-browsers.ts'
import { eventually } from '#test/support/webhooks.ts'

/** What the page shows of the last scan. */
const SHOWN = `JSON.stringify({ ...document.querySelector('#result').dataset })`

/** A scanner's page that is driven by expressions: no address follows a button of it, for which drivers would wait. */
class Page {
  readonly #phone: Keyboard

  constructor(phone: Keyboard) {
    this.#phone = phone
  }

  open(address: string): Promise<void> {
    return this.#phone.open(address)
  }

  async see(selector: string): Promise<void> {
    const there = `document.querySelector(${JSON.stringify(selector)}) !== null`
    await eventually(selector, () => this.#phone.evaluate<boolean>(there), 20_000, 100)
  }

  async press(selector: string): Promise<void> {
    await this.see(selector)
    await this.#phone.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)
  }

  /** Gives a code by the keys, as a scanner types it that sends Enter after it. The page takes it as soon as it is whole. */
  async give(code: string): Promise<void> {
    await this.#phone.evaluate(`document.querySelector('#code').focus()`)
    const before = await this.#phone.evaluate<string>(SHOWN)
    await this.#phone.type(code)
    const taken = async () => {
      const value = await this.#phone.evaluate<string>(`document.querySelector('#code').value`)
      return value === code || (await this.#phone.evaluate<string>(SHOWN)) !== before
    }
    await eventually('the keys arrive', taken, 3000, 100).catch(error => {
      throw new BrowserLost(error.message)
    })
    await this.#phone.press('Enter')
  }

  textOf(selector: string): Promise<string> {
    return this.#phone.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`)
  }
}

for (const [name, missing, open] of otherBrowsers) {
  const skip = missing ? `there is no ${name}` : false
  test(`in ${name} a phone is paired, lets in with and without a network, is alarmed, and takes back`, {
    skip,
    timeout: 180_000,
  }, async t => {
    const event = await startEvent(t)
    const line = await PhoneLine.start(t, event.app.siteUrl)
    const walk = async (browser: SimpleBrowser) => {
      const [online, offline, doubled] = [await event.sell(), await event.sell(), await event.sell()]
      const inside = async () =>
        (await event.client.get('/check-ins?limit=100')).body.data.map(
          ({ attendee_id }: { attendee_id: string }) => attendee_id,
        )
      line.weather = 'good'
      const page = new Page(await browser.becomePhone())
      await page.open(line.of((await event.addDoor()).url))
      await page.press('#pair')
      await page.press('#start')
      await page.see('#code')
      await page.give(online.code)
      await page.see('#result[data-outcome="admitted"]')
      assert.match(await page.textOf('#result'), /Grace/)
      await page.press('#undo')
      await page.press('#undo-confirm')
      await page.see('#result[data-outcome="undone"]')
      await page.see('#waiting[data-count="0"]')
      assert.ok(!(await inside()).includes(online.ticket))
      line.weather = 'gone'
      for (const { code, ticket } of [offline, doubled]) {
        await page.give(code)
        await page.see(`#result[data-outcome="admitted"][data-own="true"][data-ticket="${ticket}"]`)
      }
      await page.give(`${online.code.slice(0, -4)}AAAA`)
      await page.see('#result[data-outcome="refused"][data-reason="invalid_qr_code"]')
      await event.client.post('/check-ins', { qr_code: doubled.code })
      line.weather = 'good'
      await page.see('#result[data-alarm="double"]')
      await page.press('#seen')
      await page.see('#waiting[data-count="0"]')
      assert.ok((await inside()).includes(offline.ticket))
    }
    await walkInOne(open, walk)
  })
}
