import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openLog } from '#base/log.ts'
import { MINUTE } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { MailLoop } from '#machinery/mail/loop.ts'
import * as emails from '#machinery/mail/rules.ts'
import { Smtp } from '#machinery/mail/smtp.ts'
import { readSender, readSmtpUrl } from '#machinery/mail/smtp-settings.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { countAudience } from '#product/mailing/announcements/audience.ts'
import { announcementMail } from '#product/mailing/announcements/mail.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import type { Audience } from '#product/mailing/announcements/schemas.ts'
import { sendAnnouncement } from '#product/mailing/announcements/send.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'

const guest = (name: string, changes: object = {}) =>
  registration(name, { buyer: { name, email: `${name}@example.org` }, ...changes })

/** An event with every kind of guest; nobody works on its jobs but the test. */
async function start(t: TestContext, registrations?: object[]) {
  const waits = (name: string, type: string) => ({
    ...{ reference: name, registration_type: type, name, email: `${name}@example.org`, quantity: 1 },
  })
  const file = organization({
    event: {
      registrations: registrations ?? [
        guest('ada', {
          attendees: [{ name: 'Ann', email: 'ann@example.org' }, { name: 'Noel' }],
          language: 'es',
        }),
        guest('bob', { attendees: [{ name: 'bob', checked_in_at: '2026-11-20T10:00:00Z' }] }),
        guest('bob2', { buyer: { name: 'Bob again', email: 'BOB@example.org' }, registration_type: 'Free' }),
        guest('gone', { status: 'cancelled' }),
        guest('later', { status: 'pending' }),
      ],
      waitlist: [waits('wes', 'Free'), waits('wim', 'Standard')],
    },
  })
  const server = await startWithOrganization(t, file)
  await server.app.close()
  const { db, applied, eventId, clock, types } = server
  const accountId = applied.account_id
  const draft = (audience: Partial<Audience> = {}, text = { subject: 'News', body: 'Hello {name}' }) =>
    db.write(accountId, tx =>
      announcements.create(
        tx,
        eventId,
        { ...text, audience: { group: 'confirmed', types: [], ...audience } },
        'user:ada',
      ),
    )
  const send = (id: string) =>
    db.write(accountId, tx =>
      announcements.send(tx, eventId, id, { total: 3, language: 'es', by: 'user:ada' }),
    )
  let lease: number | null = null
  /** Does one batch of its job, as the runner does. */
  const batch = async (jobId: string, also?: (tx: WriteTx) => Promise<void>) => {
    await db.write(accountId, async tx => {
      const claimed = await jobs.claim(tx, jobId, lease)
      assert.ok(claimed !== undefined)
      const actor = { accountId, who: claimed.by, requestId: null, address: null }
      const step = await sendAnnouncement.run(tx, claimed.job, actor)
      await also?.(tx)
      await jobs.advance(tx, claimed.job, step)
      lease = step.finished ? null : claimed.job.lease
    })
    return db.read(accountId, tx => jobs.get(tx, jobId))
  }
  const finish = async (jobId: string) => {
    let job = await batch(jobId)
    while (job.state === 'running') job = await batch(jobId)
    return job
  }
  const list = async () =>
    (await db.read(accountId, tx => emails.list(tx, { eventId }, { limit: 500 }))).reverse()
  const count = (audience: Partial<Audience>, most?: number) =>
    countAudience(db, accountId, eventId, { group: 'confirmed', types: [], ...audience }, most)
  return { ...server, accountId, draft, send, batch, finish, list, count, clock, types }
}

type Started = Awaited<ReturnType<typeof start>>

/** Sends what is in the outbox, to a server on a real socket. */
async function mail(
  t: TestContext,
  { db, clock }: Started,
  baseUrl = 'https://tickets.example.org',
  rate = 1000,
) {
  const mailServer = await startMailServer(t)
  const log = openLog('error', { write: () => undefined })
  const smtp = new Smtp(readSmtpUrl(mailServer.url), readSender('tickets@example.org'))
  const loop = new MailLoop({
    db,
    clock,
    log,
    smtp,
    kinds: [announcementMail],
    server: { baseUrl, secret: 's' },
    rate,
  })
  loop.start()
  t.after(() => loop.stop())
  await loop.settled()
  return { ...mailServer, loop }
}

/** Returns the addresses that an announcement goes to, with what it calls the people. */
async function toWhom(started: Started, audience: Partial<Audience>): Promise<string[]> {
  const { draft, send, finish, list } = started
  const { id } = await draft(audience)
  const { job_id } = await send(id)
  await finish(job_id as string)
  return (await list())
    .filter(({ cause }) => cause === id)
    .map(({ recipient }) => recipient)
    .sort()
}

