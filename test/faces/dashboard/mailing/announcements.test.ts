import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { onceSettled } from '#test/support/settled.ts'

const guest = (name: string, changes: object = {}) =>
  registration(name, { buyer: { name, email: `${name}@example.org` }, ...changes })

async function start(t: TestContext, registrations = ['ada', 'bob', 'cyd'].map(name => guest(name))) {
  const mailServer = await startMailServer(t)
  const settings = { smtpUrl: mailServer.url, mailFrom: 'Turnout <tickets@example.org>' }
  const dashboard = await startDashboard(t, organization({ event: { registrations } }), { settings })
  const { db, accountId, eventId } = dashboard
  const list = () => db.read(accountId, tx => emails.list(tx, { eventId }, { limit: 500 }))
  const drafts = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ subject: string; body: string; audience: string; sent_at: number | null }>(
        'SELECT * FROM announcements',
      ),
    )
  return { ...dashboard, ...mailServer, list, drafts, path: `/manage/e/${eventId}/messages/announcements` }
}

const TEXT = { Subject: 'News of {event}', Text: 'Hello {name},\n\n**See you** there. <b>!</b>' }

async function write(page: ReadPage, changes: Record<string, string | boolean> = {}): Promise<ReadPage> {
  const form = await page.follow('Write an announcement')
  return form.fill({ ...TEXT, ...changes }).press('Save the draft')
}

test('an announcement is written, looked at, sent to as many as the page said, and seen to have gone out', async t => {
  const { app, member, path, received, list, db, accountId, drafts } = await start(t)
  await db.write(accountId, tx => emails.unsubscribe(tx, 'cyd@example.org'))
  const manager = await member('manager')
  const empty = await manager.open(path)
  assert.match(empty.text, /No announcements yet/)
  const draft = await write(empty)
  assert.equal(draft.heading, 'News of Spring Meeting')
  assert.match(draft.messages.join(), /Nothing is sent yet/)
  assert.match(draft.text, /As Person manager gets it.*Hello Person manager,\s*See you there\. <b>!<\/b>/)
  assert.equal(draft.document.querySelectorAll('.prose b').length, 0)
  assert.deepEqual(await list(), [])
  const confirm = await draft.follow('Send…')
  assert.match(confirm.text, /2 people get it\./)
  assert.match(confirm.text, /One person wants no announcements, and gets none/)
  assert.match(confirm.text, /Whoever registers later does not get it/)
  const sending = await confirm.press('Send it to 2 people')
  assert.match(sending.text, /Stop sending|All of its mails have gone out/)
  await onceSettled({ app }, ['jobs', 'mails'], 'the mails', () => received.length === 2)
  assert.deepEqual(received.map(({ to }) => to[0]).sort(), ['ada@example.org', 'bob@example.org'])
  const ended = await onceSettled({ app }, ['jobs', 'mails'], 'the end', async () => {
    const page = await manager.open(sending.path)
    return /All of its mails have gone out/.test(page.text) && page
  })
  assert.match(ended.text, /Mails written2 of 2/)
  assert.match(ended.text, /Sent2/)
  for (const name of ['Send…', 'Edit', 'Delete']) assert.ok(!ended.links().includes(name))
  // A form that was sent once leads to the same page again, and sends no mail again.
  assert.equal((await confirm.press('Send it to 2 people')).path, sending.path)
  for (const what of ['edit', 'send', 'remove']) {
    assert.equal((await manager.open(`${sending.path}/${what}`)).status, 409)
  }
  assert.equal((await list()).length, 2)
  assert.equal((await drafts()).length, 1)
  const log = await db.read(INSTANCE, tx =>
    tx.all<{ action: string; details: string }>(
      "SELECT action, details FROM access_log WHERE action LIKE 'announcement.%' AND details NOT LIKE '%code%' ORDER BY created_at, id",
    ),
  )
  assert.deepEqual(
    log.map(({ action }) => action),
    ['announcement.create', 'announcement.send'],
  )
  assert.ok(log.every(({ details }) => !details.includes('News')))
})

