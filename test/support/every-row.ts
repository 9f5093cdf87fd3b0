import { createHash, randomUUID } from 'node:crypto'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { setOwn } from '#machinery/mail/own-texts.ts'
import * as links from '#product/administration/users/links.ts'
import { invitationMail } from '#product/administration/users/mails.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { announcementMail } from '#product/mailing/announcements/mail.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import { acceptedMail } from '#product/programme/decisions/kinds.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { place } from '#product/selling/orders/place.ts'
import { connectStripe, saveBank } from '#product/selling/payments/connections.ts'
import { note as noteOrphan } from '#product/selling/payments/orphan-payments.ts'
import { placeOrder } from '#product/selling/payments/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { insertFile } from './files.ts'
import { organization, registration } from './organization.ts'
import { addPayout } from './payout-rows.ts'
import { readSchema } from './schema-tables.ts'
import { addStatement } from './statement-rows.ts'

/** The tables that have the ids of the names in paths; each row with its account. */
export const tables: Readonly<Record<string, string>> = {
  // The ticket is checked in, so that this can be undone.
  registration:
    'SELECT a.registration_id AS id, c.account_id FROM check_ins c JOIN attendees a ON a.id = c.attendee_id',
  ticket: 'SELECT attendee_id AS id, account_id FROM check_ins',
  // A print of badges is its instant, which is nobody's.
  print: `SELECT a.badge_printed_at AS id, r.account_id FROM attendees a JOIN registrations r ON r.id = a.registration_id
    WHERE a.badge_printed_at IS NOT NULL`,
  series: 'SELECT id, account_id FROM series',
  abstract: 'SELECT id, account_id FROM abstracts',
  reviewer: 'SELECT id, account_id FROM reviewers',
  room: 'SELECT id, account_id FROM rooms',
  programmeSession: 'SELECT id, account_id FROM programme_sessions',
  slot: 'SELECT id, account_id FROM slots',
  // The number of a version is nobody's.
  version: 'SELECT number AS id, account_id FROM abstract_revisions',
  submitter: 'SELECT id, account_id FROM submitters',
  type: 'SELECT t.id, e.account_id FROM registration_types t JOIN events e ON e.id = t.event_id',
  pool: 'SELECT p.id, e.account_id FROM capacity_pools p JOIN events e ON e.id = p.event_id',
  question: "SELECT id, account_id FROM questions WHERE asked_for <> 'abstract'",
  asked: "SELECT id, account_id FROM questions WHERE asked_for = 'abstract'",
  code: 'SELECT id, account_id FROM codes',
  order: 'SELECT id, account_id FROM orders',
  receipt: 'SELECT id, account_id FROM receipts',
  entry: 'SELECT id, account_id FROM waitlist_entries',
  email: 'SELECT id, account_id FROM emails WHERE event_id IS NOT NULL',
  accountEmail: 'SELECT id, account_id FROM emails WHERE event_id IS NULL',
  announcement: 'SELECT id, account_id FROM announcements',
  // A kind of mail is nobody's.
  text: "SELECT 'abstract_accepted.en' AS id, id AS account_id FROM accounts",
  endpoint: 'SELECT id, account_id FROM webhook_endpoints',
  delivery: 'SELECT id, account_id FROM webhook_deliveries',
  key: 'SELECT id, account_id FROM api_keys',
  member: "SELECT id, account_id FROM members WHERE role = 'door'",
  invitation: 'SELECT id, account_id FROM one_time_links WHERE used_at IS NULL',
  job: "SELECT id, account_id FROM jobs WHERE kind NOT IN ('statement.match', 'abstracts.import')",
  import: "SELECT id, account_id FROM jobs WHERE kind = 'abstracts.import'",
  retry: "SELECT id, account_id FROM jobs WHERE kind = 'webhooks.retry'",
  file: "SELECT id, account_id FROM jobs WHERE kind = 'statement.match'",
  line: 'SELECT id, account_id FROM statement_lines',
  // The payment is open.
  payment: 'SELECT id, account_id FROM payments WHERE ended_at IS NULL',
  refund: 'SELECT id, account_id FROM refunds',
  dispute: 'SELECT id, account_id FROM disputes',
  orphan: 'SELECT session_id AS id, account_id FROM orphan_payments',
  payout: 'SELECT id, account_id FROM payouts',
  checkIn: 'SELECT id, account_id FROM check_ins',
  door: 'SELECT id, account_id FROM devices',
  // The scan admitted a ticket, so that this can be undone.
  scan: "SELECT id, account_id FROM scans WHERE kind = 'scan' AND outcome = 'admitted'",
  // There are no backups, so there is no file of the folder.
  backup: 'SELECT id, account_id FROM jobs WHERE 1 = 0',
  session: 'SELECT s.id, m.account_id FROM sessions s JOIN members m ON m.user_id = s.user_id',
}

