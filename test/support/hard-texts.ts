import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { setOwn } from '#machinery/mail/own-texts.ts'
import { invitationMail } from '#product/administration/users/mails.ts'
import { retryFailed } from '#product/administration/webhooks/retry-all.ts'
import { listEndpoints } from '#product/administration/webhooks/rules.ts'
import { findBadges, startPrint } from '#product/entrance/badges/rules.ts'
import { announcementMail } from '#product/mailing/announcements/mail.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import { acceptedMail } from '#product/programme/decisions/kinds.ts'
import { connectStripe, note as noteConnection, saveBank } from '#product/selling/payments/connections.ts'
import { note as noteOrphan } from '#product/selling/payments/orphan-payments.ts'
import { noteReading } from '#product/selling/payouts/rules.ts'
import { uploadTable } from './abstract-imports.ts'
import { addDoor } from './door/door-rows.ts'
import { planHard } from './hard-programme.ts'
import { reviewHard } from './hard-review.ts'
import { submitHard } from './hard-submission.ts'
import { addPayout } from './payout-rows.ts'
import { snapshotOf } from './receipts.ts'
import { addStatement } from './statement-rows.ts'

/** These 200 characters have no place to break. */
const UNBROKEN = 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, 200)
/** An extra of that length, in the order of all of these guests. */
const EXTRA = [...UNBROKEN].reverse().join('')
const ARABIC = 'محمد عبد الرحمن بن خالد الشريف '.repeat(6).trim()
const MARKUP = '<script>alert(1)</script><b onclick="x">javascript:alert(1)</b>'

/** Makes an organization whose names are as long, as foreign and as hostile as they may be. */
export function hardTexts() {
  const types = [
    {
      ...{ name: UNBROKEN, price: 99_999_999, capacity: 1_000_000, description: MARKUP },
      ...{ entries: 'each_day', reentry: true },
    },
    { name: ARABIC, price: 0, capacity: 3 },
    { name: MARKUP, price: 1, capacity: 1 },
    {
      ...{ name: EXTRA, kind: 'extra', price: 0, open_price: true, capacity: 1_000_000, description: MARKUP },
    },
  ]
  const badges = {
    ...{ format: 'labels_14', width: 620, height: 400, offset_x: 0, offset_y: 0 },
    ...{ question: null, qr: true },
  }
  const people = [UNBROKEN, ARABIC, MARKUP, '王小明', 'Ünïcode Ñandú']
  return {
    account: {
      name: UNBROKEN,
      email: 'owner-of-all@example.org',
      timezone: 'America/Argentina/ComodRivadavia',
      currency: 'EUR',
      slug: 'hard',
      service_fee: { basis_points: 10_000, per_ticket: 99_999_999 },
    },
    series: [{ name: UNBROKEN, slug: 'meetings' }],
    events: [
      {
        slug: 'spring-meeting',
        series: 'meetings',
        title: UNBROKEN,
        starts_at: '2026-11-21T09:00:00Z',
        ends_at: '2026-12-22T18:00:00Z',
        timezone: 'America/Argentina/ComodRivadavia',
        venue: ARABIC,
        city: MARKUP,
        currency: 'EUR',
        status: 'published',
        visibility: 'public',
        description: `# ${UNBROKEN}\n\n${MARKUP}\n\n[a](javascript:alert(1)) ![b](https://example.org/b.png)`,
        registration_types: types,
        badge_layout: badges,
        pools: [{ name: UNBROKEN, capacity: 500, registration_types: [UNBROKEN, ARABIC] }],
        questions: [
          {
            key: UNBROKEN.slice(0, 64),
            label: UNBROKEN,
            help: MARKUP,
            kind: 'several_of',
            choices: [UNBROKEN, ARABIC],
          },
          {
            key: 'b',
            label: ARABIC,
            kind: 'one_of',
            choices: [MARKUP],
            required: true,
            registration_types: [ARABIC],
          },
          { key: 'c', label: MARKUP, kind: 'country', asked_for: 'ticket', registration_types: [UNBROKEN] },
          { key: 'd', label: 'Old', kind: 'yes_no', retired: true },
          {
            ...{ key: 'e', label: UNBROKEN, help: MARKUP, kind: 'several_of', choices: [UNBROKEN, ARABIC] },
            ...{ asked_for: 'abstract', for_reviewers: true },
          },
          { key: 'f', label: ARABIC, kind: 'long_text', asked_for: 'abstract' },
        ],
        codes: [
          {
            code: 'W'.repeat(40),
            amount: 99_999_999,
            registration_types: [UNBROKEN, ARABIC],
            note: UNBROKEN,
          },
          { code: 'abc', percent: 100, max_tickets: 1_000_000, note: MARKUP },
        ],
        registrations: [
          {
            ...{ reference: 'extra', registration_type: EXTRA, quantity: 3, amount_total: 0 },
            buyer: { name: UNBROKEN, email: 'extra@example.org' },
          },
          ...people.map((name, at) => ({
            reference: `${at} ${UNBROKEN}`.slice(0, 200),
            registration_type: UNBROKEN,
            buyer: { name, email: `${'long'.repeat(14)}@${'a'.repeat(60)}.${'b'.repeat(60)}.example` },
            amount_total: at === 4 ? 99_999_999 : 0,
            status: at === 3 ? 'cancelled' : 'confirmed',
            answers: { [UNBROKEN.slice(0, 64)]: MARKUP, diet: UNBROKEN },
            attendees: [
              { name, seat: 'W'.repeat(50), checked_in_at: at === 0 ? '2026-11-21T10:00:00Z' : null },
              { name: ARABIC },
            ],
          })),
        ],
        waitlist: people.map((name, at) => ({
          reference: `w-${at}`,
          registration_type: ARABIC,
          name,
          email: 'waits@example.org',
          quantity: 100,
        })),
        abstracts: people.map((name, at) => ({
          code: `A-${at}`,
          title: name,
          abstract: `${UNBROKEN}\n\n${MARKUP}`,
          keywords: UNBROKEN,
          authors: [{ name, email: 'author@example.org', affiliation: UNBROKEN, presenting: true }],
          contact: { name, email: 'author@example.org', phone: '+34 600 000 000' },
          status: at % 2 === 0 ? 'submitted' : 'accepted',
        })),
      },
      { slug: 'empty', title: 'Empty' },
    ],
    webhooks: [
      {
        url: `https://example.org/${'hook/'.repeat(60)}`,
        types: ['registration.created', 'checkin.created'],
      },
    ],
  }
}

