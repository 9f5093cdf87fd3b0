import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, MINUTE } from '#base/time.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import { lateMail } from '#product/programme/submissions/kinds.ts'
import { submissionMails } from '#product/programme/submissions/mails.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as submitters from '#product/programme/submissions/submitters.ts'
import { CLOSES, startChaired } from '#test/support/chaired.ts'
import { begin, draftOf, saveIn, send } from '#test/support/submissions.ts'
import { subjectsOf } from '#test/support/ticket-mail.ts'

const OVER = new Date(Date.parse(CLOSES) + DAY).toISOString()
/** As it is typed and read anywhere on earth. */
const [TYPED, READ] = ['2026-12-13T20:00', '13 Dec 2026, 20:00 (anywhere on earth)']
const UNTIL = '2026-12-14T08:00:00.000Z'

test('a person who gets more time is mailed the link and the time, and goes on until then, alone', async t => {
  const at = await startChaired(t)
  const { submission, submitter } = await begin(at)
  const other = await begin(at, { email: 'noa@example.org' })
  await at.mail.take()
  at.clock.set(OVER)
  const chair = await at.member('chair')
  const page = await chair.open(at.person(submitter.id))
  const form = await page.follow('More time…')
  assert.equal(form.heading, 'More time for Lin Mei')
  assert.match(form.text, /By the clocks of the deadline, which is 10 Dec 2026, 23:59 \(anywhere on earth\)/)
  const saved = await form.fill({ Until: TYPED }).press('Save')
  assert.deepEqual(saved.messages, ['Lin Mei is told of the new time.'])
  assert.ok(saved.text.includes(`More time, until ${READ}`), saved.text)
  const mails = await at.mail.take()
  assert.deepEqual(subjectsOf(mails), [['lin@example.org', 'More time for your abstracts: Spring Meeting']])
  const text = mails[0]?.parsed.text
  assert.ok(text?.includes(`until ${READ}`), text)
  const own = await (await at.openLink(text)).follow('On rooms')
  assert.equal((await own.follow('Go on writing')).field('Title').value, 'On rooms')
  const save = (id: string, begunAt: number) =>
    at.db.write(at.accountId, tx => saveIn(tx, id, draftOf('Late'), { begunAt }))
  await save(submission.id, Date.parse(UNTIL) + MINUTE - 1)
  await assert.rejects(save(submission.id, Date.parse(UNTIL) + MINUTE), { code: 'call_over' })
  await assert.rejects(save(other.submission.id, Date.parse(OVER)), { code: 'call_over' })
  const [entry] = await at.logged()
  const target = { target_type: 'submitter', target_id: submitter.id }
  assert.deepEqual(entry, { action: 'submitter.time', ...target, details: { until: UNTIL } })
})

test('the page of an abstract leads to more time for who has sent it, and back; what they read then names their own deadline', async t => {
  const at = await startChaired(t)
  const { submission } = await begin(at)
  const { id } = await send(at, submission.id)
  await at.mail.take()
  const owner = await at.member('owner')
  const page = await owner.open(`${at.list}/${id}?q=rooms`)
  assert.doesNotMatch(page.text, /More time, until/)
  const saved = await (await page.follow('More time…')).fill({ Until: TYPED }).press('Save')
  assert.equal(saved.path, `${at.list}/${id}?q=rooms`)
  assert.ok(saved.text.includes(`More time, until ${READ}`))
  const [mail] = await at.mail.take()
  const own = await (await at.openLink(mail?.parsed.text)).follow('On rooms')
  assert.match(own.text, /Deadline ?13 Dec 2026, 20:00/)
})

test('a time that gives no more, or more than a year, is refused in words, and nobody is told', async t => {
  const at = await startChaired(t)
  const { submitter } = await begin(at)
  await at.mail.take()
  const owner = await at.member('owner')
  const form = await owner.open(`${at.person(submitter.id)}/time`)
  const cases: [typed: string, words: RegExp][] = [
    ['2026-12-10T23:59', /gives no more time/],
    ['2026-12-01T12:00', /gives no more time/],
    ['2027-12-30T12:00', /more than a year from now/],
  ]
  for (const [Until, words] of cases) {
    const refused = await form.fill({ Until }).press('Save')
    assert.ok([400, 422].includes(refused.status), `${Until} ${refused.status}`)
    assert.match(refused.messages.join(), words, Until)
    assert.equal(refused.field('Until').value, Until)
  }
  at.clock.set(UNTIL)
  at.clock.advance(MINUTE)
  const late = await (await at.member('manager')).open(`${at.person(submitter.id)}/time`)
  assert.match((await late.fill({ Until: TYPED }).press('Save')).messages.join(), /gives no more time/)
  const read = () => at.db.read(at.accountId, tx => submissions.getSubmitter(tx, submitter.id))
  assert.equal((await read()).late_until, null)
  assert.deepEqual(await at.mail.take(), [])
})

