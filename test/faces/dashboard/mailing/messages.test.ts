import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { Email } from '#machinery/mail/schemas.ts'
import * as links from '#product/administration/users/links.ts'
import { invitationMail } from '#product/administration/users/mails.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { queueDecision } from '#product/programme/decisions/tell.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { onceSettled } from '#test/support/settled.ts'

const HOSTILE = '<script>alert(1)</script> **Eve** {code}'

/** Starts with an event with two decided abstracts, each with its mail in the outbox. */
async function start(t: TestContext, { smtp = false, name = 'Lin' } = {}) {
  const person = (email: string) => ({ name, email })
  const abstract = (code: string, email: string) => ({
    ...{ code, title: `On ${code}`, abstract: 'A', authors: [person(email)], contact: person(email) },
  })
  const file = organization({
    event: { abstracts: [abstract('A-1', 'lin@example.org'), abstract('A-2', 'no@example.org')] },
    events: [{ slug: 'second', title: 'Second' }],
  })
  const mailServer = await startMailServer(t)
  const settings = smtp ? { smtpUrl: mailServer.url, mailFrom: 'Turnout <tickets@example.org>' } : {}
  const dashboard = await startDashboard(t, file, { settings })
  const { db, accountId, applied, eventId } = dashboard
  const decide = (code: string) =>
    db.write(accountId, async tx => {
      const id = applied.events['spring-meeting']?.abstracts[code] as string
      const outcome = await abstracts.decide(tx, id, {
        decision: 'accepted',
        note: 'Well done',
      })
      await queueDecision(tx, outcome, 'en')
    })
  const list = () => db.read(accountId, tx => emails.list(tx, {}, { limit: 100 }))
  const find = async (recipient: string) =>
    (await list()).find(email => email.recipient === recipient) as Email
  const path = `/manage/e/${eventId}/messages`
  return { ...dashboard, ...mailServer, decide, list, find, path }
}

/** Invites somebody, whose mail is about no event. */
async function inviteSomebody({ db, accountId }: Awaited<ReturnType<typeof start>>) {
  return db.write(accountId, async tx => {
    const { token } = await links.invite(tx, {
      email: 'new@example.org',
      role: 'door',
      event_ids: null,
    })
    await queue(tx, invitationMail, {
      ...{ cause: 'c', recipient: 'new@example.org', language: 'en' as const, details: { token } },
    })
    return token
  })
}

test('the log has the mails of its event by state, and finds those to a whole address', async t => {
  const dashboard = await start(t)
  const { member, decide, path, accountId, applied, db, clock } = dashboard
  const manager = await member('manager')
  assert.match((await manager.open(path)).text, /Nothing was sent yet/)
  await decide('A-1')
  clock.advance(1000)
  await decide('A-2')
  await inviteSomebody(dashboard)
  const all = await manager.open(path)
  assert.deepEqual(
    all.rows().map(row => row.split(' ')[0]),
    ['no@example.org', 'lin@example.org'].map(address => `${address}Abstract`),
  )
  assert.match(all.text, /No server for mail is set up, so all mails wait here/)
  assert.match(all.text, /Waiting 2/)
  assert.equal((await manager.open(`${path}?state=sent`)).rows().length, 0)
  const found = await all.fill({ 'Search by': 'LIN@example.org' }).press('Search')
  assert.equal(found.rows().length, 1)
  assert.equal(
    (await (await manager.open(path)).fill({ 'Search by': 'lin@' }).press('Search')).rows().length,
    0,
  )
  const sentTo = await manager.open(`${path}?q=lin%40example.org&state=sent`)
  assert.equal(sentTo.rows().length, 0)
  // Another event of the account has none of them.
  const second = applied.events.second?.id
  assert.match(
    (await manager.open(`/manage/e/${second}/messages?q=lin%40example.org`)).text,
    /No mail to this|Nothing was/,
  )
  await db.write(accountId, tx => tx.run("UPDATE emails SET status = 'failed', next_attempt_at = NULL"))
  assert.equal((await (await manager.open(path)).follow('Failed')).rows().length, 2)
})

