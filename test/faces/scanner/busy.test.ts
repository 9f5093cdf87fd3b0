import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Alarms } from '#faces/scanner/page/alarms.ts'
import { DoorClock } from '#faces/scanner/page/clock.ts'
import type { ScanItem, ScanResult, TicketRow } from '#faces/scanner/page/contract.ts'
import { Copy } from '#faces/scanner/page/copy.ts'
import { Patience } from '#faces/scanner/page/decide.ts'
import { Hearing } from '#faces/scanner/page/hearing.ts'
import type { Holding } from '#faces/scanner/page/holding.ts'
import { PairingDesk } from '#faces/scanner/page/pairing-desk.ts'
import type { ScanQueue } from '#faces/scanner/page/queue.ts'
import { Scanning } from '#faces/scanner/page/scanning.ts'
import { Busy, NoAnswer, Refusal, Server } from '#faces/scanner/page/server.ts'
import type { State } from '#faces/scanner/page/state.ts'
import type { Alarm, StoredScan } from '#faces/scanner/page/store.ts'
import { type Reach, Sync } from '#faces/scanner/page/sync.ts'

const NOW = '2026-11-21T12:00:00.000Z'
const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code } }, { status, headers })
const good = () => Response.json({ now: NOW, epoch: 'e', results: [] })

/** Plays a server that answers what a test says, by a steady clock that it moves. */
function serve(t: TestContext, answer: () => Response) {
  const at = { steady: 0 }
  let requests = 0
  t.mock.method(globalThis, 'fetch', async () => {
    requests++
    return answer()
  })
  t.mock.method(Math, 'random', () => 0.5)
  const steady = () => at.steady
  const clock = new DoorClock({ date: () => Date.parse(NOW) + at.steady, steady })
  return { at, steady, clock, server: new Server(clock, steady), requests: () => requests }
}

test('a server that asks for patience is told from none, and is not asked before its time', async t => {
  let answer = refused(429, 'rate_limited', { 'Retry-After': '7' })
  const { at, server, requests } = serve(t, () => answer)
  await assert.rejects(
    server.send([], 0),
    (error: unknown) => error instanceof Busy && error instanceof NoAnswer,
  )
  assert.equal(server.busyFor, 7_500)
  answer = good()
  for (const steady of [0, 7_499]) {
    at.steady = steady
    await assert.rejects(server.changes('1'), Busy)
    await assert.rejects(server.send([], 0), Busy)
  }
  assert.equal(requests(), 1)
  at.steady = 7_500
  await server.send([], 0)
  assert.equal(requests(), 2)
})

test('only what a server says itself is patience, for a minute at most and two seconds where it says no time', async t => {
  let answer = good()
  const { at, server } = serve(t, () => answer)
  const times = async (one: Response) => {
    answer = one
    at.steady += 1_000_000
    const error = await server.changes('1').then(
      () => assert.fail('it was answered'),
      (reason: unknown) => reason,
    )
    return error instanceof Busy ? error.retryAfter : error instanceof Refusal ? error.code : 'no answer'
  }
  assert.equal(await times(refused(429, 'rate_limited', { 'Retry-After': '999999' })), 60_500)
  assert.equal(await times(refused(429, 'rate_limited')), 2_500)
  assert.equal(
    await times(new Response('<h1>Slow down</h1>', { status: 429, headers: { 'Retry-After': '3' } })),
    3_500,
  )
  assert.equal(await times(refused(503, 'unavailable', { 'Retry-After': '1' })), 1_500)
  assert.equal(await times(new Response('<h1>Bad gateway</h1>', { status: 503 })), 'no answer')
  assert.equal(await times(refused(500, 'internal_error')), 'no answer')
  assert.equal(await times(refused(403, 'device_revoked')), 'device_revoked')
})

