import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as links from '#product/administration/users/links.ts'
import { allWebhookEventTypes } from '#product/administration/webhooks/event-types.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { countEvent } from '#product/reporting/figures/count.ts'
import * as figures from '#product/reporting/figures/rules.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { place } from '#product/selling/orders/place.ts'
import { pairDoor } from './door/door.ts'
import { addUnpaid, writeMails } from './every-row.ts'
import { insertFile, MIB, pdfOf } from './files.ts'
import { organization, registration } from './organization.ts'
import { startDashboard } from './people/dashboard.ts'
import { png } from './pictures.ts'
import { addProgramme } from './programme.ts'
import { addReview } from './reviews.ts'
import { readSchema } from './schema-tables.ts'
import { addSubmission } from './submissions.ts'

const author = { name: 'Lin', email: 'lin@example.org' }

/** An event with everything that no money belongs to, and one beside it that has the same. */
const full = {
  registrations: [
    registration('one', { registration_type: 'Free', answers: { size: 'L' } }),
    registration('two', {
      registration_type: 'Free',
      attendees: [{ name: 'Grace', checked_in_at: '2026-10-02T10:00:00Z' }],
    }),
  ],
  abstracts: [{ code: 'A-1', title: 'T', abstract: 'A', authors: [author], contact: author }],
  waitlist: [
    { reference: 'w', registration_type: 'Free', name: 'Wes', email: 'wes@example.org', quantity: 1 },
  ],
  questions: [{ key: 'size', label: 'Size' }],
  pools: [{ name: 'Room', capacity: 90, registration_types: ['Standard'] }],
}

type Server = Awaited<ReturnType<typeof startDashboard>>

/** Adds what no file brings: an order, a door with a scan, mails, a finished import and so on. */
async function fill(
  server: Server,
  eventId: string,
  typeOf: Readonly<Record<string, string>>,
): Promise<void> {
  const { app, db, clock, accountId, client } = server
  const { Free: freeId, Standard: paidId } = typeOf as { Free: string; Standard: string }
  await writeMails(db, accountId, eventId)
  await addSubmission({ db, accountId, eventId, clock })
  await addReview({ db, accountId, eventId, clock })
  await addProgramme({ db, accountId, eventId, clock })
  await db.write(accountId, async tx => {
    await pictures.put(tx, eventId, pictures.examine(new Uint8Array(png(64, 36))))
    await tx.run(
      `INSERT INTO event_picture_sizes (event_id, account_id, use, width, height, hash, type, content, created_at, updated_at)
       SELECT event_id, account_id, 'page', width, height, hash, 'image/webp', content, created_at, updated_at
       FROM event_pictures WHERE event_id = $1`,
      [eventId],
    )
    await looks.setColour(tx, eventId, '#c0392b')
    await series.setSeries(tx, eventId, (await series.create(tx, { name: 'Meetings' })).id)
    await insertFile(tx, eventId, { bytes: pdfOf(2 * MIB) })
    await codes.create(tx, eventId, {
      ...{ code: 'FRIENDS', note: null, percent: 100, amount: null, registration_type_ids: null },
      ...{ valid_from: null, valid_until: null, max_tickets: 9, active: true },
    })
    const buyer = { name: 'Olga Orders', email: 'olga@example.org' }
    const order = { formId: 'form', buyer, language: 'en' as const, answers: {}, code: 'friends' }
    await place(tx, eventId, {
      ...order,
      agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
      lines: [{ typeId: freeId, tickets: [{ name: 'Olga Orders', email: null }] }],
    })
  })
  await addUnpaid(db, accountId, eventId, paidId)
  const made = await client.post('/registrations', {
    ...{ event_id: eventId, registration_type_id: freeId, buyer: { name: 'Api', email: 'api@example.org' } },
  })
  const ticketId = made.body.attendees[0].id
  const { door } = await pairDoor({ app, db, clock }, accountId, { event_id: eventId })
  await door.one(door.scan({ ticket: ticketId }))
  await door.one(door.scan({ ticket: ticketId }, { shown: 'admitted' }))
  const { door: other } = await pairDoor({ app, db, clock }, accountId, { event_id: eventId })
  await other.one(other.scan({ ticket: ticketId }, { shown: 'admitted' }))
  const job = randomUUID()
  await db.write(accountId, async tx => {
    await tx.run(
      `INSERT INTO entries (attendee_id, slot, account_id, event_id, entered_at, created_at, updated_at)
       SELECT c.attendee_id, '-/0', c.account_id, c.event_id, 1, 1, 1 FROM check_ins c WHERE c.attendee_id = $1`,
      [ticketId],
    )
    // The guest who would pay at the door has cancelled.
    await tx.run(
      "UPDATE payments SET status = 'cancelled', ended_at = 1, next_look_at = NULL WHERE account_id = $1 AND event_id = $2",
      [accountId, eventId],
    )
    await tx.run(
      `INSERT INTO jobs (id, account_id, event_id, kind, input, state, done, started_by, created_at, updated_at)
       VALUES ($1, $2, $3, 'guests.import', '{}', 'done', 1, 'cli', 1, 1)`,
      [job, accountId, eventId],
    )
    await tx.run(
      `INSERT INTO import_lines (job_id, line, input, fate, details, created_at, updated_at)
       VALUES ($1, 1, '["l@example.org"]', 'added', '{}', 1, 1)`,
      [job],
    )
    const email = 'door-to-be@example.org'
    await links.invite(tx, { email, role: 'door', event_ids: [eventId] })
  })
  const [event] = await db.read(accountId, tx => figures.listStates(tx, eventId))
  const counted = await countEvent(db, accountId, event as figures.EventState)
  await db.write(accountId, tx => figures.keep(tx, eventId, { state: '', counted, countedAt: clock() }))
  await server.member('door', { eventIds: [eventId] })
  await db.write(accountId, tx => events.setStatus(tx, eventId, 'cancelled'))
}

const types = [
  { name: 'Standard', price: 5000, capacity: 100 },
  { name: 'Free', price: 0, capacity: 100 },
]

/** Starts a server with two cancelled events that have all that an event can have without money. */
export async function startDeletable(t: TestContext) {
  const file = organization({
    event: { ...full, registration_types: types },
    events: [
      {
        slug: 'other',
        title: 'Other',
        ...full,
        registration_types: types,
      },
    ],
    webhooks: [{ url: 'https://127.0.0.1:1/hook', types: [...allWebhookEventTypes] }],
  })
  const server = await startDashboard(t, file as never)
  const other = server.applied.events.other as { id: string; registration_types: Record<string, string> }
  await fill(server, server.eventId, server.types as Record<string, string>)
  await server.app.settled('webhooks')
  return { ...server, other }
}

export type Rows = Map<string, Record<string, unknown>[]>

/** Reads all rows of all tables. */
export function readRows({ db }: Pick<Server, 'db'>): Promise<Rows> {
  return db.read(INSTANCE, async tx => {
    const rows: Rows = new Map()
    for (const { name } of readSchema()) rows.set(name, await tx.all(`SELECT * FROM ${name}`))
    return rows
  })
}
