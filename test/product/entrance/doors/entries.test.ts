import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import type { CopyAnswer } from '#faces/scanner/page/contract.ts'
import { Copy } from '#faces/scanner/page/copy.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { exportScans, importLine } from '#product/entrance/check-ins/door-history.ts'
import { readHistoryLine } from '#product/entrance/check-ins/door-history-schemas.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import * as decisions from '#product/entrance/check-ins/scan-decisions.ts'
import * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import { revoke } from '#product/entrance/doors/rules.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { EngineTransaction } from '#test/support/engine-classes.ts'
import { organization } from '#test/support/organization.ts'
import { recordStatements } from '#test/support/statements.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

const DATES = {
  starts_at: '2026-11-21T09:00:00Z',
  ends_at: '2026-12-01T18:00:00Z',
  timezone: 'Europe/Madrid',
}

/** Starts a server at 14:00 of a Saturday in Madrid, with two doors of an event whose tickets may have more than one entry. */
async function startWithEntries(
  t: Parameters<typeof startWithDoors>[0],
  rule: { entries?: 'once' | 'each_day'; reentry?: boolean },
) {
  const type = { name: 'Standard', price: 0, capacity: 100, ...rule }
  const doors = await startWithDoors(t, organization({ event: { ...DATES, registration_types: [type] } }))
  doors.clock.set('2026-11-21T13:00:00Z')
  await subscribeToAll(doors.db, doors.accountId)
  const entries = async () => {
    const rows = await doors.db.read(INSTANCE, tx =>
      tx.all<{ slot: string; scan_id: string | null; left_scan_id: string | null }>(
        'SELECT slot, scan_id, left_scan_id FROM entries ORDER BY entered_at, slot, scan_id',
      ),
    )
    return rows.map(({ slot, scan_id, left_scan_id }) => [slot, scan_id, left_scan_id])
  }
  const isSound = async () => assert.deepEqual(await findDamage(doors.db), [])
  return { ...doors, entries, isSound }
}

/** Carries what the doors did to the same database, which has forgotten it: so it stands for the one at home. */
function carrying({ db, accountId, clock }: Awaited<ReturnType<typeof startWithEntries>>) {
  const linesOf = async () => {
    const lines: object[] = []
    for await (const some of exportScans(db, accountId, clock())) lines.push(...some)
    return lines.slice(1)
  }
  const forget = () =>
    db.write(accountId, async tx => {
      for (const table of ['entries', 'check_ins', 'scan_cases', 'scans'])
        await tx.run(`DELETE FROM ${table}`, [])
      await tx.now()
    })
  /** @returns how many scans were new */
  const takeLines = (lines: readonly object[]) =>
    db.write(accountId, async tx => {
      let changed = 0
      for (const line of lines) {
        const read = readHistoryLine(line)
        assert.ok('line' in read, JSON.stringify(read))
        const { changed: isNew } = await importLine(tx, read.line)
        if (isNew && 'id' in line) changed++
      }
      return changed
    })
  return { linesOf, forget, takeLines }
}

/** Finds no damage but that events name check-ins which such a test has deleted itself. */
async function isSoundAtHome(db: Parameters<typeof findDamage>[0]): Promise<void> {
  const damage = (await findDamage(db)).filter(each => !each.endsWith('which is missing'))
  assert.deepEqual(damage, [])
}

const brief = ({ outcome, reason }: { outcome: string; reason: string | null }) => [outcome, reason]

test('a ticket of each day admits once a day, and a night belongs to the day before', async t => {
  const { a, b, sell, clock, inside, emitted, entries, isSound } = await startWithEntries(t, {
    entries: 'each_day',
  })
  const { code } = await sell()
  const first = a.scan({ code })
  assert.deepEqual(brief(await a.one(first)), ['admitted', null])
  const [checkIn] = await inside()
  clock.set('2026-11-22T04:59:00Z') // 05:59 of Sunday in Madrid
  const refused = await b.one(b.scan({ code }))
  assert.deepEqual(
    [...brief(refused), refused.first],
    ['refused', 'already_checked_in', { at: first.at, door: 'Door A' }],
  )
  clock.advance(MINUTE)
  const second = b.scan({ code })
  const admitted = await b.one(second)
  assert.deepEqual([...brief(admitted), admitted.check_in_id], ['admitted', null, null])
  assert.deepEqual(admitted.ticket[8], ['2026-11-22', 0, true, second.at, null, 'Door B'])
  assert.deepEqual(brief(await a.one(a.scan({ code }))), ['refused', 'already_checked_in'])
  // The check-in stays what the first admission has made of it.
  assert.deepEqual(await inside(), [checkIn])
  assert.equal(await emitted('checkin.created'), 1)
  assert.deepEqual(await entries(), [
    ['2026-11-21/0', first.scan_id, null],
    ['2026-11-22/0', second.scan_id, null],
  ])
  await isSound()
})