test('a draft is sent to its writer as a test, as often as wanted, and counts as no mail of the announcement', async t => {
  const { app, member, path, received, list, db, accountId, drafts } = await start(t)
  const manager = await member('manager')
  await db.write(accountId, tx => emails.unsubscribe(tx, manager.user.email))
  const draft = await write(await manager.open(path))
  assert.equal(draft.heading, 'News of Spring Meeting', 'a title shows what the mail will have there')
  assert.match(draft.text, /How many get it3 people get it\./)
  const tested = await draft.press('Send a test to me')
  assert.match(tested.messages.join(), /A test goes to manager@example\.org/)
  await onceSettled({ app }, 'mails', 'the test', () => received.length === 1)
  await (await manager.open(`${draft.path}/edit`)).fill({ Subject: 'Otherwise' }).press('Save the draft')
  await (await manager.open(draft.path)).press('Send a test to me')
  await onceSettled({ app }, 'mails', 'the second test', () => received.length === 2)
  assert.deepEqual(
    received.map(({ to, parsed }) => [to[0], parsed.subject]),
    [
      ['manager@example.org', 'Test: News of Spring Meeting'],
      ['manager@example.org', 'Test: Otherwise'],
    ],
  )
  assert.match(received[0]?.parsed.text ?? '', /Hello Person manager/)
  assert.deepEqual(
    (await drafts()).map(({ sent_at }) => sent_at),
    [null],
    'it stays a draft',
  )
  const asks = await (await manager.open(draft.path)).follow('Send…')
  const sent = await asks.press('Send it to 3 people')
  await onceSettled({ app }, ['jobs', 'mails'], 'the mails', () => received.length === 5)
  assert.match((await manager.open(sent.path)).text, /Mails written3 of 3/)
  const late = await manager.post(`${draft.path}/test`)
  assert.match(late.text, /This announcement was sent: it cannot change any more/)
  assert.equal((await list()).length, 5)
})

test('the page that asks is shown again when the number, the text or the audience has changed, and sends nothing', async t => {
  const { app, member, path, apply, list, drafts } = await start(t)
  const manager = await member('manager')
  const draft = await write(await manager.open(path))
  const asks = await draft.follow('Send…')
  await apply(organization({ event: { registrations: [guest('dan')] } }))
  const more = await asks.press('Send it to 3 people')
  assert.equal(more.status, 409)
  assert.match(more.messages.join(), /has changed meanwhile/)
  assert.match(more.text, /4 people get it/)
  const other = await member('owner')
  await (await other.open(`${draft.path}/edit`)).fill({ Text: 'Otherwise' }).press('Save the draft')
  const changed = await more.press('Send it to 4 people')
  assert.equal(changed.status, 409)
  assert.deepEqual(await list(), [])
  assert.equal((await drafts())[0]?.sent_at, null)
  await changed.press('Send it to 4 people')
  await onceSettled({ app }, ['jobs', 'mails'], 'the mails', async () => (await list()).length === 4)
})

test('nobody to send it to is said, and nothing is offered', async t => {
  const { member, path, db, accountId } = await start(t)
  const manager = await member('manager')
  const draft = await write(await manager.open(path), { 'The waitlist': true })
  const page = await draft.follow('Send…')
  assert.match(page.text, /Nobody would get it\./)
  assert.equal(page.document.querySelectorAll('main button').length, 0)
  for (const name of ['ada', 'bob', 'cyd']) {
    await db.write(accountId, tx => emails.unsubscribe(tx, `${name}@example.org`))
  }
  const toAll = await write(await manager.open(path))
  assert.match((await toAll.follow('Send…')).text, /all of them want no announcements/)
})

test('what cannot be is told with what was typed kept: placeholders that there are none of, several lines, nothing', async t => {
  const { member, path, drafts, eventId } = await start(t)
  const manager = await member('manager')
  const form = await (await manager.open(path)).follow('Write an announcement')
  const refused = await form.fill({ ...TEXT, Text: 'Hello {title}' }).press('Save the draft')
  assert.match(refused.messages.join(), /nothing to fill in for \{title\}/)
  assert.equal(refused.field('Text').value, 'Hello {title}')
  assert.equal((await form.fill({ Subject: '' }).press('Save the draft')).status, 422)
  const fields = { group: 'confirmed', subject: 'A\r\nBcc: eve@example.org', body: 'B' }
  assert.equal((await manager.post(`/manage/e/${eventId}/messages/announcements/new`, fields)).status, 422)
  assert.equal((await manager.post(`${path}/new`, { ...fields, subject: 'A', group: 'all' })).status, 422)
  assert.deepEqual(await drafts(), [])
  const shown = await form.fill({ ...TEXT, Text: 'So, {name} *yes*' }).press('Preview')
  assert.equal(shown.document.querySelector('.prose em')?.textContent, 'yes')
  assert.deepEqual(await drafts(), [])
})

