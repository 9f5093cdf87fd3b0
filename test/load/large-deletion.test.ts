import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { mailKinds } from '#app/mail-kinds.ts'
import { HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { deleteSomeRows, NOTHING_YET } from '#product/data-care/deletion/delete-rows.ts'
import { deleteEvent, MOST_COUNTED, MOST_ROWS } from '#product/data-care/deletion/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { exportOrganization } from '#product/data-care/organization/export.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { readRows, startDeletable } from '#test/support/deletable.ts'
import { pairDoor } from '#test/support/door/door.ts'
import { addGuests } from '#test/support/many-guests.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'

/** An event with all that an event can have, and so many codes that it is not deleted in one write. */
async function start(t: TestContext) {
  const server = await startDeletable(t)
  const { db, accountId, eventId } = server
  await db.write(accountId, tx =>
    tx.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= $3)
       INSERT INTO codes (id, account_id, event_id, code, code_key, used, active, created_at, updated_at)
       SELECT '00000000-0000-4000-8000-' || substr(CAST(1000000000000 + i AS TEXT), 2), $1, $2, 'BULK' || i, 'bulk' || i, 0, 1, 1, 1 FROM n`,
      [accountId, eventId, MOST_ROWS],
    ),
  )
  /** Marks the event, and keeps its job from every server until somebody gives it free. */
  const begin = () =>
    db.write(accountId, async tx => {
      const { isUnderWay } = await deleteEvent(tx, eventId, { typed: 'Spring Meeting', by: 'cli' })
      assert.ok(isUnderWay)
      await tx.run("UPDATE jobs SET state = 'running', lease_until = $1 WHERE kind = 'event.delete'", [
        server.clock() + 10 * HOUR,
      ])
    })
  return { ...server, begin }
}

async function isGone({ app, db, eventId }: Awaited<ReturnType<typeof startDeletable>>): Promise<void> {
  await onceSettled({ app }, 'jobs', 'the end of the event', async () => {
    const left = await db.read(INSTANCE, tx => tx.all('SELECT id FROM events WHERE id = $1', [eventId]))
    return left.length === 0
  })
}

test('while a large event goes, nobody sees anything of it, at any step, and no sum or link of what is left is wrong', async t => {
  const server = await start(t)
  const { db, accountId, eventId, types, client, member, clock, begin, other, visitor, apply } = server
  const before = await readRows(server)
  const own = (table: string) => before.get(table)?.filter(row => row.event_id === eventId) ?? []
  const [registration] = own('registrations')
  const registrations = new Set(own('registrations').map(({ id }) => id))
  const ticket = before.get('attendees')?.find(row => registrations.has(row.registration_id as string))
  const [order] = own('orders')
  const [abstract] = own('abstracts')
  const secret = before.get('instance')?.[0]?.cursor_secret as string
  const { door } = await pairDoor(server, accountId, { event_id: eventId })
  assert.equal((await door.copy()).status, 200)
  const owner = await member('owner')
  const waiting = own('emails').find(({ status }) => status === 'waiting')
  assert.ok(registration && ticket && order && abstract && waiting)
  await begin()

  const look = async () => {
    assert.deepEqual(await findDamage(db), [])
    // The API, by the id of the event, by the ids of what it had, and in lists.
    for (const path of [
      `/events/${eventId}`,
      `/events/${eventId}/registration-types`,
      `/registrations/${registration.id}`,
      `/abstracts/${abstract.id}`,
      `/reports/registrations?event_id=${eventId}`,
    ])
      assert.equal((await client.get(path)).status, 404, path)
    for (const path of [
      '/events?limit=100',
      '/registrations?limit=100',
      `/registrations?event_id=${eventId}`,
      '/registrations?status=confirmed',
      '/registrations?q=olga',
      '/registrations?email=olga@example.org',
      '/registrations?email=olga@example.org&status=confirmed',
      '/check-ins?limit=100',
      `/check-ins?event_id=${eventId}`,
      '/abstracts?limit=100',
      `/abstracts?event_id=${eventId}`,
      '/reports/monthly',
    ]) {
      const { status, text } = await client.get(path)
      assert.ok(status === 200 || status === 404, `${path} is ${status}`)
      assert.ok(!text.includes(eventId), path)
    }
    const posts: [string, object][] = [
      ['/registrations', newRegistration({ eventId, types })],
      ['/check-ins', { attendee_id: ticket.id }],
      [`/registrations/${registration.id}/cancel`, {}],
      [`/abstracts/${abstract.id}/decision`, { decision: 'accepted' }],
    ]
    for (const [path, body] of posts) assert.equal((await client.post(path, body)).status, 404, path)
    const scanned = await client.post('/check-ins', { qr_code: ticket.qr_code })
    assert.ok([404, 422].includes(scanned.status), scanned.text)
    // Pages, links and doors.
    const listed = await owner.open(`/manage/a/${accountId}?list=past`)
    for (const list of ['to_come', 'past', 'drafts', 'archived'])
      assert.doesNotMatch((await owner.open(`/manage/a/${accountId}?list=${list}`)).text, /Spring Meeting/)
    assert.doesNotMatch(listed.text, /Needs you.*Spring Meeting/)
    for (const path of ['', '/guests', '/orders', '/settings', `/guests/${registration.id}`])
      assert.equal((await owner.open(`/manage/e/${eventId}${path}`)).status, 404, path)
    assert.equal((await owner.open(`/manage/a/${accountId}/events/${eventId}/delete`)).status, 404)
    const links = [
      `/orders/${linkSecret(secret, 'order', { id: order.id as string, version: order.secret_version as number })}`,
      `/tickets/${linkSecret(secret, 'ticket', { id: ticket.id as string, version: 1 })}`,
      '/ada/spring-meeting/',
    ]
    for (const link of links) assert.equal((await visitor().open(link)).status, 404, link)
    assert.equal((await door.copy()).status, 401)
    assert.equal((await door.ask('POST', '/scans', { scans: [], waiting: 0 })).status, 401)
    const devices = await db.read(accountId, doors.listAll)
    assert.ok(devices.every(({ event_id }) => event_id !== eventId))
    // Mails that wait are not sent, and files have nothing of it.
    const kind = mailKinds.find(({ name }) => name === waiting.kind)
    const mail = { ...waiting, details: {}, now: clock() } as never
    assert.equal(
      await db.read(accountId, tx => kind?.read(tx, mail, { baseUrl: '', secret }) as Promise<unknown>),
      undefined,
    )
    const titles = await db.read(accountId, async tx => {
      const found: string[] = []
      for await (const some of (await exportOrganization(tx)).events)
        found.push(...some.map(({ title }) => title))
      return found
    })
    assert.deepEqual(titles, ['Other'])
  }

  await look()
  let progress = NOTHING_YET
  const steps = new Set<number>()
  while (!progress.isFinished) {
    const { passed } = progress
    // Each step deletes as little as there is to delete at once.
    progress = await db.write(accountId, tx => deleteSomeRows(tx, eventId, progress, 0))
    if (progress.passed !== passed && !steps.has(passed)) {
      steps.add(passed)
      if (!progress.isFinished) await look()
    }
  }
  assert.ok(steps.size > 10, `${steps.size} steps`)
  await look()
  const after = await readRows(server)
  assert.ok(!after.get('events')?.some(({ id }) => id === eventId))
  assert.ok(after.get('events')?.some(({ id }) => id === other.id))
  // Its link name is free from the beginning.
  await apply(organization({ event: { title: 'Anew' } }))
})

test('a large event is deleted by a job, after the same page as a small one, and the log keeps what went', async t => {
  const server = await start(t)
  const { db, accountId, eventId, member } = server
  await db.write(accountId, tx =>
    tx.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= $3)
       INSERT INTO waitlist_entries (id, account_id, event_id, registration_type_id, reference, name, email, quantity, created_at, updated_at)
       SELECT '00000000-0000-4000-8000-' || substr(CAST(1000000000000 + i AS TEXT), 2), $1, $2, (SELECT t.id FROM registration_types t WHERE t.event_id = $2 LIMIT 1), 'w' || i, 'W', 'w@x.org', 1, 1, 1 FROM n`,
      [accountId, eventId, MOST_COUNTED],
    ),
  )
  const before = await readRows(server)
  const owner = await member('owner')
  const page = await owner.open(`/manage/a/${accountId}/events/${eventId}/delete`)
  assert.match(page.text, /At least 10,000 entries on the waitlist/)
  assert.match(page.text, /4,00\d codes/)
  const done = await page.fill({ 'Name of the event': 'Spring Meeting' }).press('Delete the event')
  assert.deepEqual(done.messages, [
    '“Spring Meeting” is being deleted: nobody sees it any more, and what it had goes in the next minutes.',
  ])
  assert.equal(done.path, `/manage/a/${accountId}`)
  await isGone(server)
  const after = await readRows(server)
  for (const [name, rows] of after) {
    if (
      [
        'access_log',
        'jobs',
        'form_receipts',
        'webhook_events',
        'webhook_deliveries',
        'idempotent_responses',
      ].includes(name)
    )
      continue
    assert.ok(!JSON.stringify(rows).includes(eventId), `${name} still names it`)
    const were = new Set(before.get(name)?.map(row => JSON.stringify(row)))
    if (!['instance', 'one_time_links', 'users', 'members', 'sessions', 'event_figures'].includes(name))
      for (const row of rows) assert.ok(were.has(JSON.stringify(row)), `a row of ${name} has changed`)
  }
  assert.deepEqual(await findDamage(db), [])
  const log = await db.read(accountId, tx => accessLog.list(tx, 20))
  const [ended] = log.filter(({ action }) => action === 'event.deleted')
  const [begun] = log.filter(({ action, details }) => action === 'event.delete' && details.code === undefined)
  assert.deepEqual(
    [ended?.target_id, ended?.details.title, ended?.details.registrations, ended?.details.waitlist_entries],
    [eventId, 'Spring Meeting', 5, MOST_COUNTED + 2],
  )
  assert.deepEqual(
    [begun?.target_id, begun?.details.title, begun?.actor],
    [eventId, 'Spring Meeting', ended?.actor],
  )
  assert.match((await owner.open(`/manage/a/${accountId}/log`)).text, /An event is deleted\s*Spring Meeting/)
})