const event = { id: 'e', title: 'Meeting', timezone: 'UTC', starts_at: null, ends_at: null }
const type = { id: 'y', name: 'Standard', valid_from: null, valid_until: null, admitted_here: true }
const device = { id: 'd', name: 'North', search: true, unlisted: true }
const row: TicketRow = ['t', 'y', 'ok', 'Zoë', null, false, null, null]
const head = { epoch: 'e', cursor: '1', now: NOW, event, keys: [], types: [type], heardAt: Date.parse(NOW) }

test('while the server asks for patience the phone decides by its list at once, and asks nothing', async t => {
  const { at, server, clock, requests } = serve(t, () => refused(429, 'rate_limited', { 'Retry-After': '5' }))
  const kept: StoredScan[] = []
  const queue = {
    make: (item: ScanItem, ticketId: string) => ({ ...item, ticketId }),
    keep: async (scan: StoredScan) => void kept.push(scan),
    isAsking: () => false,
    beginAsking: () => undefined,
    endAsking: () => undefined,
    count: 1,
  }
  const copy = new Copy(device, head, new Map([[row[0], row]]))
  let count = 0
  const scanning = new Scanning({
    ...{ clock, server, patience: new Patience(), date: () => Date.parse(NOW), newId: () => `s${count++}` },
    ...{ queue: () => queue as unknown as ScanQueue, copy: () => copy },
    ...{ sendSoon: () => undefined, onAnswer: () => undefined, onLate: () => undefined },
    ...{ onRefusal: () => undefined, onStored: () => undefined },
  })
  // The first is refused, and decided here without waiting for the time to be over.
  const first = await scanning.scan({ ticketId: 't', code: undefined })
  assert.deepEqual([first.outcome, first.isOwn, requests()], ['admitted', true, 1])
  const unlisted = await scanning.scan({ ticketId: 'other', code: 'SVC1.X' })
  assert.deepEqual([unlisted.outcome, unlisted.reason, requests()], ['admitted', 'unlisted', 1])
  assert.ok(kept.every(({ shown }) => shown === 'admitted' || shown === null))
  at.steady = 6_000
  await scanning.scan({ ticketId: 'third', code: 'SVC1.Y' })
  assert.equal(requests(), 2)
})

test('what waits is sent once the time is over, and the page says meanwhile that it is busy', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let answer: () => Response = () => refused(429, 'rate_limited', { 'Retry-After': '4' })
  const { at, server, steady, requests } = serve(t, () => answer())
  const reached: Reach[] = []
  const nothing = async () => undefined
  const sync = new Sync({
    ...{ server, patience: new Patience(), steady, cursor: () => '1', isActive: () => true },
    queue: () => ({ count: 0, batch: () => [] }) as unknown as ScanQueue,
    ...{ fetchCopy: nothing, onChanges: nothing, onResults: async () => 0, onRefusal: nothing },
    onReach: reach => void reached.push(reach),
  })
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  sync.start()
  await settle()
  assert.deepEqual([reached, requests()], [['busy'], 1])
  answer = () => Response.json({ ...head, now: NOW, tickets: [], notices: [], more: false })
  // Somebody looks at the page: that is no reason to ask before.
  sync.hurry()
  await settle()
  t.mock.timers.tick(4_000)
  at.steady = 4_000
  await settle()
  assert.equal(requests(), 1)
  at.steady = 4_600
  t.mock.timers.tick(600)
  await settle()
  assert.equal(requests(), 2)
  assert.equal(reached.at(-1), 'yes')
  sync.stop()
})

test('a phone that is paired while the server asks for patience says so, and tries again by itself', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let tries = 0
  const holding = {
    pair: async () => {
      if (++tries < 3) throw new Busy(1_000)
    },
  }
  let state = { pairing: { secret: 'secret', fault: undefined, isBusy: false } } as unknown as State
  const faults: unknown[] = []
  let paired = 0
  const before = Object.getOwnPropertyDescriptors(globalThis)
  for (const [name, value] of Object.entries({ location: { hash: '' }, navigator: {} })) {
    Object.defineProperty(globalThis, name, { value, configurable: true })
    t.after(() => {
      if (name in before)
        Object.defineProperty(globalThis, name, before[name as keyof typeof before] as PropertyDescriptor)
      else Reflect.deleteProperty(globalThis, name)
    })
  }
  const desk = new PairingDesk({
    holding: holding as unknown as Holding,
    state: () => state,
    set: part => {
      state = { ...state, ...part }
      faults.push(state.pairing.fault)
    },
    onRead: () => undefined,
    onPaired: () => paired++,
  })
  const done = desk.pair()
  for (let second = 0; second < 4; second++) {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    t.mock.timers.tick(1_000)
  }
  await done
  assert.deepEqual([tries, paired], [3, 1])
  assert.deepEqual(faults, [undefined, 'busy', 'busy', undefined])
})

