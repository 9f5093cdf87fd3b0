import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { organizationOfDates } from '#test/support/series-dates.ts'
import { onceSettled } from '#test/support/settled.ts'

async function start(t: TestContext) {
  const mailServer = await startMailServer(t)
  const settings = { smtpUrl: mailServer.url, mailFrom: 'Turnout <tickets@example.org>' }
  const dashboard = await startDashboard(t, organizationOfDates() as never, { settings })
  const { db, eventId, applied } = dashboard
  const idOf = (slug: string) => applied.events[slug]?.id as string
  const slugs = new Map(Object.entries(applied.events).map(([slug, { id }]) => [id, slug]))
  /** What is written, as `slug e-mail`, in order. */
  const written = async () => {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ event_id: string; recipient: string }>(
        "SELECT event_id, recipient FROM emails WHERE kind = 'announcement' ORDER BY id",
      ),
    )
    return rows.map(({ event_id, recipient }) => `${slugs.get(event_id)} ${recipient.split('@')[0]}`).sort()
  }
  const sent = async () => {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ event_id: string; sent_at: number | null; stopped_at: number | null }>(
        'SELECT event_id, sent_at, stopped_at FROM announcements ORDER BY id',
      ),
    )
    return rows
      .map(({ event_id, sent_at, stopped_at }) => {
        const state = stopped_at === null ? (sent_at === null ? 'draft' : 'sent') : 'stopped'
        return `${slugs.get(event_id)} ${state}`
      })
      .sort()
  }
  const logged = async (action: string) => {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ target_id: string }>('SELECT target_id FROM access_log WHERE action = $1 ORDER BY id', [
        action,
      ]),
    )
    return rows.map(({ target_id }) => target_id)
  }
  const pathOf = (id: string) => `/manage/e/${id}/messages/announcements`
  return { ...dashboard, ...mailServer, idOf, written, sent, logged, pathOf, path: pathOf(eventId) }
}

type Started = Awaited<ReturnType<typeof start>>
type Reader = Awaited<ReturnType<Started['member']>>

const TEXT = { Subject: 'News of {event}', Text: 'Hello {name}: {event}, {ticket}' }

async function write(reader: Reader, path: string, changes: Record<string, string | boolean>) {
  return (await reader.open(`${path}/new`)).fill({ ...TEXT, ...changes }).press('Save the draft')
}

const ALL = { 'All dates of the series': true }
const LATER = { 'This date and the later ones': true }

