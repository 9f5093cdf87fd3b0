import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { retry, unsubscribe } from '#machinery/mail/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { remindAt } from '#product/catalog/events/reminders.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as notices from '#product/mailing/notices/rules.ts'
import { sendNotice } from '#product/mailing/notices/send.ts'
import { cancelByBuyer } from '#product/selling/orders/rules.ts'
import { startNoticed } from '#test/support/notices.ts'
import { registration } from '#test/support/organization.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'
import { calendarIn, subjectsOf } from '#test/support/ticket-mail.ts'

const SUBJECT = 'Spring Meeting: 23 Nov 2026, 10:00 (Europe/Madrid)'
/** The minute of the reminder. */
const DUE = '2026-11-22T09:00:00Z'

async function start(t: TestContext, event: object = {}) {
  const started = await startNoticed(t, event)
  const { db, accountId, eventId, mail, sweep } = started
  const change = (changes: Parameters<typeof events.update>[2]) =>
    db.write(accountId, tx => events.update(tx, eventId, changes))
  const reminded = async () => {
    await sweep()
    return subjectsOf(await mail.take())
  }
  return { ...started, change, reminded }
}

test('people are reminded the day before at the time of day of the start, by the clocks of the event, from 8:00 to 21:00', () => {
  const cases: [start: string, zone: string, reminder: string][] = [
    ['2026-11-23T10:00+01:00', 'Europe/Madrid', '2026-11-22T10:00+01:00'],
    ['2026-11-23T06:30+01:00', 'Europe/Madrid', '2026-11-22T08:00+01:00'],
    ['2026-11-23T00:00+01:00', 'Europe/Madrid', '2026-11-22T08:00+01:00'],
    ['2026-11-23T23:59+01:00', 'Europe/Madrid', '2026-11-22T21:00+01:00'],
    ['2026-11-23T10:00+13:00', 'Pacific/Auckland', '2026-11-22T10:00+13:00'],
    // The clocks change in between: 23 and 25 hours.
    ['2026-03-29T10:00+02:00', 'Europe/Madrid', '2026-03-28T10:00+01:00'],
    ['2026-10-25T10:00+01:00', 'Europe/Madrid', '2026-10-24T10:00+02:00'],
    // The clocks skip this time on the day before.
    ['2026-03-30T02:30+02:00', 'Europe/Madrid', '2026-03-29T08:00+02:00'],
  ]
  for (const [at, zone, reminder] of cases) {
    assert.equal(new Date(remindAt(Date.parse(at), zone)).toISOString(), new Date(reminder).toISOString(), at)
  }
})

test('each holder is reminded once, with all of their tickets, links and the calendar file; a buyer without a ticket is not', async t => {
  const { clock, mail, order, sweep, db } = await start(t, { online_url: 'https://meet.example/room' })
  await order('Grace', [
    ['Grace', null],
    ['Bob', 'bob@example.org'],
  ])
  await order('Ada', [['Bob', 'BOB@example.org']])
  await mail.take()
  clock.set('2026-11-22T08:59:59Z')
  await sweep()
  assert.deepEqual(await mail.take(), [])
  clock.set(DUE)
  await sweep()
  const mails = await mail.take()
  assert.deepEqual(subjectsOf(mails), [
    ['bob@example.org', SUBJECT],
    ['grace@example.org', SUBJECT],
  ])
  const [bob, grace] = mails as [(typeof mails)[0], (typeof mails)[0]]
  assert.equal(bob.parsed.headers.get('auto-submitted'), 'auto-generated')
  assert.equal(bob.parsed.headers.get('list-unsubscribe'), undefined)
  const codes = await db.read(INSTANCE, tx =>
    tx.all<{ qr_code: string }>("SELECT qr_code FROM attendees WHERE lower(email) = 'bob@example.org'"),
  )
  const pictures = bob.parsed.attachments.filter(({ contentType }) => contentType === 'image/png')
  assert.deepEqual(
    pictures.map(({ content }) => readCode(readPng(content))).sort(),
    codes.map(({ qr_code }) => qr_code).sort(),
  )
  const links = new Set(bob.parsed.text?.match(/https:\/\/tickets\.example\.org\/tickets\/[\w-]{46}/g))
  assert.equal(links.size, 2)
  assert.match(bob.parsed.text ?? '', /Online: https:\/\/meet\.example\/room/)
  assert.match(grace.parsed.text ?? '', /See your order:\nhttps:\/\/tickets\.example\.org\/orders\/[\w-]{46}/)
  assert.equal(calendarIn(grace)?.method, 'PUBLISH')
  // This holds however often the loop looks, and whatever the clock does.
  for (const instant of ['2026-11-22T09:01:00Z', '2026-11-21T12:00:00Z', '2026-11-23T08:59:00Z']) {
    clock.set(instant)
    await sweep()
  }
  assert.deepEqual(await mail.take(), [])
})