test('whoever leaves comes back once; an exit of somebody who is not inside changes nothing', async t => {
  const { a, b, sell, clock, entries, inside, isSound } = await startWithEntries(t, { reentry: true })
  const { code } = await sell()
  const early = b.exit({ code })
  assert.deepEqual(brief(await b.one(early)), ['refused', 'not_inside'])
  clock.advance(MINUTE)
  const first = a.scan({ code })
  await a.one(first)
  assert.deepEqual(brief(await a.one(a.scan({ code }))), ['refused', 'already_checked_in'])
  clock.advance(HOUR)
  const exit = b.exit({ code })
  const left = await b.one(exit)
  assert.deepEqual(brief(left), ['left', null])
  assert.deepEqual(left.ticket[8], ['-', 1, false, first.at, exit.at, 'Door A'])
  assert.deepEqual(await b.one(exit), left)
  clock.advance(MINUTE)
  assert.deepEqual(brief(await b.one(b.exit({ code }))), ['refused', 'not_inside'])
  const second = a.scan({ code })
  const back = await a.one(second)
  assert.deepEqual(brief(back), ['admitted', null])
  assert.deepEqual(back.ticket[8], ['-', 1, true, second.at, exit.at, 'Door A'])
  assert.deepEqual(await entries(), [
    ['-/0', first.scan_id, exit.scan_id],
    ['-/1', second.scan_id, null],
  ])
  assert.equal((await inside()).length, 1)
  await isSound()
})

test('a late exit opens the next entry from its own instant, which the conflict after it takes at once', async t => {
  const { a, b, sell, clock, entries, pair, isSound } = await startWithEntries(t, { reentry: true })
  const { door: out } = await pair({ name: 'Way out', way: 'out' })
  const { code } = await sell()
  const first = a.scan({ code }, { shown: 'admitted' })
  clock.advance(MINUTE)
  const doubled = b.scan({ code }, { shown: 'admitted' })
  clock.advance(HOUR)
  const exit = out.exit({ code })
  clock.advance(MINUTE)
  const second = b.scan({ code }, { shown: 'admitted' })
  clock.advance(MINUTE)
  assert.deepEqual(brief(await a.one(first)), ['admitted', null])
  assert.deepEqual(brief(await b.one(second)), ['conflict', 'already_checked_in'])
  assert.deepEqual(brief(await b.one(doubled)), ['conflict', 'already_checked_in'])
  const { cursor } = (await b.copy()).body
  assert.deepEqual(brief(await out.one(exit)), ['left', null])
  assert.deepEqual(await entries(), [
    ['-/0', first.scan_id, exit.scan_id],
    ['-/1', second.scan_id, null],
  ])
  const { notices } = (await b.changes(cursor)).body
  assert.deepEqual(
    notices.map(({ scan_id, outcome }: { scan_id: string; outcome: string }) => [scan_id, outcome]),
    [[second.scan_id, 'admitted']],
  )
  // The entry goes to the one beside it.
  clock.advance(MINUTE)
  await a.one(a.undo(first.scan_id, { at: first.at }))
  assert.deepEqual(await entries(), [
    ['-/0', doubled.scan_id, exit.scan_id],
    ['-/1', second.scan_id, null],
  ])
  await out.one(out.undo(exit.scan_id, { at: exit.at }))
  assert.deepEqual(await entries(), [['-/0', doubled.scan_id, null]])
  assert.deepEqual(brief(await b.one(second)), ['conflict', 'already_checked_in'])
  await isSound()
})

test('an exit that came before its entry ends it, as if they had come in their order', async t => {
  const { a, b, sell, clock, entries, isSound } = await startWithEntries(t, {
    entries: 'each_day',
    reentry: true,
  })
  const { code } = await sell()
  const first = a.scan({ code }, { shown: 'admitted' })
  clock.advance(HOUR)
  const exit = b.exit({ code })
  assert.deepEqual(brief(await b.one(exit)), ['refused', 'not_inside'])
  assert.deepEqual(brief(await a.one(first)), ['admitted', null])
  assert.deepEqual(await entries(), [['2026-11-21/0', first.scan_id, exit.scan_id]])
  assert.deepEqual(brief(await b.one(exit)), ['left', null])
  await isSound()
})

