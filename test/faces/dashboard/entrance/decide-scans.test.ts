import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR, MINUTE } from '#base/time.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { pairDoor, type SentItem } from '#test/support/door/door.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'

/** Starts with an event whose two doors were revoked, and with what they sent afterwards. */
async function start(t: TestContext) {
  const dashboard = await startDashboard(t, organization({ events: [{ slug: 'second', title: 'Second' }] }))
  const { client, db, accountId, eventId, clock } = dashboard
  const path = `/manage/e/${eventId}/doors`
  const sell = async (name: string) => {
    const buyer = { name, email: 'grace@example.org' }
    const { body } = await client.post(
      '/registrations',
      newRegistration(dashboard, { buyer, attendees: [{ name }] }),
    )
    return body.attendees[0].qr_code as string
  }
  const revoked = async (name: string) => {
    const { door, id } = await pairDoor(dashboard, accountId, { event_id: eventId, name })
    return { id, door, revoke: () => db.write(accountId, tx => doors.revoke(tx, id)) }
  }
  const [north, south] = [await revoked('North'), await revoked('South')]
  const [ada, bea] = [await sell('Ada'), await sell('Bea')]
  const many = (code: string, count: number): SentItem[] =>
    Array.from({ length: count }, () => north.door.scan({ code }, { shown: 'admitted' }))
  await north.revoke()
  await south.revoke()
  await north.door.send(many(ada, 300))
  clock.advance(HOUR)
  await south.door.send([south.door.scan({ code: bea }, { shown: 'admitted' })])
  const inside = async () => (await client.get('/check-ins?limit=100')).body.data.length as number
  const ended = (reader: { open: (path: string) => Promise<{ text: string }> }, at: string) =>
    onceSettled(dashboard, 'jobs', 'the end of the job', async () => {
      const { text } = await reader.open(new URL(at, 'http://x').pathname)
      return /Done|Failed|Stopped|Hecho|Terminado/.test(text) && text
    })
  return { ...dashboard, path, sell, north, south, ada, bea, many, inside, ended }
}

test('hundreds of held scans of one ticket are one row, whose decision says what would happen, and is a job then', async t => {
  const { member, path, inside, accountId, clock, north, ada, many, ended } = await start(t)
  const manager = await member('manager')
  assert.match((await manager.open(`/manage/a/${accountId}`)).text, /2 tickets at doors need a look/)
  const list = await manager.open(`${path}/scans?show=held`)
  assert.equal(list.rows().length, 2)
  assert.match(list.text, /To decide 2/)
  const row = list.rows().find(text => text.includes('Ada'))
  assert.match(row as string, /To decide 300 scans.*revoked.*North/)
  assert.doesNotMatch(row as string, /The guest was let in/)

  const look = await list.follow('Let them count… the scans of Ada')
  assert.equal(look.heading, 'Let 300 scans count?')
  assert.match(look.text, /1 ticket is checked in\..*299 scans become conflicts/)
  assert.match(look.text, /Ada.*North · 300 scans: 1 checked in, 299 in conflict/)
  assert.equal(await inside(), 0)
  // Scans that arrive now are none of those that the page is about.
  clock.advance(MINUTE)
  await north.door.send(many(ada, 5))
  const job = await look.press('Let them count')
  assert.equal(job.heading, 'Letting scans count')
  assert.match(await ended(manager, job.path), /300 of 300.*Checked in ?1.*Conflicts ?299/)
  assert.equal(await inside(), 1)
  assert.match((await manager.open(`${path}/scans?show=held`)).rows().join(), /Ada.*5 scans/)
  const conflicts = await manager.open(`${path}/scans?show=conflict`)
  assert.equal(conflicts.rows().length, 1)
  const aside = await conflicts.follow('Seen… the scans of Ada')
  assert.equal(aside.heading, 'Set 299 conflicts aside?')
  await ended(manager, (await aside.press('Seen')).path)
  assert.match((await manager.open(`${path}/scans?show=conflict`)).text, /No conflicts/)
  // The same form again is the same decision.
  assert.equal((await look.press('Let them count')).path, job.path)
})

