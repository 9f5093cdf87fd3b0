import * as abstracts from '../abstracts/store.ts'
import * as accounts from '../accounts/rules.ts'
import * as attendees from '../attendees/rules.ts'
import { byTicket } from '../codes/rules.ts'
import * as codes from '../codes/store.ts'
import type { ReadTx } from '../db/port.ts'
import * as ownTexts from '../emails/text-store.ts'
import type { pageFields } from '../events/schemas.ts'
import * as events from '../events/store.ts'
import * as questions from '../questions/store.ts'
import * as pools from '../registration-types/pools.ts'
import * as registrationTypes from '../registration-types/store.ts'
import * as registrations from '../registrations/store.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import * as waitlist from '../waitlist/rules.ts'
import * as webhooks from '../webhooks/endpoint-store.ts'
import { groupTexts } from './email-texts.ts'
import { exportLedger } from './ledger-items.ts'
import { exportPayment } from './payment-items.ts'
import { type ExportedReceipt, listReceipts } from './receipt-store.ts'
import type { OrganizationInput } from './schema.ts'
import * as store from './store.ts'

type EventInput = NonNullable<OrganizationInput['events']>[number]

/**
 * The organization file of an account: what `applyOrganization` makes the same organization of. Secrets are not in it: the
 * keys, and those of tickets and webhooks, are made anew. Nor are the pictures of events, which would be most of the file.
 *
 * @throws Problem not_found
 */
export async function exportOrganization(tx: ReadTx, accountId: string): Promise<OrganizationInput> {
  const { name, email, timezone, currency, service_fee, ...details } = await accounts.getDetails(
    tx,
    accountId,
  )
  const { slug, legal_name, address, tax_id, imprint_url, privacy_url } = details
  const { receipt_prefix, receipt_years, tax_exemption } = details
  const said = {
    ...given({ slug, legal_name, address, tax_id, imprint_url, privacy_url, receipt_prefix, tax_exemption }),
    receipt_years,
  }
  const exported: EventInput[] = []
  for (const event of await events.listByAccount(tx, accountId)) {
    exported.push(await exportEvent(tx, event))
  }
  const endpoints = await webhooks.list(tx, accountId)
  const receipts = await listReceipts(tx, accountId)
  return {
    account: { name, email, timezone, currency, ...said, service_fee },
    events: exported,
    webhooks: endpoints.map(endpoint => ({
      url: endpoint.url,
      types: JSON.parse(endpoint.types),
      enabled: endpoint.enabled === 1,
    })),
    ...(receipts.length === 0 ? {} : { receipts: receipts.map(exportReceipt) }),
  }
}

async function exportEvent(tx: ReadTx, event: events.EventRow): Promise<EventInput> {
  const types = await registrationTypes.listByEventOldestFirst(tx, event.account_id, event.id)
  const typeNames = new Map(types.map(({ id, name }) => [id, name]))
  const shared = await pools.listPools(tx, event.account_id, event.id)
  const asked = await questions.listByEvent(tx, event.account_id, event.id)
  const coded = await codes.listByEvent(tx, event.account_id, event.id)
  // A type that was removed has no name any more.
  const namesOf = (ids: string | null) =>
    ids === null
      ? null
      : types.filter(({ id }) => (JSON.parse(ids) as string[]).includes(id)).map(({ name }) => name)
  const entries = await waitlist.listByEvent(tx, event.account_id, event.id)
  const texts = groupTexts(await ownTexts.list(tx, event.account_id, event.id))
  const submitted = await abstracts.listByEvent(tx, event.account_id, event.id)
  return {
    slug: event.slug,
    title: event.title,
    starts_at: toIsoOrNull(event.starts_at),
    ends_at: toIsoOrNull(event.ends_at),
    timezone: event.timezone,
    venue: event.venue,
    city: event.city,
    currency: event.currency,
    status: event.status,
    visibility: event.visibility,
    requires_approval: event.requires_approval === 1,
    description: event.description,
    ...exportPage(event),
    ...(texts === undefined ? {} : { email_texts: texts }),
    registration_types: types.map(type => ({
      name: type.name,
      description: type.description,
      price: type.price,
      capacity: type.capacity,
      active: type.active === 1,
      sales_start: toIsoOrNull(type.sales_start),
      sales_end: toIsoOrNull(type.sales_end),
      valid_from: toIsoOrNull(type.valid_from),
      valid_until: toIsoOrNull(type.valid_until),
      position: type.position,
      min_per_order: type.min_per_order,
      max_per_order: type.max_per_order,
      hidden: type.hidden === 1,
      tax_basis_points: type.tax_basis_points,
    })),
    pools: shared.map(pool => ({
      name: pool.name,
      capacity: pool.capacity,
      registration_types: types
        .filter(({ id }) => pool.registration_type_ids.includes(id))
        .map(type => type.name),
    })),
    questions: asked.map(question => ({
      key: question.key,
      label: question.label,
      help: question.help,
      kind: question.kind,
      choices: JSON.parse(question.choices),
      required: question.required === 1,
      asked_for: question.asked_for,
      registration_types: namesOf(question.registration_type_ids),
      position: question.position,
      retired: question.retired_at !== null,
    })),
    codes: coded.map(code => ({
      code: code.code,
      percent: code.percent,
      amount: code.amount,
      registration_types: namesOf(code.registration_type_ids),
      valid_from: toIsoOrNull(code.valid_from),
      valid_until: toIsoOrNull(code.valid_until),
      max_tickets: code.max_tickets,
      active: code.active === 1,
      note: code.note,
    })),
    orders: await exportOrders(tx, event),
    registrations: await exportRegistrations(tx, event),
    waitlist: entries.map(entry => ({
      reference: entry.reference,
      registration_type: typeNames.get(entry.registration_type_id) as string,
      name: entry.name,
      email: entry.email,
      quantity: entry.quantity,
      created_at: entry.created_at,
      notified_at: entry.notified_at,
    })),
    abstracts: submitted.map(abstract => ({
      code: abstract.code,
      title: abstract.title,
      abstract: abstract.abstract,
      keywords: abstract.keywords,
      authors: JSON.parse(abstract.authors),
      contact: JSON.parse(abstract.contact),
      file_name: abstract.file_name,
      status: abstract.status,
      decision_note: abstract.decision_note,
      decided_at: toIsoOrNull(abstract.decided_at),
      submitted_at: toIsoOrNull(abstract.submitted_at),
    })),
  }
}