/** Makes what only people make on pages, so that each page has something to show. */
export async function useEverything(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  eventId: string,
): Promise<void> {
  await addDoor(db, accountId, eventId, {
    door: UNBROKEN.slice(0, 60),
    note: MARKUP + UNBROKEN.slice(0, 100),
  })
  const { all } = await findBadges(db, accountId, { event_id: eventId }, [])
  await db.write(accountId, async tx => {
    await startPrint(tx, eventId, { ids: all, again: true, by: 'cli' })
    for (const { id } of await listEndpoints(tx)) {
      await retryFailed(tx, id, { since: 0, total: null, by: 'cli' })
    }
    const text = { subject: UNBROKEN, body: `${UNBROKEN}\n\n${ARABIC}\n\n${MARKUP}` }
    const input = { ...text, audience: { group: 'confirmed', types: [] } } as const
    const { id } = await announcements.create(tx, eventId, input, 'cli')
    await setOwn(tx, eventId, acceptedMail, { ...text, language: 'en' })
    const recipient = `${'long'.repeat(14)}@${'a'.repeat(60)}.${'b'.repeat(60)}.example`
    const mail = {
      cause: 'c',
      recipient,
      language: 'en' as const,
      details: { name: UNBROKEN, token: 'none' },
    }
    await queue(tx, announcementMail, { ...mail, eventId, subjectId: id })
    await queue(tx, invitationMail, mail)
    await tx.run(
      `INSERT INTO orders (id, account_id, event_id, reference, status, waits_for, buyer_name, buyer_email, buyer_email_key, language,
         currency, amount_total, terms, form_id, secret_version, expires_at, created_at, updated_at)
       VALUES ('0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e41', $1, $2, 'WWWW-WWWW', 'pending', 'payment', $3, $4, $4, 'en', 'EUR',
         99999999, $5, 'form', 1, $6, $6, $6)`,
      [accountId, eventId, UNBROKEN, recipient, MARKUP, tx.clock()],
    )
    // One guest was not ordered: the newest, who is not checked in.
    await tx.run(
      `UPDATE registrations SET order_id = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e41' WHERE account_id = $1 AND event_id = $2
         AND id <> (SELECT max(r.id) FROM registrations r WHERE r.account_id = $1 AND r.event_id = $2 AND r.status = 'confirmed'
           AND NOT EXISTS (SELECT 1 FROM check_ins c JOIN attendees a ON a.id = c.attendee_id WHERE a.registration_id = r.id))`,
      [accountId, eventId],
    )
    await tx.run(
      `INSERT INTO receipts (id, account_id, kind, number, order_id, event_id, payment_id, amount, currency, issued_at, snapshot,
         created_at, updated_at)
       SELECT o.id, o.account_id, 'receipt', 1, o.id, o.event_id, 'pay', 99999999, 'EUR', $2, $3, $2, $2 FROM orders o
       WHERE o.account_id = $1`,
      [accountId, tx.clock(), JSON.stringify(hardReceipt)],
    )
    await tx.run(
      `INSERT INTO payments (id, account_id, event_id, order_id, method, status, currency, amount, received, reference, looks, trouble,
         created_at, updated_at)
       SELECT o.id, o.account_id, o.event_id, o.id, 'door', 'pending', 'EUR', 99999999, 99999998, 'RF45G72UUR', 0,
         'partly_paid', $2, $2 FROM orders o WHERE o.account_id = $1`,
      [accountId, tx.clock()],
    )
    await tx.run(
      `INSERT INTO disputes (id, account_id, event_id, order_id, payment_id, charge_id, status, reason, currency, amount,
         is_fee_foreign, opened_at, created_at, updated_at)
       SELECT 'du_' || o.id, o.account_id, o.event_id, o.id, 'pay', 'ch_1', 'lost', $3, 'EUR', 99999999, 1, $2, $2, $2 FROM orders o
       WHERE o.account_id = $1`,
      [accountId, tx.clock(), UNBROKEN],
    )
    const bank = { holder: UNBROKEN.slice(0, 70), account: ARABIC.slice(0, 60), code: MARKUP.slice(0, 40) }
    await saveBank(tx, { ...bank, note: UNBROKEN + MARKUP })
    const found = { isLive: true, account: `acct_${'1'.repeat(40)}`, name: UNBROKEN, at: tx.clock() }
    await connectStripe(tx, { ...found, secretKey: 'rk_live_organizer1234' })
    await noteConnection(tx, 'rk_live_organizer1234', { trouble: 'denied' })
    const orphan = { sessionId: ORPHAN, chargeId: 'ch_1', amount: 99_999_999, currency: 'EUR' }
    await noteOrphan(tx, { ...orphan, paidAt: tx.clock() })
    const names = { name: UNBROKEN, text: `${UNBROKEN} ${ARABIC} ${MARKUP}` }
    await addStatement(tx, '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e41', names)
    await addPayout(tx, { id: `po_${'1A'.repeat(29)}`, amount: 5000, arrivesOn: '2026-11-21' })
    await noteReading(tx, 'lines')
    await submitHard(tx, eventId, { unbroken: UNBROKEN, arabic: ARABIC, markup: MARKUP })
    await planHard(tx, eventId, { unbroken: UNBROKEN, arabic: ARABIC, markup: MARKUP })
    await reviewHard(tx, eventId, { unbroken: UNBROKEN, arabic: ARABIC, markup: MARKUP })
  })
  const cells = [UNBROKEN, ARABIC, MARKUP].map(text => `"${text.replaceAll('"', '""')}",not-an-email`)
  await uploadTable({ db, accountId, eventId }, `Title,Email\n${cells.join('\n')}\n`, UNBROKEN)
}

