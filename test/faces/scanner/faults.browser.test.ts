import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { chromium, type Page } from 'playwright-core'
import { DAY, HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { encodeTicket, newTicketKey } from '#product/guests/attendees/ticket-code.ts'
import { closeBrowser, sharedBrowser } from '#test/support/browser.ts'
import { chromiumOptions } from '#test/support/chromium.ts'
import { openPhone, startEvent } from '#test/support/door/door-page.ts'
import { type LinedPhone, openLined, readKept } from '#test/support/door/lined-phone.ts'
import { PhoneLine, SLOW, type Weather } from '#test/support/door/phone-line.ts'
import { copyOf } from '#test/support/engine.ts'
import { diskFolder } from '#test/support/folder.ts'
import { startServer } from '#test/support/server.ts'
import { eventually } from '#test/support/webhooks.ts'

const afters: (() => unknown)[] = []
const lasting = { after: (act: () => unknown) => void afters.push(act) }
let started: ReturnType<typeof startEvent> | undefined

after(async () => {
  await closeBrowser()
  for (const act of afters.reverse()) await act()
})

/** Returns the event that all tests share, each with doors and tickets of its own. */
function theEvent(): ReturnType<typeof startEvent> {
  started ??= startEvent(lasting, {
    registration_types: [
      { name: 'Standard', price: 5000, capacity: 1000 },
      { name: 'Free', price: 0, capacity: 1000 },
      {
        ...{ name: 'Now', price: 0, capacity: 100 },
        valid_from: new Date(Date.now() - HOUR).toISOString(),
        valid_until: new Date(Date.now() + HOUR).toISOString(),
      },
    ],
  })
  return started
}

type Event = Awaited<ReturnType<typeof startEvent>>

async function openFor(t: TestContext, input: Parameters<Event['addDoor']>[0] = {}, shift = { date: 0 }) {
  const event = await theEvent()
  const { id, url } = await event.addDoor(input)
  const browser = await sharedBrowser()
  const line = await PhoneLine.start(t, event.app.siteUrl)
  const phone = await openLined(browser, line, line.of(url), { shift: { date: shift.date, steady: 0 } })
  t.after(() => phone.context.close())
  return { ...phone, event, id }
}

interface Row {
  outcome: string
  reason: string | null
  scanned_at: number
  kind: string
}

/** Returns the scans of a ticket, as the server has them. */
function scansOf({ db }: Pick<Event, 'db'>, ticket: string): Promise<Row[]> {
  const sql = 'SELECT kind, outcome, reason, scanned_at FROM scans WHERE attendee_id = $1 ORDER BY created_at'
  return db.read(INSTANCE, tx => tx.all<Row>(sql, [ticket]))
}

function marksOf({ db }: Pick<Event, 'db'>, ticket: string): Promise<{ checked_in_at: number }[]> {
  const sql = 'SELECT checked_in_at FROM check_ins WHERE attendee_id = $1'
  return db.read(INSTANCE, tx => tx.all<{ checked_in_at: number }>(sql, [ticket]))
}

/** Has the phone look for changes now, until it has a ticket on its list. */
async function hear(phone: LinedPhone, ticket: string): Promise<void> {
  await phone.comeBack()
  await eventually('the ticket is on the list', async () => (await readKept(phone.page)).includes(ticket))
}

function reasonOf({ page }: LinedPhone): Promise<string | null> {
  return page.getAttribute('#result', 'data-reason')
}

test('whatever the network does in the middle of a scan, the phone decides, and the server has it once', async t => {
  const phone = await openFor(t)
  const { event, page, line } = phone
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const scan = async (weather: Weather, code: string) => {
    line.weather = weather
    assert.equal(await phone.give(code), 'admitted', weather)
    assert.equal(await page.getAttribute('#result', 'data-own'), 'true', weather)
    const took = Number(await page.getAttribute('#result', 'data-took'))
    assert.ok(took < SLOW / 2, `${weather}: ${took} ms`)
  }
  const tickets: { ticket: string; code: string }[] = []
  for (const weather of ['gone', 'cut', 'failing', 'portal', 'led-away'] as const) {
    const ticket = await event.sell()
    tickets.push(ticket)
    await phone.comeBack()
    await page.waitForSelector('#network:not([data-net="no"])', { state: 'attached' })
    await scan(weather, ticket.code)
  }
  // The page of a portal in our place is not kept: the scanner opens as it was.
  for (const weather of ['portal', 'led-away', 'gone'] as const) {
    line.weather = weather
    await page.reload()
    await page.waitForSelector('#start')
  }
  await page.click('#start')
  const [first] = tickets
  assert.equal(await phone.give(first?.code ?? ''), 'used')
  await phone.comeBack()
  await phone.allSent()
  for (const { ticket } of tickets) {
    assert.equal((await marksOf(event, ticket)).length, 1)
    assert.equal((await scansOf(event, ticket)).filter(({ outcome }) => outcome === 'admitted').length, 1)
  }
  assert.equal(await page.locator('#result[data-alarm]').count(), 0)
})

test('an answer that is late and contrary is an alarm; an undo that overtakes its scan undoes it', async t => {
  const [phone, other] = await Promise.all([openFor(t), openFor(t)])
  const { event, page, line } = phone
  const [ticket, undone] = [await event.sell(), await event.sell()]
  line.weather = 'slow'
  other.line.weather = 'slow'
  await event.client.post('/check-ins', { qr_code: ticket.code })
  assert.equal(await phone.give(ticket.code), 'admitted')
  assert.equal(await other.give(undone.code), 'admitted')
  other.line.weather = 'good'
  await other.page.click('#undo')
  await other.page.click('#undo-confirm')
  await eventually('the undo arrives', () => other.line.arrived.some(text => text.includes('"undo"')))
  assert.deepEqual(await marksOf(event, undone.ticket), [])
  await page.waitForSelector('#result[data-alarm="double"][data-reason="already_checked_in"]')
  const { width, height } = (await page.locator('#result').boundingBox()) ?? { width: 0, height: 0 }
  assert.ok(width === 390 && height > 600, 'it has the whole screen, but for the field of a code')
  await eventually('the scan arrives too', () => other.line.arrived.some(text => text.includes(undone.code)))
  await other.allSent()
  assert.deepEqual(await marksOf(event, undone.ticket), [])
  assert.equal(await other.page.locator('#result[data-alarm]').count(), 0)
})

test('two doors without a network: one check-in, one conflict, both told; a ticket cancelled meanwhile is told too', async t => {
  const [north, south] = await Promise.all([openFor(t, { name: 'North' }), openFor(t, { name: 'South' })])
  const { event } = north
  const [shared, cancelled] = [await event.sell(), await event.sellFree()]
  await Promise.all([north, south].map(phone => hear(phone, cancelled.ticket)))
  for (const { line } of [north, south]) line.weather = 'gone'
  assert.equal(await north.give(shared.code), 'admitted')
  assert.equal(await south.give(shared.code), 'admitted')
  await event.client.post(`/registrations/${cancelled.id}/cancel`)
  assert.equal(await south.give(cancelled.code), 'admitted')
  await Promise.all([north.comeBack(), south.comeBack()])
  await Promise.all([north, south].map(({ page }) => page.waitForSelector('#result[data-alarm]')))
  assert.equal((await marksOf(event, shared.ticket)).length, 1)
  const outcomes = (await scansOf(event, shared.ticket)).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes.sort(), ['admitted', 'conflict'])
  assert.equal((await marksOf(event, cancelled.ticket)).length, 0)
  const reasons = new Set<string | null>()
  for (let alarms = 0; alarms < 2; alarms++) {
    await south.page.waitForSelector('#result[data-alarm]')
    reasons.add(await reasonOf(south))
    await south.page.click('#seen')
  }
  assert.deepEqual([...reasons].sort(), ['already_checked_in', 'registration_cancelled'])
})

