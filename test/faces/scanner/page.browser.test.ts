import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { doorFiles } from '#faces/scanner/assets.ts'
import { changeDoor } from '#product/entrance/doors/change-door.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { findBarriers } from '#test/support/axe.ts'
import { launchWithCamera, openDoor, openPhone, startEvent } from '#test/support/door/door-page.ts'
import { writeFilm } from '#test/support/door/fake-camera.ts'
import { temporaryFolder } from '#test/support/folder.ts'

const afters: (() => unknown)[] = []
const lasting = { after: (act: () => unknown) => void afters.push(act) }
let event: Awaited<ReturnType<typeof startEvent>>
let filmed: { code: string; ticket: string }
let browser: Browser

before(async () => {
  event = await startEvent(lasting)
  filmed = await event.sell()
  const film = join(temporaryFolder(lasting), 'film.y4m')
  writeFilm(film, [
    { text: undefined, frames: 4 },
    { text: filmed.code, frames: 6 },
  ])
  browser = await launchWithCamera(film)
})

after(async () => {
  await browser.close()
  for (const act of afters.reverse()) await act()
})

async function inside(): Promise<string[]> {
  const { body } = await event.client.get('/check-ins?limit=100')
  return body.data.map(({ attendee_id }: { attendee_id: string }) => attendee_id)
}

test('a code before the camera is admitted, once', async () => {
  const { url } = await event.addDoor()
  const { page, context, messages } = await openDoor(browser, url, { permissions: ['camera'] })
  const name = await page.waitForSelector('#result[data-outcome="admitted"] .name')
  assert.equal(await name.textContent(), 'Grace')
  assert.equal(page.url(), `${event.app.siteUrl}/door/`)
  // The film shows it again and again, for less than 5 s at a time.
  await page.waitForTimeout(1500)
  assert.deepEqual(await findBarriers(page), [])
  assert.equal(await page.getAttribute('#result', 'data-outcome'), 'admitted')
  assert.deepEqual(await inside(), [filmed.ticket])
  assert.deepEqual(messages, [])
  await context.close()
})

test('the address of a pairing is used by the button alone, and leaves the address then', async () => {
  const { url, id } = await event.addDoor()
  const { page, context } = await openPhone(browser, url)
  await page.waitForSelector('#pair')
  const found = () => event.db.read(event.accountId, tx => doors.get(tx, id))
  assert.equal((await found()).paired_at, null)
  await page.click('#pair')
  await page.waitForSelector('#start')
  assert.notEqual((await found()).paired_at, null)
  assert.equal(page.url(), `${event.app.siteUrl}/door/`)
  await context.close()
})

test('without a network the page opens, its own list decides, and what it decided is sent later', async () => {
  const { url } = await event.addDoor()
  const [good, cancelled, forged] = [await event.sell(), await event.sellFree(), await event.sell()]
  await event.client.post(`/registrations/${cancelled.id}/cancel`)
  const phone = await openDoor(browser, url)
  const { page, context } = phone
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { polling: 20 })
  await context.setOffline(true)
  await page.reload()
  await page.click('#start')
  assert.equal(await phone.give(good.code), 'admitted')
  assert.equal(await page.getAttribute('#result', 'data-own'), 'true')
  assert.equal(await page.textContent('#result .name'), 'Grace')
  assert.equal(await phone.give(good.code), 'used')
  assert.equal(await phone.give(cancelled.code), 'refused')
  assert.equal(await page.getAttribute('#result', 'data-reason'), 'registration_cancelled')
  // One code in 32 ends in an A by itself, and would stay good with it.
  const end = forged.code.endsWith('A') ? 'B' : 'A'
  assert.equal(await phone.give(forged.code.slice(0, -1) + end), 'refused')
  assert.equal(await page.getAttribute('#result', 'data-reason'), 'invalid_qr_code')
  // A code that does not verify never leaves the phone.
  assert.equal(await phone.waiting(), 3)
  await page.reload()
  await page.click('#start')
  assert.equal(await phone.give(good.code), 'used')
  assert.equal(await phone.waiting(), 4)
  await context.setOffline(false)
  await page.waitForSelector('#waiting[data-count="0"]')
  assert.ok((await inside()).includes(good.ticket))
  assert.ok(!(await inside()).includes(cancelled.ticket))
  await context.close()
})