test('who came, left and came back is no double, in whatever order the three reach the server', async t => {
  const { a, b, sell, clock, entries, inside, isSound } = await startWithEntries(t, { reentry: true })
  const orders = [
    ...[[0, 1, 2] as const, [0, 2, 1] as const, [1, 0, 2] as const],
    ...[[1, 2, 0] as const, [2, 0, 1] as const, [2, 1, 0] as const],
  ]
  for (const order of orders) {
    const { code, ticket } = await sell()
    const known = await entries()
    const first = a.scan({ code }, { shown: 'admitted' })
    clock.advance(HOUR)
    const exit = b.exit({ code })
    clock.advance(HOUR)
    const second = b.scan({ code }, { shown: 'admitted' })
    clock.advance(MINUTE)
    const items = [first, exit, second] as const
    for (const at of order) await a.one(items[at])
    const { results } = (await a.send(items)).body
    assert.deepEqual(results.map(brief), [
      ['admitted', null],
      ['left', null],
      ['admitted', null],
    ])
    assert.deepEqual(results[0].ticket[8].slice(1, 5), [1, true, second.at, exit.at])
    const own = (await entries()).filter(each => known.every(([, scan]) => scan !== each[1]))
    assert.deepEqual(
      own.map(([, ...scans]) => scans),
      [
        [first.scan_id, exit.scan_id],
        [second.scan_id, null],
      ],
    )
    const [checkIn] = (await inside()).filter(({ attendee_id }) => attendee_id === ticket)
    const holder = items[order.find(at => at !== 1) as number]
    assert.equal(checkIn?.checked_in_at, holder?.at, 'the first admission to arrive makes the check-in')
  }
  await isSound()
})

test('an exit after which nobody came back lets in no double from before it', async t => {
  const { a, b, sell, clock, entries, isSound } = await startWithEntries(t, { reentry: true })
  const { code } = await sell()
  const early = b.exit({ code })
  clock.advance(MINUTE)
  const double = b.scan({ code }, { shown: 'admitted' })
  clock.advance(MINUTE)
  const first = a.scan({ code }, { shown: 'admitted' })
  clock.advance(MINUTE)
  const exit = b.exit({ code })
  for (const item of [first, double, early, exit]) await b.one(item)
  assert.deepEqual(brief(await b.one(double)), ['conflict', 'already_checked_in'])
  assert.deepEqual(await entries(), [['-/0', first.scan_id, exit.scan_id]])
  await isSound()
})

test('who takes back the entry that holds the check-in hands that to the oldest entry that stands', async t => {
  const { a, b, sell, clock, inside, emitted, entries, isSound, db, accountId } = await startWithEntries(t, {
    entries: 'each_day',
  })
  const { code, ticket } = await sell()
  const first = a.scan({ code })
  await a.one(first)
  clock.advance(DAY)
  const second = b.scan({ code })
  await b.one(second)
  clock.advance(DAY)
  const third = b.scan({ code })
  await b.one(third)
  await db.write(accountId, tx => checkIns.undo(tx, ticket))
  assert.deepEqual(
    (await inside()).map(({ checked_in_at }) => checked_in_at),
    [second.at],
  )
  assert.deepEqual([await emitted('checkin.created'), await emitted('checkin.undone')], [2, 1])
  // Undoing an entry that does not hold it leaves it alone.
  await b.one(b.undo(third.scan_id))
  assert.deepEqual(await entries(), [['2026-11-22/0', second.scan_id, null]])
  assert.equal(await emitted('checkin.undone'), 1)
  await isSound()
})

test('a program admits once whatever the type allows, and what it admitted is the first entry', async t => {
  const { a, client, sell, clock, entries, isSound } = await startWithEntries(t, { entries: 'each_day' })
  const { code, ticket } = await sell()
  assert.equal((await client.post('/check-ins', { attendee_id: ticket })).status, 201)
  assert.deepEqual(brief(await a.one(a.scan({ code }))), ['refused', 'already_checked_in'])
  clock.advance(DAY)
  const again = await client.post('/check-ins', { attendee_id: ticket })
  assert.deepEqual([again.status, again.body.error.code], [409, 'already_checked_in'])
  const second = a.scan({ code })
  assert.deepEqual(brief(await a.one(second)), ['admitted', null])
  assert.deepEqual(await entries(), [
    ['2026-11-21/0', null, null],
    ['2026-11-22/0', second.scan_id, null],
  ])
  await isSound()
})