test('a long log is read in pages, by a cursor of its own', async t => {
  const { member, db, accountId, eventId, path } = await start(t)
  const manager = await member('manager')
  await db.write(accountId, async tx => {
    for (let n = 0; n < 120; n++) {
      const mail = { cause: String(n), recipient: `${n % 2}@example.org`, language: 'en' as const, eventId }
      await queue(tx, { name: 'abstract_accepted', lane: 'others' }, mail)
    }
  })
  for (const [query, expected] of [
    ['', 120],
    ['?q=1%40example.org', 60],
  ] as const) {
    let page = await manager.open(path + query)
    const seen = [...page.document.querySelectorAll<HTMLAnchorElement>('tbody a')].map(({ href }) => href)
    while (page.links().includes('Older')) {
      page = await page.follow('Older')
      seen.push(...[...page.document.querySelectorAll<HTMLAnchorElement>('tbody a')].map(({ href }) => href))
    }
    assert.equal(new Set(seen).size, expected)
    assert.equal(seen.length, expected)
  }
  const { href } = (await manager.open(path)).document.querySelector('.pages a') as HTMLAnchorElement
  const after = new URL(href).searchParams.get('after')
  assert.equal((await manager.open(`${path}?state=sent&after=${after}`)).status, 400)
})

test('a mail that waits is shown as it would be sent, with hostile names as text, and alone under a strict policy', async t => {
  const { member, decide, find, path } = await start(t, { name: HOSTILE })
  const owner = await member('owner')
  await decide('A-1')
  const { id } = await find('lin@example.org')
  const page = await owner.open(`${path}/mail/${id}`)
  assert.equal(page.heading, 'Abstract accepted')
  assert.match(page.text, /It was not tried yet/)
  assert.ok(page.text.includes(`Hello ${HOSTILE}`))
  assert.ok(page.text.includes('Your abstract “On A-1” was accepted'))
  assert.doesNotMatch(page.html, /<script>alert/)
  const letter = await page.follow('See it as a mail program shows it')
  assert.equal(letter.status, 200)
  assert.equal(
    letter.headers['content-security-policy'],
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; " +
      "frame-ancestors 'none'; sandbox allow-popups",
  )
  assert.ok(letter.text.includes(HOSTILE))
  assert.equal(letter.document.querySelectorAll('script, strong').length, 0)
})

test('what a server said is told in words, a mail is sent again by a button, and then kept as it was sent', async t => {
  const { app, member, decide, find, path, script, received, db, accountId } = await start(t, { smtp: true })
  const manager = await member('manager')
  script.to = () => ({ code: 550, message: '5.1.1 No such user here' })
  await decide('A-1')
  const failed = await onceSettled({ app }, 'mails', 'the failure', async () => {
    const email = await find('lin@example.org')
    return email.status === 'failed' && email
  })
  const page = await manager.open(`${path}/mail/${failed.id}`)
  assert.match(page.text, /There is no mailbox with this address/)
  assert.match(page.text, /550 5\.1\.1 No such user here/)
  delete script.to
  const again = await page.press('Send again now')
  assert.match(again.messages.join(), /It is sent again/)
  await onceSettled({ app }, 'mails', 'the mail', () => received.length === 1)
  const sent = await onceSettled({ app }, 'mails', 'its end', async () => {
    const email = await find('lin@example.org')
    return email.status === 'sent' && email
  })
  assert.match(
    received[0]?.parsed.text ?? '',
    /“On A-1” \(A-1\) was accepted for Spring Meeting\.\s+Well done/,
  )
  const ended = await manager.open(`${path}/mail/${sent.id}`)
  assert.match(ended.text, /As it was sent/)
  assert.match(ended.text, /Well done/)
  assert.doesNotMatch(ended.text, /Send again now/)
  const refused = await manager.post(`${path}/mail/${sent.id}/retry`)
  assert.match(refused.messages.join(), /was sent, or is not needed/)
  assert.equal((await manager.open(`${path}/mail/${sent.id}/html`)).status, 404)
  const log = await db.read(INSTANCE, tx =>
    tx.all<{ details: string }>(
      "SELECT details FROM access_log WHERE action = 'email.retry' AND account_id = $1",
      [accountId],
    ),
  )
  assert.equal(log.length, 2)
})

