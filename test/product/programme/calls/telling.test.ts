import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, MINUTE } from '#base/time.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import { markDeleting } from '#product/catalog/events/deleting.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { dueReminder } from '#product/programme/calls/reminders.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { remind, TELL } from '#product/programme/calls/telling.ts'
import { extendedMail, reminderMail } from '#product/programme/submissions/kinds.ts'
import { submissionMails } from '#product/programme/submissions/mails.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { startNoticed } from '#test/support/notices.ts'
import { begin, draftOf, openCall, saveIn, send } from '#test/support/submissions.ts'
import { subjectsOf } from '#test/support/ticket-mail.ts'

/** The deadline, in Madrid, where it is read; the reminders are due at 21:00 there. */
const CLOSES = '2026-12-10T22:59:00Z'
const FIRST = '2026-12-07T20:00:00Z'
const SECOND = '2026-12-09T20:00:00Z'

async function start(t: TestContext) {
  const at = await startNoticed(t)
  const { db, accountId, eventId, clock, mail, app } = at
  await openCall(at, { closes_at: Date.parse(CLOSES) })
  const add = async (name: string) => {
    const begun = await begin(at, { email: `${name}@example.org` })
    await mail.take()
    return begun
  }
  /** What the server does each minute. @returns the mails, without those that bring links */
  const look = async (instant?: string) => {
    if (instant !== undefined) clock.set(instant)
    await app.settled('calls')
    await at.finish()
    return mail.take()
  }
  const told = async (instant?: string) => subjectsOf(await look(instant))
  const save = (id: string) =>
    db.write(accountId, tx => saveIn(tx, id, draftOf('Secret title'), { begunAt: clock() }))
  const move = (closes: string, changes: object = {}) =>
    openCall(at, { closes_at: Date.parse(closes), ...changes })
  /** What a mail says that is sent at an instant, and was written for the first deadline. */
  const says = (name: string, subject_id: string, now: number) => {
    const kind = submissionMails.find(each => each.name === name) as MailKind
    const of = {
      account_id: accountId,
      event_id: eventId,
      subject_id,
      details: { closes_at: Date.parse(CLOSES) },
    }
    return db.read(accountId, async tx => {
      const { email: recipient } = await submissions.getSubmitter(tx, subject_id)
      const to = { id: 'm', cause: 'c', recipient, language: 'en' } as const
      return kind.read(tx, { ...of, ...to, now }, { baseUrl: 'https://t.example', secret: 's' })
    })
  }
  const set = (column: string, value: string) =>
    db.write(accountId, tx => tx.run(`UPDATE events SET ${column} = $2 WHERE id = $1`, [eventId, value]))
  return { ...at, add, look, told, save, says, move, set }
}

const reminded = (...names: string[]) =>
  names.map(name => [`${name}@example.org`, 'Not sent yet: your abstract for Spring Meeting'])
const extended = (...names: string[]) =>
  names.map(name => [`${name}@example.org`, 'More time for abstracts: Spring Meeting'])

test('reminders are due three days and one day before the end, from 8:00 to 21:00 in the zone of the call', () => {
  const cases: [zone: string, closes: string, reminders: string[]][] = [
    ['Europe/Madrid', '2026-12-10T23:59+01:00', ['2026-12-07T21:00+01:00', '2026-12-09T21:00+01:00']],
    ['Europe/Madrid', '2026-12-10T00:00+01:00', ['2026-12-07T08:00+01:00', '2026-12-09T08:00+01:00']],
    ['Etc/GMT+12', '2026-12-10T12:00-12:00', ['2026-12-07T12:00-12:00', '2026-12-09T12:00-12:00']],
  ]
  for (const [zone, closes, [first, second]] of cases) {
    const call = { zone, closes_at: Date.parse(closes) }
    const at = (instant: string | undefined, plus = 0) =>
      dueReminder(call, Date.parse(instant as string) + plus)?.days
    assert.deepEqual([at(first, -1), at(first), at(second, -1), at(second)], [undefined, 3, 3, 1], closes)
    assert.deepEqual([at(closes, MINUTE - 1), at(closes, MINUTE)], [1, undefined], closes)
  }
})

