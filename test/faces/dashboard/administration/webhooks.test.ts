import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { emit } from '#product/administration/webhooks/outbox.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { organization } from '#test/support/organization.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'
import { answering, ok, startReceiver } from '#test/support/receiver.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'

const HOOK = 'https://127.0.0.1:1/hook'

/** Starts a server whose webhooks may go to the loopback, and a receiver. */
async function start(t: TestContext, settings: Record<string, unknown> = { allowInsecureWebhooks: true }) {
  const server = await startDashboard(t, organization(), { settings, tuning: { random: () => 0 } })
  const { db, accountId } = server
  const receiver = await startReceiver(t)
  const owner = await server.member('owner')
  const list = `/manage/a/${accountId}/webhooks`
  const add = (url = receiver.url) =>
    db.write(accountId, tx => webhooks.addEndpoint(tx, { url, types: ['registration.created'] }))
  const send = (count: number) =>
    db.write(accountId, async tx => {
      for (let at = 0; at < count; at++) {
        await emit(tx, 'registration.created', { at, text: '<b>Grace & co</b>' })
      }
    })
  const giveUp = () =>
    db.write(accountId, tx =>
      tx.run("UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE type <> $1", [
        'ping',
      ]),
    )
  const endpoints = () => db.read(accountId, tx => webhooks.listEndpoints(tx))
  const logged = async (action: string) =>
    (await db.read(accountId, tx => accessLog.list(tx, 100))).filter(entry => entry.action === action)
  return { ...server, receiver, owner, list, add, send, giveUp, endpoints, logged }
}

test('a webhook is added, pinged and edited by pages alone, and what it gets stands there with its answer', async t => {
  const { app, owner, list, receiver, endpoints, logged } = await start(t)
  const empty = await owner.open(list)
  assert.match(empty.text, /No webhook yet/)
  const form = await empty.follow('New webhook')
  const added = await form
    .fill({ Address: `  ${receiver.url}  `, 'Registration confirmed': true, 'Ticket checked in': true })
    .press('Add the webhook')
  assert.match(added.messages.join(), /is added\. A ping is on its way/)
  const [endpoint] = await endpoints()
  assert.deepEqual(
    [endpoint?.url, endpoint?.types],
    [receiver.url, ['registration.created', 'checkin.created']],
  )
  await onceSettled({ app }, 'webhooks', 'the ping', () => receiver.received.length === 1)
  const shown = await onceSettled({ app }, 'webhooks', 'the answer on the page', async () => {
    const page = await owner.open(added.path)
    return page.rows().some(row => row.includes('Answered 200')) && page
  })
  assert.match(shown.text, /Working/)
  const delivery = await shown.follow('Ping')
  assert.match(delivery.text, /Answered 200.*The one attempt of a ping.*thanks/)
  assert.match(delivery.text, /svc-event-type: ping/)

  const pinged = await shown.press('Send a ping')
  assert.match(pinged.messages.join(), /on its way/)
  assert.equal(pinged.heading, 'Ping')
  const edited = await (await shown.follow('Edit')).fill({ 'Abstract decided': true }).press('Save')
  assert.match(edited.messages.join(), /is saved/)
  assert.deepEqual((await endpoints())[0]?.types, [
    'registration.created',
    'checkin.created',
    'abstract.decided',
  ])
  assert.deepEqual((await logged('webhook.update'))[0]?.details, { fields: ['types'] })
  await (await owner.open(`${shown.path}/edit`)).press('Save')
  assert.equal((await logged('webhook.update')).length, 1, 'nothing to save is no entry')
})