test('each group gets what is for it: buyers and ticket holders once by e-mail, and nobody who is not of it', async t => {
  const started = await start(t)
  const { count, types } = started
  const groups: [Partial<Audience>, string[]][] = [
    [{}, ['ada@example.org', 'ann@example.org', 'bob@example.org']],
    [{ types: [types.Free as string] }, ['BOB@example.org']],
    [{ group: 'checked_in' }, ['bob@example.org']],
    [{ group: 'not_checked_in' }, ['BOB@example.org', 'ada@example.org', 'ann@example.org']],
    [{ group: 'waitlist' }, ['wes@example.org', 'wim@example.org']],
    [{ group: 'waitlist', types: [types.Free as string] }, ['wes@example.org']],
  ]
  for (const [audience, expected] of groups) {
    assert.deepEqual(await toWhom(started, audience), expected, JSON.stringify(audience))
    assert.deepEqual(await count(audience), { recipients: expected.length, unsubscribed: 0, isMore: false })
  }
})

test('who wants no announcements gets none, neither when it is written nor when it goes out, and is told apart', async t => {
  const started = await start(t)
  const { db, accountId, draft, send, finish, list, count } = started
  await db.write(accountId, tx => emails.unsubscribe(tx, 'ANN@example.org'))
  assert.deepEqual(await count({}), { recipients: 2, unsubscribed: 1, isMore: false })
  const { job_id } = await send((await draft()).id)
  const job = await finish(job_id as string)
  assert.deepEqual([job.state, job.done], ['done', 2])
  assert.deepEqual((await list()).map(({ recipient }) => recipient).sort(), [
    'ada@example.org',
    'bob@example.org',
  ])
  await db.write(accountId, tx => emails.unsubscribe(tx, 'ada@example.org'))
  const { received } = await mail(t, started)
  assert.ok((await list()).every(({ status }) => status !== 'waiting'))
  assert.deepEqual(
    received.map(({ to }) => to[0]),
    ['bob@example.org'],
  )
})

test('more than a page counts are said to be more, and all of them get it', async t => {
  const started = await start(
    t,
    Array.from({ length: 45 }, (_, n) => guest(`g${n}`)),
  )
  const { count, draft, send, finish, list } = started
  assert.deepEqual(await count({}, 45), { recipients: 45, unsubscribed: 0, isMore: false })
  const some = await count({}, 44)
  assert.equal(some.isMore, true)
  const { job_id } = await send((await draft()).id)
  await finish(job_id as string)
  assert.equal((await list()).length, 45)
})

test('a batch that is undone writes nothing; done again, or all of it begun anew, nobody is there twice', async t => {
  const { draft, send, batch, finish, list, db, accountId, eventId } = await start(
    t,
    Array.from({ length: 60 }, (_, n) => guest(`g${n}`)),
  )
  const { id } = await draft()
  const jobId = (await send(id)).job_id as string
  await batch(jobId)
  const before = (await list()).length
  assert.ok(before > 0 && before < 60)
  const crash = async () => {
    throw new Error('crash')
  }
  await assert.rejects(batch(jobId, crash), { message: 'crash' })
  assert.equal((await list()).length, before)
  await db.write(accountId, tx => tx.run("UPDATE jobs SET state = 'failed', lease_until = NULL"))
  await db.write(accountId, tx => announcements.resume(tx, eventId, id, 'user:bob'))
  await finish(jobId)
  const all = (await list()).map(({ recipient }) => recipient)
  assert.equal(all.length, 60)
  assert.equal(new Set(all).size, 60)
})

test('who registers after it was sent does not get it', async t => {
  const { draft, send, finish, list, apply, clock } = await start(t)
  const { job_id } = await send((await draft()).id)
  clock.advance(MINUTE)
  await apply(organization({ event: { registrations: [guest('new')] } }))
  await finish(job_id as string)
  assert.ok(!(await list()).some(({ recipient }) => recipient === 'new@example.org'))
})

test('a stopped announcement writes nothing more, what waits is not sent, and it stands in the way of no other', async t => {
  const started = await start(
    t,
    Array.from({ length: 60 }, (_, n) => guest(`g${n}`)),
  )
  const { draft, send, batch, finish, list, db, accountId, eventId } = started
  const { id } = await draft()
  const jobId = (await send(id)).job_id as string
  // How many mails a batch writes depends on how fast the machine is: more than may go out in a minute, and never all.
  while ((await list()).length <= 3) await batch(jobId)
  await db.write(accountId, tx => announcements.stop(tx, eventId, id))
  await assert.rejects(batch(jobId))
  const other = await draft({ group: 'waitlist' })
  await db.write(accountId, tx => tx.run('UPDATE jobs SET lease_until = NULL'))
  await finish((await send(other.id)).job_id as string)
  // Two go out in a minute: those that are withdrawn take the place of none.
  const { received } = await mail(t, started, undefined, 2)
  assert.equal(received.length, 2)
  assert.deepEqual(received.map(({ to }) => to[0]).sort(), ['wes@example.org', 'wim@example.org'])
  const ofFirst = (await list()).filter(({ cause }) => cause === id)
  assert.deepEqual(new Set(ofFirst.map(({ status }) => status)), new Set(['withdrawn']))
})

