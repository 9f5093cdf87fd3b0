import { setTimeout as pause } from 'node:timers/promises'
import { DAY } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { seller } from '#test/support/people/organizer.ts'
import { Connection, toText } from './connection.ts'
import { hiddenOf } from './form.ts'

/** An event that sells one type, for nothing. */
export interface Sale {
  eventId: string
  typeId: string
  path: string
}

export async function openSale(
  db: Database,
  accountId: string,
  slug: string,
  capacity: number,
): Promise<Sale> {
  return db.write(accountId, async tx => {
    const now = Date.now()
    const { id: eventId } = await events.create(tx, {
      ...{
        title: `Sale ${slug}`,
        slug,
        starts_at: now + DAY,
        ends_at: now + 2 * DAY,
        timezone: 'Europe/Madrid',
      },
      ...{
        venue: 'Main Hall',
        city: 'Madrid',
        currency: 'EUR',
        visibility: 'public',
        requires_approval: false,
      },
      description: 'Two days of **talks** and workshops.\n\n- Coffee\n- Lunch\n',
      terms: null,
    })
    const { id: typeId } = await registrationTypes.create(tx, eventId, {
      ...{ name: 'Guest', description: 'With lunch', price: 0, capacity, active: true },
      ...{ sales_start: null, sales_end: null, valid_from: null, valid_until: null },
    })
    await events.setStatus(tx, eventId, 'published')
    return { eventId, typeId, path: `/${seller.slug}/${slug}/` }
  })
}

/** Returns what the review of an order for one ticket sends. It is good for a day. */
export async function fillIn(port: number, { path, typeId }: Sale): Promise<string> {
  const form = hiddenOf((await ask(port, `${path}register?q.${typeId}=1`)).body)
  form.set('buyer.name', 'Visitor')
  form.set('buyer.email', 'visitor@example.org')
  await pause(1_100)
  return hiddenOf((await ask(port, `${path}register`, form)).body).toString()
}

export function orderWork({ path }: Sale, form: string) {
  return { kind: 'order', path: `${path}register/order`, form } as const
}

export async function ask(port: number, path: string, form?: URLSearchParams) {
  const connection = await Connection.open('127.0.0.1', port)
  try {
    const method = form === undefined ? 'GET' : 'POST'
    return await connection.send(toText({ method, path, form: form?.toString() }))
  } finally {
    connection.close()
  }
}
