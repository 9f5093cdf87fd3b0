import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { newUuid } from '#base/ids.ts'
import { doorFiles } from '#faces/scanner/assets.ts'
import { DoorClock } from '#faces/scanner/page/clock.ts'
import { readCode } from '#faces/scanner/page/codes.ts'
import type { CopyAnswer, ScanResult, TicketRow, TypeRow } from '#faces/scanner/page/contract.ts'
import { Copy } from '#faces/scanner/page/copy.ts'
import { inTime, Patience, WAIT } from '#faces/scanner/page/decide.ts'
import { findSecret, isElsewhere } from '#faces/scanner/page/pairing.ts'
import { partsOf, withoutOldNames } from '#faces/scanner/page/parts.ts'
import { Presenting } from '#faces/scanner/page/presenting.ts'
import { ScanQueue, type ScanStore } from '#faces/scanner/page/queue.ts'
import { search } from '#faces/scanner/page/search.ts'
import type { StoredScan } from '#faces/scanner/page/store.ts'
import { readings, type Stroke } from '#faces/scanner/page/wedge.ts'
import { encodeTicket, newTicketKey } from '#product/guests/attendees/ticket-code.ts'
import { strokes } from '#test/support/door/strokes.ts'

const key = newTicketKey()
const ticketId = newUuid()
const code = encodeTicket(key, ticketId)

/** Returns two clocks that a test moves. */
function clocks() {
  const at = { date: 1_800_000_000_000, steady: 5_000 }
  const pass = (milliseconds: number) => {
    at.date += milliseconds
    at.steady += milliseconds
  }
  return { at, pass, clock: new DoorClock({ date: () => at.date, steady: () => at.steady }) }
}

test('the page reads a code in its one form, of a key that it knows, and nothing else', () => {
  assert.deepEqual(readCode(code, [key]), { code, ticketId })
  assert.deepEqual(readCode(`x${code.toLowerCase()}\n`, [key]), { code, ticketId })
  assert.equal(readCode(code, [newTicketKey()]), 'wrong_event')
  const other = code.endsWith('A') ? 'B' : 'A'
  const faults = [
    code.slice(0, -1) + other,
    code.slice(0, -1),
    `${code}=`,
    `${code}A`,
    code.replace('SVC1', 'SVC2'),
    'https://example.org/',
    '',
  ]
  for (const fault of faults) assert.equal(readCode(fault, [key]), 'invalid_qr_code', fault)
  // Another key of the same id cannot sign a ticket of this event.
  const forger = { ...newTicketKey(), id: key.id }
  assert.equal(readCode(encodeTicket(forger, ticketId), [key]), 'invalid_qr_code')
})

test('the offset of the clock is that of the shortest recent round trip, at its midpoint', () => {
  const { clock, at, pass } = clocks()
  const learn = (roundTrip: number, server: number) => {
    const before = at.steady
    pass(roundTrip)
    clock.learn(before, at.steady, server)
  }
  learn(400, at.date + 200 + 7_200_000)
  assert.equal(clock.offset, 7_200_000)
  assert.ok(clock.isWrong)
  learn(20, at.date + 10 + 30_000)
  assert.equal(clock.offset, 30_000)
  assert.ok(!clock.isWrong)
  learn(900, at.date + 450 + 30_400)
  assert.equal(clock.offset, 30_000)
  pass(6 * 60_000)
  learn(900, at.date + 450 + 30_400)
  assert.equal(clock.offset, 30_400)
})

test('once the clock of the server is set, the next answer counts, however slow it is', () => {
  const { clock, at, pass } = clocks()
  const learn = (roundTrip: number, offset: number) => {
    const before = at.steady
    pass(roundTrip)
    clock.learn(before, at.steady, at.date - roundTrip / 2 + offset)
  }
  for (const offset of [0, 86_400_000, -3_600_000]) {
    learn(20, offset)
    pass(1_500)
    learn(1_900, offset + 900)
    assert.equal(clock.offset, offset, 'a slow answer may be wrong by half of its round trip')
    pass(1_500)
    learn(900, offset + 10_000)
    assert.equal(clock.offset, offset + 10_000)
    pass(1_500)
    learn(1_900, offset)
    assert.equal(clock.offset, offset)
  }
})

