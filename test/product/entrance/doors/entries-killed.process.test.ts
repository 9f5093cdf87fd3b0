import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { seeded } from '#test/durability/power-cut.ts'
import { seedOf } from '#test/fuzz/server.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { DoorClient, pairDoor, type SentItem } from '#test/support/door/door.ts'
import { DoorModel, type ModelTicket } from '#test/support/door/door-model.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { startServerProcess } from '#test/support/server-process.ts'

const TICKETS = 20
const BATCHES = 24
const SIZE = 20
const KILLS = 3
const ZONE = 'Europe/Madrid'
const RULE = { isEachDay: true, isReentry: true, zone: ZONE }

test('a server that is killed again and again while doors send entries and exits comes to what the model says', async t => {
  const random = seeded(seedOf(t))
  const { data, accountId, eventId } = await prepareDataFolder(t)
  const clock = Date.now
  const db = await openTestDatabase(t, { data, clock })
  const began = clock()
  const registration = {
    reference: 'R',
    registration_type: 'Pass',
    buyer: { name: 'Grace', email: 'grace@example.org' },
    quantity: TICKETS,
  }
  const type = { name: 'Pass', price: 0, capacity: 100, entries: 'each_day', reentry: true }
  const dates = {
    starts_at: new Date(began - 5 * DAY).toISOString(),
    ends_at: new Date(began + DAY).toISOString(),
    timezone: ZONE,
  }
  const file = organization({
    event: { ...dates, registration_types: [type], registrations: [registration] },
  })
  await applyOrganization(db, file, { clock })
  const codes = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; qr_code: string }>('SELECT id, qr_code FROM attendees ORDER BY id'),
  )
  let server = await startServerProcess(t, data)
  const origin = () => new URL(server.url).origin
  const paired = await pairDoor({ app: { siteUrl: origin() }, db, clock }, accountId, { event_id: eventId })
  // It was there for days, and what it did then was not sent.
  const pairedAt = began - 4 * DAY
  await db.write(accountId, async tx => {
    await tx.run('UPDATE devices SET paired_at = $1 WHERE id = $2', [pairedAt, paired.id])
    await tx.now()
  })
  let { door } = paired

  const model = new DoorModel()
  const tickets = codes.map(({ id, qr_code: code }) => {
    const ticket: ModelTicket & { code: string } = {
      ...{ id, code, refusal: undefined, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
      ...{ holder: undefined, isTouched: false },
    }
    ticket.entries = model.entriesOf(ticket, RULE)
    return ticket
  })
  const ofItem = new Map<string, ModelTicket>()
  const sent: SentItem[] = []
  const make = (): SentItem => {
    const chance = random()
    const before = sent[Math.floor(random() * sent.length)]
    if (before !== undefined && before.kind !== 'undo' && chance < 0.12) {
      const at = Date.parse(before.at) + Math.floor(random() * 14) * MINUTE
      return door.undo(before.scan_id, { at: new Date(at).toISOString() })
    }
    const ticket = tickets[Math.floor(random() * tickets.length)] as (typeof tickets)[number]
    const at = new Date(began - HOUR - Math.floor(random() * 80) * HOUR - Math.floor(random() * HOUR))
    const when = { at: at.toISOString() }
    const shown = random() < 0.7 ? 'admitted' : random() < 0.5 ? 'refused' : null
    const { code } = ticket
    const item = chance < 0.4 ? door.exit({ code }, when) : door.scan({ code }, { ...when, shown })
    ofItem.set(item.scan_id, ticket)
    return item
  }
  const outcomeOf = (id: string) => model.undos.get(id)?.outcome ?? model.outcomeOf(id)
  const deaths = new Set(Array.from({ length: KILLS }, (_, at) => 3 + at * 7))
  let killed = 0
  for (let at = 0; at < BATCHES; at++) {
    const batch: SentItem[] = []
    for (let place = 0; place < SIZE; place++) {
      const item = make()
      sent.push(item)
      batch.push(item)
    }
    const victim = server
    if (deaths.has(at)) setTimeout(random() * 12).then(() => victim.kill('SIGKILL'))
    let answer = await door.send(batch).catch(() => undefined)
    if (deaths.has(at)) {
      assert.equal((await victim.ended).signal, 'SIGKILL')
      killed++
      server = await startServerProcess(t, data)
      const { token } = door
      door = new DoorClient(origin(), clock)
      door.token = token
      // Without an answer the phone sends it once more, and with one too, as after a restore.
      answer = await door.send(batch)
    }
    assert.equal(answer?.status, 200)
    const results: { scan_id: string; outcome: string }[] = answer?.body.results ?? []
    for (const [place, item] of batch.entries()) {
      const ticket = ofItem.get(item.scan_id)
      model.take({ item, ticket, never: undefined, isRevoked: false, pairedAt, now: clock() })
      // What was known before the kill is answered as it is by the end of the batch.
      if (!deaths.has(at)) assert.equal(results[place]?.outcome, outcomeOf(item.scan_id))
    }
  }
  server.kill('SIGKILL')
  await server.ended
  assert.equal(killed, KILLS)
  assert.deepEqual(await findDamage(db), [])
  for (const { scan_id: id } of sent) {
    const row = await db.read(INSTANCE, tx =>
      tx.one<{ outcome: string }>('SELECT outcome FROM scans WHERE id = $1', [id]),
    )
    assert.equal(row?.outcome, outcomeOf(id))
  }
  let later = 0
  for (const { id, holder, entries } of tickets) {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ scan_id: string; left_scan_id: string | null }>(
        'SELECT scan_id, left_scan_id FROM entries WHERE attendee_id = $1 ORDER BY entered_at',
        [id],
      ),
    )
    const expected = entries?.entries.map(each => [each.holder, each.exit ?? null])
    assert.deepEqual(
      rows.map(({ scan_id, left_scan_id }) => [scan_id, left_scan_id]),
      expected,
    )
    later += Math.max(0, rows.length - 1)
    const inside = await db.read(INSTANCE, tx =>
      tx.all<{ scan_id: string }>('SELECT scan_id FROM check_ins WHERE attendee_id = $1', [id]),
    )
    assert.deepEqual(
      inside.map(({ scan_id }) => scan_id),
      holder === undefined ? [] : [holder],
    )
  }
  assert.ok(later > 10, `${later} later entries`)
})