test('an address that webhooks may not go to is refused beside its field, with what was typed', async t => {
  const { owner, list, endpoints, add } = await start(t, {})
  await add('https://example.org/taken')
  const cases: [string, RegExp][] = [
    ['http://93.184.216.34/hook', /Enter an https address/],
    ['https://127.0.0.1/hook', /not on the public internet/],
    ['https://localhost/hook', /not on the public internet/],
    ['https://[::ffff:10.0.0.1]/hook', /not on the public internet/],
    ['https://user:secret@example.org/', /without a user name/],
    ['javascript:alert(1)', /Enter an https address/],
    ['<script>alert(1)</script>', /Enter an https address/],
    ['', /Fill this in/],
    ['https://example.org/taken', /a webhook to this address already/],
  ]
  for (const [url, message] of cases) {
    const form = await owner.open(`${list}/new`)
    const refused = await form.fill({ Address: url, 'Payment completed': true }).press('Add the webhook')
    assert.ok(refused.status >= 400, url)
    assert.match(refused.messages.join(), message, url)
    assert.equal(refused.field('Address').value, url)
    assert.equal(refused.field('Address').getAttribute('aria-invalid'), 'true', url)
    assert.equal(refused.field('Payment completed').checked, true)
    assert.doesNotMatch(refused.html, /<script>alert/)
  }
  const none = await (await owner.open(`${list}/new`))
    .fill({ Address: 'https://example.org/none' })
    .press('Add the webhook')
  assert.match(none.messages.join(), /What it gets: Choose at least one/)
  assert.equal((await endpoints()).length, 1)
})

test('one that was let in by laxer rules keeps its address when only its types change', async t => {
  const { owner, list, endpoints, add } = await start(t, {})
  const { id } = await add('http://127.0.0.1:1/lax')
  const form = await owner.open(`${list}/${id}/edit`)
  const saved = await form.fill({ 'Payment completed': true }).press('Save')
  assert.match(saved.messages.join(), /is saved/)
  const moved = await (await owner.open(`${list}/${id}/edit`))
    .fill({ Address: 'http://127.0.0.1:1/other' })
    .press('Save')
  assert.match(moved.messages.join(), /Enter an https address/)
  assert.equal((await endpoints())[0]?.url, 'http://127.0.0.1:1/lax')
})

test('the secret is shown to whoever asks for it, by a post that the access log has, and stands nowhere else', async t => {
  const { owner, list, add, logged } = await start(t)
  const { id, secret } = await add()
  const page = await owner.open(`${list}/${id}`)
  assert.ok(!page.html.includes(secret))
  assert.equal(
    (await owner.open(`${list}/${id}/secret`)).html.includes(secret),
    false,
    'a link shows nothing',
  )
  assert.equal((await logged('webhook.secret')).length, 0)
  const shown = await page.press('Show the secret')
  assert.ok(shown.text.includes(secret))
  assert.equal(shown.headers['cache-control'], 'no-store')
  const [entry] = await logged('webhook.secret')
  assert.deepEqual([entry?.actor, entry?.target_id], [`user:${owner.user.id}`, id])

  const confirmation = await shown.follow('Make a new secret')
  assert.match(confirmation.text, /24 hours/)
  const rotated = await confirmation.press('Make a new secret')
  assert.match(rotated.messages.join(), /new secret\. The one before also signs until/)
  const fresh = await rotated.press('Show the secret')
  assert.ok(!fresh.text.includes(secret))
  const again = await fresh.follow('Make a new secret')
  assert.match(again.text, /ends at once/)
  assert.equal((await logged('webhook.rotate')).length, 1)
})

test('a webhook is disabled and enabled at once, with a way back; nothing can be sent to one that is disabled', async t => {
  const { owner, list, add, endpoints, db, accountId } = await start(t)
  const { id } = await add()
  const disabled = await (await owner.open(`${list}/${id}`)).press('Disable')
  assert.match(disabled.messages.join(), /is disabled/)
  assert.equal((await endpoints())[0]?.enabled, false)
  const refused = await owner.post(`${list}/${id}/ping`)
  assert.match(refused.messages.join(), /The webhook is disabled\. Enable it first/)
  const deliveries = await db.read(accountId, tx => webhooks.listEndpointDetails(tx, 0))
  assert.equal(deliveries[0]?.enabled, false)
  const back = await disabled.press('Undo')
  assert.match(back.messages.join(), /is enabled/)
  assert.equal((await endpoints())[0]?.enabled, true)
})