test('answers go to the contact of the event, where it has one', async t => {
  const started = await start(t)
  const { db, accountId, eventId, draft, send, finish } = started
  await db.write(accountId, tx => events.update(tx, eventId, { contact_email: 'desk@example.org' }))
  await finish((await send((await draft()).id)).job_id as string)
  const { received } = await mail(t, started)
  assert.ok(received.length > 0)
  assert.deepEqual(new Set(received.map(({ parsed }) => parsed.replyTo?.text)), new Set(['desk@example.org']))
})

test('a mail names its recipient, is framed in their language, and ends by a header where the address is https', async t => {
  const started = await start(t)
  const { draft, send, finish, list } = started
  const text = {
    subject: 'For {name}: {event}',
    body: 'Hello {name}\n\n<script>alert(1)</script> [x](javascript:alert(2)) ![y](https://evil.example/p.png)',
  }
  await finish((await send((await draft({}, text)).id)).job_id as string)
  await finish((await send((await draft({ group: 'waitlist' }, text)).id)).job_id as string)
  const { received } = await mail(t, started)
  assert.ok((await list()).every(({ status }) => status === 'sent'))
  const of = (address: string) => received.find(({ to }) => to[0] === address)?.parsed
  assert.equal(of('ada@example.org')?.subject, 'For ada: Spring Meeting')
  assert.equal(of('ann@example.org')?.subject, 'For Ann: Spring Meeting')
  assert.equal(of('ada@example.org')?.from?.text, '"Ada Events" <tickets@example.org>')
  assert.equal(of('ada@example.org')?.replyTo?.text, 'ada@example.org')
  assert.match(String(of('ada@example.org')?.html), /<html lang="es">/)
  assert.match(String(of('bob@example.org')?.html), /<html lang="en">/)
  assert.match(String(of('wes@example.org')?.html), /<html lang="es">/)
  for (const { parsed, raw } of received) {
    assert.doesNotMatch(String(parsed.html), /<script|javascript:|<img/)
    const { headers } = parsed
    assert.match(
      raw.replaceAll('\r\n ', ' '),
      /^List-Unsubscribe: +<https:\/\/tickets\.example\.org\/unsubscribe\/[\w.-]+>\r$/m,
    )
    assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    assert.equal(headers.get('auto-submitted'), 'auto-generated')
  }
})

test('without https the header is left out, and the link stays', async t => {
  const started = await start(t)
  const { draft, send, finish } = started
  await finish((await send((await draft({ group: 'checked_in' })).id)).job_id as string)
  const { received } = await mail(t, started, 'http://box.lan:8080')
  assert.equal(received.length, 1)
  assert.doesNotMatch(received[0]?.raw ?? '', /^List-Unsubscribe/m)
  assert.match(received[0]?.parsed.text ?? '', /http:\/\/box\.lan:8080\/unsubscribe\/[\w.-]+/)
  assert.match(String(received[0]?.parsed.html), /href="http:\/\/box\.lan:8080\/unsubscribe\/[\w.-]+"/)
})

test('names with line ends and markup add no header and no tag', async t => {
  const started = await start(t)
  const { draft, send, finish, db, accountId } = started
  const hostile = 'Eve\r\nBcc: all@example.org\r\n\r\n<img src=x onerror=alert(1)> [x](https://evil.example)'
  await db.write(accountId, async tx => {
    await tx.run("UPDATE registrations SET buyer_name = $1 WHERE reference = 'bob'", [hostile])
    await tx.run('UPDATE accounts SET name = $1', [hostile])
  })
  await finish(
    (
      await send(
        (
          await draft({ group: 'checked_in' }, { subject: 'Hi {name} {organizer}', body: '{name}' })
        ).id,
      )
    ).job_id as string,
  )
  const { received } = await mail(t, started)
  assert.equal(received.length, 1)
  const [{ to, parsed, raw } = assert.fail()] = received
  assert.deepEqual(to, ['bob@example.org'])
  const [head = ''] = raw.split('\r\n\r\n')
  assert.doesNotMatch(head, /^bcc:/im)
  assert.match(parsed.subject ?? '', /^Hi Eve Bcc: all@example\.org <img/)
  assert.doesNotMatch(String(parsed.html), /<img|href="https:\/\/evil/)
  assert.deepEqual(parsed.headers.has('bcc'), false)
})

test('what was sent cannot be changed, deleted or sent again', async t => {
  const { draft, send, db, accountId, eventId } = await start(t)
  const { id } = await draft()
  await send(id)
  const refused = { code: 'announcement_sent' }
  const change = { subject: 'Other' }
  await assert.rejects(
    db.write(accountId, tx => announcements.update(tx, eventId, id, change)),
    refused,
  )
  await assert.rejects(
    db.write(accountId, tx => announcements.remove(tx, eventId, id)),
    refused,
  )
  await assert.rejects(send(id), refused)
})