test('a clock that is set while the page runs shifts the offset at once, and time asleep does not', () => {
  const { clock, at, pass } = clocks()
  clock.learn(at.steady, at.steady, at.date)
  const now = clock.now()
  at.date -= 2 * 3_600_000
  assert.equal(clock.look(), -2 * 3_600_000)
  assert.equal(clock.now(), now)
  pass(1_000)
  assert.equal(clock.look(), 0)
  // The steady clock of some phones stands still meanwhile.
  at.date += 600_000
  clock.look(true)
  assert.equal(clock.now(), now + 1_000 + 600_000)
})

test('after 2 misses of the last 5 nobody waits for the server, until it is in time once', async () => {
  const patience = new Patience()
  let late = () => {}
  const timer = {
    after: (milliseconds: number, act: () => void) => {
      assert.equal(milliseconds, WAIT)
      late = act
    },
  }
  assert.equal(await inTime(Promise.resolve('yes'), patience, timer), 'yes')
  let answer = (_: string) => {}
  const slow = inTime(new Promise<string>(resolve => (answer = resolve)), patience, timer)
  late()
  assert.equal(await slow, undefined)
  answer('too late')
  assert.ok(patience.waits)
  assert.equal(await inTime(Promise.reject(new Error('no network')), patience, timer), undefined)
  assert.ok(!patience.waits)
  patience.note(true)
  assert.ok(patience.waits)
  for (const isInTime of [false, true, true, true, true, false]) patience.note(isInTime)
  assert.ok(patience.waits, 'the older miss is forgotten')
})

test('a scanner that types is understood whatever layout it and the system believe in', () => {
  const understood = (typed: readonly Stroke[]) =>
    readings(typed).some(text => typeof readCode(text, [key]) === 'object')
  const swap = (from: string, to: string) => (char: string) => {
    const at = from.indexOf(char)
    return at < 0 ? char : (to[at] as string)
  }
  assert.ok(understood(strokes(code, char => char)), 'all of one mind')
  assert.ok(understood(strokes(code, char => char.toLowerCase())), 'Caps Lock')
  assert.ok(understood(strokes(code, swap('YZ', 'ZY'))), 'a German system')
  assert.ok(understood(strokes(code, swap('AQWZM1234567.', 'QAZW?&é"\'(-è:'))), 'a French system')
  assert.ok(
    understood(strokes(code, swap('YZ', 'ZY'), swap('YZ', 'ZY'))),
    'a scanner set to German before an American system',
  )
})

test('the same code is ignored for 5 s, and for as long as it stays in view', () => {
  let now = 0
  const taken: string[] = []
  const presenting = new Presenting({
    steady: () => now,
    keys: () => [key],
    others: () => [],
    onTicket: ({ ticketId: id }) => taken.push(id),
    onFault: fault => taken.push(fault),
    onAgain: () => assert.fail('a code in view is not read again'),
    onStill: () => assert.fail('nobody has gone on'),
  })
  const see = (text: string) => presenting.take([text], 'camera', now)
  see(code)
  for (now = 100; now < 8_000; now += 100) see(code)
  assert.deepEqual(taken, [ticketId])
  now = 20_000
  see(code)
  see('a poster')
  see('a poster')
  assert.deepEqual(taken, [ticketId, ticketId, 'invalid_qr_code'])
  see(code)
  assert.equal(taken.length, 3, 'the ticket itself is still as new as before')
  // A poster beside the door hides no ticket, and says nothing after each.
  now = 30_000
  presenting.take(['a poster'], 'camera', now)
  presenting.take(['a poster', code], 'camera', now)
  assert.deepEqual(taken.slice(3), ['invalid_qr_code', ticketId])
  now += 500
  presenting.take(['a poster', code], 'camera', now)
  see('a poster')
  assert.equal(taken.length, 5)
})