test('a clock that is two hours wrong, or is set while scanning, refuses nobody and backdates nothing', async t => {
  const phone = await openFor(t, {}, { date: -2 * HOUR })
  const { event, page, line } = phone
  const tickets = [1, 2, 3].map(() => event.sell({ registration_type_id: event.types.Now }))
  const [one, two, three] = await Promise.all(tickets)
  assert.match((await page.textContent('#clock')) ?? '', /2 h/)
  await hear(phone, three?.ticket ?? '')
  line.weather = 'gone'
  const before = Date.now()
  assert.equal(await phone.give(one?.code ?? ''), 'admitted')
  for (const [ticket, date] of [
    [two, 5 * HOUR],
    [three, -3 * HOUR],
  ] as const) {
    await page.evaluate(shift => void Object.assign(globalThis.shifted, { date: shift }), date)
    assert.equal(await phone.give(ticket?.code ?? ''), 'admitted', `${date / HOUR} hours`)
  }
  await phone.comeBack()
  await phone.allSent()
  for (const ticket of [one, two, three]) {
    const [mark] = await marksOf(event, ticket?.ticket ?? '')
    const late = (mark?.checked_in_at ?? 0) - before
    assert.ok(late > -5000 && late < 30_000, `${late} ms`)
  }
})

test('what is not in the list yet is let in only where the door allows it, and no door takes what does not verify', async t => {
  const [open, closed] = await Promise.all([openFor(t), openFor(t, { unlisted: false, search: false })])
  const { event } = open
  for (const { line } of [open, closed]) line.weather = 'gone'
  const bought = await event.sell()
  const elsewhere = encodeTicket(newTicketKey(), bought.ticket)
  const key = { ...newTicketKey(), id: bought.code && keyIdOf(bought.code) }
  const forged = encodeTicket(key, bought.ticket)
  for (const phone of [open, closed]) {
    assert.equal(await phone.give(elsewhere), 'refused')
    assert.equal(await reasonOf(phone), 'wrong_event')
    for (const text of [forged, `${bought.code}=`, `${bought.code}AAAAAAAA`]) {
      assert.equal(await phone.give(text), 'refused')
      assert.equal(await reasonOf(phone), 'invalid_qr_code')
    }
    assert.equal(await phone.give(bought.code.slice(0, -1)), 'again')
    assert.equal(await reasonOf(phone), 'fragment')
    assert.equal(await phone.waiting(), 0)
  }
  assert.equal(await open.give(bought.code.toLowerCase()), 'admitted')
  assert.equal(await reasonOf(open), 'unlisted')
  assert.equal(await open.give(bought.code), 'used')
  assert.equal(await closed.give(bought.code), 'refused')
  assert.equal(await reasonOf(closed), 'not_found')
  await open.comeBack()
  await open.allSent()
  assert.equal((await marksOf(event, bought.ticket)).length, 1)
  await closed.comeBack()
  await closed.allSent()
  // The ticket was refused there before it was let in here, or after: no door needs a notice.
  assert.equal(await open.page.locator('#result[data-alarm]').count(), 0)
})

