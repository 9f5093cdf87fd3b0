import assert from 'node:assert/strict'
import type { Database } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { forecastCancel } from '#product/guests/registrations/forecast.ts'
import { findLeftExtras } from '#product/guests/registrations/left-extras.ts'
import * as registrations from '#product/guests/registrations/rules.ts'

/** Brings an extra beside a ticket without an order, and does all that looks at what is left of it. */
export async function bringBeside(
  db: Database,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<void> {
  const type = { description: null, price: 0, capacity: 9, active: false }
  const dates = { sales_start: null, sales_end: null, valid_from: null, valid_until: null }
  const ids: string[] = []
  for (const kind of ['ticket', 'extra'] as const) {
    const name = `Brought ${kind}`
    const created = await db.write(accountId, async tx => {
      const { id } = await registrationTypes.create(tx, eventId, { ...type, ...dates, name, kind })
      const buyer = { name: 'Lin', email: 'lin@example.org' }
      const input = { event_id: eventId, registration_type_id: id, buyer }
      return registrations.create(tx, input, undefined, { reference: name, beside: ids[0] })
    })
    ids.push(created.resource.id)
  }
  const left = await findLeftExtras(db, accountId, { eventId, ids: ids.slice(0, 1) })
  assert.deepEqual(
    left.map(({ id }) => id),
    ids.slice(1),
  )
  const { staying } = await db.write(accountId, tx => forecastCancel(tx, ids[0] as string, tx.clock()))
  assert.equal(staying.length, 1)
}