test('an announcement to all dates writes once to each guest of each, names their own date, and stands in the list of each', async t => {
  const { app, member, path, pathOf, idOf, received, written, sent, logged, db, accountId } = await start(t)
  await db.write(accountId, tx => emails.unsubscribe(tx, 'CYD@example.org'))
  const manager = await member('manager')
  const draft = await write(manager, path, ALL)
  assert.match(draft.text, /All dates of the series/)
  assert.match(draft.text, /6 mails go out: a guest of several dates gets one for each/)
  assert.deepEqual(await sent(), ['spring-meeting draft'])
  const asks = await draft.follow('Send…')
  assert.match(asks.text, /6 mails go out/)
  assert.match(asks.text, /One person wants no announcements/)
  assert.match(asks.text, /Cancelled dates, drafts, and dates that are added later get none/)
  const sending = await asks.press('Send 6 mails')
  await onceSettled({ app }, ['jobs', 'mails'], 'the mails', () => received.length === 6)
  const expected = [
    ...['earlier eve', 'january ada', 'march ada', 'march bob'],
    ...['spring-meeting ada', 'spring-meeting bob'],
  ]
  assert.deepEqual(await written(), expected)
  const about = received
    .map(({ to, parsed }) => [to[0], parsed.subject, parsed.replyTo?.text].join(' '))
    .sort()
  assert.deepEqual(about, [
    'ada@example.org News of Spring Meeting desk@example.org',
    'ada@example.org News of Tour january january@example.org',
    'ada@example.org News of Tour march ada@example.org',
    'bob@example.org News of Spring Meeting desk@example.org',
    'bob@example.org News of Tour march ada@example.org',
    'eve@example.org News of Tour earlier ada@example.org',
  ])
  for (const { parsed } of received) {
    const own = parsed.subject?.replace('News of ', '') ?? ''
    assert.match(parsed.text ?? '', new RegExp(`: ${own}, http`))
    assert.match(parsed.text ?? '', /\/unsubscribe\//)
  }
  assert.deepEqual(await sent(), ['earlier sent', 'january sent', 'march sent', 'spring-meeting sent'])
  assert.equal((await logged('announcement.send')).length, 4)
  assert.equal(new Set(await logged('announcement.send')).size, 4)
  const page = await manager.open(sending.path)
  assert.match(page.text, /Mails written2 of 2/)
  assert.match(page.text, /Sent with it to other dates/)
  for (const slug of ['earlier', 'january', 'march']) {
    const list = await manager.open(pathOf(idOf(slug)))
    assert.match(list.rows().join(), /sent with other dates of the series/)
  }
  for (const slug of ['off', 'draft', 'empty', 'walk', 'lone'])
    assert.match((await manager.open(pathOf(idOf(slug)))).text, /No announcements yet/)
  // The form sent again sends no mail again.
  assert.equal((await asks.press('Send 6 mails')).path, sending.path)
  await app.settled('jobs')
  await app.settled('mails')
  assert.deepEqual(await written(), expected)
  assert.equal((await sent()).length, 4)
})

test('the later dates are those that begin later, and this date alone is this one', async t => {
  const { app, member, path, written } = await start(t)
  const manager = await member('manager')
  const later = await write(manager, path, LATER)
  await (await later.follow('Send…')).press('Send 6 mails')
  const first = await onceSettled({ app }, ['jobs', 'mails'], 'the mails', async () => {
    const all = await written()
    return all.length >= 6 && all
  })
  assert.deepEqual(first, [
    'january ada',
    'january cyd',
    'march ada',
    'march bob',
    ...['spring-meeting ada', 'spring-meeting bob'],
  ])
})

test('where an event is a date of no series there is nothing to choose, and what is sent all the same reaches no other', async t => {
  const { member, path, pathOf, idOf, eventId, db, accountId } = await start(t)
  const manager = await member('manager')
  assert.match((await manager.open(`${path}/new`)).text, /Guests of/)
  const form = await manager.open(`${pathOf(idOf('lone'))}/new`)
  assert.doesNotMatch(form.text, /Guests of|All dates of the series/)
  const fields = { group: 'confirmed', subject: 'A', body: 'B', dates: 'all' }
  await manager.post(`${pathOf(idOf('lone'))}/new`, fields)
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ audience: string }>('SELECT audience FROM announcements'),
  )
  assert.ok(rows.every(({ audience }) => !audience.includes('dates')))
  assert.equal((await manager.post(`${path}/new`, { ...fields, dates: 'others' })).status, 422)
  // An event without a start has no later dates.
  await db.write(accountId, tx =>
    tx.run("UPDATE events SET status = 'draft', starts_at = NULL, ends_at = NULL WHERE id = $1", [eventId]),
  )
  assert.doesNotMatch((await manager.open(`${path}/new`)).text, /This date and the later ones/)
  assert.equal((await manager.post(`${path}/new`, { ...fields, dates: 'later' })).status, 422)
})

test('a member of some events writes to the dates of theirs alone, and is told that there are others', async t => {
  const { app, member, path, pathOf, idOf, eventId, written, sent } = await start(t)
  const some = await member('manager', { email: 'some@example.org', eventIds: [eventId, idOf('march')] })
  const draft = await write(some, path, ALL)
  assert.match(draft.text, /4 mails go out/)
  const asks = await draft.follow('Send…')
  assert.match(asks.text, /3 dates of the series are not among your events, and their guests get none/)
  assert.doesNotMatch(asks.text, /9 Jan|10 Nov/)
  const sending = await asks.press('Send 4 mails')
  await onceSettled({ app }, ['jobs', 'mails'], 'the mails', async () => (await written()).length === 4)
  assert.deepEqual(await sent(), ['march sent', 'spring-meeting sent'])
  assert.equal((await some.open(pathOf(idOf('january')))).status, 404)
  // Who may see one of its dates alone is shown no other, and stops no other.
  const march = await member('manager', { email: 'march@example.org', eventIds: [idOf('march')] })
  const list = await march.open(pathOf(idOf('march')))
  const own = await list.follow('News of Tour march')
  assert.doesNotMatch(own.text, /Sent with it to other dates/)
  await march.post(`${own.path}/stop`)
  assert.deepEqual(await sent(), ['march stopped', 'spring-meeting sent'])
  assert.equal((await march.post(`${sending.path}/stop`)).status, 404)
})