function keyIdOf(code: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...code.slice(5, 21)]
    .map(char => alphabet.indexOf(char).toString(2).padStart(5, '0'))
    .join('')
  return Number.parseInt(bits.slice(8, 40), 2).toString(16).padStart(8, '0')
}

test('with search off no name is ever on the phone, and one code typed twice is one scan', async t => {
  const phone = await openFor(t, { search: false })
  const { event, page, line } = phone
  const names = ['Wilhelmina Offenbach', 'Ottoline Morrell']
  const [online, offline] = await Promise.all(
    names.map(name => event.sell({ buyer: { name, email: 'w@example.org' } })),
  )
  const type = (code: string) =>
    page.evaluate(text => {
      for (const key of [...text, 'Enter']) {
        const code =
          key === 'Enter' ? key : key === '.' ? 'Period' : /\d/.test(key) ? `Digit${key}` : `Key${key}`
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true }))
      }
    }, code)
  await type(online?.code ?? '')
  const name = await page.waitForSelector('#result[data-outcome="admitted"] .name')
  assert.equal(await name.textContent(), names[0])
  // The row without a name comes with the next look for changes.
  assert.doesNotMatch(await readKept(page), /Wilhelmina/)
  await type(online?.code ?? '')
  await page.waitForSelector('#result[data-outcome="again"][data-reason="just_read"]')
  assert.equal((await scansOf(event, online?.ticket ?? '')).length, 1)
  await hear(phone, offline?.ticket ?? '')
  line.weather = 'gone'
  assert.equal(await phone.give(offline?.code ?? ''), 'admitted')
  await page.click('.tab:nth-child(3)')
  await page.waitForSelector('text=not sent yet')
  await phone.comeBack()
  await phone.allSent()
  await page.waitForTimeout(1600)
  // The open list shows it too.
  assert.equal(await page.locator('text=not sent yet').count(), 0)
  const kept = await readKept(page)
  assert.match(kept, new RegExp(offline?.ticket ?? ''))
  assert.doesNotMatch(kept, /Wilhelmina|Ottoline|Grace/)
})