test('a check-in from before its type allowed more is the entry of its day, and so it stays once it no longer does', async t => {
  const { a, sell, clock, entries, isSound, db, inside, types } = await startWithEntries(t, {})
  const { code } = await sell()
  const first = a.scan({ code })
  await a.one(first)
  assert.deepEqual(await entries(), [])
  const allow = (entries: string) =>
    db.write(INSTANCE, tx =>
      tx.run('UPDATE registration_types SET entries = $1 WHERE id = $2', [entries, types.Standard as string]),
    )
  await allow('each_day')
  assert.deepEqual(brief(await a.one(a.scan({ code }))), ['refused', 'already_checked_in'])
  clock.advance(DAY)
  const second = a.scan({ code })
  assert.deepEqual(brief(await a.one(second)), ['admitted', null])
  await allow('once')
  clock.advance(DAY)
  assert.deepEqual(brief(await a.one(a.scan({ code }))), ['refused', 'already_checked_in'])
  await a.one(a.undo(second.scan_id, { at: second.at }))
  await isSound()
  assert.equal((await inside()).length, 1)
})

test('what the doors did is carried to another database with exits and later entries, in whatever order it happened', async t => {
  const doors = await startWithEntries(t, { entries: 'each_day', reentry: true })
  const { a, b, sell, clock, entries, db } = doors
  const { linesOf, forget, takeLines } = carrying(doors)
  for (let guest = 0; guest < 8; guest++) {
    const { code } = await sell()
    const items = [a.scan({ code }, { shown: 'admitted' })]
    for (const isExit of [true, false, true, false]) {
      clock.advance(7 * HOUR)
      const item = isExit ? b.exit({ code }) : b.scan({ code }, { shown: 'admitted' })
      items.push(item, ...(isExit ? [] : [a.scan({ code }, { shown: 'admitted' })]))
    }
    await b.send(guest % 2 === 0 ? items : items.reverse())
  }
  const before = await entries()
  const lines = await linesOf()
  await forget()
  const take = () => takeLines(lines)
  assert.equal(await take(), lines.filter(line => 'id' in line).length)
  assert.deepEqual(await entries(), before)
  assert.equal(await take(), 0)
  assert.deepEqual(await entries(), before)
  await isSoundAtHome(db)
})

test('who holds the check-in on the box holds it at home too, though another entry there was of an earlier day', async t => {
  const doors = await startWithEntries(t, { entries: 'each_day', reentry: true })
  const { a, b, sell, clock, inside, entries, db } = doors
  const { linesOf, forget, takeLines } = carrying(doors)
  const { code } = await sell()
  const early = b.scan({ code }, { shown: 'admitted' })
  const exit = b.exit({ code }, { at: new Date(clock() + MINUTE).toISOString() })
  clock.advance(DAY)
  const first = a.scan({ code }, { shown: 'admitted' })
  for (const item of [first, early, exit]) await b.one(item)
  const [before, lines] = [await entries(), await linesOf()]
  await forget()
  assert.equal(await takeLines(lines), 3)
  assert.deepEqual(
    (await inside()).map(({ checked_in_at }) => checked_in_at),
    [first.at],
  )
  assert.deepEqual(await entries(), before)
  await isSoundAtHome(db)
})

test('the exit that ended an entry on the box ends it at home too, where a later exit has waited for one', async t => {
  const doors = await startWithEntries(t, { reentry: true })
  const { a, b, sell, clock, entries, db } = doors
  const { linesOf, forget, takeLines } = carrying(doors)
  const { code } = await sell()
  const first = a.scan({ code }, { shown: 'admitted' })
  clock.advance(HOUR)
  const exit = b.exit({ code })
  clock.advance(HOUR)
  const back = a.scan({ code }, { shown: 'admitted' })
  clock.advance(HOUR)
  const waiting = b.exit({ code })
  // Home has the last exit alone, when the box becomes its copy.
  for (const item of [waiting, exit, first, back]) await b.one(item)
  const before = [
    ['-/0', first.scan_id, exit.scan_id],
    ['-/1', back.scan_id, waiting.scan_id],
  ]
  assert.deepEqual(await entries(), before)
  const lines = await linesOf()
  await forget()
  assert.deepEqual(brief(await b.one(waiting)), ['refused', 'not_inside'])
  await takeLines(lines)
  assert.deepEqual(await entries(), before)
  assert.equal(await takeLines(lines), 0)
  assert.deepEqual(await entries(), before)
  await isSoundAtHome(db)
})