test('ticket types are those of the same name, and a date without them is left out, not written to as a whole', async t => {
  const { app, member, path, written } = await start(t)
  const manager = await member('manager')
  const draft = await write(manager, path, { ...ALL, Standard: true })
  const asks = await draft.follow('Send…')
  assert.match(asks.text, /One date has none of these tickets, and its guests get none/)
  await asks.press('Send 6 mails')
  await onceSettled({ app }, ['jobs', 'mails'], 'the mails', async () => (await written()).length === 6)
  assert.ok(!(await written()).some(each => each.startsWith('earlier')))
})

test('a date that is published meanwhile is shown before anything is sent, and one that joins afterwards is not reached', async t => {
  const { app, member, path, written, sent, db, accountId } = await start(t)
  const manager = await member('manager')
  const draft = await write(manager, path, ALL)
  const asks = await draft.follow('Send…')
  await db.write(accountId, tx => tx.run("UPDATE events SET status = 'published' WHERE slug = 'draft'"))
  const again = await asks.press('Send 7 mails')
  assert.equal(again.status, 409)
  assert.deepEqual(await written(), [])
  assert.deepEqual(await sent(), ['spring-meeting draft'])
  await again.press('Send 8 mails')
  await onceSettled({ app }, ['jobs', 'mails'], 'the mails', async () => (await written()).length === 8)
  await db.write(accountId, tx =>
    tx.run(
      "UPDATE events SET series_id = (SELECT series_id FROM events WHERE slug = 'march') WHERE slug = 'lone'",
    ),
  )
  await db.write(accountId, tx => tx.run("UPDATE jobs SET state = 'failed', lease_until = NULL"))
  const page = await manager.open(draft.path)
  await page.press('Continue')
  await app.settled('jobs')
  await app.settled('mails')
  assert.equal((await written()).length, 8)
  assert.ok(!(await written()).some(each => each.startsWith('lone')))
})

test('stopping it on one date stops it on the others too, each with its entry in the log', async t => {
  const { app, member, path, script, received, written, sent, logged } = await start(t)
  let go = () => {}
  const wait = new Promise<undefined>(resolve => {
    go = () => resolve(undefined)
  })
  script.data = () => wait
  const manager = await member('manager')
  const sending = await (await (await write(manager, path, ALL)).follow('Send…')).press('Send 7 mails')
  await app.settled('jobs')
  assert.equal((await written()).length, 7)
  await (await manager.open(sending.path)).press('Stop sending')
  assert.deepEqual(await sent(), [
    'earlier stopped',
    'january stopped',
    'march stopped',
    'spring-meeting stopped',
  ])
  go()
  await app.settled('mails')
  assert.ok(received.length <= 2)
  assert.equal(new Set(await logged('announcement.stop')).size, 4)
})

test('in Spanish the choice of dates and the question are in Spanish', async t => {
  const { member, path } = await start(t)
  const manager = await member('manager', { language: 'es' })
  const form = (await manager.open(`${path}/new`)).fill({
    Asunto: 'Hola',
    Texto: 'Hola',
    'Todas las fechas de la serie': true,
  })
  const draft = await form.press('Guardar el borrador')
  const asks = await draft.follow('Enviar…')
  assert.match(asks.text, /Salen 7 correos/)
  assert.match((await asks.press('Enviar 7 correos')).text, /Enviado con este a otras fechas/)
})
