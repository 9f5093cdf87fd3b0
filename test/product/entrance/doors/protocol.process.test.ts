import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE, SECOND } from '#base/time.ts'
import { seeded } from '#test/durability/power-cut.ts'
import { seedOf } from '#test/fuzz/server.ts'
import type { DoorClient, SentItem } from '#test/support/door/door.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { DoorWalks, type Random } from '#test/support/door/door-walk.ts'

const WALKS = Number(process.env.DOOR_WALKS ?? 30)

test('whatever the network loses, repeats and reorders, each ticket has one check-in, and conflicts are the other admissions', async t => {
  const seed = seedOf(t)
  const walks = await DoorWalks.open(t)
  for (let walk = 0; walk < WALKS; walk++) {
    try {
      await walks.walk(seeded(seed + walk))
    } catch (error) {
      t.diagnostic(`walk ${walk} fails`)
      throw error
    }
  }
  assert.deepEqual(await walks.findDamage(), [])
  t.diagnostic(JSON.stringify(walks.seen))
  // Walks in which nothing happens would show nothing.
  if (WALKS >= 30) {
    for (const outcome of ['admitted', 'refused', 'conflict', 'undone', 'held']) {
      assert.ok((walks.seen[outcome] ?? 0) > 5, outcome)
    }
    for (const what of ['undo too late', 'decided: count', 'decided: dismiss'])
      assert.ok((walks.seen[what] ?? 0) > 0, what)
  }
})

test('the same holds where tickets admit more than once, through exits, nights, changes of the clock, undos and held scans', async t => {
  const seed = seedOf(t)
  const walks = await DoorWalks.open(t, true)
  for (let walk = 0; walk < WALKS; walk++) {
    try {
      await walks.walk(seeded(seed + walk))
    } catch (error) {
      t.diagnostic(`walk ${walk} fails`)
      throw error
    }
  }
  assert.deepEqual(await walks.findDamage(), [])
  t.diagnostic(JSON.stringify(walks.seen))
  if (WALKS >= 30) {
    for (const what of ['admitted', 'refused', 'conflict', 'undone', 'held', 'left', '2 entries'])
      assert.ok((walks.seen[what] ?? 0) > 3, what)
  }
})

const GUESTS = 12
const ORDERS = 3

/** Yields what doors send of one ticket: asks and what was shown then, admissions without a network, and undos of them. */
function* scansOf(random: Random, code: string, doors: readonly DoorClient[]): Generator<SentItem> {
  const scans = 1 + Math.floor(random() * 4)
  for (let count = 0; count < scans; count++) {
    const door = doors[Math.floor(random() * doors.length)] as DoorClient
    const shown = random() < 0.6 ? 'admitted' : 'refused'
    const scan = door.scan({ code }, { offset: -Math.floor(random() * 10 * MINUTE) })
    if (random() < 0.5) yield { ...scan, shown: null }
    yield { ...scan, shown }
    if (random() < 0.3) yield door.undo(scan.scan_id)
  }
}

function shuffled<T>(random: Random, all: readonly T[]): T[] {
  return all
    .map(one => [random(), one] as const)
    .sort(([one], [other]) => one - other)
    .map(([, one]) => one)
}

test('the same scans in any order, some of them twice, let the same guests in', async t => {
  const random = seeded(seedOf(t))
  const { a, b, pair, sell, clock, inside } = await startWithDoors(t)
  clock.advance(20 * MINUTE)
  const doors = [a, b, (await pair({ name: 'Door C' })).door]
  const tickets = (await sell({ quantity: GUESTS * ORDERS })).body.attendees as {
    id: string
    qr_code: string
  }[]
  // Each guest has as many tickets as there are orders, and the doors send the same of each.
  const guests = Array.from({ length: GUESTS }, (_, guest) =>
    tickets.slice(guest * ORDERS, (guest + 1) * ORDERS),
  )
  const scans = guests.map(([first]) => [...scansOf(random, first?.qr_code as string, doors)])
  for (let order = 0; order < ORDERS; order++) {
    const ofOrder = scans.flatMap((items, guest) =>
      items.map(item => ({
        ...item,
        scan_id: `${item.scan_id}-${order}`,
        ...(item.kind === 'undo' ? { of: `${item.of}-${order}` } : { code: guests[guest]?.[order]?.qr_code }),
      })),
    )
    const sent = shuffled(random, [...ofOrder, ...ofOrder.filter(() => random() < 0.3)])
    for (let at = 0; at < sent.length; at += 9) {
      clock.advance(SECOND)
      await (doors[at % doors.length] as DoorClient).send(sent.slice(at, at + 9))
    }
  }
  const isIn = new Set((await inside()).map(({ attendee_id }) => attendee_id))
  const first = guests.map(([ticket]) => isIn.has(ticket?.id as string))
  assert.ok(first.includes(true) && first.includes(false))
  for (let order = 1; order < ORDERS; order++) {
    assert.deepEqual(
      guests.map(of => isIn.has(of[order]?.id as string)),
      first,
    )
  }
})

test('of twenty doors that ask for the same tickets at once each lets others in than the rest', async t => {
  const { pair, sell, inside } = await startWithDoors(t)
  const doors = await Promise.all(Array.from({ length: 20 }, (_, at) => pair({ name: `Door ${at}` })))
  const { attendees } = (await sell({ quantity: 12 })).body as {
    attendees: { id: string; qr_code: string }[]
  }
  const asking = attendees.slice(0, 8).map(({ qr_code: code }) => ({ code, shown: null, other: 'refused' }))
  const shown = attendees
    .slice(8)
    .map(({ qr_code: code }) => ({ code, shown: 'admitted' as const, other: 'conflict' }))
  const all = [...asking, ...shown].flatMap(({ code, shown, other }) =>
    doors.map(async ({ door }) => {
      const { outcome, first } = await door.one(door.scan({ code }, { shown }))
      assert.ok(outcome === 'admitted' || (outcome === other && first.door.startsWith('Door ')))
      return { code, outcome }
    }),
  )
  const admitted = (await Promise.all(all)).filter(({ outcome }) => outcome === 'admitted')
  assert.deepEqual(admitted.map(({ code }) => code).sort(), attendees.map(({ qr_code }) => qr_code).sort())
  assert.equal((await inside()).length, 12)
})