export type Ids = Record<string, string>

/** Nobody has this id: it is refused like an id of another account. */
export const NOBODYS = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'
export const NO_TOKEN = 'A'.repeat(43)

/** Makes an organization with something in every table. */
export function everything(email = 'ada@example.org') {
  const author = { name: 'Lin', email: 'lin@example.org' }
  return organization({
    email,
    event: {
      registrations: [
        registration('one'),
        registration('two', { attendees: [{ name: 'Grace', checked_in_at: '2026-10-02T10:00:00Z' }] }),
      ],
      registration_types: [
        { name: 'Standard', description: 'With lunch', price: 5000, capacity: 100 },
        { name: 'Free', price: 0, capacity: 100 },
        { name: 'Shirt', kind: 'extra', price: 0, capacity: 100 },
      ],
      abstracts: [{ code: 'A-1', title: 'T', abstract: 'A', authors: [author], contact: author }],
      waitlist: [
        { reference: 'w', registration_type: 'Free', name: 'Wes', email: 'wes@example.org', quantity: 1 },
      ],
      questions: [
        { key: 'size', label: 'Size' },
        { key: 'award', label: 'Award', asked_for: 'abstract' },
      ],
      codes: [{ code: 'Spring' }],
      pools: [{ name: 'Room', capacity: 50, registration_types: ['Standard'] }],
    },
    events: [{ slug: 'second', title: 'Second' }],
    webhooks: [{ url: 'https://127.0.0.1:1/hook', types: ['registration.created'], enabled: false }],
  })
}

/** Mails, and a draft of an announcement: no file brings them. */
export async function writeMails(
  db: Pick<Database, 'write'>,
  accountId: string,
  eventId: string,
): Promise<void> {
  const mail = { cause: 'c', recipient: 'grace@example.org', language: 'en' as const }
  await db.write(accountId, async tx => {
    const input = { subject: 'S', body: 'B', audience: { group: 'confirmed', types: [] } } as const
    const { id } = await announcements.create(tx, eventId, input, 'cli')
    await queue(tx, announcementMail, { ...mail, eventId, subjectId: id })
    const invited = { email: 'mailed@example.org', role: 'door', event_ids: null } as const
    const { token } = await links.invite(tx, invited)
    await queue(tx, invitationMail, { ...mail, details: { token } })
    const text = { subject: 'S', body: 'B', language: 'en' } as const
    await setOwn(tx, eventId, acceptedMail, text)
  })
}