test('a scanner that types into the field, and stops for a moment within a code, is read all the same', async t => {
  const phone = await openFor(t)
  const { event, page } = phone
  const { code, ticket } = await event.sell()
  await page.focus('#code')
  await page.keyboard.type(code.slice(0, 70))
  await page.waitForTimeout(200)
  await page.keyboard.type(code.slice(70))
  await page.keyboard.press('Enter')
  await page.waitForSelector('#result[data-outcome]')
  assert.equal(await page.getAttribute('#result', 'data-ticket'), ticket)
  assert.equal(await page.inputValue('#code'), '')
})

test('a scanner that sends no Enter and stops for most of a second is read, wherever the focus is; half a code is to be read again', async t => {
  const phone = await openFor(t)
  const { event, page } = phone
  const [first, second] = [await event.sell(), await event.sell()]
  const outcome = () => page.getAttribute('#result', 'data-outcome')
  await page.click('.tab:nth-child(2)')
  await page.type('#name', 'Ad', { delay: 150 })
  await page.keyboard.type(first.code.slice(0, 70))
  await page.waitForTimeout(600)
  await page.keyboard.type(first.code.slice(70))
  await page.waitForSelector(`#result[data-outcome="admitted"][data-ticket="${first.ticket}"]`)
  // Whoever comes with the same ticket is not shown the admission of the guest before.
  await page.keyboard.type(first.code)
  await page.waitForSelector('#result[data-outcome="again"][data-reason="just_read"]')
  await page.focus('#code')
  await page.keyboard.type(second.code.slice(0, 90))
  await page.waitForSelector('#result[data-outcome="again"][data-reason="fragment"]')
  assert.equal(await page.inputValue('#code'), '')
  await page.keyboard.type(second.code)
  await page.waitForSelector(`#result[data-outcome="admitted"][data-ticket="${second.ticket}"]`)
  assert.equal((await scansOf(event, first.ticket)).length, 1)
  // A person who types a name, and stops for a while, keeps it.
  await page.click('.tab:nth-child(2)')
  await page.type('#name', 'Bartholomew', { delay: 110 })
  await page.waitForTimeout(1_200)
  await page.keyboard.press('Enter')
  assert.equal(await page.inputValue('#name'), 'Bartholomew')
  assert.equal(await outcome(), null)
})

test('who was taken back is let in again by the same code at once, and without a network that is no alarm later', async t => {
  const phone = await openFor(t)
  const { event, page, line } = phone
  const [first, second] = [await event.sell(), await event.sell()]
  const takeBack = async () => {
    await page.click('#undo')
    await page.click('#undo-confirm')
    await page.waitForSelector('#result[data-outcome="undone"]')
  }
  const admitted = (ticket: string) =>
    page.waitForSelector(`#result[data-outcome="admitted"][data-ticket="${ticket}"]`)
  await page.keyboard.type(first.code)
  await admitted(first.ticket)
  await takeBack()
  await page.keyboard.type(first.code)
  await admitted(first.ticket)
  await phone.allSent()
  assert.equal((await marksOf(event, first.ticket)).length, 1)

  await hear(phone, second.ticket)
  line.weather = 'gone'
  await event.client.post('/check-ins', { qr_code: second.code })
  assert.equal(await phone.give(second.code), 'admitted')
  await takeBack()
  line.weather = 'good'
  await phone.comeBack()
  await phone.allSent()
  await page.waitForTimeout(2_500)
  assert.equal(await page.locator('#result[data-alarm]').count(), 0, 'there is nobody to look for')
  assert.equal((await marksOf(event, second.ticket)).length, 1, 'the other admission stands')
})