/** Plays a phone that has let a guest in, and notes what it hears of it. */
function listen() {
  const scan = {
    ...{ scan_id: 's', kind: 'scan', at: NOW, offset: 0, shown: 'admitted', reason: null, seq: 1 },
    ...{ ticketId: 't', acknowledged: 1, outcome: 'undone', answerReason: null, first: null, code: 'SVC1.X' },
  } as StoredScan
  const kept = new Map([[scan.scan_id, scan]])
  const copy = new Copy(device, head, new Map([[row[0], row]]))
  const queue = {
    find: async (id: string) => kept.get(id),
    keep: async (one: StoredScan) => void kept.set(one.scan_id, one),
    acknowledge: async (sent: StoredScan[], results: ScanResult[]) =>
      sent.map((one, at) => [one, results[at]]),
  }
  const alarms = new Alarms({ copy: () => copy, save: async () => undefined, onAlarm: () => undefined })
  const hearing = new Hearing({
    ...{ copy: () => copy, queue: () => queue as unknown as ScanQueue },
    tell: (alarm: Alarm) => alarms.tell(alarm),
  })
  return { scan, kept, copy, alarms, hearing }
}

test('an undo that the server refuses as too late is told, and its scan and ticket are again what they were', async () => {
  const { scan, kept, copy, alarms, hearing } = listen()
  const undo = { ...scan, scan_id: 'u', kind: 'undo', of: 's', outcome: null, shown: null } as StoredScan
  const used: TicketRow = ['t', 'y', 'ok', 'Zoë', null, false, NOW, 'North']
  const result = { scan_id: 'u', outcome: 'refused', reason: 'undo_too_late', ticket: used } as ScanResult
  assert.deepEqual(copy.decide('t', Date.parse(NOW)).outcome, 'admitted')
  for (let time = 0; time < 2; time++)
    await hearing.takeResults([undo], {
      epoch: 'e',
      now: NOW,
      results: [{ ...result, check_in_id: null, first: null }],
    })
  assert.equal(kept.get('s')?.outcome, 'admitted')
  assert.deepEqual(copy.decide('t', Date.parse(NOW)).reason, 'already_checked_in')
  assert.deepEqual(
    alarms.standing.map(({ kind, scanId, reason, row: of }) => [kind, scanId, reason, of?.[3]]),
    [['undo', 'u', 'undo_too_late', 'Zoë']],
  )
})

test('a ticket that another door lets in again and again is one alarm, and of many tickets all are seen at once', async () => {
  const { alarms, hearing } = listen()
  const notice = (id: string, ticket: string, door = 'South') =>
    ({ scan_id: id, outcome: 'conflict', ticket, at: NOW, door }) as const
  const notices = Array.from({ length: 100 }, (_, count) => notice(`n${count}`, 't'))
  await hearing.takeNotices({ notices })
  assert.equal(alarms.standing.length, 1)
  await hearing.takeNotices({ notices: [notice('w', 't', 'West'), notice('x', 'x1'), notice('y', 'x2')] })
  assert.equal(alarms.standing.length, 4)
  await alarms.confirm()
  assert.equal(alarms.standing.length, 3)
  await alarms.confirmAll()
  assert.deepEqual(alarms.standing, [])
  await hearing.takeNotices({ notices: [notice('z', 't')] })
  assert.deepEqual(alarms.standing, [])
})