function exportPage(event: events.EventRow): Pick<EventInput, keyof typeof pageFields> {
  const { address, online_url, contact_email, terms, cancel_refund_basis_points } = event
  const { payment_days, waitlist_mode, waitlist_hours, reminder, approval_days } = event
  return {
    ...{ address, online_url, contact_email, terms },
    names_locked_at: toIsoOrNull(event.names_locked_at),
    cancel_until: toIsoOrNull(event.cancel_until),
    ...{ cancel_refund_basis_points, payment_days, waitlist_mode, waitlist_hours, reminder, approval_days },
    payment_ways: event.payment_ways,
    withdrawal_excluded: event.withdrawal_excluded === 1,
  }
}

/** Those that are there. */
function given(values: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}

async function exportOrders(
  tx: ReadTx,
  { account_id: accountId, id }: events.EventRow,
): Promise<NonNullable<EventInput['orders']>> {
  const moved = await store.listMoved(tx, accountId, id)
  const lines = await store.listMoney(tx, accountId, id)
  const partPaid = await store.listPartPaid(tx, accountId, id)
  return (await store.listOrders(tx, accountId, id)).map(order => {
    const { reference } = order
    const ledger = exportLedger(moved.get(reference) ?? [], lines.get(reference) ?? [])
    const payment = partPaid.get(reference)
    return {
      ...exportOrder(order),
      ...(ledger === undefined ? {} : { ledger }),
      ...(payment === undefined ? {} : { payment: exportPayment(payment) }),
    }
  })
}

/** Without its form and the version of its links: both are worth nothing where it comes anew. */
function exportOrder(order: store.ListedOrder): NonNullable<EventInput['orders']>[number] {
  const { reference, status, waits_for, failed_for, buyer_name, buyer_email, language } = order
  const { currency, amount_total, terms, expires_at, confirmed_at, failed_at, created_at } = order
  return {
    ...{
      reference,
      status,
      waits_for,
      failed_for,
      buyer: { name: buyer_name, email: buyer_email },
      language,
    },
    ...exportInvoice(order),
    ...{ currency, amount_total, terms, created_at: toIso(created_at), expires_at: toIsoOrNull(expires_at) },
    ...{ confirmed_at: toIsoOrNull(confirmed_at), failed_at: toIsoOrNull(failed_at) },
  }
}

function exportReceipt({ reference, of_number, payment_id, refund_id, ...receipt }: ExportedReceipt) {
  const { cancels_number: cancels, kind, number, event, amount, currency, erased_at, snapshot } = receipt
  return {
    ...{ kind, number, event, order: reference },
    ...(of_number === null ? {} : { of: of_number }),
    ...(cancels === null ? {} : { cancels }),
    ...given({ payment: payment_id, refund: refund_id }),
    ...{ amount, currency, ...given({ erased_at: toIsoOrNull(erased_at) }) },
    snapshot: JSON.parse(snapshot),
  }
}

function exportInvoice({ buyer_company, buyer_address, buyer_vat_id }: store.ListedOrder) {
  return given({ buyer_company, buyer_address, buyer_vat_id })
}

async function exportRegistrations(
  tx: ReadTx,
  event: events.EventRow,
): Promise<NonNullable<EventInput['registrations']>> {
  const rows = await registrations.listByEvent(tx, event.account_id, event.id)
  const ids = rows.map(({ id }) => id)
  const tickets = await attendees.byRegistration(tx, event.account_id, ids)
  const codeOf = await byTicket(tx, event.account_id, event.id)
  const orderOf = await store.listLines(tx, event.account_id, event.id)
  const prices = await store.listPrices(tx, event.account_id, event.id)
  return rows.map(row => ({
    reference: row.reference,
    ...(orderOf.has(row.id) ? { order: orderOf.get(row.id) } : {}),
    registration_type: row.registration_type_name,
    status: row.status,
    buyer: { name: row.buyer_name, email: row.buyer_email },
    quantity: row.quantity,
    amount_subtotal: row.amount_subtotal,
    amount_total: row.amount_total,
    processor_fee: row.processor_fee,
    refunded_amount: row.refunded_amount,
    answers: JSON.parse(row.answers) as Record<string, string>,
    language: row.language,
    created_at: toIso(row.created_at),
    confirmed_at: toIsoOrNull(row.confirmed_at),
    cancelled_at: toIsoOrNull(row.cancelled_at),
    refunded_at: toIsoOrNull(row.refunded_at),
    ...(row.status === 'cancelled' && row.confirmed_at === null ? { never_confirmed: true } : {}),
    attendees: (tickets.get(row.id) ?? []).map(ticket => ({
      name: ticket.name,
      email: ticket.email,
      seat: ticket.seat,
      ...(Object.keys(ticket.answers).length === 0 ? {} : { answers: ticket.answers }),
      ...(codeOf.has(ticket.id) ? { code: codeOf.get(ticket.id) } : {}),
      ...prices.get(ticket.id),
      checked_in_at: ticket.checked_in_at,
    })),
  }))
}