test('a name in the field for codes is no forgery, and a code that comes while an alarm stands is said to be unread', async t => {
  const phone = await openFor(t, { name: 'South' })
  const { event, page, line } = phone
  for (const [text, words] of [
    ['Igor Lang', /no code\. Names are looked up under Search/],
    ['ABC-123', /wrong or was forged/],
  ] as const) {
    assert.equal(await phone.give(text), 'refused')
    assert.equal(await reasonOf(phone), 'invalid_qr_code')
    assert.match((await page.textContent('#result .why')) ?? '', words)
  }
  const [twice, next] = [await event.sell(), await event.sell()]
  await hear(phone, twice.ticket)
  line.weather = 'gone'
  await event.client.post('/check-ins', { qr_code: twice.code })
  assert.equal(await phone.give(twice.code), 'admitted')
  line.weather = 'good'
  await phone.comeBack()
  await page.waitForSelector('#result[data-alarm="double"]')
  await page.keyboard.type(next.code)
  await page.waitForSelector('#result >> text=was not read')
  assert.deepEqual(await scansOf(event, next.ticket), [])
  await page.click('#seen')
  await page.keyboard.type(next.code)
  await page.waitForSelector(`#result[data-outcome="admitted"][data-ticket="${next.ticket}"]`)
})

test('a full storage is told, and nobody is let in whom nothing would remember', async t => {
  const phone = await openFor(t)
  const { event, page, line } = phone
  const [alone, other, later] = [await event.sell(), await event.sell(), await event.sell()]
  await hear(phone, later.ticket)
  await page.evaluate(() => {
    const { prototype } = IDBObjectStore
    const { put } = prototype
    const full = { is: true }
    Object.assign(globalThis, { full })
    prototype.put = function (this: IDBObjectStore, ...given) {
      if (full.is) throw new DOMException('no room', 'QuotaExceededError')
      return put.apply(this, given)
    }
  })
  assert.equal(await phone.give(other.code), 'admitted')
  await page.waitForSelector('#storage', { state: 'attached' })
  assert.equal((await marksOf(event, other.ticket)).length, 1)
  line.weather = 'gone'
  assert.equal(await phone.give(alone.code), 'refused')
  assert.equal(await reasonOf(phone), 'storage_full')
  await phone.comeBack()
  await phone.allSent()
  assert.deepEqual(await marksOf(event, alone.ticket), [])
  await page.evaluate(() => Object.assign((globalThis as unknown as { full: object }).full, { is: false }))
  line.weather = 'gone'
  assert.equal(await phone.give(later.code), 'admitted')
})

test('a door that was revoked without a network sends what it holds, and nothing stays on its phone', async t => {
  const phone = await openFor(t)
  const { event, page, line, id } = phone
  const ticket = await event.sell()
  await hear(phone, ticket.ticket)
  line.weather = 'gone'
  assert.equal(await phone.give(ticket.code), 'admitted')
  await event.db.write(event.accountId, tx => doors.revoke(tx, id))
  assert.match(await readKept(page), /Grace/)
  await phone.comeBack()
  await page.waitForSelector('#read')
  assert.deepEqual(await marksOf(event, ticket.ticket), [])
  const [scan] = await scansOf(event, ticket.ticket)
  assert.deepEqual([scan?.outcome, scan?.reason], ['held', 'device_revoked'])
  const { meta, ...others } = JSON.parse(await readKept(page))
  assert.deepEqual(others, { parts: [], changed: [], scans: [] })
  assert.ok(meta.every(([key]: [string]) => key === 'settings'))
})

test('the list is gone a day after its last validity, while the page is open and when it is opened, and what waits is sent', async t => {
  const phone = await openFor(t)
  const { event, page, line } = phone
  const ticket = await event.sell()
  await hear(phone, ticket.ticket)
  line.weather = 'gone'
  assert.equal(await phone.give(ticket.code), 'admitted')
  const pass = (milliseconds: number) =>
    page.evaluate(time => {
      globalThis.shifted.date += time
      globalThis.shifted.steady += time
    }, milliseconds)
  await pass((await lastValidity(page)) + DAY - HOUR - Date.now())
  await page.waitForTimeout(1500)
  assert.match(await readKept(page), /Grace/)
  await pass(2 * HOUR)
  await page.waitForSelector('#code', { state: 'detached' })
  const kept = await readKept(page)
  assert.doesNotMatch(kept, /Grace/)
  assert.match(kept, new RegExp(ticket.code))
  await phone.comeBack()
  await page.waitForSelector('#read')
  assert.equal((await marksOf(event, ticket.ticket)).length, 1)
  assert.doesNotMatch(await readKept(page), /SVC1/)
})

