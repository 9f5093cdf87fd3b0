import type { TestContext } from 'node:test'
import { allWebhookEventTypes } from '#product/administration/webhooks/event-types.ts'
import { everything } from '#test/product/data-care/organization/everything.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

/** Makes a database in which something of every kind has happened, by a file and by the API. */
export async function prepareBusy(t: TestContext) {
  const file = organization({
    email: 'door@example.org',
    event: {
      pools: [{ name: 'room', capacity: 9, registration_types: ['Standard', 'Free'] }],
      registrations: [registration('brought', { quantity: 2 })],
    },
    events: [
      {
        slug: 'other',
        title: 'Other',
        currency: 'EUR',
        registration_types: [{ name: 'One', price: 0, capacity: 9 }],
      },
    ],
    webhooks: [{ url: 'https://hook.invalid/', types: allWebhookEventTypes.filter(type => type !== 'ping') }],
  })
  const { client, data, eventId, types, apply } = await startWithOrganization(t, file)
  await apply(everything())
  const post = (key: string, route: string, body?: object) =>
    client.post(route, body, { headers: { 'Idempotency-Key': key } })
  const body = newRegistration(
    { eventId, types },
    { buyer: { name: 'Grace', email: 'Grace@example.org' }, quantity: 2 },
  )
  const kept = (await post('kept', '/registrations', body)).body
  const gone = (await post('gone', '/registrations', body)).body
  await post('cancel', `/registrations/${gone.id}/cancel`)
  await post('scan', '/check-ins', { attendee_id: kept.attendees[0].id })
  await post('again', '/check-ins', { attendee_id: kept.attendees[0].id })
  return { data, kept, gone }
}