test('a large event leaves behind what a small one does, in each table, with an entry and a job more', async t => {
  const left = []
  for (const startOne of [startDeletable, start]) {
    const server = await startOne(t)
    const { accountId, eventId, member } = server
    const owner = await member('owner')
    const page = await owner.open(`/manage/a/${accountId}/events/${eventId}/delete`)
    assert.equal(
      (await page.fill({ 'Name of the event': 'Spring Meeting' }).press('Delete the event')).messages.length,
      1,
    )
    await isGone(server)
    await server.app.settled('webhooks')
    const rows = await readRows(server)
    const of = (table: string, ...columns: string[]) =>
      rows.get(table)?.map(row => columns.map(column => row[column] ?? null).join(' ')) ?? []
    left.push({
      counts: Object.fromEntries([...rows].map(([name, { length }]) => [name, length])),
      log: of('access_log', 'action', 'target_type').sort(),
      jobs: of('jobs', 'kind', 'state').sort(),
      webhooks: of('webhook_events', 'type').sort(),
    })
  }
  const [small, large] = left
  assert.ok(small && large)
  assert.deepEqual(large.webhooks, small.webhooks)
  assert.deepEqual(large.log, [...small.log, 'event.deleted event'].sort())
  assert.deepEqual(large.jobs, [...small.jobs, 'event.delete done'].sort())
  const { access_log: entries = 0, jobs = 0 } = small.counts
  assert.deepEqual(large.counts, { ...small.counts, access_log: entries + 1, jobs: jobs + 1 })
})

