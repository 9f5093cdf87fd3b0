import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DoorClock } from '#faces/scanner/page/clock.ts'
import type { CopyAnswer, ScanItem, ScanResult, TicketRow } from '#faces/scanner/page/contract.ts'
import { Copy } from '#faces/scanner/page/copy.ts'
import { Patience } from '#faces/scanner/page/decide.ts'
import { Decoder } from '#faces/scanner/page/decoder.ts'
import { Holding } from '#faces/scanner/page/holding.ts'
import { watchInstalling } from '#faces/scanner/page/installing.ts'
import { watchOffline } from '#faces/scanner/page/offline.ts'
import { ScanQueue } from '#faces/scanner/page/queue.ts'
import { ScanList } from '#faces/scanner/page/scan-list.ts'
import { Scanning } from '#faces/scanner/page/scanning.ts'
import { Server } from '#faces/scanner/page/server.ts'
import type { State } from '#faces/scanner/page/state.ts'
import { type Alarm, type KeptAlarms, Store, type StoredScan } from '#faces/scanner/page/store.ts'

// These tests look at the phone between each two steps of the scanner's page: it then has what a phone has that was killed there.

const at = '2026-11-22T12:00:00.000Z'
/** A scan that waits. */
const item = {
  scan_id: 's',
  kind: 'scan',
  code: 'c',
  at,
  offset: 0,
  shown: 'admitted',
  reason: null,
} as const
const device = { id: 'd', name: 'North', search: true, unlisted: false }
const row: TicketRow = ['t', 'day', 'ok', 'Zoë', null, false, null, null]
const event = { id: 'e', title: 'E', timezone: 'UTC', starts_at: null, ends_at: null }
const type = { id: 'day', name: 'Day', valid_from: null, valid_until: null, admitted_here: true }
const answerOf = (epoch: string, cursor = '1'): CopyAnswer => ({
  ...{ epoch, cursor, now: at, event, keys: [], types: [type], tickets: [row] },
})
const admitted = (scan_id: string): ScanResult => ({
  ...{ scan_id, outcome: 'admitted', reason: null, check_in_id: 'chk_1', first: null },
  ticket: Object.assign([...row], { 6: at, 7: 'North' }) as TicketRow,
})

/** A storage whose writes of what was shown end when a test lets them, and which says what was done, in order. */
class SlowStore {
  readonly scans = new Map<string, StoredScan>()
  readonly done: string[] = []
  alarms: KeptAlarms | undefined
  write: () => Promise<unknown> = async () => {}

  async saveScans(scans: readonly StoredScan[]): Promise<void> {
    if (scans.some(({ shown }) => shown !== null)) await this.write()
    for (const scan of scans) this.scans.set(scan.scan_id, scan)
  }
  async reopenScans(): Promise<StoredScan[]> {
    this.done.push('scans wait')
    const again = [...this.scans.values()].map((scan): StoredScan => ({ ...scan, acknowledged: 0 }))
    for (const scan of again) this.scans.set(scan.scan_id, scan)
    return again
  }
  async waitingScans(): Promise<StoredScan[]> {
    return [...this.scans.values()].filter(({ acknowledged }) => acknowledged === 0)
  }
  async lastScans(): Promise<StoredScan[]> {
    return [...this.scans.values()].reverse().slice(0, 1)
  }
  async findScan(id: string): Promise<StoredScan | undefined> {
    return this.scans.get(id)
  }
}

