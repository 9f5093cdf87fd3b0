import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { doorFiles } from '#faces/scanner/assets.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { closeBrowser, sharedBrowser } from '#test/support/browser.ts'
import { testClock } from '#test/support/clock.ts'
import { DOOR } from '#test/support/door/door.ts'
import { launchWithCamera, openDoor, openPhone, startEvent } from '#test/support/door/door-page.ts'
import { writeFrames } from '#test/support/door/fake-camera.ts'
import { hardFrames, KINDS } from '#test/support/door/hard-frames.ts'
import { openLined } from '#test/support/door/lined-phone.ts'
import { PhoneLine } from '#test/support/door/phone-line.ts'
import { startServer } from '#test/support/server.ts'
import { fill } from './fill.ts'

// node --import tsx test/bench/scanner-page.ts [--only camera,lists,queue,latency,alarm,weight] [--frames N] [--lists 5000,50000]
//
// Measures the scanner's page in Chromium with a camera that sees a film, and prints a line for each figure. It fails nothing.

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: 'camera,lists,queue,latency,alarm,weight' },
    frames: { type: 'string', default: '276' },
    lists: { type: 'string', default: '5000,50000' },
  },
})
/** Notes in the page when a scene is there, by the number in the corner of its pictures, and when a result is. */
const WATCH = `(() => {
  const watched = { seen: {}, shown: {} }
  globalThis.watched = watched
  const video = document.querySelector('video')
  const context = new OffscreenCanvas(160, 8).getContext('2d', { willReadFrequently: true })
  const look = now => {
    context.drawImage(video, 0, 0, 160, 8, 0, 0, 160, 8)
    const { data } = context.getImageData(0, 0, 160, 8)
    let number = 0
    for (let bit = 0; bit < 10; bit++) number = number * 2 + (data[(4 * 160 + bit * 16 + 8) * 4] > 128 ? 1 : 0)
    if (number > 0) watched.seen[number] ??= now
    video.requestVideoFrameCallback(look)
  }
  video.requestVideoFrameCallback(look)
  new MutationObserver(() => {
    const { ticket } = document.querySelector('#result').dataset
    if (ticket !== undefined) watched.shown[ticket] ??= performance.now()
  }).observe(document.querySelector('#result'), { attributes: true })
})()`

/** How long a picture of a code is there, and nothing after it: at 10 a second. */
const SHOWN_FRAMES = 4
const BETWEEN = 1

const folder = mkdtempSync(join(tmpdir(), 'turnout-scanner-'))
const afters: (() => unknown)[] = []
const lasting = { after: (act: () => unknown) => void afters.push(act) }
const parts: Record<string, () => Promise<void>> = {
  camera: () => measureCamera(Number(flags.frames)),
  lists: async () => {
    for (const size of flags.lists.split(',')) await measureList(Number(size))
  },
  queue: measureQueue,
  latency: measureLatency,
  alarm: measureAlarm,
  weight: measureWeight,
}
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (flags.only.split(',').includes(name)) await measure()
  }
} finally {
  await closeBrowser()
  for (const act of afters.reverse()) await act()
  rmSync(folder, { recursive: true, force: true })
}

function say(what: string, figure: string, target: string): void {
  process.stdout.write(`${what}: ${figure} (target ${target}; load ${loadavg()[0]?.toFixed(1)})\n`)
}