test('a list that meets many rows of an event that goes ends early, and gives all others page by page', async t => {
  const { db, accountId, eventId, types, client, begin } = await start(t)
  await db.write(accountId, tx =>
    tx.run('UPDATE registration_types SET capacity = 9000 WHERE account_id = $1 AND id = $2', [
      accountId,
      types.Free as string,
    ]),
  )
  await addGuests(db, { accountId, eventId, typeId: types.Free as string }, 4_500)
  await begin()
  const seen: string[] = []
  let [pages, cursor] = [0, '']
  do {
    const after = cursor === '' ? '' : `&starting_after=${cursor}`
    const { body, text } = await client.get(`/registrations?limit=1${after}`)
    assert.ok(!text.includes(eventId))
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.has_more ? body.next_cursor : ''
    pages++
  } while (cursor !== '' && pages < 50)
  const kept = await db.read(accountId, tx =>
    tx.all<{ id: string }>(
      'SELECT id FROM registrations WHERE account_id = $1 AND event_id <> $2 ORDER BY created_at DESC, id DESC',
      [accountId, eventId],
    ),
  )
  assert.ok(kept.length === 2 && pages > kept.length, `${kept.length} in ${pages} pages`)
  assert.deepEqual(
    seen,
    kept.map(({ id }) => id),
  )
})