test('whoever has a draft or unsent changes is reminded three days and one day before the end, once each', async t => {
  const { add, told, save, clock, ...at } = await start(t)
  await add('draft')
  await add('draft')
  const { submission: changed } = await add('changed')
  await send({ ...at, clock }, changed.id)
  await save(changed.id)
  const { submission: sent } = await add('sent')
  await send({ ...at, clock }, sent.id)
  // Nothing can be done about what was decided.
  const { submission: decided } = await add('decided')
  const { id } = await send({ ...at, clock }, decided.id)
  await save(decided.id)
  await at.db.write(at.accountId, tx => abstracts.decide(tx, id, { decision: 'accepted' }))
  await at.mail.take()
  assert.deepEqual(await told('2026-12-07T19:59:59Z'), [])
  assert.deepEqual(await told(FIRST), reminded('changed', 'draft'))
  assert.deepEqual(await told('2026-12-07T20:01:00Z'), [])
  assert.deepEqual(await told('2026-12-09T19:59:59Z'), [])
  assert.deepEqual(await told(SECOND), reminded('changed', 'draft'))
  for (const later of ['2026-12-09T20:01:00Z', FIRST, CLOSES, '2026-12-11T20:00:00Z'])
    assert.deepEqual(await told(later), [])
})

test('a server that was off for both reminders sends the later one, and after the end none', async t => {
  const { add, told } = await start(t)
  await add('lin')
  assert.deepEqual(await told('2026-12-10T22:59:59Z'), reminded('lin'))
  assert.deepEqual(await told(CLOSES), [])
  const other = await start(t)
  await other.add('lin')
  assert.deepEqual(await other.told('2026-12-10T23:00:00Z'), [])
})