const type: TypeRow = { id: 'day', name: 'Day', valid_from: null, valid_until: null, admitted_here: true }
const device = { id: 'd', name: 'North', search: true, unlisted: false }
function row(id: string, more: { [at: number]: unknown } = {}): TicketRow {
  return Object.assign([id, 'day', 'ok', 'Zoë Ångström', null, false, null, null], more) as TicketRow
}
function copyWith(tickets: TicketRow[], types = [type], unlisted = false): Copy {
  const event = { id: 'e', title: 'E', timezone: 'UTC', starts_at: null, ends_at: '2026-11-22T18:00:00.000Z' }
  const copy = new Copy({ ...device, unlisted })
  const answer: CopyAnswer = { epoch: 'a', cursor: '1', now: '', event, keys: [], types, tickets }
  copy.replace(answer, 0)
  return copy
}

test('the copy decides by the rules of the server, and knows what this phone has let in itself', () => {
  const now = Date.parse('2026-11-22T12:00:00.000Z')
  const later = { ...type, id: 'late', valid_from: '2026-11-22T13:00:00.000Z' }
  const elsewhere = { ...type, id: 'vip', admitted_here: false }
  const copy = copyWith(
    [row('a'), row('b', { 2: 'cancelled' }), row('c', { 1: 'late' }), row('d', { 1: 'vip' })],
    [type, later, elsewhere],
  )
  assert.deepEqual(copy.decide('a', now), { outcome: 'admitted', reason: null })
  copy.mark('a', { scanId: 's', at: '2026-11-22T11:59:00.000Z' })
  assert.equal(copy.decide('a', now).reason, 'already_checked_in')
  assert.deepEqual(copy.firstOf('a', now), { at: '2026-11-22T11:59:00.000Z', door: 'North' })
  copy.unmark('a', 's')
  assert.equal(copy.decide('a', now).outcome, 'admitted')
  assert.equal(copy.decide('b', now).reason, 'registration_cancelled')
  assert.equal(copy.decide('c', now).reason, 'not_valid_today')
  assert.equal(copy.decide('d', now).reason, 'wrong_door')
  assert.equal(copy.decide('unknown', now).reason, 'not_found')
  assert.deepEqual(copyWith([], [type], true).decide('unknown', now), {
    outcome: 'admitted',
    reason: 'unlisted',
  })
  assert.equal(copy.endsAt, Date.parse('2026-11-23T18:00:00.000Z'))
})

test('names are found without their accents, by the beginnings of their words', () => {
  const rows = [row('a'), row('b', { 3: 'Jean-Luc O’Neill', 4: 'B 12' }), row('c', { 3: null })]
  const found = (text: string) => search(rows, text).map(([id]) => id)
  assert.deepEqual(found('angs ZO'), ['a'])
  assert.deepEqual(found('luc'), ['b'])
  assert.deepEqual(found('12'), ['b'])
  assert.deepEqual(found('uc'), [])
  assert.deepEqual(found(' '), [])
})

test('a ticket that is still before the camera when somebody goes on is told once, and taken once', () => {
  let now = 0
  const told: string[] = []
  const presenting = new Presenting({
    ...{ steady: () => now, keys: () => [key], others: () => [] },
    onTicket: () => void told.push('taken'),
    onFault: fault => assert.fail(fault),
    onAgain: () => assert.fail(),
    onStill: () => void told.push('still there'),
  })
  const see = (text: string) => {
    now += 200
    presenting.take([text], 'camera', now)
  }
  presenting.goOn()
  for (let frame = 0; frame < 4; frame++) see(code)
  assert.deepEqual(told, ['taken'], 'nobody has gone on since')
  presenting.goOn()
  for (let frame = 0; frame < 4; frame++) see(code)
  assert.deepEqual(told, ['taken', 'still there'])
  see(encodeTicket(key, newUuid()))
  assert.deepEqual(told, ['taken', 'still there', 'taken'])
})

test('a forged code that is typed is told as one, whatever keys its other readings name; another event is named if it has signed', () => {
  const other = newTicketKey()
  const faults: string[] = []
  const presenting = new Presenting({
    ...{ steady: () => 0, keys: () => [key], onTicket: () => assert.fail() },
    others: () => [{ ...other, title: 'Summer Ball' }],
    onFault: (fault, _, { event }) => void faults.push(event === undefined ? fault : `${fault}: ${event}`),
    onAgain: () => assert.fail(),
    onStill: () => assert.fail(),
  })
  const elsewhere = encodeTicket(newTicketKey(), ticketId)
  const ofOther = encodeTicket(other, ticketId)
  const forgedOther = encodeTicket({ ...newTicketKey(), id: other.id }, ticketId)
  const forged = encodeTicket({ ...newTicketKey(), id: key.id }, ticketId)
  presenting.take([forged, elsewhere], 'wedge', 0)
  for (const code of [elsewhere, ofOther, forgedOther]) presenting.take([code], 'field', 0)
  assert.deepEqual(faults, ['invalid_qr_code', 'wrong_event', 'wrong_event: Summer Ball', 'wrong_event'])
})