const lineOf = (name: string) => ({
  ...{
    name,
    quantity: 20,
    unit_price: 99_999_999,
    discount: 1,
    amount: 1_999_999_960,
    tax_basis_points: 770,
  },
})

/** The receipt has each text at its hardest, and large amounts. */
const hardReceipt = snapshotOf({
  total: 99_999_999,
  seller: { name: UNBROKEN, address: `${ARABIC}\n${MARKUP}`, tax_id: UNBROKEN.slice(0, 50) },
  buyer: { name: ARABIC, company: MARKUP, address: UNBROKEN, vat_id: MARKUP.slice(0, 50) },
  event: { title: UNBROKEN, starts_at: null, ends_at: null, timezone: 'Europe/Madrid' },
  lines: [lineOf(UNBROKEN), lineOf(ARABIC), lineOf(MARKUP)],
  rest: 99_999_999 - 3 * 1_999_999_960,
  taxes: [{ basis_points: 770, net: 92_850_510, tax: 7_149_489, gross: 99_999_999 }],
  ...{ net: 92_850_510, tax: 7_149_489 },
})

/** The ids of Stripe are this long. */
const ORPHAN = `cs_live_${'a1'.repeat(29)}`

/** The names in the paths of pages stand for rows of these tables. */
const tables: Readonly<Record<string, string>> = {
  // One that was submitted has more to show.
  abstract: 'abstracts WHERE revision = (SELECT max(revision) FROM abstracts)',
  series: 'series',
  submitter: 'submitters',
  reviewer: 'reviewers',
  room: 'rooms',
  programmeSession: 'programme_sessions',
  slot: 'slots',
  type: 'registration_types',
  pool: 'capacity_pools',
  question: "questions WHERE asked_for <> 'abstract'",
  asked: "questions WHERE asked_for = 'abstract' AND help IS NOT NULL",
  code: 'codes',
  order: 'orders',
  payment: 'payments',
  receipt: 'receipts',
  entry: 'waitlist_entries',
  endpoint: 'webhook_endpoints',
  delivery: 'webhook_deliveries',
  key: 'api_keys',
  member: 'members',
  invitation: 'one_time_links',
  email: 'emails WHERE event_id IS NOT NULL',
  accountEmail: 'emails WHERE event_id IS NULL',
  announcement: 'announcements',
  job: "jobs WHERE kind NOT IN ('statement.match', 'abstracts.import')",
  import: "jobs WHERE kind = 'abstracts.import'",
  retry: "jobs WHERE kind = 'webhooks.retry'",
  file: "jobs WHERE kind = 'statement.match'",
  line: 'statement_lines',
  payout: 'payouts',
  refund: 'refunds',
  dispute: 'disputes',
  door: 'devices',
  scan: "scans WHERE outcome = 'admitted'",
}

