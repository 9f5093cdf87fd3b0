import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as attendees from '../../src/attendees/rules.ts'
import * as keys from '../../src/keys/rules.ts'
import { readAnswers } from '../../src/registrations/answer-store.ts'
import * as waitlist from '../../src/waitlist/rules.ts'
import { getDelivery, listDeliveries, retryDelivery } from '../../src/webhooks/deliveries.ts'
import * as webhooks from '../../src/webhooks/rules.ts'
import { organization, registration } from '../support/organization.ts'
import { startWithOrganization } from '../support/server.ts'

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
    const { id } = await webhooks.addEndpoint(tx, own, input)
    await webhooks.setEnabled(tx, own, id, true)
    const deliveryId = await webhooks.ping(tx, own, id)
    await webhooks.setEnabled(tx, own, id, false)
    const made = await keys.create(tx, own, { name: 'k', scopes: [], expiresAt: null, rateLimit: 0 })
    return { endpoint: id, delivery: deliveryId, key: made.id }
  })
  const readAll = () => db.read(tx => Promise.all(TABLES.map(table => tx.all(`SELECT * FROM ${table}`))))
  const before = await readAll()

  const attempts = [
    () => db.write(other, tx => keys.revoke(tx, other, key)),
    () => db.read(tx => webhooks.getSecret(tx, other, endpoint)),
    () => db.write(other, tx => webhooks.setEnabled(tx, other, endpoint, true)),
    () => db.write(other, tx => webhooks.ping(tx, other, endpoint)),
    () => db.write(other, tx => webhooks.rotateSecret(tx, other, endpoint)),
    () => webhooks.removeEndpoint(db, other, endpoint),
    () => db.read(tx => getDelivery(tx, other, delivery)),
    () => db.write(other, tx => retryDelivery(tx, other, delivery)),
  ]
  for (const attempt of attempts) await assert.rejects(attempt, { code: 'not_found' })
  assert.deepEqual(await db.read(tx => waitlist.listByEvent(tx, other, eventId)), [])
  const registered = Object.values(applied.events['spring-meeting']?.registrations ?? {})
  const found = (accountId: string) =>
    db.read(async tx => [
      (await attendees.byRegistration(tx, accountId, registered)).size,
      (await readAnswers(tx, accountId, registered)).size,
      [...(await listDeliveries(tx, accountId, { endpointId: endpoint }, { limit: 9 }))].length,
    ])
  assert.deepEqual(await found(other), [0, 0, 0])
  assert.deepEqual(await readAll(), before)

  assert.equal((await db.read(tx => waitlist.listByEvent(tx, own, eventId))).length, 1)
  assert.deepEqual(await found(own), [1, 1, 1])
  assert.equal((await db.read(tx => getDelivery(tx, own, delivery))).id, delivery)
})
