import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { makeLogo } from '#product/catalog/looks/make-logo.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { putBack } from '#product/data-care/integrity/instants.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { DoorClient } from '#test/support/door/door.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { organization, registration } from '#test/support/organization.ts'
import { photo, pngOf } from '#test/support/picture-files.ts'

type Row = [id: string, ...rest: unknown[]]

async function follow(door: DoorClient, from: string) {
  const rows = new Map<string, Row>()
  const sizes: number[] = []
  for (let cursor = from; ; ) {
    const { status, body } = await door.changes(cursor)
    assert.equal(status, 200)
    for (const row of body.tickets as Row[]) rows.set(row[0], row)
    sizes.push(body.tickets.length)
    cursor = body.cursor
    if (!body.more) return { rows, sizes, cursor }
  }
}

const MANY = organization({
  event: { registration_types: [{ name: 'Standard', price: 0, capacity: 10_000 }] },
})

test('many changes come in pages, those of one write together, and with all of them a copy is as a new one', async t => {
  const { a, sell, client, db, accountId } = await startWithDoors(t, MANY)
  const { body } = await a.copy()
  const copied = new Map<string, Row>(body.tickets.map((row: Row) => [row[0], row]))
  const sold: Awaited<ReturnType<typeof sell>>[] = []
  for (let count = 0; count < 24; count++) sold.push(await sell({ quantity: 50 }))
  await client.post(`/registrations/${sold[0]?.id}/cancel`)
  const pages = await follow(a, body.cursor)
  assert.equal(pages.sizes.length, 2)
  assert.equal(pages.rows.size, 1_200)
  // One write changes more than a page holds.
  await db.write(accountId, async tx => {
    for (const { id } of sold) await attendees.noteRegistrationAtDoors(tx, id)
  })
  await client.post(`/registrations/${sold[1]?.id}/cancel`)
  const later = await follow(a, pages.cursor)
  assert.deepEqual(later.sizes, [1_200, 50])
  const all = [...new Map([...copied, ...pages.rows, ...later.rows]).values()]
  const anew = (await a.copy()).body
  assert.deepEqual(all.sort(), anew.tickets.sort())
  assert.equal(anew.cursor, later.cursor)
  assert.deepEqual((await follow(a, later.cursor)).sizes, [0])
})

test('a cursor from before what was forgotten, or ahead of the server, has the list copied again, whatever the clock does', async t => {
  const { a, sell, clock, db, apply } = await startWithDoors(t)
  const old = (await a.copy()).body.cursor
  const { code } = await sell()
  await sell()
  const between = (await a.copy()).body.cursor
  const scanned = a.scan({ code })
  await a.one(scanned)
  const status = async (cursor: string) => (await a.changes(cursor)).status
  assert.deepEqual([await status(old), await status(between)], [200, 200])
  assert.equal(await status(String(Number((await a.copy()).body.cursor) + 1)), 410)
  clock.advance(DAY + HOUR)
  await cleanUp(db, clock, 30)
  assert.deepEqual([await status(old), await status(between)], [410, 200])
  // The clock was wrong, and is set back: what is gone is gone.
  clock.advance(-DAY - HOUR)
  assert.deepEqual([await status(old), await status(between)], [410, 200])
  clock.advance(-HOUR)
  const again = (await a.copy()).body.cursor
  const { ticket } = await sell()
  const { body } = await a.changes(again)
  assert.deepEqual(
    body.tickets.map(([id]: Row) => id),
    [ticket],
  )
  // An applied file changes too much for a list of changes.
  clock.advance(3 * HOUR)
  await apply(organization({ event: { registrations: [registration('R-1')] } }))
  assert.equal(await status(body.cursor), 410)
  const { body: copy } = await a.copy()
  assert.equal(copy.tickets.length, 4)
  assert.equal(await status(copy.cursor), 200)
  // So does a fast clock that is repaired: when tickets were admitted is put back.
  clock.advance(MINUTE)
  await a.one(a.scan({ ticket }))
  clock.advance(-HOUR)
  await putBack(db, clock)
  assert.notEqual((await a.changes(copy.cursor)).body.epoch, copy.epoch)
})

test('a copy has the keys of the other published events, so that their tickets are told from forged ones, and changes have none', async t => {
  const other = (slug: string, changes: object = {}) => ({
    ...(organization().events[0] as object),
    ...{ slug, title: `The ${slug}`, registrations: [registration('r1')], ...changes },
  })
  const past = (days: number) => ({
    starts_at: new Date(Date.parse('2026-11-21T09:00:00Z') - (days + 1) * DAY).toISOString(),
    ends_at: new Date(Date.parse('2026-11-21T09:00:00Z') - days * DAY).toISOString(),
  })
  const events = [
    other('ball'),
    other('draft', { status: 'draft' }),
    other('cancelled', { status: 'cancelled' }),
    other('without-tickets', { registrations: [] }),
    other('week-ago', past(7)),
    other('long-ago', past(40)),
  ]
  const { a, sell, apply, db, applied } = await startWithDoors(t, organization({ events }))
  await sell()
  // Another organization's events are nobody's business.
  const strangers = organization({ email: 'eve@example.org', events: [other('strange')] })
  await apply({ ...strangers, account: { ...strangers.account, name: 'Strangers' } })
  const { body } = await a.copy()
  assert.deepEqual(
    body.other_events.map(({ title }: { title: string }) => title),
    ['The week-ago', 'The ball'],
  )
  const ball = applied.events.ball?.id ?? ''
  const key = await db.read(applied.account_id, tx => attendees.findTicketKey(tx, ball))
  assert.deepEqual(body.other_events[1], { id: key?.id, public_key: key?.public_key, title: 'The ball' })
  assert.ok(!JSON.stringify(body).includes(key?.private_key ?? ''))
  assert.equal((await a.changes(body.cursor)).body.other_events, undefined)
})

test('a whole copy has the logo in itself: the event’s, else that of the organization, else none; changes bring none', async t => {
  const { a, sell, db, accountId, eventId } = await startWithDoors(t)
  await sell()
  assert.equal((await a.copy()).body.logo, null)
  const [ofAccount, ofEvent] = await Promise.all([
    makeLogo(pngOf(photo(80, 20))),
    makeLogo(pngOf(photo(30, 30))),
  ])
  await db.write(accountId, tx => looks.setLogo(tx, null, ofAccount))
  const { body } = await a.copy()
  assert.deepEqual(body.logo, { png: ofAccount.content, width: ofAccount.width, height: ofAccount.height })
  await db.write(accountId, tx => looks.setLogo(tx, eventId, ofEvent))
  assert.equal((await a.copy()).body.logo.png, ofEvent.content)
  assert.ok(!('logo' in (await a.changes(body.cursor)).body))
})