/**
 * Has two doors let somebody in with one ticket at home. Then the box hears of a third one, and late of two exits: the first one
 * lets the third one have the next entry, and the second one ends that.
 */
async function startWithDouble(t: Parameters<typeof startWithDoors>[0]) {
  const doors = await startWithEntries(t, { reentry: true })
  const { a, b, sell, clock, entries } = doors
  const { code, id } = await sell()
  const make = (item: (typeof doors)['a']['scan'], more = {}) => {
    clock.advance(HOUR)
    return item.call(b, { code }, more)
  }
  const shown = { shown: 'admitted' } as const
  const [first, exit, atBox] = [make(a.scan, shown), make(b.exit), make(b.scan, shown)]
  const [second, atHome, alone] = [make(b.exit), make(a.scan, shown), make(a.scan, shown)]
  for (const item of [first, atHome, atBox, exit, second]) await b.one(item)
  const onBox = [
    ['-/0', first.scan_id, exit.scan_id],
    ['-/1', atBox.scan_id, second.scan_id],
    ['-/2', atHome.scan_id, null],
  ]
  assert.deepEqual(await entries(), onBox)
  return { ...doors, registrationId: id, first, exit, atBox, second, atHome, alone, onBox }
}

test('of two that were let in with one ticket at home and on the box, the entry is at home whose it is on the box', async t => {
  const doors = await startWithDouble(t)
  const { a, b, first, second, atHome, onBox, entries, inside, db } = doors
  const { linesOf, forget, takeLines } = carrying(doors)
  const lines = await linesOf()
  await forget()
  for (const item of [first, atHome]) await a.one(item)
  const before = await inside()
  await takeLines(lines)
  assert.deepEqual(await entries(), onBox)
  assert.deepEqual(await inside(), before, 'the check-in stays')
  assert.deepEqual(brief(await b.one(second)), ['left', null])
  assert.deepEqual(brief(await a.one(atHome)), ['admitted', null])
  assert.equal(await takeLines(lines), 0)
  assert.deepEqual(await entries(), onBox)
  await isSoundAtHome(db)
})

test('where home has let in somebody of whom the box knows nothing, it works out the entries by itself', async t => {
  const doors = await startWithDouble(t)
  const { a, b, first, exit, atBox, second, atHome, alone, entries, db } = doors
  const { linesOf, forget, takeLines } = carrying(doors)
  const lines = await linesOf()
  await forget()
  for (const item of [first, atHome, alone]) await a.one(item)
  await takeLines(lines)
  assert.deepEqual(await entries(), [
    ['-/0', first.scan_id, exit.scan_id],
    ['-/2', atBox.scan_id, second.scan_id],
    ['-/1', atHome.scan_id, null],
  ])
  assert.deepEqual(brief(await b.one(alone)), ['conflict', 'already_checked_in'])
  assert.equal(await takeLines(lines), 0)
  await isSoundAtHome(db)
})

test('home takes over no entries of the box whose scans it has taken back, or cannot admit by now', async t => {
  const doors = await startWithDouble(t)
  const { a, client, registrationId, first, exit, atBox, atHome, entries, db, accountId, eventId } = doors
  const { linesOf, forget, takeLines } = carrying(doors)
  const lines = await linesOf()
  await forget()
  for (const item of [first, atHome]) await a.one(item)
  await takeLines(lines)
  await db.write(accountId, tx => decisions.undo(tx, { id: atBox.scan_id, eventId }, 'R'))
  const kept = [
    ['-/0', first.scan_id, exit.scan_id],
    ['-/2', atHome.scan_id, null],
  ]
  assert.deepEqual(await entries(), kept)
  assert.equal(await takeLines(lines), 0)
  assert.deepEqual(await entries(), kept)
  // The ticket was cancelled before the file came.
  await forget()
  for (const item of [first, atHome]) await a.one(item)
  assert.equal((await client.post(`/registrations/${registrationId}/cancel`)).status, 200)
  await takeLines(lines)
  assert.deepEqual(await entries(), [['-/0', first.scan_id, exit.scan_id]])
  await isSoundAtHome(db)
})