/** Describes the spread of numbers, which may come in any order. */
function spread(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`
}

interface Watched {
  /** The instant at which each scene of the film was first before the camera. */
  seen: Record<number, number>
  /** The instant at which the result of each ticket was there. */
  shown: Record<string, number>
}

async function measureCamera(count: number): Promise<void> {
  const event = await startEvent(lasting, {
    registration_types: [{ name: 'Standard', price: 0, capacity: 5000 }],
  })
  const tickets: { ticket: string; code: string }[] = []
  for (let at = 0; at < count; at++) tickets.push(await event.sell())
  const film = join(folder, 'film.y4m')
  const frames = [...hardFrames(tickets.map(({ code }) => code))]
  writeFrames(
    film,
    frames.map(({ dots }) => dots),
    { shownFrames: SHOWN_FRAMES, between: BETWEEN },
  )
  const browser = await launchWithCamera(film)
  try {
    const { url } = await event.addDoor()
    const { page, context } = await openDoor(browser, url, { permissions: ['camera'] })
    await page.waitForSelector('[data-camera="on"], video', { state: 'attached' })
    await page.evaluate(WATCH)
    await wait(((SHOWN_FRAMES + BETWEEN) * count * 100 * 1.05) | 0)
    const { seen, shown } = await page.evaluate<Watched>('watched')
    await context.close()
    const took: number[] = []
    const read = Object.fromEntries(KINDS.map(kind => [kind, 0]))
    for (const [at, { ticket }] of tickets.entries()) {
      const [from, to] = [seen[at + 1], shown[ticket]]
      if (to === undefined) continue
      const kind = frames[at]?.kind ?? 'small'
      read[kind] = (read[kind] ?? 0) + 1
      // The first one may have been there before anybody looked.
      if (from !== undefined && to > from) took.push(to - from)
    }
    const sum = Object.values(read).reduce((one, other) => one + other, 0)
    say(
      'frames read',
      `${sum} of ${count} ${JSON.stringify(read)}`,
      '210 of 276 in a trial with other frames',
    )
    say('from code in view to result', `${spread(took)}, of ${took.length}`, 'p95 300 ms')
  } finally {
    await browser.close()
  }
}

/** Starts a server with so many tickets, and adds a door to it. */
async function startFilled(size: number, signed: number) {
  const filled = await fill(join(folder, `filled-${size}-${signed}`), size, signed)
  const clock = Object.assign(() => Date.now(), testClock())
  const server = await startServer(lasting, { data: filled.data, clock })
  const { accountId, eventId } = filled
  const made = await server.db.write(accountId, tx =>
    doors.add(tx, { ...DOOR, event_id: eventId }, server.app.siteUrl),
  )
  return { ...server, codes: filled.codes, url: made.pairing_url }
}

async function measureList(size: number): Promise<void> {
  const { url } = await startFilled(size, 0)
  const { page, context } = await openPhone(await sharedBrowser(), url)
  await page.waitForSelector('#pair')
  const from = performance.now()
  await page.click('#pair')
  await page.waitForSelector(`#ready[data-tickets="${size}"]`)
  const took = performance.now() - from
  say(`${size} tickets ready after pairing`, `${(took / 1000).toFixed(2)} s`, size > 5000 ? '15 s' : '3 s')
  await context.close()
}

async function measureQueue(): Promise<void> {
  const { url, codes, app } = await startFilled(5000, 1000)
  const line = await PhoneLine.start(lasting, app.siteUrl)
  const phone = await openLined(await sharedBrowser(), line, line.of(url))
  line.weather = 'gone'
  for (const code of codes.slice(0, 4)) await phone.give(code)
  const rest = codes.slice(4)
  const took = await phone.page.evaluate<number>(`(async codes => {
    const result = document.querySelector('#result')
    const field = document.querySelector('#code')
    const from = performance.now()
    for (const code of codes) {
      const was = result.dataset.scan
      field.value = code
      field.form.requestSubmit()
      while (result.dataset.scan === was) await new Promise(done => setTimeout(done, 1))
    }
    return performance.now() - from
  })(${JSON.stringify(rest)})`)
  const waiting = await phone.waiting()
  const from = performance.now()
  await phone.comeBack()
  await phone.allSent()
  const sent = (performance.now() - from) / 1000
  say('a scan without a network, one after the other', `${(took / rest.length).toFixed(1)} ms`, 'none')
  say(`${waiting} scans that waited are there after`, `${sent.toFixed(2)} s`, '5 s')
  await phone.context.close()
}

async function measureLatency(): Promise<void> {
  const event = await startEvent(lasting)
  const line = await PhoneLine.start(lasting, event.app.siteUrl)
  const phone = await openLined(await sharedBrowser(), line, line.of((await event.addDoor()).url))
  const session = await phone.context.newCDPSession(phone.page)
  const slow = { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', slow)
  const took: number[] = []
  for (let scan = 0; scan < 20; scan++) {
    await phone.give((await event.sell()).code)
    took.push(Number(await phone.page.getAttribute('#result', 'data-took')))
  }
  say('a scan with 400 ms of latency', spread(took), 'p95 300 ms')
  await phone.context.close()
}

async function measureAlarm(): Promise<void> {
  const event = await startEvent(lasting)
  const browser = await sharedBrowser()
  const open = async (name: string) => {
    const line = await PhoneLine.start(lasting, event.app.siteUrl)
    return openLined(browser, line, line.of((await event.addDoor({ name })).url))
  }
  const [north, south] = await Promise.all([open('North'), open('South')])
  const took: number[] = []
  for (let round = 0; round < 5; round++) {
    const { code } = await event.sell()
    for (const phone of [north, south]) {
      phone.line.weather = 'gone'
      await phone.give(code)
    }
    const from = performance.now()
    const alarm = async (page: Page) => {
      await page.waitForSelector('#result[data-alarm]')
      took.push(performance.now() - from)
    }
    await Promise.all([north, south].map(phone => phone.comeBack()))
    await Promise.all([alarm(north.page), alarm(south.page)])
    for (const { page } of [north, south]) await page.click('#seen')
  }
  say('both doors alarm after the contact', spread(took), '2 s')
  for (const { context } of [north, south]) await context.close()
}

async function measureWeight(): Promise<void> {
  const sizes = [...(await doorFiles()).values()].map(({ gzip }) => Buffer.from(gzip, 'base64').length)
  const total = sizes.reduce((one, other) => one + other, 0)
  say('the whole page, compressed', `${(total / 1000).toFixed(1)} KB`, '500 KB')
}