test('a failed delivery shows each attempt with its answer in words, and is retried by hand', async t => {
  const { app, owner, list, add, send, giveUp, receiver, logged } = await start(t)
  const { id } = await add()
  await onceSettled({ app }, 'webhooks', 'the ping', () => receiver.received.length === 1)
  receiver.behave(answering(503, { 'content-type': 'text/html' }, '<script>alert(1)</script> لا'))
  await send(1)
  const path = `${list}/${id}`
  await onceSettled({ app }, 'webhooks', 'the failure', async () =>
    (await owner.open(path)).text.includes('Answered 503'),
  )
  await giveUp()
  const failed = await owner.open(`${path}?status=failed`)
  assert.deepEqual(
    failed.rows().map(row => row.includes('Registration confirmed')),
    [true],
  )
  const delivery = await failed.follow('Registration confirmed')
  assert.match(delivery.text, /Answered 503.*Attempt 1 of 8.*<script>alert\(1\)<\/script> لا/)
  assert.doesNotMatch(delivery.html, /<script>alert/)
  assert.match(delivery.text, /"text": "<b>Grace & co<\/b>"/)
  receiver.behave(ok)
  const retried = await delivery.press('Retry now')
  assert.match(retried.messages.join(), /Another attempt is on its way/)
  await onceSettled({ app }, 'webhooks', 'the success', async () =>
    (await owner.open(delivery.path)).text.includes('Attempt by hand'),
  )
  assert.match((await owner.open(delivery.path)).text, /Succeeded/)
  assert.equal((await logged('delivery.retry')).length, 1)
})

test('deliveries are listed by what became of them and by type, page after page', async t => {
  const { owner, list, add, send, giveUp, db, accountId } = await start(t)
  const { id } = await add('http://127.0.0.1:1/nobody')
  await send(60)
  await giveUp()
  await db.write(accountId, tx => webhooks.ping(tx, id))
  const seen: number[] = []
  let page = await owner.open(`${list}/${id}?status=failed&type=registration.created`)
  for (;;) {
    seen.push(page.rows().length)
    if (!page.links().includes('Older')) break
    page = await page.follow('Older')
  }
  assert.deepEqual(seen, [25, 25, 10])
  assert.equal((await owner.open(`${list}/${id}?status=succeeded`)).rows().length, 0)
  assert.equal((await owner.open(`${list}/${id}?type=checkin.created`)).rows().length, 0)
  const all = await owner.open(`${list}/${id}`)
  assert.equal(all.rows().length, 25)
  assert.ok(
    all.links().some(link => /^Failed 6[0-2]$/.test(link)),
    all.links().join(),
  )
  assert.equal((await owner.open(`${list}/${id}?after=AAAA`)).status, 400)
})