test('only those who ordered here are reminded, unless the organizer wants all to be, or nobody', async t => {
  const imported = registration('lin', {
    registration_type: 'Free',
    buyer: { name: 'Lin', email: 'lin@example.org' },
  })
  for (const [reminder, expected] of [
    ['orders', ['grace@example.org']],
    ['all', ['grace@example.org', 'lin@example.org']],
    ['off', []],
  ] as const) {
    const { clock, mail, order, reminded } = await start(t, { registrations: [imported], reminder })
    await order('Grace')
    await mail.take()
    clock.set(DUE)
    assert.deepEqual(
      (await reminded()).map(([to]) => to),
      expected,
      reminder,
    )
  }
})

test('nobody is reminded who came later, who cancelled, or of an event that is a draft, cancelled, or under way', async t => {
  const { clock, mail, order, reminded, db, accountId, eventId } = await start(t)
  const early = await order('Grace')
  await order('Ada')
  await mail.take()
  await db.write(accountId, tx => cancelByBuyer(tx, early.id, '2099-01-01T00:00:00Z'))
  const setStatus = (status: 'cancelled' | 'published') =>
    db.write(accountId, tx => events.setStatus(tx, eventId, status))
  await setStatus('cancelled')
  await mail.take()
  clock.set('2026-11-22T12:00:00Z')
  assert.deepEqual(await reminded(), [])
  await setStatus('published')
  await order('Late')
  await mail.take()
  assert.deepEqual(await reminded(), [['ada@example.org', SUBJECT]])
  // A server that starts once the event has begun is too late.
  const other = await start(t)
  await other.order('Grace')
  await other.mail.take()
  other.clock.set('2026-11-23T09:00:00Z')
  assert.deepEqual(await other.reminded(), [])
})

test('an event that is moved to another day reminds of that; moved by an hour, it does not once more', async t => {
  const { clock, mail, order, reminded, change } = await start(t)
  await order('Grace')
  await mail.take()
  clock.set(DUE)
  assert.equal((await reminded()).length, 1)
  const at = Date.parse('2026-11-23T09:00:00Z')
  await change({ starts_at: at + HOUR })
  clock.advance(HOUR + MINUTE)
  assert.deepEqual(await reminded(), [])
  await change({ starts_at: at + 7 * DAY, ends_at: at + 8 * DAY })
  assert.deepEqual(await reminded(), [])
  clock.set('2026-11-29T09:00:00Z')
  assert.deepEqual(await reminded(), [
    ['grace@example.org', 'Spring Meeting: 30 Nov 2026, 10:00 (Europe/Madrid)'],
  ])
})

test('what waits is not sent once the event was moved, or its job was stopped', async t => {
  for (const isMoved of [true, false]) {
    const { clock, mail, order, db, accountId, eventId, change } = await start(t)
    await order('Grace')
    await mail.take()
    clock.set(DUE)
    await db.write(accountId, async tx => {
      const job = await notices.remind(tx, eventId)
      assert.ok(job !== undefined)
      const actor = { accountId, who: 'server', requestId: null, address: null }
      const { done } = await sendNotice.run(tx, { ...job, position: null, lease: 0 }, actor)
      assert.equal(done, 1)
      await jobs.stop(tx, job.id)
      if (isMoved) await tx.run("UPDATE jobs SET state = 'done' WHERE id = $1", [job.id])
    })
    if (isMoved) await change({ starts_at: Date.parse('2026-12-23T09:00:00Z'), ends_at: null })
    assert.deepEqual(await mail.take(), [])
    clock.advance(2 * HOUR)
    assert.deepEqual(await mail.take(), [])
    const rows = await db.read(INSTANCE, tx => tx.all("SELECT status FROM emails WHERE kind = 'reminder'"))
    assert.deepEqual(rows, [{ status: 'withdrawn' }])
  }
})

