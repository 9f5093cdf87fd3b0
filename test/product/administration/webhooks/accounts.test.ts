import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { getDelivery, listDeliveries, retryDelivery } from '#product/administration/webhooks/deliveries.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { readAnswers } from '#product/guests/registrations/answer-store.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'

const TABLES = ['api_keys', 'webhook_endpoints', 'webhook_events', 'webhook_deliveries', 'webhook_attempts']

test('a rule finds nothing of another account, and changes nothing of it', async t => {
  const waiting = { reference: 'w', registration_type: 'Free', name: 'W', email: 'w@example.org' }
  const { db, applied, apply, eventId } = await startWithOrganization(
    t,
    organization({ event: { waitlist: [waiting], registrations: [registration('r')] } }),
  )
  const { account_id: own } = applied
  const { account_id: other } = await apply(organization({ email: 'bob@example.org' }))
  const input = { url: 'https://127.0.0.1:1/hook', types: ['ping'] as const, enabled: false }
  const { endpoint, delivery, key } = await db.write(own, async tx => {
    const { id } = await webhooks.addEndpoint(tx, input)
    await webhooks.setEnabled(tx, id, true)
    const deliveryId = await webhooks.ping(tx, id)
    await webhooks.setEnabled(tx, id, false)
    const made = await keys.create(tx, { name: 'k', scopes: [], expiresAt: null, rateLimit: 0 })
    return { endpoint: id, delivery: deliveryId, key: made.id }
  })
  const readAll = () =>
    db.read(INSTANCE, tx => Promise.all(TABLES.map(table => tx.all(`SELECT * FROM ${table}`))))
  const before = await readAll()

  const attempts = [
    () => db.write(other, tx => keys.revoke(tx, key)),
    () => db.read(other, tx => webhooks.getSecret(tx, endpoint)),
    () => db.write(other, tx => webhooks.setEnabled(tx, endpoint, true)),
    () => db.write(other, tx => webhooks.ping(tx, endpoint)),
    () => db.write(other, tx => webhooks.rotateSecret(tx, endpoint)),
    () => webhooks.removeEndpoint(db, other, endpoint),
    () => db.read(other, tx => getDelivery(tx, delivery)),
    () => db.write(other, tx => retryDelivery(tx, delivery)),
  ]
  for (const attempt of attempts) await assert.rejects(attempt, { code: 'not_found' })
  assert.deepEqual(await db.read(other, tx => waitlist.listByEvent(tx, eventId)), [])
  const registered = Object.values(applied.events['spring-meeting']?.registrations ?? {})
  const found = (accountId: string) =>
    db.read(accountId, async tx => [
      (await attendees.byRegistration(tx, registered)).size,
      (await readAnswers(tx, registered)).size,
      [...(await listDeliveries(tx, { endpointId: endpoint }, { limit: 9 }))].length,
    ])
  assert.deepEqual(await found(other), [0, 0, 0])
  assert.deepEqual(await readAll(), before)

  assert.equal((await db.read(own, tx => waitlist.listByEvent(tx, eventId))).length, 1)
  assert.deepEqual(await found(own), [1, 1, 1])
  assert.equal((await db.read(own, tx => getDelivery(tx, delivery))).id, delivery)
})