test('a reminder says the event, the organizer, the deadline and the link, and nothing that somebody typed', async t => {
  const { add, save, look } = await start(t)
  const { submission } = await add('lin')
  await save(submission.id)
  const [mail] = await look(FIRST)
  const text = mail?.parsed.text ?? ''
  assert.match(text, /for Spring Meeting that is not sent yet/)
  assert.match(text, /until 10 Dec 2026, 23:59 \(/)
  assert.match(text, /https:\/\/tickets\.example\.org\/submitters\/[\w-]{46}/)
  assert.doesNotMatch(`${text}${mail?.parsed.html}`, /Secret|Lin Mei|On rooms/)
})

test('whoever has sent everything or withdrawn it before a mail goes out gets none, nor does anybody once it is too late', async t => {
  const { add, says, db, accountId, clock, set, ...at } = await start(t)
  const [sent, withdrawn, kept] = [await add('sent'), await add('withdrawn'), await add('kept')]
  const all = [sent, withdrawn, kept].map(({ submitter }) => submitter.id) as [string, string, string]
  const spoken = async (now = clock()) => {
    const texts: (string | undefined)[] = []
    for (const id of all)
      for (const kind of [reminderMail, extendedMail])
        texts.push((await says(kind.name, id, now))?.values.deadline)
    return texts
  }
  const text = '10 Dec 2026, 23:59 (CET)'
  assert.deepEqual(
    await spoken(),
    Array.from({ length: 6 }, () => text),
  )
  await send({ ...at, db, accountId, clock }, sent.submission.id)
  await db.write(accountId, tx => sending.withdraw(tx, withdrawn.submission.id))
  const none = Array.from({ length: 4 }, () => undefined)
  assert.deepEqual(await spoken(), [...none, text, text])
  assert.deepEqual(await spoken(Date.parse(CLOSES) + MINUTE - 1), [...none, text, text])
  assert.deepEqual(await spoken(Date.parse(CLOSES) + MINUTE), [...none, undefined, undefined])
  await set('status', 'cancelled')
  assert.deepEqual(await spoken(), [...none, undefined, undefined])
})

test('an event that is not published reminds nobody, and neither does one that was cancelled before the mail goes out', async t => {
  const { add, told, set } = await start(t)
  await add('lin')
  await set('status', 'draft')
  assert.deepEqual(await told(FIRST), [])
  await set('status', 'published')
  assert.deepEqual(await told(), reminded('lin'))
  await set('status', 'cancelled')
  assert.deepEqual(await told(SECOND), [])
})

test('an event that is being deleted reminds nobody, not even by a job that was started before', async t => {
  const { add, told, mail, db, accountId, eventId, finish, clock } = await start(t)
  await add('lin')
  clock.set(FIRST)
  await db.write(accountId, async tx => {
    assert.ok((await remind(tx, eventId)) !== undefined)
    await markDeleting(tx, eventId)
  })
  await finish()
  assert.deepEqual(await mail.take(), [])
  assert.deepEqual(await told(SECOND), [])
  const states = await db.read(accountId, tx => tx.all('SELECT state FROM jobs WHERE kind = $1', [TELL]))
  assert.deepEqual(states, [{ state: 'done' }])
})

test('another deadline has reminders of its own, and what was begun after the time of one is not in it', async t => {
  const { add, told, move, clock } = await start(t)
  await add('lin')
  assert.deepEqual(await told(FIRST), reminded('lin'))
  clock.set('2026-12-08T09:00:00Z')
  await add('new')
  // It is earlier than it was, and the time of its reminder is just past.
  await move('2026-12-09T08:00:00Z')
  assert.deepEqual(await told(), reminded('lin'))
  await move('2026-12-20T22:59:00Z')
  assert.deepEqual(await told(), extended('lin', 'new'))
  assert.deepEqual(await told('2026-12-17T20:00:00Z'), reminded('lin', 'new'))
})

test('a mail that goes out after the deadline moved says the new one, and one that tells of an older one does not go out', async t => {
  const { add, says, move, clock } = await start(t)
  const { submitter } = await add('lin')
  await move('2026-12-12T22:59:00Z')
  const reminder = await says('abstract_reminder', submitter.id, clock())
  assert.match(reminder?.values.deadline ?? '', /^12 Dec 2026, 23:59/)
  assert.equal(await says('abstract_extended', submitter.id, clock()), undefined)
})

test('a later deadline is told once to everybody who has not sent everything, while the call is open or over for less than 30 days', async t => {
  const { add, told, move, clock, ...at } = await start(t)
  await add('lin')
  const { submission } = await add('sent')
  await send({ ...at, clock }, submission.id)
  await at.mail.take()
  const closes = Date.parse(CLOSES)
  const on = (days: number) => new Date(closes + days * DAY).toISOString()
  // Within the minute that people read, there is not more time.
  await move(new Date(closes + MINUTE - 1).toISOString())
  assert.deepEqual(await told(), [])
  await move(on(1))
  assert.deepEqual(await told(), extended('lin'))
  await move(on(1))
  await move(on(0))
  assert.deepEqual(await told(), [])
  clock.set(new Date(closes + 30 * DAY).toISOString())
  await move(on(40))
  assert.deepEqual(await told(), extended('lin'))
  clock.set(new Date(closes + 70 * DAY + MINUTE).toISOString())
  await move(on(80))
  assert.deepEqual(await told(), [])
})

test('a call that has not begun, is over all the same or is of an event that is not published tells of no extension', async t => {
  const { add, told, move, set, clock } = await start(t)
  await add('lin')
  await set('status', 'draft')
  await move('2026-12-11T22:59:00Z')
  await set('status', 'published')
  assert.deepEqual(await told(), [])
  await move('2026-12-12T22:59:00Z', { opens_at: clock() + DAY })
  await move('2026-12-13T22:59:00Z', { opens_at: clock() + DAY })
  assert.deepEqual(await told(), [])
  clock.set('2026-12-20T12:00:00Z')
  await move('2026-12-19T22:59:00Z')
  assert.deepEqual(await told(), [])
})

test('a deadline that is moved twice at once is told once, as it is now', async t => {
  const { add, look, db, accountId, eventId } = await start(t)
  await add('lin')
  const {
    opens_at,
    updated_at: _,
    event_id,
    ...call
  } = await db.read(accountId, tx => calls.get(tx, eventId))
  const of = { ...call, opens_at: Date.parse(opens_at), topics: [], kinds: [] }
  await db.write(accountId, async tx => {
    for (const closes of ['2026-12-11T22:59:00Z', '2026-12-12T22:59:00Z'])
      await calls.put(tx, event_id, { ...of, closes_at: Date.parse(closes) })
  })
  const mails = await look()
  assert.deepEqual(subjectsOf(mails), extended('lin'))
  assert.match(mails[0]?.parsed.text ?? '', /until 12 Dec 2026, 23:59/)
})

test('hundreds of people are told in short writes, each once', async t => {
  const { add: _, told, mail, ...at } = await start(t)
  const names = Array.from({ length: 130 }, (_, n) => `p${String(n).padStart(3, '0')}`)
  for (const name of names) await begin(at, { email: `${name}@example.org` })
  await mail.take()
  assert.deepEqual(await told(FIRST), reminded(...names))
  assert.deepEqual(await told(), [])
})
