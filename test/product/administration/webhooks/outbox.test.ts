import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import type { WebhookEventType } from '#product/administration/webhooks/event-types.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'
import { readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

/** A server without endpoints, and what is in its outbox but for pings: each event with the addresses that it goes to. */
async function start(t: TestContext) {
  const server = await startWithOrganization(t)
  const { applied, client, db } = server
  const accountId = applied.account_id
  const add = (name: string, types: WebhookEventType[], enabled = true) =>
    db.write(accountId, tx =>
      webhooks.addEndpoint(tx, { url: `https://127.0.0.1:1/${name}`, types, enabled }),
    )
  const register = async () => {
    const { status, body } = await client.post('/registrations', newRegistration(server))
    assert.equal(status, 201)
    return body as { id: string; attendees: { id: string }[] }
  }
  const outbox = () =>
    db.read(INSTANCE, async tx => {
      const rows = await tx.all<{ type: string; body: string; url: string | null }>(
        `SELECT v.type, v.body, e.url FROM webhook_events v
         LEFT JOIN webhook_deliveries d ON d.event_id = v.id LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
         WHERE v.type <> 'ping' ORDER BY v.created_at, v.id, e.url`,
      )
      return rows.map(({ type, body, url }) => [
        type,
        JSON.parse(body).data.object.id,
        url && new URL(url).pathname.slice(1),
      ])
    })
  return { ...server, accountId, add, register, outbox }
}

test('an event is written only where an enabled endpoint of its account takes its type', async t => {
  const { add, apply, client, db, outbox, register } = await start(t)
  const { account_id: stranger } = await apply(organization({ email: 'bob@example.org' }))
  await subscribeToAll(db, stranger)
  await register()
  assert.deepEqual(await outbox(), [], 'without an endpoint')
  await add('disabled', ['registration.created', 'registration.cancelled'], false)
  await register()
  assert.deepEqual(await outbox(), [], 'where an endpoint is disabled')
  await add('cancelled', ['ping', 'registration.cancelled'])
  const { id } = await register()
  assert.deepEqual(await outbox(), [], 'where an endpoint takes another type')
  await client.post(`/registrations/${id}/cancel`)
  assert.deepEqual(await outbox(), [['registration.cancelled', id, 'cancelled']])
})

test('an event that two endpoints take is written once, with a delivery to each', async t => {
  const { accountId, add, db, outbox, register } = await start(t)
  const { id: one } = await add('one', ['registration.created'])
  await add('two', ['checkin.created', 'registration.created'])
  const { id: both } = await register()
  const ofBoth = ['one', 'two'].map(name => ['registration.created', both, name])
  assert.deepEqual(await outbox(), ofBoth)
  const { count } = (await db.read(INSTANCE, tx =>
    tx.one("SELECT count(*) AS count FROM webhook_events WHERE type <> 'ping'"),
  )) as { count: number }
  assert.equal(count, 1)
  await db.write(accountId, tx => webhooks.setEnabled(tx, one, false))
  const { id: other } = await register()
  assert.deepEqual(await outbox(), [...ofBoth, ['registration.created', other, 'two']])
})

test('an endpoint that is added or enabled later is sent nothing that came before', async t => {
  const server = await startWithWebhooks(t)
  const { db, applied } = server
  const [late, enabled] = [await startReceiver(t), await startReceiver(t)]
  const input = { url: enabled.url, types: ['registration.created'], enabled: false } as const
  const { id } = await db.write(applied.account_id, tx => webhooks.addEndpoint(tx, input))
  await server.register()
  const { id: lateId } = await server.subscribe(late, 'registration.created')
  await db.write(applied.account_id, tx => webhooks.setEnabled(tx, id, true))
  const after = await server.register()
  await onceSettled(server, 'webhooks', 'the webhooks', () =>
    [late, enabled].every(({ received }) => received.at(-1)?.event.data.object.id === after.id),
  )
  assert.deepEqual([late.received.length, enabled.received.length], [2, 1], 'a ping, and one event')
  assert.deepEqual(
    [await readDeliveries(db, lateId), await readDeliveries(db, id)].map(all => all.length),
    [2, 1],
  )
})

test('that a check-in was undone is written even where nobody takes it, and goes to nobody', async t => {
  const { accountId, add, client, db, outbox, register } = await start(t)
  await add('created', ['registration.created'])
  const { id, attendees } = await register()
  const [ticket] = attendees
  assert.ok(ticket)
  const { body: checkIn } = await client.post('/check-ins', { attendee_id: ticket.id })
  await db.write(accountId, tx => checkIns.undo(tx, ticket.id))
  assert.deepEqual(await outbox(), [
    ['registration.created', id, 'created'],
    ['checkin.undone', checkIn.id, null],
  ])
})