test('a door of some types refuses, by its own list, what it knows no type of', () => {
  const type = (id: string, admitted_here: boolean): TypeRow => ({
    ...{ id, name: id, valid_from: null, valid_until: null, admitted_here },
  })
  const row = (id: string, of: string): TicketRow => [id, of, 'ok', null, null, false, null, null]
  const isRestricted = (types: TypeRow[], ids?: string[] | null) => {
    const copy = new Copy({ id: 'd', name: 'North', search: true, unlisted: true })
    if (ids !== undefined) copy.device.registration_type_ids = ids
    const event = { id: 'e', title: 'E', timezone: 'UTC', starts_at: null, ends_at: null }
    const tickets = [row('a', 'day'), row('b', 'new')]
    // The copy describes the device without its types.
    const device = { id: 'd', name: 'North', search: true, unlisted: true }
    copy.replace({ epoch: 'e', cursor: '1', now: '', event, keys: [], types, tickets, device }, 0)
    return ['a', 'b', 'unlisted'].map(id => copy.decide(id, 0).reason)
  }
  assert.deepEqual(isRestricted([type('day', true)]), [null, null, 'unlisted'])
  assert.deepEqual(isRestricted([type('day', true)], null), [null, null, 'unlisted'])
  assert.deepEqual(isRestricted([type('day', true), type('vip', false)]), [null, 'wrong_door', 'wrong_door'])
  assert.deepEqual(isRestricted([type('day', true)], ['day']), [null, 'wrong_door', 'wrong_door'])
})

test('a name that is taken away, or is another one, leaves the parts of the list that say it, and no other is written', () => {
  const row = (number: number, name: string | null, usedAt: string | null = null): TicketRow => [
    ...([`t${number}`, 'day', 'ok', name, null, false, usedAt, null] as const),
  ]
  const parts = partsOf(Array.from({ length: 5_000 }, (_, number) => row(number, `Guest ${number}`)))
  assert.deepEqual(
    parts.map(([key, rows]) => [key, rows.length]),
    [
      [0, 2000],
      [2000, 2000],
      [4000, 1000],
    ],
  )
  const used = row(1, 'Guest 1', '2026-11-22T12:00:00.000Z')
  assert.deepEqual(withoutOldNames(parts, [used, row(9_999, null)]), [])
  const erased = withoutOldNames(parts, [used, row(2_001, null), row(2_002, 'Zoë'), row(4_999, null)])
  assert.deepEqual(
    erased.map(([key, rows]) => [key, rows.length]),
    [
      [2000, 2000],
      [4000, 1000],
    ],
  )
  const text = JSON.stringify(erased)
  assert.deepEqual(
    [2_000, 2_001, 2_002, 4_999].map(number => text.includes(`"Guest ${number}"`)),
    [true, false, false, false],
  )
  assert.deepEqual(withoutOldNames(erased, [row(2_001, null)]), [])
})

/** Keeps scans in memory: it has what a phone that was killed has. */
function memory(kept = new Map<string, StoredScan>()): ScanStore & { kept: Map<string, StoredScan> } {
  const all = () => [...kept.values()].sort((one, other) => one.seq - other.seq)
  return {
    kept,
    saveScans: async scans => {
      for (const scan of scans) kept.set(scan.scan_id, scan)
    },
    waitingScans: async () => all().filter(({ acknowledged }) => acknowledged === 0),
    reopenScans: async () => {
      const listed = all().filter(({ acknowledged }) => acknowledged === 1)
      const scans = listed.map((scan): StoredScan => ({ ...scan, acknowledged: 0 }))
      for (const scan of scans) kept.set(scan.scan_id, scan)
      return scans
    },
    findScan: async id => kept.get(id),
    lastScans: async most => all().reverse().slice(0, most),
  }
}