/** An id for each name that paths of pages have, of the rows that there are. */
export async function findIds(db: Pick<Database, 'read'>): Promise<Record<string, string>> {
  const ids: Record<string, string> = { text: 'abstract_accepted.en', orphan: ORPHAN, version: '2' }
  const print = await db.read(INSTANCE, tx =>
    tx.one<{ print: string }>('SELECT max(badge_printed_at) AS print FROM attendees'),
  )
  ids.print = String(print?.print)
  // The ticket is checked in, so that this can be undone.
  const ticket = await db.read(INSTANCE, tx =>
    tx.one<{ registration: string; ticket: string }>(
      `SELECT a.registration_id AS registration, a.id AS ticket FROM check_ins c JOIN attendees a ON a.id = c.attendee_id`,
    ),
  )
  Object.assign(ids, ticket)
  const unordered = await db.read(INSTANCE, tx =>
    tx.one<{ unordered: string }>(
      "SELECT max(id) AS unordered FROM registrations WHERE order_id IS NULL AND status = 'confirmed'",
    ),
  )
  Object.assign(ids, unordered)
  for (const [name, table] of Object.entries(tables)) {
    const row = await db.read(INSTANCE, tx =>
      tx.one<{ id: string }>(`SELECT id FROM ${table} ORDER BY created_at, id LIMIT 1`),
    )
    if (row !== undefined) ids[name] = row.id
  }
  return ids
}