test('more time is taken back with an empty field and without a mail, and the same time again tells nobody', async t => {
  const at = await startChaired(t)
  const { submitter } = await begin(at)
  const owner = await at.member('owner')
  const open = () => owner.open(`${at.person(submitter.id)}/time`)
  await (await open()).fill({ Until: TYPED }).press('Save')
  assert.equal((await at.mail.take()).length, 2)
  const again = await open()
  assert.equal(again.field('Until').value, TYPED)
  await again.press('Save')
  const taken = await again.fill({ Until: '' }).press('Save')
  assert.deepEqual(taken.messages, ['For Lin Mei the deadline of all holds again.'])
  assert.doesNotMatch(taken.text, /More time, until/)
  assert.deepEqual(await at.mail.take(), [])
  assert.deepEqual(
    (await at.logged()).map(({ details }) => details),
    [{ until: null }, { until: UNTIL }],
  )
})

test('a mail of more time is not sent once that time is another, is taken back, or is over', async t => {
  const at = await startChaired(t)
  const { submitter } = await begin(at)
  const kind = submissionMails.find(({ name }) => name === lateMail.name) as MailKind
  const says = (now: number, until = UNTIL) =>
    at.db.read(at.accountId, tx => {
      const of = { account_id: at.accountId, event_id: at.eventId, subject_id: submitter.id }
      const to = { id: 'm', cause: 'c', recipient: 'lin@example.org', language: 'en' } as const
      return kind.read(tx, { ...of, ...to, details: { until }, now }, { baseUrl: '', secret: 's' })
    })
  const give = (until: number | null) =>
    at.db.write(at.accountId, tx => submitters.giveTime(tx, submitter.id, until))
  await give(Date.parse(UNTIL))
  assert.equal((await says(Date.parse(OVER)))?.values.deadline, READ)
  assert.equal(await says(Date.parse(UNTIL) + MINUTE), undefined)
  assert.equal(await says(Date.parse(OVER), '2026-12-15T08:00:00.000Z'), undefined)
  await give(null)
  assert.equal(await says(Date.parse(OVER)), undefined)
})

test('chairs see whose abstracts were begun and not sent, and nothing of what was typed', async t => {
  const at = await startChaired(t)
  const chair = await at.member('chair')
  const empty = await chair.open(`${at.list}/begun`)
  assert.match(empty.text, /Nothing here/)
  assert.equal((await chair.open(at.list)).document.querySelector('a[href$="/begun"]'), null)
  const { submitter } = await begin(at, { draft: draftOf('Secret title'), name: 'Lin <b>Mei</b>' })
  const sent = await begin(at, { email: 'noa@example.org', name: 'Noa' })
  await send(at, sent.submission.id)
  const page = await (await chair.open(at.list)).follow('Begun, not sent')
  assert.equal(page.heading, 'Begun, not sent')
  assert.equal(page.rows().length, 1)
  assert.match(page.rows()[0] ?? '', /Lin <b>Mei<\/b> ?lin@example\.org E-mail not confirmed ?21 Nov/)
  assert.doesNotMatch(page.text, /Secret|Noa/)
  const person = await page.follow('Lin <b>Mei</b>')
  assert.equal(person.path, at.person(submitter.id))
  assert.match(person.text, /Begun and sent.*Not sent, last saved 21 Nov/)
  assert.doesNotMatch(person.text, /Secret/)
  const other = await chair.open(at.person(sent.submitter.id))
  assert.match(other.text, /On rooms ?Submitted/)
})

test('many who have begun are listed page by page, the newest first', async t => {
  const at = await startChaired(t)
  for (let n = 0; n < 51; n++) {
    at.clock.advance(MINUTE)
    await begin(at, { email: `p${n}@example.org`, name: `Person ${n}` })
  }
  const first = await (await at.member('owner')).open(`${at.list}/begun`)
  assert.equal(first.rows().length, 50)
  assert.match(first.rows()[0] ?? '', /^Person 50 ?p50@/)
  const next = first.document.querySelector('main a[href*="after="]')?.getAttribute('href')
  const second = await (await at.member('manager')).open(next ?? '')
  assert.deepEqual(second.rows().length, 1)
  assert.match(second.rows()[0] ?? '', /^Person 0 ?p0@/)
})

test('a person of another event is nobody here', async t => {
  const at = await startChaired(t)
  const { submitter } = await begin(at)
  const other = at.applied.events.other?.id as string
  const owner = await at.member('owner')
  for (const path of ['', '/time']) {
    assert.equal((await owner.open(`${at.person(submitter.id)}${path}`)).status, 200)
    const there = at.person(submitter.id).replace(at.eventId, other)
    assert.equal((await owner.open(there + path)).status, 404)
  }
})