const item = (scan_id: string, shown: 'admitted' | 'refused' | null) =>
  ({ scan_id, kind: 'scan', code, at: '2026-11-22T12:00:00.000Z', offset: 0, shown, reason: null }) as const
const result = (scan_id: string): ScanResult => ({
  ...{ scan_id, outcome: 'admitted', reason: null, check_in_id: 'chk_1', first: null },
})

test('a scan waits until the server has listed what was shown, and outlives the page', async () => {
  const store = memory()
  const queue = new ScanQueue(store)
  await queue.load()
  const scan = queue.make(item('s1', null), ticketId)
  await queue.keep(scan)
  queue.beginAsking(scan)
  assert.deepEqual(queue.batch(), [], 'it is asked at this moment')
  const shown = { ...scan, shown: 'admitted' as const }
  await queue.keep(shown, true)
  assert.deepEqual(await queue.acknowledge([scan], [result('s1')]), [], 'what was sent is not what was shown')
  queue.endAsking(scan)
  assert.deepEqual(queue.batch(), [shown])

  const killed = new ScanQueue(store)
  await killed.load()
  assert.equal(killed.count, 1)
  assert.equal((await killed.acknowledge(killed.batch(), [result('s1')])).length, 1)
  assert.equal(killed.count, 0)
  assert.equal(store.kept.get('s1')?.acknowledged, 1, 'it stays on the phone')
  await killed.resendAll()
  assert.deepEqual(
    killed.batch().map(({ scan_id }) => scan_id),
    ['s1'],
  )
})

test('a phone that was killed before it showed anything says that nobody was let in', async () => {
  const store = memory()
  const queue = new ScanQueue(store)
  await queue.load()
  await queue.keep(queue.make(item('s1', null), ticketId))
  const again = new ScanQueue(store)
  await again.load()
  const [scan] = again.batch()
  assert.deepEqual([scan?.shown, scan?.reason, scan?.seq], ['refused', 'dismissed', 1])
  assert.equal(again.make(item('s2', null), ticketId).seq, 2)
})

test('scans are sent in batches of at most 500, the oldest first', async () => {
  const store = memory()
  const queue = new ScanQueue(store)
  await queue.load()
  for (let at = 0; at < 501; at++) await queue.keep(queue.make(item(`s${at}`, 'admitted'), ticketId))
  const batch = queue.batch()
  assert.deepEqual([batch.length, batch[0]?.scan_id, batch.at(-1)?.scan_id], [500, 's0', 's499'])
})

test('the secret of a pairing is read of its address, and that of another server is told', () => {
  const secret = 'jHySBDd-wIMhAAyWqDtOfg'
  assert.equal(findSecret(`https://doors.example/door/#pair=${secret}`), secret)
  assert.equal(findSecret(`#pair=${secret}`), secret)
  assert.equal(findSecret(` pair=${secret}\n`), secret)
  assert.equal(findSecret(code), undefined)
  assert.equal(
    isElsewhere(`https://other.example/door/#pair=${secret}`, 'https://doors.example'),
    'other.example',
  )
  assert.equal(isElsewhere(`https://doors.example/door/#pair=${secret}`, 'https://doors.example'), undefined)
})

test('the whole page is 500 KB compressed at the most, names nothing of elsewhere, and what changes has no hash', async () => {
  const files = await doorFiles()
  const bytes = (gzip: string) => Buffer.from(gzip, 'base64')
  const total = [...files.values()].reduce((sum, { gzip }) => sum + bytes(gzip).length, 0)
  assert.ok(total <= 500_000, `${total} bytes`)
  assert.ok(total > 400_000, 'the reader of codes is in it')
  const named = [...files.keys()].filter(path => !/^files\/[\w-]+\.[\w-]{12}\.\w+$/.test(path))
  assert.deepEqual(named.sort(), ['', 'manifest.webmanifest', 'worker.js'])
  const page = gunzipSync(bytes(files.get('')?.gzip ?? '')).toString()
  for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
    assert.match(address as string, /^\/door\//)
    assert.ok(files.has((address as string).slice('/door/'.length)), address)
  }
})