test('somebody who wants no announcements is reminded all the same, in the language of the order', async t => {
  const { clock, mail, order, reminded, db, accountId } = await start(t)
  await order('Grace', undefined, { language: 'es' })
  await mail.take()
  await db.write(accountId, tx => unsubscribe(tx, 'grace@example.org'))
  clock.set(DUE)
  assert.deepEqual(await reminded(), [
    ['grace@example.org', 'Spring Meeting: 23 nov 2026, 10:00 (Europe/Madrid)'],
  ])
})

test('a reminder that a server refused for good is sent whole once it is tried again', async t => {
  const { clock, mail, order, reminded, db, accountId } = await start(t)
  await order('Grace')
  await mail.take()
  clock.set(DUE)
  mail.script.to = () => ({ code: 550, message: 'No such mailbox' })
  assert.deepEqual(await reminded(), [])
  delete mail.script.to
  const [failed] = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; status: string }>("SELECT id, status FROM emails WHERE kind = 'reminder'"),
  )
  assert.equal(failed?.status, 'failed')
  await db.write(accountId, tx => retry(tx, failed?.id as string))
  assert.deepEqual(subjectsOf(await mail.take()), [['grace@example.org', SUBJECT]])
})

test('a mail about a private event leads nobody to its page, which is shown to nobody without a code', async t => {
  const imported = registration('lin', {
    registration_type: 'Free',
    buyer: { name: 'Lin', email: 'lin@example.org' },
  })
  for (const visibility of ['private', 'unlisted']) {
    const event = { registrations: [imported], reminder: 'all', visibility }
    const { clock, mail, sweep, db, accountId } = await start(t, event)
    await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
    clock.set(DUE)
    await sweep()
    const [reminder] = await mail.take()
    assert.equal(reminder?.to[0], 'lin@example.org')
    const all = `${reminder?.parsed.text} ${reminder?.parsed.html} ${reminder?.parsed.attachments.map(({ content }) => content)}`
    assert.equal(all.includes('/ada/spring-meeting/'), visibility === 'unlisted', visibility)
    // Their ticket has a page, which is theirs alone.
    assert.match(reminder?.parsed.text ?? '', /https:\/\/tickets\.example\.org\/tickets\/[\w-]{46}/)
    assert.ok(all.includes('Show the ticket') && !all.includes('See the event'), visibility)
  }
})

test('who was not reminded, as the event was moved, cancelled or silent by mistake, is once it is as it was, and nobody else', async t => {
  const begins = Date.parse('2026-11-23T09:00:00Z')
  type Step = (tx: WriteTx, eventId: string) => Promise<unknown>
  const mistakes: Record<string, [wrong: Step, right: Step]> = {
    moved: [
      (tx, id) => events.update(tx, id, { starts_at: begins + 30 * DAY, ends_at: null }),
      (tx, id) => events.update(tx, id, { starts_at: begins, ends_at: null }),
    ],
    cancelled: [
      (tx, id) => events.setStatus(tx, id, 'cancelled'),
      (tx, id) => events.setStatus(tx, id, 'published'),
    ],
    silent: [
      (tx, id) => events.update(tx, id, { reminder: 'off' }),
      (tx, id) => events.update(tx, id, { reminder: 'orders' }),
    ],
  }
  for (const [what, [wrong, right]] of Object.entries(mistakes)) {
    const { clock, mail, order, reminded, finish, db, accountId, eventId } = await start(t)
    await order('Grace', [
      ['Grace', null],
      ['Bob', 'bob@example.org'],
    ])
    await mail.take()
    clock.set(DUE)
    // One write has both, so that only a mail that is sent by hand goes in between.
    await db.write(accountId, async tx => {
      await notices.remind(tx, eventId)
      await wrong(tx, eventId)
    })
    await finish()
    assert.deepEqual(await mail.take(), [], what)
    await db.write(accountId, tx => right(tx, eventId))
    assert.deepEqual(
      await reminded(),
      [
        ['bob@example.org', SUBJECT],
        ['grace@example.org', SUBJECT],
      ],
      what,
    )
    await db.write(accountId, tx => wrong(tx, eventId))
    assert.deepEqual(await reminded(), [], what)
    await db.write(accountId, tx => right(tx, eventId))
    assert.deepEqual(await reminded(), [], `${what} again`)
  }
})