test('a mail that has nothing to say any more says so, before it is withdrawn and after', async t => {
  const { member, decide, find, path, db, accountId, applied } = await start(t)
  const manager = await member('manager')
  await decide('A-1')
  const { id } = await find('lin@example.org')
  const abstractId = applied.events['spring-meeting']?.abstracts['A-1'] as string
  await db.write(accountId, tx => abstracts.decide(tx, abstractId, { decision: 'in_review' }))
  const page = await manager.open(`${path}/mail/${id}`)
  assert.match(page.text, /There is nothing to say any more/)
  assert.equal((await manager.open(`${path}/mail/${id}/html`)).status, 404)
  await db.write(accountId, tx =>
    tx.run(
      "UPDATE emails SET status = 'withdrawn', next_attempt_at = NULL, answer = 'It was not needed any more.'",
    ),
  )
  assert.match(
    (await manager.open(`${path}/mail/${id}`)).text,
    /There was nothing to say any more, so it was not sent/,
  )
})

test('mails of no event are for owners, and show nothing that lets in', async t => {
  const dashboard = await start(t)
  const { member, accountId, find, path } = dashboard
  const token = await inviteSomebody(dashboard)
  const owner = await member('owner')
  const log = await owner.open(`/manage/a/${accountId}/messages`)
  assert.deepEqual(log.rows().length, 1)
  const page = await log.follow('new@example.org')
  assert.match(page.text, /Join Ada Events/)
  assert.ok(!page.html.includes(token))
  const letter = await page.follow('See it as')
  assert.equal(letter.status, 200)
  assert.ok(!letter.html.includes(token))
  const { id } = await find('new@example.org')
  // The mail does not belong to the event.
  assert.equal((await owner.open(`${path}/mail/${id}`)).status, 404)
  const manager = await member('manager')
  for (const suffix of ['', `/${id}`, `/${id}/html`]) {
    assert.equal((await manager.open(`/manage/a/${accountId}/messages${suffix}`)).status, 403)
  }
  assert.equal((await manager.post(`/manage/a/${accountId}/messages/${id}/retry`)).status, 403)
})

test('another account’s mail, and a role without the permission, are refused with nothing changed', async t => {
  const { member, decide, find, path, apply, list } = await start(t)
  await decide('A-1')
  const { id } = await find('lin@example.org')
  const other = await apply(organization({ email: 'bob@example.org' }))
  const foreign = await member('owner', { email: 'foreign@example.org', accountId: other.account_id })
  const otherEvent = other.events['spring-meeting']?.id
  const before = await list()
  for (const address of [`${path}/mail/${id}`, `/manage/e/${otherEvent}/messages/mail/${id}`]) {
    assert.equal((await foreign.open(address)).status, 404)
    assert.equal((await foreign.open(`${address}/html`)).status, 404)
    assert.equal((await foreign.post(`${address}/retry`)).status, 404)
  }
  for (const role of ['finance', 'door', 'chair', 'reviewer'] as const) {
    const reader = await member(role)
    assert.equal((await reader.open(path)).status, 403)
    assert.equal((await reader.post(`${path}/mail/${id}/retry`)).status, 403)
    assert.equal((await reader.open(`${path}/texts`)).status, 403)
    assert.ok(!(await reader.open('/manage')).links().includes('Messages'))
  }
  assert.deepEqual(await list(), before)
})

test('in Spanish, nothing of the log is English', async t => {
  const { member, decide, find, path } = await start(t)
  await decide('A-1')
  const manager = await member('manager', { language: 'es' })
  const { id } = await find('lin@example.org')
  const log = await manager.open(path)
  assert.match(log.text, /Enviados.*En espera 1.*Propuesta aceptada/)
  const page = await manager.open(`${path}/mail/${id}`)
  assert.match(page.text, /Todavía no se ha intentado/)
  assert.doesNotMatch(log.text, /\b(Sent|Waiting|Texts|Mail)\b/)
})

test('a server that takes nothing is told of above the mails that wait for it', async t => {
  const { app, member, decide, path, script, clock } = await start(t, { smtp: true })
  script.from = () => ({ code: 550, message: 'Who are <b>you</b>' })
  await decide('A-1')
  const manager = await member('manager')
  const page = await onceSettled({ app }, 'mails', 'the trouble', async () => {
    const shown = await manager.open(path)
    return /the server for mail takes nothing/.test(shown.text) && shown
  })
  assert.ok(page.text.includes('550 Who are <b>you</b>'))
  clock.advance(0)
})

test('while the database may be a copy, the log says why nothing is mailed', async t => {
  const { member, decide, path, db } = await start(t, { smtp: true })
  await db.write(INSTANCE, tx => tx.run('UPDATE instance SET held_at = 1'))
  await decide('A-1')
  assert.match((await (await member('manager')).open(path)).text, /may be a copy of another/)
})