/** Opens a page that scans, before a server that answers what a test says. */
async function scanner(isReached: boolean) {
  const store = new SlowStore()
  const queue = new ScanQueue(store)
  await queue.load()
  const copy = new Copy(device)
  copy.replace(answerOf('a'), 0)
  const clocks = { date: () => Date.parse(at), steady: () => 0 }
  const clock = new DoorClock(clocks)
  const server = new Server(clock, clocks.steady)
  server.send = async ([item]: readonly ScanItem[]) => {
    if (!isReached) throw new Error('no network')
    return { epoch: 'a', now: at, results: [admitted(item?.scan_id as string)] }
  }
  let ids = 0
  const nothing = () => {}
  const scanning = new Scanning({
    ...{ clock, date: clocks.date, newId: () => `s${++ids}`, server, patience: new Patience() },
    ...{ queue: () => queue, copy: () => copy, sendSoon: nothing, onAnswer: nothing, onLate: nothing },
    ...{ onRefusal: nothing, onStored: nothing },
  })
  const scan = () => scanning.scan({ ticketId: 't', code: 'SVC1.CODE' })
  return { store, queue, copy, scan }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('a ticket that is shown twice while the disk is slow is let in once', async () => {
  const { store, scan } = await scanner(false)
  let write = () => {}
  store.write = () => new Promise<void>(resolve => (write = resolve))
  const first = scan()
  await turn()
  const letFirst = write
  const second = scan()
  await turn()
  letFirst()
  write()
  assert.deepEqual([(await first).outcome, (await second).outcome], ['admitted', 'refused'])
  // A scan that could not be kept let nobody in, and may be made again.
  const { store: full, scan: scanFull } = await scanner(false)
  full.write = () => Promise.reject(new Error('full'))
  assert.equal((await scanFull()).reason, 'storage_full')
  full.write = async () => {}
  assert.equal((await scanFull()).outcome, 'admitted')
})

test('a scan that was answered is not sent as one that nobody has seen, before or after what was shown is kept', async () => {
  const { store, queue, scan } = await scanner(true)
  let write = () => {}
  store.write = () => new Promise<void>(resolve => (write = resolve))
  const shown = scan()
  await turn()
  assert.deepEqual(queue.batch(), [], 'the disk is at work')
  write()
  assert.equal((await shown).outcome, 'admitted')
  assert.deepEqual(queue.batch(), [])
  assert.deepEqual([store.scans.get('s1')?.shown, queue.count], ['admitted', 0])
})

test('a guest who was let in as the disk became full stays in', async () => {
  const { store, queue, scan } = await scanner(true)
  store.write = () => Promise.reject(new Error('full'))
  assert.equal((await scan()).outcome, 'admitted')
  // The disk says that nobody was shown anything, which another launch would tell the server.
  assert.equal(store.scans.get('s1')?.shown, null)
  assert.deepEqual(
    queue.batch().map(({ shown }) => shown),
    ['admitted'],
  )
})

test('what has changed while it was being acknowledged waits on', async () => {
  const { store, queue } = await scanner(true)
  const scan = queue.make(item, 't')
  await queue.keep(scan)
  let write = () => {}
  store.write = () => new Promise<void>(resolve => (write = resolve))
  const acknowledged = queue.acknowledge([scan], [admitted('s')])
  await turn()
  store.write = async () => {}
  await queue.keep({ ...scan, outcome: 'undone' })
  write()
  await acknowledged
  assert.equal(queue.count, 1)
})

/** Opens a paired phone with a storage and a server of the test. */
async function hold(
  t: TestContext,
  answer: (path: string, body: { scans?: readonly ScanItem[] }) => object,
  onAlarm: (alarm: Alarm) => void = () => {},
  {
    event: kept = event,
    clocks = { steady: 0 },
  }: { event?: CopyAnswer['event']; clocks?: { steady: number } } = {},
) {
  const store = new SlowStore()
  const done = (what: string) => async () => void store.done.push(what)
  const loaded = {
    pairing: { token: 'token', device, epoch: 'a' },
    settings: {},
    head: { ...answerOf('a'), event: kept, heardAt: Date.parse(at) },
    tickets: new Map([[row[0], row]]),
  }
  Object.assign(store, {
    load: async () => ({ ...loaded, alarms: store.alarms }),
    saveAlarms: async (alarms: KeptAlarms) => {
      store.alarms = structuredClone(alarms)
      store.done.push('alarms kept')
    },
    savePairing: done('pairing kept'),
    saveCopy: done('copy kept'),
    saveChanges: done('cursor kept'),
    saveSettings: done('settings kept'),
    wipeCopy: async (before?: object) => {
      store.done.push('copy wiped')
      if (before !== undefined) return
      for (const [id, { acknowledged }] of store.scans) if (acknowledged === 1) store.scans.delete(id)
    },
    forgetPairing: done('pairing forgotten'),
    wipe: async (others: readonly StoredScan[]) => {
      store.scans.clear()
      await store.saveScans(others)
    },
  })
  t.mock.method(Store, 'open', async () => store)
  const requests: string[] = []
  t.mock.method(globalThis, 'fetch', async (path: string, { headers, body }: RequestInit) => {
    requests.push(`${path} ${(headers as Record<string, string>).Authorization}`)
    return Response.json(answer(path, JSON.parse(String(body ?? '{}'))), {
      status: path === '/door/pair' ? 201 : 200,
    })
  })
  const nothing = () => {}
  const launch = () => {
    const holding = new Holding({
      ...{
        date: () => Date.parse(at) + clocks.steady,
        steady: () => clocks.steady,
        isSeen: () => true,
        onChange: nothing,
      },
      ...{ onAlarm, onReach: nothing, onStorageFull: nothing },
    })
    t.after(() => holding.sync.stop())
    return holding
  }
  return { holding: launch(), store, requests, launch }
}

test('scans wait again before the epoch of a restored server is kept', async t => {
  const { holding, store } = await hold(t, () => ({ ...answerOf('b'), more: false, notices: [] }))
  await holding.open(() => {})
  while (!store.done.includes('pairing kept')) await turn()
  assert.ok(store.done.indexOf('scans wait') < store.done.indexOf('pairing kept'))
  assert.ok(store.done.includes('scans wait'))
})

test('a phone that a restored server does not know sends all its scans again once it is paired with their event', async t => {
  for (const [eventId, epoch, count] of [
    ['e', 'b', 1],
    ['e', 'a', 0],
    ['other', 'b', 0],
  ] as const) {
    const answer = (path: string) => {
      if (path === '/door/pair')
        return { token: 'new', device: { ...device, event_id: eventId }, epoch, now: at }
      return { ...answerOf('a'), more: false, notices: [] }
    }
    const { holding, store } = await hold(t, answer)
    await holding.open(() => {})
    await holding.queue.keep({ ...holding.queue.make(item, 't'), acknowledged: 1 })
    await holding.takeRefusal('invalid_device')
    await holding.pair('secret')
    holding.sync.stop()
    assert.equal(holding.waiting, count, `${eventId} ${epoch}`)
    assert.equal(store.scans.has('s'), eventId === 'e')
    t.mock.restoreAll()
  }
})

test('a list ends by the date of the phone alone where the server does not tell another', async t => {
  for (const isReached of [true, false]) {
    const ended = { ...event, ends_at: '2026-11-20T12:00:00.000Z' }
    const clocks = { steady: 0 }
    const answer = () => {
      if (!isReached) throw new Error('no network')
      return { ...answerOf('a'), event: ended, now: '2026-11-19T12:00:00.000Z', more: false, notices: [] }
    }
    const { holding, store } = await hold(t, answer, undefined, { event: ended, clocks })
    await holding.open(() => {})
    assert.equal(store.done.includes('copy wiped'), false)
    for (let count = 0; count < 20; count++) await turn()
    clocks.steady = 16_000
    await holding.endInTime()
    holding.sync.stop()
    assert.equal(store.done.includes('copy wiped'), !isReached)
    t.mock.restoreAll()
  }
})

test('an alarm is told before the cursor is kept, after which it does not come again', async t => {
  const notice = { scan_id: 's9', outcome: 'conflict', ticket: 't', at, door: 'South' }
  const changes = { ...answerOf('a', '2'), more: false, notices: [notice] }
  let store: SlowStore | undefined
  const opened = await hold(
    t,
    () => changes,
    () => void store?.done.push('alarm'),
  )
  store = opened.store
  await opened.holding.open(() => {})
  while (!store.done.includes('cursor kept')) await turn()
  assert.deepEqual(store.done.slice(0, 3), ['alarm', 'alarms kept', 'cursor kept'])
})

test('an alarm outlives the page until somebody has seen it, and is told once, whatever brings it again', async t => {
  const notice = { scan_id: 's9', outcome: 'conflict', ticket: 't', at, door: 'South' } as const
  const answer = { ...answerOf('a', '2'), more: false, notices: [notice] }
  const alarms: string[] = []
  const opened = await hold(
    t,
    () => answer,
    ({ scanId }) => void alarms.push(scanId),
  )
  const { holding, store } = opened
  await holding.open(() => {})
  while (!store.done.includes('cursor kept')) await turn()
  holding.sync.stop()
  assert.equal(JSON.stringify(store.alarms).includes('Zoë'), false, 'names are in the list alone')
  const killed = opened.launch()
  await killed.open(() => {})
  killed.sync.stop()
  assert.deepEqual(
    killed.alarms.standing.map(({ scanId, row }) => [scanId, row?.[3]]),
    [['s9', 'Zoë']],
  )
  await killed.alarms.confirm()
  const again = opened.launch()
  await again.open(() => {})
  await again.fetchCopy()
  again.sync.stop()
  assert.deepEqual([again.alarms.standing, alarms], [[], ['s9']])
})

test('a list brings the alarms that nobody was told, before it is kept', async t => {
  const alarms: (readonly [string, string])[] = []
  const about = { reason: 'already_checked_in', ticket: 't', at, first: { at, door: 'South' } } as const
  const notices = [
    { ...about, scan_id: 's1', outcome: 'conflict', door: 'North' },
    { ...about, scan_id: 's8', outcome: 'conflict', door: 'North' },
    { ...about, scan_id: 's9', outcome: 'conflict', door: 'South' },
  ] as const
  const { holding, store } = await hold(
    t,
    () => ({ ...answerOf('a', '2'), notices: [...notices] }),
    ({ kind, scanId }) => {
      alarms.push([kind, scanId])
      store.done.push('alarm')
    },
  )
  await holding.open(() => {})
  holding.sync.stop()
  const item = { kind: 'scan', code: 'c', at, offset: 0, shown: 'admitted', reason: null } as const
  await holding.queue.keep({ ...holding.queue.make({ ...item, scan_id: 's1' }, 't'), acknowledged: 1 })
  await holding.fetchCopy()
  assert.deepEqual(alarms, [
    ['double', 's1'],
    ['double', 's8'],
    ['other', 's9'],
  ])
  assert.ok(store.done.lastIndexOf('alarm') < store.done.indexOf('copy kept'))
  assert.equal(store.scans.get('s1')?.outcome, 'conflict')
})

test('a guest whom an old list refused, and whose ticket was good, is an alarm, once', async t => {
  const alarms: string[] = []
  const { holding } = await hold(
    t,
    () => ({ ...answerOf('a', '2'), more: false }),
    ({ kind, row }) => void alarms.push(`${kind} ${row?.[3]}`),
  )
  await holding.open(() => {})
  holding.sync.stop()
  const ask = async (
    scan_id: string,
    reason: string,
    ticket: TicketRow,
    first: StoredScan['first'] = null,
  ) => {
    const item = { scan_id, kind: 'scan', code: 'c', at, offset: 0, shown: 'refused', reason } as const
    const scan = { ...holding.queue.make(item, ticket[0]), first }
    const result = { ...admitted(scan_id), outcome: 'refused', reason: null, ticket } as const
    await holding.queue.keep(scan)
    await holding.hearing.takeResults([scan], { epoch: 'a', now: at, results: [result] })
    // The server was restored.
    await holding.hearing.takeResults([{ ...scan, outcome: 'refused' }], {
      epoch: 'a',
      now: at,
      results: [result],
    })
  }
  const but = (place: number, value: unknown) => Object.assign([...row], { [place]: value }) as TicketRow
  await ask('s1', 'dismissed', row)
  await ask('s2', 'registration_not_confirmed', but(2, 'unpaid'))
  await ask('s3', 'already_checked_in', but(6, at))
  await ask('s4', 'already_checked_in', row, { at, door: device.name })
  holding.copy.mark('t', { scanId: 's0', at })
  await ask('s5', 'already_checked_in', row)
  holding.copy.unmark('t', 's0')
  assert.deepEqual(alarms, [])
  await ask('s6', 'registration_not_confirmed', row)
  assert.deepEqual(alarms, ['good Zoë'])
  // Without a list nobody knows when its type is valid.
  holding.copy = new Copy(device)
  await ask('s7', 'not_valid_today', row)
  assert.equal(alarms.length, 1)
})

test('an alarm is kept before the scan that it is about is listed', async t => {
  const conflict = { ...admitted('s'), outcome: 'conflict', reason: 'already_checked_in' } as const
  const { holding, store } = await hold(t, () => ({ ...answerOf('a', '2'), more: false }))
  await holding.open(() => {})
  holding.sync.stop()
  const item = { kind: 'scan', code: 'c', at, offset: 0, shown: 'admitted', reason: null } as const
  await holding.queue.keep(holding.queue.make({ ...item, scan_id: 's' }, 't'))
  store.write = () => Promise.reject(new Error('killed'))
  const sent = holding.queue.batch()
  await holding.hearing.takeResults(sent, { epoch: 'a', now: at, results: [conflict] }).catch(() => undefined)
  assert.deepEqual([store.alarms?.standing.length, store.scans.get('s')?.acknowledged], [1, 0])
})

test('what waits is sent by its own token before the phone is paired anew', async t => {
  const { holding, store, requests } = await hold(t, path => {
    if (path === '/door/pair')
      return { token: 'other', device: { ...device, event_id: 'e' }, epoch: 'a', now: at }
    if (path === '/door/scans') return { epoch: 'a', now: at, results: [admitted('s')] }
    return { ...answerOf('a'), more: false, notices: [] }
  })
  await holding.open(() => {})
  await holding.queue.keep(holding.queue.make(item, 't'))
  await holding.pair('secret')
  const sent = requests.filter(path => /scans|pair/.test(path))
  assert.deepEqual(sent, ['/door/scans Bearer token', '/door/pair Bearer token'])
  assert.equal(store.scans.get('s')?.acknowledged, 1)
})

test('scans that wait for one event never go to another, and wait for theirs', async t => {
  let eventId = 'e'
  const posted: string[] = []
  const answer = (path: string, { scans = [] }: { scans?: readonly ScanItem[] }) => {
    if (path === '/door/pair')
      return { token: `of ${eventId}`, device: { ...device, event_id: eventId }, epoch: 'a', now: at }
    for (const { scan_id } of scans) posted.push(`${scan_id} to ${eventId}`)
    if (path === '/door/scans')
      return { epoch: 'a', now: at, results: scans.map(({ scan_id }) => admitted(scan_id)) }
    return { ...answerOf('a'), event: { ...event, id: eventId }, more: false, notices: [] }
  }
  const { holding, store } = await hold(t, answer)
  await holding.open(() => {})
  const item = { kind: 'scan', code: 'c', at, offset: 0, shown: 'admitted', reason: null } as const
  await holding.queue.keep(holding.queue.make({ ...item, scan_id: 's1' }, 't'))
  await holding.takeRefusal('invalid_device')
  assert.deepEqual([holding.waiting, holding.others], [1, 0])
  eventId = 'other'
  await holding.pair('secret')
  assert.deepEqual([holding.waiting, holding.others], [0, 1])
  await holding.queue.keep(holding.queue.make({ ...item, scan_id: 's2' }, 't2'))
  await holding.sync.send()
  assert.deepEqual(posted, ['s2 to other'])
  // This holds even if the other door is revoked, or its event is over.
  await holding.takeRefusal('device_revoked')
  assert.deepEqual([...store.scans.keys()], ['s1'])
  assert.deepEqual([holding.pairing, holding.waiting], [undefined, 1])
  eventId = 'e'
  await holding.pair('secret')
  await holding.sync.send()
  assert.deepEqual([posted.at(-1), holding.waiting, holding.others], ['s1 to e', 0, 0])
})

test('a reader of codes that did not arrive is asked for again by the next start', async t => {
  let isReached = false
  class FakeWorker {
    readonly #failure = isReached ? undefined : 'no network'
    onmessage: (event: object) => void = () => {}
    postMessage({ id }: { id: number }) {
      setImmediate(() => this.onmessage({ data: { id, texts: [], failure: this.#failure } }))
    }
    terminate() {}
  }
  const fakes = {
    Worker: FakeWorker,
    ImageData: class {
      data = new Uint8ClampedArray(4)
    },
    DECODER_ADDRESS: '/door/files/decoder.js',
  }
  Object.assign(globalThis, fakes)
  t.after(() => {
    for (const name of Object.keys(fakes)) Reflect.deleteProperty(globalThis, name)
  })
  const decoder = new Decoder()
  const picture = { data: new Uint8ClampedArray(4) } as ImageData
  await assert.rejects(decoder.start())
  isReached = true
  await decoder.start()
  assert.deepEqual(await decoder.read(picture), [])
})

test('after a jump of the date the next round trip tells the time, however slow it is', () => {
  const now = { date: Date.parse(at), steady: 0 }
  const clock = new DoorClock({ date: () => now.date, steady: () => now.steady })
  clock.learn(0, 10, now.date + 5)
  // A lid was shut for an hour, and the page got no event of it.
  now.steady = 1_000
  now.date += 3_601_000
  clock.look()
  now.steady = 2_000
  now.date += 1_000
  clock.learn(1_900, 2_000, now.date - 50)
  assert.ok(Math.abs(clock.now() - now.date) < 100)
})

test('a new version of the page begins once nobody scans and no alarm stands', t => {
  const worker = Object.assign(new EventTarget(), {
    controller: {},
    ready: Promise.resolve(),
    register: async () => {},
  })
  let reloads = 0
  const place = { hash: '', reload: () => void reloads++ }
  const fakes = { navigator: { serviceWorker: worker }, location: place }
  for (const [name, value] of Object.entries(fakes)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { value, configurable: true })
    t.after(() => {
      if (before === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, before)
    })
  }
  const state = {
    ...{ phase: 'scanning', alarms: [], camera: { state: 'off' } },
    pairing: { secret: undefined, fault: undefined, isBusy: false },
  } as unknown as State
  const door = { state, set: () => {} }
  const look = watchOffline(door)
  const become = (part: Partial<State>) => {
    door.state = { ...door.state, ...part }
    look()
  }
  become({ phase: 'ready' })
  assert.equal(reloads, 0, 'there is no new version')
  become({ phase: 'scanning' })
  worker.dispatchEvent(new Event('controllerchange'))
  become({ screen: 'settings', alarms: [{} as Alarm] })
  become({ phase: 'ready' })
  become({ phase: 'scanning', alarms: [] })
  assert.equal(reloads, 0, 'somebody scans')
  become({ phase: 'ready' })
  become({ phase: 'ready' })
  assert.equal(reloads, 1)
})

test('the page installs itself by its own button where the browser offers it, once an offer', () => {
  const page = new EventTarget()
  let install: (() => void) | undefined
  let isInstalled: boolean | undefined
  watchInstalling(
    {
      set: part => {
        if ('install' in part) install = part.install
        isInstalled = part.isInstalled
      },
    },
    page,
  )
  let prompts = 0
  const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: async () => void prompts++,
  })
  page.dispatchEvent(offer)
  assert.ok(offer.defaultPrevented)
  install?.()
  assert.deepEqual([prompts, install], [1, undefined])
  page.dispatchEvent(new Event('appinstalled'))
  assert.equal(isInstalled, true)
})

test('what was let in before the page was closed is taken back within 10 minutes', async t => {
  const clocks = { steady: 0 }
  const opened = await hold(t, () => ({ ...answerOf('a', '2'), more: false }), undefined, { clocks })
  await opened.holding.open(() => {})
  opened.holding.sync.stop()
  const item = { kind: 'scan', code: 'c', at, offset: 0, shown: 'admitted', reason: null } as const
  for (const acknowledged of [0, 1] as const) {
    const scan = opened.holding.queue.make({ ...item, scan_id: `s${acknowledged}` }, 't')
    await opened.holding.queue.keep({ ...scan, acknowledged })
  }
  const holding = opened.launch()
  await holding.open(() => {})
  holding.sync.stop()
  const state = { language: 'en', screen: 'scans' } as State
  const nothing = () => {}
  const list = new ScanList({
    ...{ holding, date: () => Date.parse(at), state: () => state, set: nothing, onChange: nothing },
  })
  for (const id of ['s0', 's1']) {
    const scan = opened.store.scans.get(id) as StoredScan
    clocks.steady = 10 * 60_000 - 1
    assert.equal(list.mayUndo(scan), true)
    clocks.steady = 10 * 60_000
    assert.equal(list.mayUndo(scan), false)
    clocks.steady = 0
    await list.undo(id)
    const undo = [...opened.store.scans.values()].find(({ of }) => of === id)
    assert.deepEqual([undo?.kind, undo?.event, undo?.acknowledged], ['undo', 'e', 0])
    assert.equal(list.mayUndo(opened.store.scans.get(id) as StoredScan), false)
  }
  assert.equal(holding.copy.isMarkedHere('t'), false)
})
