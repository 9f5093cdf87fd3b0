import { writeJson } from '#base/json-text.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { exportOrganization } from '#product/data-care/organization/export.ts'
import type { OrganizationInput } from '#product/data-care/organization/schema.ts'

/** Returns the organization file of an account as it is read again. */
export async function collectOrganization(tx: ReadTx): Promise<OrganizationInput> {
  const pieces: string[] = []
  await writeJson(await exportOrganization(tx), text => pieces.push(text))
  return JSON.parse(pieces.join(''))
}

/** Makes an organization whose spring meeting is on the day on which the test clock stands still, in Madrid. */
export function organization(
  changes: { email?: string; event?: object; events?: object[]; webhooks?: object[] } = {},
) {
  return {
    account: {
      name: 'Ada Events',
      email: changes.email ?? 'ada@example.org',
      timezone: 'Europe/Madrid',
      currency: 'EUR',
      service_fee: { basis_points: 250, per_ticket: 30 },
    },
    events: [
      {
        slug: 'spring-meeting',
        title: 'Spring Meeting',
        starts_at: '2026-11-21T09:00:00Z',
        ends_at: '2026-11-22T18:00:00Z',
        timezone: 'Europe/Madrid',
        venue: 'Main Hall',
        city: 'Madrid',
        currency: 'EUR',
        status: 'published',
        visibility: 'public',
        requires_approval: false,
        registration_types: [
          { name: 'Standard', description: 'With lunch', price: 5000, capacity: 100 },
          { name: 'Free', price: 0, capacity: 100 },
        ] as object[],
        ...changes.event,
      },
      ...(changes.events ?? []),
    ],
    ...(changes.webhooks === undefined ? {} : { webhooks: changes.webhooks }),
  }
}

/** Returns the least that a registration of an organization file has. */
export function registration(reference: string, changes: object = {}) {
  return {
    reference,
    registration_type: 'Standard',
    buyer: { name: 'Grace', email: 'grace@example.org' },
    ...changes,
  }
}