test('the head says how many are in, here and in all, also without a network, and since when that is; the last scans say why', async t => {
  const event = await startEvent(t)
  const [first, second, elsewhere] = [await event.sell(), await event.sell(), await event.sell()]
  await event.client.post('/check-ins', { qr_code: elsewhere.code })
  const { id, url } = await event.addDoor({ name: 'North', unlisted: false })
  const phone = await openDoor(browser, url)
  const { page, context } = phone
  const isCounted = (inside: number, expected: number, here: number) =>
    page.waitForSelector(`#inside[data-inside="${inside}"][data-expected="${expected}"][data-here="${here}"]`)
  await isCounted(1, 3, 0)
  assert.equal(await phone.give(first.code), 'admitted')
  assert.equal(await (await isCounted(2, 3, 1)).textContent(), '2 of 3 in, 1 here')
  assert.equal(await page.locator('#muted').count(), 0)

  await context.setOffline(true)
  const later = await event.sell()
  assert.equal(await phone.give(second.code), 'admitted')
  await isCounted(3, 3, 2)
  assert.equal(await phone.give(later.code), 'refused')
  assert.match((await page.textContent('#result .why')) ?? '', /newer than the list on this phone/)
  assert.match((await page.textContent('#result .todo')) ?? '', /Try again where there is a network/)
  assert.equal(await phone.give(first.code), 'used')
  assert.match((await page.textContent('#network')) ?? '', /^No network since \d+:\d\d/)
  // A result leaves no room for the field, which comes back for whoever reaches it by Tab.
  const height = () => page.locator('form.code').evaluate(form => form.getBoundingClientRect().height)
  assert.equal(await height(), 1)
  await page.focus('#code')
  assert.ok((await height()) > 40)
  await page.press('#code', 'Escape')

  await page.click('.tab:nth-child(4)')
  await page.click('text=Off')
  await page.waitForSelector('#muted')
  await page.click('.tab:nth-child(3)')
  await page.waitForSelector('[data-scan]')
  const said = await page.locator('[data-scan]').allTextContents()
  assert.deepEqual(
    said.map(text => /This ticket was used before\..+First: .+ at North/.test(text)),
    [true, false, false, false],
  )
  assert.match(said[0] ?? '', /\d+:\d\d:\d\d/, 'to the second')
  assert.match(said[1] ?? '', /Not in the list of this event\./)

  await context.setOffline(false)
  await page.waitForSelector('#result[data-alarm="good"]')
  await page.click('#seen')
  await page.waitForSelector('#waiting[data-count="0"]')
  // The door is renamed, and knows what it did.
  await isCounted(3, 4, 2)
  await event.db.write(event.accountId, tx =>
    changeDoor(tx, id, { name: 'Garden', registration_type_ids: null }),
  )
  await page.waitForSelector('header >> text=Garden')
  await isCounted(3, 4, 2)
  await page.click('.tab:nth-child(1)')
  assert.equal(await phone.give(first.code), 'used')
  assert.match((await page.textContent('#result .first')) ?? '', /at this door/)
  await context.close()
})

test('who was let in without a network, and is in already, is an alarm over the whole screen at both doors', async () => {
  const ticket = await event.sell()
  const one = await openDoor(browser, (await event.addDoor({ name: 'North' })).url)
  const other = await openDoor(browser, (await event.addDoor({ name: 'South' })).url)
  await one.context.setOffline(true)
  assert.equal(await one.give(ticket.code), 'admitted')
  assert.equal(await other.give(ticket.code), 'admitted')
  await one.context.setOffline(false)
  await one.page.waitForSelector('#result[data-outcome="conflict"][data-alarm="double"]')
  assert.match((await one.page.textContent('#result .when')) ?? '', /South/)
  await other.page.waitForSelector('#result[data-outcome="conflict"][data-alarm="other"]')
  assert.match((await other.page.textContent('#result .when')) ?? '', /North/)
  assert.deepEqual(await findBarriers(one.page), [])
  // The alarm outlives the page until somebody has seen it.
  await one.page.reload()
  await one.page.waitForSelector('#result[data-alarm="double"]')
  assert.match((await one.page.textContent('#result .name')) ?? '', /Grace/)
  assert.deepEqual(await findBarriers(one.page), [])
  await one.page.click('#seen')
  await one.page.waitForSelector('#start')
  await one.page.reload()
  await one.page.waitForSelector('#start')
  assert.equal(await one.page.locator('#result[data-alarm]').count(), 0)
  await one.context.close()
  await other.context.close()
})

test('a scanner that types is read wherever the focus is, with the keys of another layout too', async () => {
  const { url } = await event.addDoor()
  const { code } = await event.sell()
  const { page, context } = await openDoor(browser, url)
  await page.focus('.tab')
  // The scanner types for QWERTY, and the system reads QWERTZ.
  const swapped: Record<string, string> = { Y: 'Z', Z: 'Y' }
  await page.evaluate(
    keys => {
      for (const [key, code] of keys) {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true }))
      }
    },
    [...[...code].map(char => [swapped[char] ?? char, codeOf(char)] as const), ['Enter', 'Enter'] as const],
  )
  await page.waitForSelector('#result[data-outcome="admitted"]')
  await context.close()
})

function codeOf(char: string): string {
  if (char === '.') return 'Period'
  return /\d/.test(char) ? `Digit${char}` : `Key${char}`
}