test('a person is made anonymous while an event that has them goes', async t => {
  const { db, accountId, begin, eventId } = await start(t)
  await begin()
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  const erased = await erasePerson(db, actor, 'olga@example.org')
  assert.equal(erased.registrations, 1)
  const named = await db.read(accountId, tx =>
    tx.all('SELECT id FROM registrations WHERE account_id = $1 AND buyer_email_key = $2', [
      accountId,
      'olga@example.org',
    ]),
  )
  assert.deepEqual(named, [])
  await erasePerson(db, actor, 'lin@example.org')
  let progress = NOTHING_YET
  while (!progress.isFinished)
    progress = await db.write(accountId, tx => deleteSomeRows(tx, eventId, progress, 0))
  assert.deepEqual(await findDamage(db), [])
})

test('what no job goes on with is deleted by the cleaning, an hour later', async t => {
  const { db, accountId, eventId, begin, clock } = await start(t)
  await begin()
  await db.write(accountId, tx =>
    tx.run("UPDATE jobs SET state = 'failed', lease_until = NULL WHERE kind = 'event.delete'"),
  )
  const isThere = async () =>
    (await db.read(INSTANCE, tx => tx.one('SELECT id FROM events WHERE id = $1', [eventId]))) !== undefined
  await cleanUp(db, clock, 365)
  assert.ok(await isThere(), 'a job may still be at it')
  clock.advance(HOUR + 1)
  // Each look takes longer than a batch may.
  let instant = performance.now()
  const slow = t.mock.method(performance, 'now', () => (instant += 10))
  await cleanUp(db, clock, 365)
  slow.mock.restore()
  assert.ok(!(await isThere()))
  assert.deepEqual(await findDamage(db), [])
})

test('a page that was open before is refused as by an event that never was, and two who delete it at once delete it once', async t => {
  const { db, accountId, eventId, member, begin } = await start(t)
  const owner = await member('owner')
  const page = await owner.open(`/manage/a/${accountId}/events/${eventId}/delete`)
  const type = (await owner.open(`/manage/e/${eventId}/tickets/new`)).fill({
    ...{ Name: 'Late', Price: '0', Available: '5' },
  })
  await begin()
  assert.equal(
    (await page.fill({ 'Name of the event': 'Spring Meeting' }).press('Delete the event')).status,
    404,
  )
  assert.equal((await type.press('Add the type')).status, 404)
  const jobs = await db.read(accountId, tx => tx.all("SELECT id FROM jobs WHERE kind = 'event.delete'"))
  assert.equal(jobs.length, 1)
  const rows = await db.read(accountId, tx => tx.all("SELECT id FROM registration_types WHERE name = 'Late'"))
  assert.deepEqual(rows, [])
})