test('a draft is edited by two people without a loss, and deleted after a question', async t => {
  const { member, path, drafts, types } = await start(t)
  const ada = await member('manager', { email: 'ada@x.org' })
  const bob = await member('manager', { email: 'bob@x.org' })
  const draft = await write(await ada.open(path))
  const [adas, bobs] = [await ada.open(`${draft.path}/edit`), await bob.open(`${draft.path}/edit`)]
  await adas.fill({ Standard: true }).press('Save the draft')
  await bobs.fill({ Text: 'Bob’s' }).press('Save the draft')
  const [row] = await drafts()
  assert.deepEqual(JSON.parse(row?.audience ?? ''), { group: 'confirmed', types: [types.Standard] })
  assert.equal(row?.body, 'Bob’s')
  const conflict = await adas.fill({ Text: 'Ada’s' }).press('Save the draft')
  assert.equal(conflict.status, 409)
  assert.equal((await drafts())[0]?.body, 'Bob’s')
  const question = await (await bob.open(draft.path)).follow('Delete')
  assert.equal((await drafts()).length, 1)
  const gone = await question.press('Delete the draft')
  assert.match(gone.messages.join(), /The draft is deleted/)
  assert.deepEqual(await drafts(), [])
})

test('sending is stopped by a button: what has not gone out is not sent', async t => {
  const { app, member, path, script, received, list } = await start(
    t,
    Array.from({ length: 30 }, (_, n) => guest(`g${n}`)),
  )
  let go = () => {}
  const wait = new Promise<undefined>(resolve => {
    go = () => resolve(undefined)
  })
  script.data = () => wait
  const manager = await member('manager')
  const draft = await write(await manager.open(path))
  const sending = await (await draft.follow('Send…')).press('Send it to 30 people')
  await app.settled('jobs')
  assert.equal((await list()).length, 30)
  const stopped = await (await manager.open(sending.path)).press('Stop sending')
  assert.match(stopped.messages.join(), /Nothing more of it is sent/)
  go()
  await onceSettled({ app }, ['jobs', 'mails'], 'the rest', async () =>
    (await list()).every(({ status }) => status !== 'waiting'),
  )
  // Only mails that were already under way arrive.
  assert.ok(received.length <= 2)
  const page = await manager.open(sending.path)
  assert.match(page.text, /It was stopped/)
  assert.doesNotMatch(page.text, /Stop sending/)
  assert.match(page.text, /Withdrawn(28|29|30)/)
})

test('another account’s announcements are nobody’s, and roles without the permission write and send none', async t => {
  const { member, path, apply, drafts, list } = await start(t)
  const manager = await member('manager')
  const draft = await write(await manager.open(path))
  const id = draft.path.split('/').at(-1)
  const other = await apply(organization({ email: 'bob@example.org' }))
  const foreign = await member('owner', { email: 'foreign@example.org', accountId: other.account_id })
  const own = `/manage/e/${other.events['spring-meeting']?.id}/messages/announcements`
  const before = await drafts()
  for (const address of [draft.path, `${own}/${id}`]) {
    for (const what of ['', '/edit', '/send', '/remove']) {
      assert.equal((await foreign.open(address + what)).status, 404)
      if (what !== '')
        assert.equal((await foreign.post(address + what, { subject: 'S', body: 'B' })).status, 404)
    }
    for (const what of ['stop', 'resume'])
      assert.equal((await foreign.post(`${address}/${what}`)).status, 404)
  }
  for (const role of ['finance', 'door', 'chair', 'reviewer'] as const) {
    const reader = await member(role)
    assert.equal((await reader.open(draft.path)).status, 403)
    for (const what of ['send', 'stop', 'remove']) {
      assert.equal((await reader.post(`${draft.path}/${what}`)).status, 403)
    }
  }
  // Another event of the same account has none of it.
  assert.equal((await manager.open(`${path.replace(/e\/[^/]+/, `e/${id}`)}`)).status, 404)
  assert.deepEqual(await drafts(), before)
  assert.deepEqual(await list(), [])
})

test('in Spanish, an announcement is asked for and told in Spanish', async t => {
  const { member, path } = await start(t)
  const manager = await member('manager', { language: 'es' })
  const form = await (await manager.open(path)).follow('Escribir un anuncio')
  const draft = await form.fill({ Asunto: 'Hola', Texto: 'Hola {name}' }).press('Guardar el borrador')
  const asks = await draft.follow('Enviar…')
  assert.match(asks.text, /Lo reciben 3 personas\./)
  const sent = await asks.press('Enviarlo a 3 personas')
  assert.match(sent.text, /Progreso/)
  assert.doesNotMatch(sent.text, /\b(Sent|Waiting|Mails)\b/)
})