test('what is held is decided for a door or a span of time, chosen in a form that says what is wrong with it', async t => {
  const { member, path, inside, south, clock, ended } = await start(t)
  const manager = await member('manager')
  const list = await manager.open(`${path}/scans?show=held`)
  const form = await list.follow('Decide on several')
  assert.equal(form.heading, 'Decide on several scans')
  const from = new Date(clock()).toISOString().slice(0, 16)
  const wrong = await form
    .fill({ 'Scanned from': from, 'Scanned before': from })
    .press('See what would happen')
  assert.match(wrong.text, /must be later than the beginning/)
  const look = await form
    .fill({ 'Scanned from': '', 'Scanned before': '', 'Dismiss them': true, Door: south.id })
    .press('See what would happen')
  assert.equal(look.heading, 'Dismiss 1 scan?')
  assert.match(look.text, /South.*1 scan counts for nothing.*Bea.*South · 1 scan: 1 dismissed/)
  const others = await look.follow('Choose others')
  assert.equal(others.field('Door').value, south.id)
  await ended(manager, (await look.press('Dismiss them')).path)
  assert.equal(await inside(), 0)
  const rest = await manager.open(`${path}/scans?show=held`)
  assert.equal(rest.rows().length, 1)
  assert.doesNotMatch((await rest.follow('Decide on several')).text, /South/)
  // The address has the same values as the form.
  const none = await manager.open(
    `${path}/decide?show=held&decision=count&door=all&from=2030-01-01T00:00&to=`,
  )
  assert.match(none.text, /Nothing to decide/)
})

test('one by one the scans of a ticket are there too, and each is decided for itself', async t => {
  const { member, path, inside } = await start(t)
  const manager = await member('manager')
  const each = await (await manager.open(`${path}/scans?show=held`)).follow('One by one: the scans of Ada')
  assert.equal(each.rows().length, 50)
  const older = await each.follow('Older')
  assert.equal(older.rows().length, 50)
  const form = older.document.querySelector('main form') as HTMLFormElement
  const fields = Object.fromEntries(
    [...form.querySelectorAll('input')].map(({ name, value }) => [name, value] as const),
  )
  const done = await manager.post(form.getAttribute('action') as string, fields)
  assert.match(done.messages.join(), /The scan of Ada counts now: admitted/)
  assert.equal(await inside(), 1)
  assert.equal(done.rows().length, 50)
  const case_ = new URL(each.path, 'http://x').searchParams.get('case')
  const dismissed = await manager.open(`${path}/decide?decision=dismiss&case=${case_}`)
  assert.match(dismissed.heading, /Dismiss 299 scans/)
})

test('only who decides sees the decision, of events of theirs, and what has changed since the look is shown again', async t => {
  const { member, path, inside, ended, client, eventId, applied } = await start(t)
  const person = await member('door')
  const seen = await person.open(`${path}/scans?show=held`)
  assert.equal(seen.rows().length, 2)
  assert.deepEqual(
    seen.links().filter(text => /Let|Dismiss|several/.test(text)),
    [],
  )
  const each = await seen.follow('One by one')
  assert.equal(each.document.querySelector('main form'), null)
  assert.equal((await person.open(`${path}/decide`)).status, 403)
  assert.equal((await person.post(`${path}/decide?decision=count&door=all`)).status, 403)

  const manager = await member('manager')
  const case_ = new URL(each.path, 'http://x').searchParams.get('case')
  const second = `/manage/e/${applied.events.second?.id}/doors`
  for (const which of [`case=${case_}`, 'case=nobody'])
    assert.equal((await manager.open(`${second}/decide?decision=count&${which}`)).status, 404)
  const look = await (await manager.open(`${path}/scans?show=held`)).follow(
    'Let them count… the scans of Ada',
  )
  // Somebody checks her in at the desk meanwhile.
  const [ticket] = (await client.get(`/registrations?event_id=${eventId}&q=ada`)).body.data[0].attendees
  await client.post('/check-ins', { attendee_id: ticket.id })
  const again = await look.press('Let them count')
  assert.equal(again.status, 409)
  assert.match(again.text, /has changed meanwhile.*300 scans become conflicts/)
  assert.equal(await inside(), 1)
  await ended(manager, (await again.press('Let them count')).path)
  assert.equal(await inside(), 1)
})

test('the pages say all of it in Spanish', async t => {
  const { member, path, ended } = await start(t)
  const manager = await member('manager', { language: 'es' })
  const list = await manager.open(`${path}/scans?show=held`)
  assert.match(list.rows().join(), /Ada.*Por decidir 300 lecturas/)
  const look = await list.follow('Que cuenten… las lecturas de Ada')
  assert.equal(look.heading, '¿Que cuenten 300 lecturas?')
  assert.match(look.text, /1 entrada queda acreditada\..*299 lecturas pasan a ser conflictos/)
  assert.match(look.text, /North · 300 lecturas: 1 acreditadas, 299 en conflicto/)
  const form = await look.follow('Elegir otras')
  assert.equal(form.heading, 'Decidir sobre varias lecturas')
  const text = await ended(manager, (await look.press('Que cuenten')).path)
  assert.match(text, /Lecturas que pasan a contar.*Acreditadas ?1.*Conflictos ?299/)
})