test('a guest is let in by name, and taken back', async () => {
  const { url } = await event.addDoor()
  const { ticket } = await event.sell({ buyer: { name: 'Zoë Ångström', email: 'zoe@example.org' } })
  const buyer = { name: 'Björk', email: 'bjork@example.org' }
  const leaving = await event.sell({ registration_type_id: event.types.Free, buyer })
  const { page, context } = await openDoor(browser, url)
  await page.click('.tab:nth-child(2)')
  await page.fill('#name', 'angs zo')
  await page.click(`[data-ticket="${ticket}"] button`)
  await page.click(`[data-ticket="${ticket}"] .main`)
  await page.waitForSelector('#result[data-outcome="admitted"]')
  assert.ok((await inside()).includes(ticket))
  await page.click('#undo')
  await page.click('#undo-confirm')
  await page.waitForSelector('#result[data-outcome="undone"]')
  await page.waitForSelector('#waiting[data-count="0"]')
  assert.ok(!(await inside()).includes(ticket))
  // Nothing of a person who is in no list any more stays on the phone.
  const kept = () =>
    page.evaluate(async () => {
      const opened = indexedDB.open('turnout-door')
      await new Promise(resolve => opened.addEventListener('success', resolve))
      const stores = ['meta', 'parts', 'changed', 'scans']
      const tx = opened.result.transaction(stores)
      const requests = stores.map(name => tx.objectStore(name).getAll())
      await new Promise(resolve => tx.addEventListener('complete', resolve))
      opened.result.close()
      return JSON.stringify(requests.map(({ result }) => result))
    })
  assert.match(await kept(), /Björk/)
  await event.client.post(`/registrations/${leaving.id}/cancel`)
  await page.click('.tab:nth-child(2)')
  await page.waitForFunction(
    () => {
      const field = document.getElementById('name') as HTMLInputElement
      field.value = 'bjork'
      field.dispatchEvent(new Event('input', { bubbles: true }))
      return document.querySelector('.panel [data-ticket]') === null
    },
    undefined,
    { polling: 100 },
  )
  await expectSoon(async () => !(await kept()).includes('Björk'))
  await context.close()
})

/** Waits some seconds, because a phone looks for changes only so often. */
async function expectSoon(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100 && !(await isSo()); tries++) await new Promise(done => setTimeout(done, 50))
  assert.ok(await isSo())
}

test('a door that was revoked sends what it holds, and its phone forgets everything', async () => {
  const { url, id } = await event.addDoor()
  const { code, ticket } = await event.sell()
  const phone = await openDoor(browser, url)
  await phone.context.setOffline(true)
  assert.equal(await phone.give(code), 'admitted')
  await event.db.write(event.accountId, tx => doors.revoke(tx, id))
  await phone.context.setOffline(false)
  await phone.page.waitForSelector('#read')
  assert.match((await phone.page.textContent('main')) ?? '', /revoked/)
  assert.ok(!(await inside()).includes(ticket))
  await phone.page.reload()
  await phone.page.waitForSelector('#read')
  await phone.context.close()
})

test('one tab scans at a time', async () => {
  const { url } = await event.addDoor()
  const { page, context } = await openDoor(browser, url)
  const second = await context.newPage()
  await second.goto(`${event.app.siteUrl}/door/`)
  await second.click('main button')
  await second.waitForSelector('#start')
  await page.waitForSelector('#code', { state: 'detached' })
  await context.close()
})

test('every screen is for everybody, on a small phone too, in Spanish too', async () => {
  const long = 'Asociación de Amigas y Amigos '.repeat(7).slice(0, 195)
  const { url } = await event.addDoor({ name: long.slice(0, 60) })
  const { code } = await event.sell({ buyer: { name: long, email: 'long@example.org' } })
  const options = { viewport: { width: 360, height: 640 }, locale: 'es-ES', colorScheme: 'dark' as const }
  const { page, context } = await openPhone(browser, url, options)
  const look = async () => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    // The colours of what is half scrolled away cannot be determined.
    await page.setViewportSize({ width: 360, height: 1600 })
    assert.deepEqual(await findBarriers(page), [])
    await page.setViewportSize({ width: 360, height: 640 })
  }
  await page.waitForSelector('#pair')
  await look()
  await page.click('#pair')
  await page.waitForSelector('#start')
  await look()
  await page.click('#start')
  await page.waitForSelector('#code')
  for (const at of [1, 2, 3, 4]) {
    await page.click(`.tab:nth-child(${at})`)
    await look()
  }
  await page.fill('#code', code)
  await page.press('#code', 'Enter')
  const result = await page.waitForSelector('#result[data-outcome="admitted"]')
  assert.match((await result.textContent()) ?? '', /Adelante/)
  await look()
  await context.close()
})

test('without JavaScript the page says what it needs', async () => {
  const { page, context } = await openPhone(browser, `${event.app.siteUrl}/door`, {
    javaScriptEnabled: false,
  })
  assert.equal(page.url(), `${event.app.siteUrl}/door/`)
  assert.match((await page.textContent('h1')) ?? '', /JavaScript/)
  const policyOf = async (path: string) => {
    const response = await fetch(`${event.app.siteUrl}/door/${path}`)
    return response.headers.get('content-security-policy') ?? ''
  }
  assert.match(await policyOf(''), /script-src 'self';/)
  // The thread that reads codes has this policy alone, in its own answer.
  const decoder = [...(await doorFiles()).keys()].find(path => path.startsWith('files/decoder.')) ?? ''
  assert.match(await policyOf(decoder), /script-src 'self' 'wasm-unsafe-eval'/)
  await context.close()
})