test('a file without entries is one of the first version, as older servers take it; with entries only newer ones do', async t => {
  const { a, sell, db, accountId, clock } = await startWithEntries(t, { reentry: true })
  const heads = async () => {
    for await (const [head] of exportScans(db, accountId, clock()))
      return (head as { version: number }).version
    return undefined
  }
  assert.equal(await heads(), 1)
  await a.one(a.scan({ code: (await sell()).code }))
  assert.equal(await heads(), 2)
})

test('an exit that somebody has dismissed is not carried to another database, where it would let the guest out', async t => {
  const { a, b, sell, clock, db, accountId, eventId, bId, isSound } = await startWithEntries(t, {
    reentry: true,
  })
  const { code } = await sell()
  await a.one(a.scan({ code }))
  clock.advance(MINUTE)
  const [dismissed, early] = [b.exit({ code }), b.exit({ code: (await sell()).code })]
  assert.deepEqual(brief(await b.one(early)), ['refused', 'not_inside'])
  await db.write(accountId, tx => revoke(tx, bId))
  assert.deepEqual(brief(await b.one(dismissed)), ['held', 'device_revoked'])
  await db.write(accountId, tx => decisions.dismissHeld(tx, { id: dismissed.scan_id, eventId }))
  const kinds: string[] = []
  for await (const some of exportScans(db, accountId, clock()))
    for (const line of some as { kind?: string; id?: string }[])
      if (line.kind === 'exit') kinds.push(line.id as string)
  assert.deepEqual(kinds, [early.scan_id])
  await isSound()
})

test('the list says who is inside as a phone counts it: through days and exits, and by the door that let them in', async t => {
  for (const rule of [
    {},
    { entries: 'each_day' },
    { reentry: true },
    { entries: 'each_day', reentry: true },
  ] as const) {
    const { a, b, sell, clock } = await startWithEntries(t, rule)
    const figures = async (door: typeof a) => {
      const { body } = (await door.copy()) as unknown as { body: CopyAnswer & { device: Copy['device'] } }
      const copy = new Copy(body.device)
      copy.replace(body, Date.parse(body.now))
      assert.deepEqual(body.figures, copy.figuresAt(Date.parse(body.now)), JSON.stringify(rule))
      return Object.values(body.figures ?? {})
    }
    const [one, two] = [await sell(), await sell()]
    await sell()
    await a.one(a.scan({ code: one.code }))
    await b.one(b.scan({ code: two.code }))
    assert.deepEqual(
      [await figures(a), await figures(b)],
      [
        [2, 3, 1],
        [2, 3, 1],
      ],
    )
    clock.advance(HOUR)
    await a.one(a.exit({ code: two.code }))
    const isBack = 'reentry' in rule
    assert.deepEqual(await figures(b), isBack ? [1, 3, 0] : [2, 3, 1])
    clock.advance(DAY)
    const isDaily = 'entries' in rule
    assert.deepEqual(await figures(a), isDaily ? [0, 3, 0] : isBack ? [1, 3, 1] : [2, 3, 1])
    await b.one(b.scan({ code: two.code }))
    assert.deepEqual(await figures(b), isDaily ? [1, 3, 1] : [2, 3, 1])
  }
})