/** An order of a free ticket with extras, a receipt, a refund and a lost dispute of it, and a line of a bank statement: no file brings them. */
export async function addOrder(
  db: Pick<Database, 'write'>,
  accountId: string,
  eventId: string,
  typeId: string,
): Promise<void> {
  const buyer = { name: 'Grace', email: 'grace@example.org' }
  await db.write(accountId, async tx => {
    const extra = await tx.one<{ id: string }>(
      "SELECT id FROM registration_types WHERE event_id = $1 AND kind = 'extra'",
      [eventId],
    )
    const shirts = extra && { typeId: extra.id, tickets: [1, 2].map(() => ({ name: 'Grace', email: null })) }
    const { id } = await place(tx, eventId, {
      ...{ formId: 'form', buyer, language: 'en', answers: {} },
      agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
      lines: [
        { typeId, tickets: [{ name: 'Grace', email: null }] },
        ...(shirts === undefined ? [] : [shirts]),
      ],
    })
    const orphan = { sessionId: `cs_${id}`, chargeId: 'ch_1', amount: 500, currency: 'EUR' }
    await saveBank(tx, { holder: 'H', account: 'A', code: null, note: null })
    const found = { isLive: true, account: 'acct_1', name: 'H', at: tx.clock() }
    await connectStripe(tx, { ...found, secretKey: 'rk_live_organizer1234' })
    await noteOrphan(tx, { ...orphan, paidAt: tx.clock() })
    await addStatement(tx, id, { name: 'Grace', text: 'Thanks' })
    await insertFile(tx, eventId)
    await addPayout(tx, { id: `po_${id}`, amount: 5000, arrivesOn: '2026-11-21' })
    const paid = { orderId: id, paymentId: 'payment', amount: 500, at: 0, method: 'cash' }
    await receipts.issue(tx, paid)
    await tx.run(
      `INSERT INTO refunds (id, account_id, event_id, order_id, method, status, currency, amount, reason, looks, created_at, updated_at)
       SELECT $1, account_id, event_id, id, 'door', 'requested', currency, 100, 'organizer', 0, created_at, created_at
       FROM orders WHERE id = $2`,
      [randomUUID(), id],
    )
    await tx.run(
      `INSERT INTO disputes (id, account_id, event_id, order_id, payment_id, charge_id, status, reason, currency, amount,
         is_fee_foreign, opened_at, created_at, updated_at)
       SELECT 'du_' || id, account_id, event_id, id, 'payment', 'ch_1', 'lost', 'general', currency, 100, 0, created_at, created_at,
         created_at FROM orders WHERE id = $1`,
      [id],
    )
  })
}

/** Adds an order that is to be paid at the door. */
export async function addUnpaid(
  db: Pick<Database, 'write'>,
  accountId: string,
  eventId: string,
  typeId: string,
): Promise<void> {
  await db.write(accountId, async tx => {
    await events.update(tx, eventId, { payment_ways: 'door' })
    const event = await events.getDetails(tx, eventId)
    const { price } = await registrationTypes.get(tx, eventId, typeId)
    const order = {
      ...{
        formId: 'unpaid',
        buyer: { name: 'Lin', email: 'lin@example.org' },
        language: 'en' as const,
        answers: {},
      },
      agreement: agreementHash({ total: price, event }),
      lines: [{ typeId, tickets: [{ name: 'Lin', email: null }] }],
    } as const
    const options = { method: 'door', processors: new Map(), signed: [] } as const
    await placeOrder(tx, eventId, order, options)
  })
}

/** Returns the first id of each kind in one account. */
export async function findIds(db: Pick<Database, 'read'>, accountId: string, eventId: string): Promise<Ids> {
  const ids: Ids = { account: accountId, event: eventId, token: NO_TOKEN }
  for (const [name, select] of Object.entries(tables)) {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ id: string; account_id: string }>(`${select} ORDER BY 1`),
    )
    const row = rows.find(({ account_id }) => account_id === accountId)
    ids[name] = String(row?.id ?? NOBODYS)
  }
  return ids
}

/** These change by themselves, or by a look alone. */
const UNSTABLE: Readonly<Record<string, readonly string[]>> = {
  sessions: ['last_used_at', 'updated_at'],
  api_keys: ['last_used_at', 'updated_at'],
}
const IGNORED = new Set(['instance', 'event_figures'])

/** Returns a digest of every row of every table, except for refusals in the access log. */
export async function digest(db: Pick<Database, 'read'>): Promise<string> {
  const hash = createHash('sha256')
  await db.read(INSTANCE, async tx => {
    for (const { name } of readSchema()) {
      if (IGNORED.has(name)) continue
      const rows = await tx.all<Record<string, unknown>>(`SELECT * FROM ${name}`)
      for (const column of UNSTABLE[name] ?? []) for (const row of rows) delete row[column]
      const kept = name === 'access_log' ? rows.filter(({ details }) => !isRefusal(details)) : rows
      hash.update(
        `${name}\n${kept
          .map(row => JSON.stringify(row))
          .sort()
          .join('\n')}\n`,
      )
    }
  })
  return hash.digest('hex')
}

function isRefusal(details: unknown): boolean {
  return 'code' in JSON.parse(String(details))
}
