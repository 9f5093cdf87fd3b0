import type { TestContext } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { orderUrl, ticketUrl } from '#product/selling/orders/links.ts'
import { place } from '#product/selling/orders/place.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { organization } from '../organization.ts'
import { UNKNOWN_ID } from '../requests.ts'
import type { ServerOptions } from '../server.ts'
import { startDashboard } from './dashboard.ts'
import { seller } from './organizer.ts'

const UNBROKEN = 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, 200)

/** Names that are long, and in scripts that run the other way or know no spaces. */
export const names = [
  UNBROKEN,
  'محمد عبد الرحمن بن خالد الشريف',
  'שרה בת־אברהם לוי',
  'สมชาย ใจดีมากที่สุดในโลกใบนี้',
  '王小明',
  'Grace Hopper',
] as const

const TERMS = `# Terms\n\nBe **kind**. [More](https://example.org/terms)\n\n- ${UNBROKEN}\n- two`

const file = (event: object) =>
  organization({
    event: {
      starts_at: '2026-12-01T09:00:00Z',
      ends_at: '2026-12-02T18:00:00Z',
      description: 'Two days of **talks** and walks.',
      registration_types: [
        { name: 'Guest', price: 0, capacity: 100, description: 'With lunch' },
        { name: UNBROKEN, price: 0, capacity: 20 },
        { name: 'ورشة عمل', price: 0, capacity: 1 },
        { name: 'Speaker', price: 5000, capacity: 10, hidden: true },
      ],
      questions: [
        {
          ...{ key: 'diet', label: 'What do you eat?', kind: 'one_of', choices: ['All', names[2]] },
          ...{ help: 'The kitchen asks.', asked_for: 'ticket', registration_types: [UNBROKEN] },
        },
        { key: 'how', label: 'How did you hear of us?', kind: 'long_text', asked_for: 'order' },
        { key: 'days', label: 'Which days?', kind: 'several_of', choices: ['Tuesday', 'Wednesday'] },
      ],
      codes: [{ code: 'SPEAKERS', percent: 100, registration_types: ['Speaker'] }],
      ...event,
    },
    events: [
      {
        ...{
          slug: 'empty',
          title: 'Empty',
          starts_at: '2026-12-03T09:00:00Z',
          ends_at: '2026-12-03T18:00:00Z',
        },
        ...{ timezone: 'Europe/Madrid', currency: 'EUR', status: 'published', visibility: 'public' },
      },
    ],
  })

/** Starts a server that sells an event, `/ada/spring-meeting/`, and takes orders by the rules. */
export async function startSale(
  t: Pick<TestContext, 'after'>,
  event: object = {},
  changes: EventChanges = {},
  options?: ServerOptions,
) {
  const server = await startDashboard(t as TestContext, file(event), options)
  const { db, accountId, eventId, types, clock, client } = server
  /** The server sees what others commit a moment later, or when it commits something itself. */
  const seen = () => client.post('/check-ins', { attendee_id: UNKNOWN_ID })
  const change = async (some: EventChanges) => {
    await db.write(accountId, tx => events.update(tx, eventId, some))
    await seen()
  }
  await db.write(accountId, tx => accounts.update(tx, seller))
  await change({
    terms: TERMS,
    contact_email: 'ada@example.org',
    cancel_until: clock() + 5 * DAY,
    ...changes,
  })
  const { cursor_secret: secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )) as { cursor_secret: string }
  let forms = 0

  /** Takes an order by the rules. @param holders of each type, by name */
  const take = async (
    holders: Record<string, readonly string[]>,
    { name = 'Grace Hopper', email = `buyer-${forms}@example.org` } = {},
  ) => {
    const { terms } = await db.read(accountId, tx => events.getDetails(tx, eventId))
    const order = await db.write(accountId, tx =>
      place(tx, eventId, {
        formId: `form-${forms++}`,
        buyer: { name, email },
        language: 'en',
        answers: {},
        agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms } }),
        lines: Object.entries(holders).map(([type, some]) => ({
          typeId: types[type] as string,
          tickets: some.map(holder => ({ name: holder, email: null })),
        })),
      }),
    )
    await seen()
    return order
  }
  const pathOf = (order: { id: string; secret_version: number }) =>
    orderUrl({ baseUrl: '', secret }, order as Parameters<typeof orderUrl>[1])
  /** Returns the page of one ticket of an order. */
  const ticketPathOf = async (id: string, at = 0) => {
    const order = await db.read(accountId, tx => orders.getDetails(tx, id))
    const ticket = order.registrations.flatMap(({ attendees }) => attendees)[at] as { id: string }
    return ticketUrl({ baseUrl: '', secret }, order, ticket.id)
  }
  const path = '/ada/spring-meeting/'
  const formPath = (quantities: Record<string, number>) =>
    `${path}register?${Object.entries(quantities)
      .map(([name, n]) => `q.${types[name]}=${n}`)
      .join('&')}`
  return { ...server, change, take, pathOf, ticketPathOf, path, formPath }
}

export type Sale = Awaited<ReturnType<typeof startSale>>

/** Makes orders in every state that there is, and returns the paths of their pages. */
export async function sellAll(sale: Sale): Promise<Record<string, string>> {
  const { db, accountId, take, change, pathOf, ticketPathOf, client } = sale
  const many = [...names, ...names, ...names, 'A', 'B']
  const plain = await take({ Guest: ['Grace Hopper', 'Alan Turing'] })
  const single = await take({ Guest: ['Grace Hopper'] })
  const full = await take({ [UNBROKEN]: many.slice(0, 15), Guest: many.slice(15) }, { name: names[1] })
  const cancelled = await take({ Guest: ['Grace Hopper'] })
  await db.write(accountId, tx => orders.cancelByBuyer(tx, cancelled.id, '2027-01-01T00:00:00Z'))
  await db.write(accountId, tx =>
    tx.run(
      `UPDATE attendees SET voided = 1 WHERE name = $2 AND registration_id IN
         (SELECT id FROM registrations WHERE account_id = $1 AND order_id = $3)`,
      [accountId, 'Alan Turing', plain.id],
    ),
  )
  const [used] = (await db.read(accountId, tx => orders.getDetails(tx, full.id))).registrations
  await client.post('/check-ins', { attendee_id: used?.attendees[0]?.id })
  await change({ requires_approval: true })
  const waiting = await take({ Guest: [names[1], names[4]] })
  const ended = {
    declined: await take({ Guest: ['Grace Hopper'] }),
    undecided: await take({ Guest: ['Grace Hopper'] }),
    withdrawn: await take({ Guest: ['Grace Hopper'] }),
  }
  for (const [reason, { id }] of Object.entries(ended))
    await db.write(accountId, tx => orders.fail(tx, id, reason as keyof typeof ended))
  await change({ requires_approval: false })
  const order = pathOf(plain)
  return {
    ...{
      order,
      single: pathOf(single),
      full: pathOf(full),
      cancelled: pathOf(cancelled),
      waiting: pathOf(waiting),
    },
    ...Object.fromEntries(Object.entries(ended).map(([reason, one]) => [reason, pathOf(one)])),
    ...{ saved: `${order}?said=saved`, names: `${pathOf(full)}/names`, cancel: `${order}/cancel` },
    ticket: await ticketPathOf(full.id, 1),
    'ticket void': await ticketPathOf(plain.id, 1),
    'ticket waiting': await ticketPathOf(waiting.id),
  }
}
