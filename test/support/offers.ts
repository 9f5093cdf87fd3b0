import type { TestContext } from 'node:test'
import { openLog } from '#base/log.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { type Acceptance, acceptOffer as takeOffer } from '#product/selling/orders/accept-offer.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { orderExpiry } from '#product/selling/orders/expiry.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { readEventTypes } from './observations.ts'
import { organization } from './organization.ts'
import { startDashboard } from './people/dashboard.ts'
import { startReceiver } from './receiver.ts'
import { newRegistration } from './requests.ts'
import type { ServerOptions } from './server.ts'
import { subscribeToAll } from './subscriber.ts'

/** Somebody on the waitlist of a file; the name is the reference too. */
export const waiting = (name: string, changes: object = {}) => ({
  ...{ reference: name, registration_type: 'Free', name, email: `${name}@example.org`, quantity: 1 },
  ...changes,
})

const NOTHING_ELSE: Acceptance = {
  lines: [],
  answers: {},
  agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
}

/** Starts a server whose event holds places for those who wait. `Free` has two. */
export async function startOffering(
  t: TestContext,
  event: Record<string, unknown> = {},
  options?: ServerOptions,
) {
  const file = organization({
    event: {
      status: 'published',
      starts_at: '2026-12-01T09:00:00Z',
      ends_at: '2026-12-02T18:00:00Z',
      waitlist_mode: 'offer',
      registration_types: [
        { name: 'Free', price: 0, capacity: 2 },
        { name: 'Standard', price: 5000, capacity: 1 },
      ],
      ...event,
    },
  })
  const server = await startDashboard(t, file, options)
  const { db, accountId, eventId, types, clock, client } = server
  const expiry = orderExpiry({ db, clock, log: openLog('silent', { write: () => undefined }) })
  /** Imports by the API. @returns the id of the registration */
  const sell = async (quantity = 1, type = 'Free') => {
    const body = newRegistration({ eventId, types }, { registration_type_id: types[type], quantity })
    const answer = await client.post('/registrations', body)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.id as string
  }
  const cancel = (id: string) => client.post(`/registrations/${id}/cancel`)
  const listed = () => db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 100 }))
  /** How it stands, by the name of the buyer: the latest of each. */
  const states = async () =>
    Object.fromEntries(
      (await listed()).reverse().map(({ buyer, status, waits_for, failed_for }) => {
        return [buyer.name, waits_for ?? failed_for ?? status]
      }),
    )
  const orderOf = async (name: string) => {
    const [order] = (await listed()).filter(({ buyer }) => buyer.name === name)
    if (order === undefined) throw new Error(`${name} has no order.`)
    return db.read(accountId, tx => orders.getDetails(tx, order.id))
  }
  const take = async (name: string, taken: Partial<Acceptance> = {}) => {
    const { id } = await orderOf(name)
    return db.write(accountId, tx => takeOffer(tx, id, { ...NOTHING_ELSE, ...taken }))
  }
  const turnDown = async (name: string) => {
    const { id } = await orderOf(name)
    return db.write(accountId, tx => orders.fail(tx, id, 'turned_down'))
  }
  const entries = () => db.read(accountId, tx => waitlist.listByEvent(tx, eventId))
  const notified = async () =>
    (await entries()).filter(({ notified_at }) => notified_at !== null).map(({ name }) => name)
  const sold = async () => {
    const { body } = await client.get(`/events/${eventId}/registration-types`)
    return Object.fromEntries(body.data.map((type: { name: string; sold: number }) => [type.name, type.sold]))
  }
  const mails = async () =>
    (await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 })))
      .map(mail => `${mail.kind} ${mail.recipient}`)
      .reverse()
  const events = () => readEventTypes(db)
  const damage = () => findDamage(db)
  return {
    ...{ ...server, file, expiry, sell, cancel, listed, states, orderOf, take, turnDown },
    ...{ entries, notified, sold, mails, events, damage },
  }
}

/** The same, where each event is written, and goes to a receiver: however far the clock goes, nobody is mailed about an endpoint. */
export async function startOfferingToSubscriber(t: TestContext, event: Record<string, unknown> = {}) {
  const { url } = await startReceiver(t)
  const server = await startOffering(t, event, { settings: { allowInsecureWebhooks: true } })
  await subscribeToAll(server.db, server.accountId, url)
  return server
}