test('the log of scans says which entry a double is of, and an exit is taken back in it with a reason', async t => {
  const { a, b, sell, clock, entries, db, accountId, eventId, isSound } = await startWithEntries(t, {
    entries: 'each_day',
    reentry: true,
  })
  const { code } = await sell()
  const first = a.scan({ code })
  await a.one(first)
  const holderOf = async (id: string) => {
    const { holder } = await db.read(accountId, tx => scanLog.get(tx, id))
    return holder && [holder.check_in_id !== null, holder.at, holder.scan_id, holder.door]
  }
  const early = b.scan({ code }, { shown: 'admitted' })
  await b.one(early)
  assert.deepEqual(await holderOf(early.scan_id), [true, first.at, first.scan_id, 'Door A'])
  clock.advance(DAY)
  const second = b.scan({ code })
  await b.one(second)
  clock.advance(MINUTE)
  const double = a.scan({ code }, { shown: 'admitted' })
  assert.deepEqual(brief(await a.one(double)), ['conflict', 'already_checked_in'])
  assert.deepEqual(await holderOf(double.scan_id), [false, second.at, second.scan_id, 'Door B'])
  assert.deepEqual(await holderOf(second.scan_id), [false, second.at, second.scan_id, 'Door B'])
  clock.advance(MINUTE)
  const exit = b.exit({ code })
  await b.one(exit)
  clock.advance(MINUTE)
  const third = a.scan({ code })
  await a.one(third)
  const before = [
    ['2026-11-21/0', first.scan_id, null],
    ['2026-11-22/0', second.scan_id, exit.scan_id],
    ['2026-11-22/1', third.scan_id, null],
  ]
  assert.deepEqual(await entries(), before)
  const undone = await db.write(accountId, tx =>
    decisions.undo(tx, { id: exit.scan_id, eventId }, 'wrong person'),
  )
  assert.deepEqual([undone.scan.outcome, undone.changed], ['undone', true])
  // Nobody has left, so whoever came in since then is a double.
  assert.deepEqual(await entries(), [before[0], ['2026-11-22/0', second.scan_id, null]])
  assert.deepEqual(brief(await a.one(third)), ['refused', 'already_checked_in'])
  await isSound()
})

test('a phone takes an exit back for ten minutes, with and without a network', async t => {
  const { a, b, sell, clock, entries, isSound } = await startWithEntries(t, { reentry: true })
  const { code, ticket } = await sell()
  const first = a.scan({ code })
  await a.one(first)
  clock.advance(MINUTE)
  const exit = b.exit({ code })
  const { ticket: row } = await b.one(exit)
  const { body } = (await b.copy()) as unknown as { body: CopyAnswer & { device: Copy['device'] } }
  const phone = new Copy(body.device)
  phone.replace(body, Date.parse(body.now))
  const insideNow = () => phone.figuresAt(clock()).inside
  assert.deepEqual([insideNow(), phone.find(ticket)], [0, row])
  // The list of the phone has the exit, which a mark does not undo.
  assert.equal(phone.clearUse(ticket, 'another', first.at), undefined)
  assert.notEqual(phone.clearUse(ticket, exit.scan_id, exit.at), undefined)
  assert.deepEqual([insideNow(), phone.find(ticket)?.[8]], [1, ['-', 0, true, first.at, null, 'Door A']])
  clock.advance(9 * MINUTE)
  assert.equal((await b.one(b.undo(exit.scan_id))).outcome, 'undone')
  assert.deepEqual(await entries(), [['-/0', first.scan_id, null]])
  const again = b.exit({ code })
  await b.one(again)
  clock.advance(11 * MINUTE)
  assert.deepEqual(brief(await b.one(b.undo(again.scan_id))), ['refused', 'undo_too_late'])
  assert.deepEqual(await entries(), [['-/0', first.scan_id, again.scan_id]])
  await isSound()
})

test('where a type admits once, nothing is as if it could be otherwise: no field, no row, no statement more', async t => {
  const { a, b, sell, clock, entries, isSound, db, accountId } = await startWithEntries(t, {})
  const { code, ticket } = await sell()
  const texts = recordStatements(t, EngineTransaction, ['one', 'all', 'run'])
  const first = a.scan({ code })
  assert.equal((await a.one(first)).ticket.length, 8)
  clock.advance(MINUTE)
  const double = b.scan({ code }, { shown: 'admitted' })
  assert.deepEqual(brief(await b.one(double)), ['conflict', 'already_checked_in'])
  assert.deepEqual(brief(await b.one(b.exit({ code }))), ['refused', 'no_reentry'])
  assert.deepEqual(brief(await a.one(a.scan({ code }))), ['refused', 'already_checked_in'])
  await a.one(a.undo(first.scan_id))
  assert.deepEqual(brief(await b.one(double)), ['admitted', null])
  await db.write(accountId, tx => checkIns.undo(tx, ticket))
  const { body } = await a.copy()
  assert.deepEqual(
    body.tickets.map((row: unknown[]) => row.length),
    [8],
  )
  const ofEntries = [...texts.keys()].filter(text => /(FROM|INTO) entries\b/.test(text))
  // Whether a ticket has entries is a part of the statements that read it, and its conflicts, anyway.
  assert.deepEqual(
    ofEntries.filter(text => !/AS has_entries|AS holder_id/.test(text)),
    [],
  )
  assert.deepEqual(await entries(), [])
  await isSound()
})