/** Returns the last instant at which the list on a phone admits anybody. */
async function lastValidity(page: Page): Promise<number> {
  const [, head] = JSON.parse(await readKept(page)).meta.find(([key]: [string]) => key === 'head')
  const ends = [head.event.ends_at, ...head.types.map((type: { valid_until: string }) => type.valid_until)]
  return Math.max(...ends.map(end => Date.parse(end)))
}

test('a phone that was killed has what it scanned', { timeout: 60_000 }, async t => {
  const event = await theEvent()
  const { url } = await event.addDoor()
  const tickets = [await event.sell(), await event.sell()]
  const profile = diskFolder(t)
  const open = () => chromium.launchPersistentContext(profile, chromiumOptions())
  const first = await open()
  const phone = await openPhone({ newContext: async () => first }, url)
  await phone.page.click('#pair')
  await phone.page.click('#start')
  await phone.page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await first.setOffline(true)
  for (const { code } of tickets) assert.equal(await phone.give(code), 'admitted')
  const session = await (first.browser() ?? assert.fail('no browser')).newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const pid = processInfo.find(({ type }) => type === 'browser')?.id ?? assert.fail('no process')
  const isGone = new Promise(resolve => first.on('close', resolve))
  process.kill(pid, 'SIGKILL')
  await isGone
  const second = await open()
  await second.setOffline(true)
  const again = await openPhone({ newContext: async () => second }, `${event.app.siteUrl}/door/`)
  await again.page.waitForSelector('#waiting[data-count="2"]')
  await second.setOffline(false)
  await again.page.waitForSelector('#waiting[data-count="0"]')
  for (const { ticket } of tickets) assert.equal((await marksOf(event, ticket)).length, 1)
  await second.close()
})

test('a server that was restarted, or restored from a backup of an hour ago, gets all again: nothing doubled, nothing lost', async t => {
  const event = await startEvent(t)
  const { url } = await event.addDoor()
  const line = await PhoneLine.start(t, event.app.siteUrl)
  const phone = await openLined(await sharedBrowser(), line, line.of(url))
  t.after(() => phone.context.close())
  // It is the first ticket of the event, and the phone has its key all the same.
  const tickets = await Promise.all([1, 2, 3, 4].map(() => event.sell()))
  const [a, b, c, d] = tickets.map(({ code }) => code) as [string, string, string, string]
  assert.equal(await phone.give(a), 'admitted')
  await phone.allSent()
  const data = await copyOf(t, event.data)
  assert.equal(await phone.give(b), 'admitted')
  await phone.allSent()
  line.weather = 'gone'
  assert.equal(await phone.give(c), 'admitted')
  const restored = await startServer(t, { data, clock: event.clock })
  line.leadTo(restored.app.siteUrl)
  await phone.comeBack()
  await eventually('all of them arrive again', async () => {
    const marks = await Promise.all(tickets.map(({ ticket }) => marksOf(restored, ticket)))
    return marks.flat().length === 3
  })
  await phone.allSent()
  for (const { ticket } of tickets.slice(0, 3)) assert.equal((await scansOf(restored, ticket)).length, 1)
  assert.equal(await phone.give(b), 'used')
  await phone.allSent()
  const sent = line.arrived.length
  line.weather = 'gone'
  await restored.app.close()
  assert.equal(await phone.give(d), 'admitted')
  const again = await startServer(t, { data, clock: event.clock })
  line.leadTo(again.app.siteUrl)
  await phone.comeBack()
  await phone.allSent()
  assert.equal((await marksOf(again, tickets[3]?.ticket ?? '')).length, 1)
  for (const text of line.arrived.slice(sent)) assert.ok(!text.includes(a), 'it has all of that')
  assert.equal(await phone.page.locator('#result[data-alarm]').count(), 0)
})