test('all that failed since an instant is retried once somebody has seen how many these are', async t => {
  const { app, owner, list, add, send, giveUp, receiver, logged, clock } = await start(t)
  const { id } = await add()
  await onceSettled({ app }, 'webhooks', 'the ping', () => receiver.received.length === 1)
  receiver.behave(answering(500))
  await send(2)
  const failures = (count: number) =>
    onceSettled({ app }, 'webhooks', `${count} failures`, async () => {
      const rows = (await owner.open(`${list}/${id}`)).rows()
      return rows.filter(row => row.includes('Answered 500')).length === count
    })
  await failures(2)
  await giveUp()
  clock.advance(3_600_000)
  await send(3)
  await failures(5)
  await giveUp()
  const form = await (await owner.open(`${list}/${id}`)).follow('Retry failed ones')
  // A control of this type lets nobody type that, where there is one.
  const wrong = await owner.post(form.path, { since: 'yesterday' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.messages.join(), /Enter a date and a time/)
  assert.equal(wrong.field('Since').getAttribute('value'), 'yesterday')
  // The clock of the tests is shown in the time zone of the organization.
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Madrid',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const preview = await wrong.fill({ Since: local.format(clock()).replace(' ', 'T') }).press('Continue')
  assert.match(preview.text, /Retry 3 deliveries/)
  const all = await wrong.fill({ Since: '' }).press('Continue')
  assert.match(all.text, /Retry 5 deliveries/)
  assert.equal((await logged('webhook.retry')).length, 0)

  receiver.behave(answering(500))
  await send(1)
  await failures(6)
  await giveUp()
  const again = await preview.press('Retry 3')
  assert.equal(again.status, 409)
  receiver.behave(ok)
  const begun = await again.press('Retry 4 deliveries')
  assert.equal(begun.heading, 'Retrying failed deliveries')
  await onceSettled({ app }, ['jobs', 'webhooks'], 'the end', async () =>
    (await owner.open(begun.path)).text.includes('4 deliveries are on'),
  )
  await onceSettled({ app }, ['jobs', 'webhooks'], 'the retries', () => receiver.received.length === 11)
  const twice = await again.press('Retry 4 deliveries')
  assert.equal(twice.path, begun.path, 'sent twice it is done once')
  const none = await owner.open(`${list}/${id}/retry/confirm?since=${clock() + 1000}`)
  assert.match(none.text, /Nothing has failed for good since then/)
  assert.equal((await logged('webhook.retry')).length, 1)
})

test('a webhook is removed by a page that asks, with all that was sent to it', async t => {
  const { owner, list, add, endpoints, logged } = await start(t)
  const { id } = await add()
  const confirmation = await (await owner.open(`${list}/${id}`)).follow('Remove')
  assert.match(confirmation.text, /The record of what was sent to it/)
  assert.equal((await endpoints()).length, 1)
  const removed = await confirmation.press('Remove the webhook')
  assert.match(removed.messages.join(), /is removed/)
  assert.deepEqual(await endpoints(), [])
  assert.equal((await owner.open(`${list}/${id}`)).status, 404)
  assert.equal((await logged('webhook.remove')).length, 1)
})

test('two people who edit a webhook at once: what the first has changed is not lost', async t => {
  const { owner, member, list, add, endpoints } = await start(t)
  const { id } = await add()
  const manager = await member('manager')
  const path = `${list}/${id}/edit`
  const [mine, theirs] = await Promise.all([manager.open(path), owner.open(path)])
  await theirs.fill({ 'Payment completed': true }).press('Save')
  const conflict = await mine.fill({ 'Abstract decided': true }).press('Save')
  assert.equal(conflict.status, 409)
  assert.deepEqual((await endpoints())[0]?.types, ['registration.created', 'payment.completed'])
})

test('whoever lacks the role, or has some events alone, gets no webhook; ids of others are unknown; nothing changes', async t => {
  const { app, member, list, add, apply, db, accountId, endpoints, eventId, receiver, logged } =
    await start(t)
  const { id } = await add()
  await onceSettled({ app }, 'webhooks', 'the ping', () => receiver.received.length === 1)
  const other = await apply(
    organization({ email: 'bob@example.org', webhooks: [{ url: HOOK, types: ['ping'] }] }),
  )
  const foreign = Object.values(other.webhooks)[0]?.id as string
  const [details] = await db.read(accountId, tx => webhooks.listEndpointDetails(tx, 0))
  const delivery = details?.last_delivery?.id as string
  const gets = [
    '',
    '/edit',
    '/secret',
    '/rotate',
    '/remove',
    '/retry',
    '/retry/confirm',
    `/deliveries/${delivery}`,
  ]
  const posts = ['edit', 'secret', 'enable', 'disable', 'ping', 'rotate', 'remove', 'retry', 'retry/confirm']
  const before = await db.read(accountId, tx => accessLog.list(tx, 100))
  for (const role of ['finance', 'door', 'chair', 'reviewer'] as const) {
    const reader = await member(role)
    assert.ok(!(await reader.open(`/manage/a/${accountId}`)).links().includes('Webhooks'))
    for (const path of gets)
      assert.equal((await reader.open(`${list}/${id}${path}`)).status, 403, role + path)
    for (const path of [...posts, `deliveries/${delivery}/retry`]) {
      assert.equal((await reader.post(`${list}/${id}/${path}`)).status, 403, `${role} ${path}`)
    }
  }
  const some = await member('manager', { email: 'some@example.org', eventIds: [eventId] })
  assert.equal((await some.open(`${list}/${id}`)).status, 403)

  const manager = await member('manager', { email: 'all@example.org' })
  for (const unknown of [foreign, UNKNOWN_ID, 'nothing']) {
    for (const path of gets) {
      assert.equal((await manager.open(`${list}/${unknown}${path}`)).status, 404, path)
    }
    for (const path of posts)
      assert.equal((await manager.post(`${list}/${unknown}/${path}`)).status, 404, path)
  }
  assert.equal((await manager.open(`${list}/${foreign}/deliveries/${delivery}`)).status, 404)
  assert.equal((await manager.open(`/manage/a/${other.account_id}/webhooks`)).status, 404)
  assert.deepEqual(
    (await endpoints()).map(({ id, enabled }) => [id, enabled]),
    [[id, true]],
  )
  assert.equal(receiver.received.length, 1)
  const after = (await db.read(accountId, tx => accessLog.list(tx, 100))).filter(
    ({ action, details }) => action.startsWith('webhook.') && details.code === undefined,
  )
  assert.deepEqual(
    after,
    before.filter(({ action }) => action.startsWith('webhook.')),
  )
  assert.equal((await logged('webhook.secret')).filter(({ details }) => details.code === undefined).length, 0)
})

test('webhooks speak Spanish to those who do, in the errors of attempts too', async t => {
  const { app, member, list, add } = await start(t)
  const { id } = await add('http://127.0.0.1:1/nobody')
  const owner = await member('owner', { email: 'es@example.org', language: 'es' })
  const page = await onceSettled({ app }, 'webhooks', 'the failure', async () => {
    const found = await owner.open(`${list}/${id}`)
    return found.text.includes('Falló la conexión') && found
  })
  assert.match(page.text, /Envíos.*Fallidos 1/)
  const delivery = await page.follow('Prueba')
  assert.match(delivery.text, /Falló la conexión\..*El único intento de una prueba/)
  assert.doesNotMatch(delivery.text, /connection|Attempt|Pending/)
})

test('whoever had to sign in again finds the page where their button stood, and nothing done', async t => {
  const { owner, list, add, endpoints, clock } = await start(t)
  const { id } = await add()
  const page = await owner.open(`${list}/${id}`)
  clock.advance(13 * 3_600_000)
  const signInPage = await page.press('Disable')
  assert.equal(signInPage.heading, 'Sign in')
  const back = await signInPage.fill({ 'E-mail': 'owner@example.org', Password: PASSWORD }).press('Sign in')
  assert.equal(back.status, 200)
  assert.equal(back.path, page.path)
  assert.equal((await endpoints())[0]?.enabled, true)
})

test('a delivery is sent again under its own webhook alone', async t => {
  const { owner, list, add, send, giveUp, db, logged } = await start(t)
  const { id } = await add()
  await send(1)
  await giveUp()
  const { id: other } = await add('https://other.example/hook')
  const [delivery] = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>("SELECT id FROM webhook_deliveries WHERE type <> 'ping'"),
  )
  const retryOf = (endpoint: string) => `${list}/${endpoint}/deliveries/${delivery?.id}/retry`
  assert.equal((await owner.post(retryOf(other))).status, 404)
  const read = () =>
    db.read(INSTANCE, tx =>
      tx.one("SELECT status FROM webhook_deliveries WHERE id = $1 AND status = 'failed'", [
        delivery?.id as string,
      ]),
    )
  assert.notEqual(await read(), undefined)
  assert.equal((await owner.post(retryOf(id))).status, 200)
  assert.equal((await logged('delivery.retry')).filter(({ details }) => details.code === undefined).length, 1)
})
