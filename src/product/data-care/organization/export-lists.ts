import { toIso, toIsoOrNull } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { byTicket } from '#product/catalog/codes/rules.ts'
import type * as events from '#product/catalog/events/store.ts'
import { presentWaitlistEntry } from '#product/catalog/waitlist/schemas.ts'
import * as waitlist from '#product/catalog/waitlist/store.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import * as registrations from '#product/guests/registrations/store.ts'
import { findBeside } from './beside-store.ts'
import { findFormerTickets } from './exchange-store.ts'
import { exportLedger } from './ledger-items.ts'
import { readPages } from './pages.ts'
import { exportPayment } from './payment-items.ts'
import { type ExportedReceipt, readAllReceipts } from './receipt-store.ts'
import type { OrganizationInput } from './schema.ts'
import * as store from './store.ts'

/** These lists of an organization file have no limit, so that each is read in batches while the file is written. */

type EventInput = NonNullable<OrganizationInput['events']>[number]

/** Rows that are in memory at a time: a statement names no more of them, and each may have 200 KB of answers. */
export const BATCH = 128

export async function* exportOrders(tx: ReadTx, event: events.EventRow) {
  for await (const orders of readPages(page => store.listOrders(tx, event.id, page), BATCH)) {
    const ids = orders.map(({ id }) => id)
    const moved = await store.listMoved(tx, ids)
    const lines = await store.listMoney(tx, ids)
    const partPaid = await store.listPartPaid(tx, ids)
    yield orders.map(order => {
      const ledger = exportLedger(moved.get(order.id) ?? [], lines.get(order.id) ?? [])
      const payment = partPaid.get(order.id)
      return {
        ...exportOrder(order),
        ...(ledger === undefined ? {} : { ledger }),
        ...(payment === undefined ? {} : { payment: exportPayment(payment) }),
      }
    })
  }
}

/** Exports an order without its form and the version of its links, which are worthless in another database. */
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
    ...(order.verified_at === null ? { unverified: true } : {}),
  }
}

function exportInvoice({ buyer_company, buyer_address, buyer_vat_id }: store.ListedOrder) {
  return given({ buyer_company, buyer_address, buyer_vat_id })
}

export async function* exportRegistrations(tx: ReadTx, event: events.EventRow) {
  for await (const rows of readPages(page => registrations.listOldestFirst(tx, event.id, page), BATCH)) {
    const ids = rows.map(({ id }) => id)
    const tickets = await attendees.byRegistration(tx, ids)
    const codeOf = await byTicket(tx, ids)
    const orderOf = await store.findLines(tx, ids)
    const prices = await store.listPrices(tx, ids)
    const exchanges = await findFormerTickets(tx, ids)
    const beside = await findBeside(tx, ids)
    yield rows.map(row => ({
      ...exportRegistration(row, orderOf.get(row.id)),
      ...(exchanges.has(row.id) ? { exchanged_for: exchanges.get(row.id) } : {}),
      ...(beside.has(row.id) ? { beside: beside.get(row.id) } : {}),
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
}

function exportRegistration(row: registrations.RegistrationRow, order: string | undefined) {
  return {
    reference: row.reference,
    ...(order === undefined ? {} : { order }),
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
  }
}

export async function* exportWaitlist(
  tx: ReadTx,
  event: events.EventRow,
  typeNames: ReadonlyMap<string, string>,
) {
  for await (const entries of readPages(page => waitlist.listPage(tx, event.id, undefined, page), BATCH))
    yield entries.map(presentWaitlistEntry).map(entry => ({
      reference: entry.reference,
      registration_type: typeNames.get(entry.registration_type_id) as string,
      name: entry.name,
      email: entry.email,
      quantity: entry.quantity,
      created_at: entry.created_at,
      notified_at: entry.notified_at,
    }))
}

export async function* exportReceipts(tx: ReadTx) {
  for await (const receipts of readAllReceipts(tx, BATCH)) yield receipts.map(exportReceipt)
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

/** Returns the values that are not null. */
export function given<Value extends string | number>(
  values: Record<string, Value | null>,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== null),
  )
}
