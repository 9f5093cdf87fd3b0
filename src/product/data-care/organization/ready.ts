import { newOrderedId, newUuid } from '#base/ids.ts'
import { wordsOf } from '#base/words.ts'
import { AT_WRITE } from '#machinery/db/port.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { peopleOf, registrationRow, ticketsOf } from '#product/guests/registrations/placement.ts'
import type { Numbers } from '#product/guests/registrations/store.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import type { Current } from './current.ts'
import { exchangedTickets } from './exchanged-tickets.ts'
import { entriesOf, type LedgerItem } from './ledger-items.ts'
import { isOf, paymentRow, receivedOf } from './payment-items.ts'
import type { Plan } from './plan.ts'
import type { PlannedEvent } from './plan-event.ts'
import { addProgrammeRows, PROGRAMME_TABLES } from './programme-rows.ts'
import { orderRow, placementOf, receiptRow, waitlistRow } from './rows.ts'
import type { OrganizationRegistration } from './schema.ts'
import { addTimetableRows } from './timetable-rows.ts'

/** Holds the new rows of a plan, by table, with signatures. The write has nothing left to compute. */
export interface Ready {
  rows: Record<(typeof IMPORTED_TABLES)[number], object[]>
  /** The keys that the tickets were signed with, by the slug of the event. */
  keys: ReadonlyMap<string, attendees.TicketKey>
}

/** Each table comes after those that it refers to. */
export const IMPORTED_TABLES = [
  'orders',
  'payments',
  'registrations',
  'registration_words',
  'attendees',
  'check_ins',
  'waitlist_entries',
  ...PROGRAMME_TABLES,
  'ledger_entries',
  'receipts',
] as const

export function makeReady(current: Current, plan: Plan): Ready {
  const rows: Ready['rows'] = {
    orders: [],
    payments: [],
    registrations: [],
    registration_words: [],
    attendees: [],
    check_ins: [],
    waitlist_entries: [],
    ...{
      reviewers: [],
      abstracts: [],
      proposals: [],
      abstract_revisions: [],
      reviews: [],
      submitters: [],
      submissions: [],
      rooms: [],
      programme_sessions: [],
      slots: [],
      programme_versions: [],
      programmes: [],
    },
    ledger_entries: [],
    receipts: plan.receipts
      .filter(({ change }) => change === 'created')
      .map(planned => receiptRow(planned, plan)),
  }
  const keys = new Map<string, attendees.TicketKey>()
  let { nextEvent } = current.numbers
  for (const event of plan.events) {
    const { account_id, id: event_id, slug } = event.row
    const ofEvent = { account_id, event_id, updated_at: AT_WRITE }
    const numbers = {
      account_number: current.numbers.account,
      event_number: current.events.get(slug)?.number ?? nextEvent++,
    }
    if (event.imported.length > 0) {
      const key = current.events.get(slug)?.ticketKey ?? attendees.newTicketKey()
      keys.set(slug, key)
      addRegistrations(rows, event, key, numbers)
    }
    for (const order of event.orders) {
      if (order.change === 'created') {
        const row = orderRow(order, event.row, AT_WRITE)
        rows.orders.push({ ...row, updated_at: AT_WRITE })
        const of = { orderId: row.id, eventId: event_id, currency: row.currency }
        const { payment, ledger: items } = order.item
        const paid = payment && { payment, id: newUuid() }
        if (paid !== null) {
          const ofPayment = { id: paid.id, account_id, event_id, order_id: row.id, currency: row.currency }
          const received = receivedOf(paid.payment, items)
          rows.payments.push(paymentRow(paid.payment, ofPayment, received, AT_WRITE))
        }
        const paymentIdOf = (item: LedgerItem) => (paid !== null && isOf(paid.payment, item) ? paid.id : null)
        addEntries(rows, account_id, entriesOf(items ?? [], of, paymentIdOf))
      }
    }
    for (const entry of event.waitlist) {
      if (entry.change === 'created')
        rows.waitlist_entries.push({ ...waitlistRow(entry, AT_WRITE), ...ofEvent })
    }
    addProgrammeRows(rows, event, ofEvent)
    if (event.programme !== undefined) addTimetableRows(rows, event.programme, ofEvent)
  }
  return { rows, keys }
}

function addEntries(rows: Ready['rows'], accountId: string, entries: Iterable<ledger.NewEntry>): void {
  for (const entry of entries)
    rows.ledger_entries.push({ ...ledger.rowOf(accountId, entry, AT_WRITE), updated_at: AT_WRITE })
}

function addRegistrations(
  rows: Ready['rows'],
  event: PlannedEvent,
  key: attendees.TicketKey,
  numbers: Pick<Numbers, 'account_number' | 'event_number'>,
): void {
  const { account_id, id: event_id } = event.row
  // Nothing is derived for orders that state their ledger.
  const stated = new Set<string | null>(
    event.orders.flatMap(({ item }) => (item.ledger === null ? [] : [item.reference])),
  )
  const exchanged = exchangedTickets(event.imported.map(({ item }) => item))
  const made: MadeLine[] = []
  for (const registration of event.imported) {
    const placement = placementOf(registration, event)
    const row = registrationRow(registration.id, placement, AT_WRITE)
    // The number counts on from the newest one that the write finds.
    const number = rows.registrations.length + 1
    const complete = { ...row, account_id, updated_at: AT_WRITE, number }
    rows.registrations.push(complete)
    if (!stated.has(registration.item.order)) addEntries(rows, account_id, ledger.entriesOf(row))
    const words = wordsOf(peopleOf(placement))
    const wordRow = {
      ...numbers,
      registration_number: number,
      created_at: row.created_at,
      updated_at: AT_WRITE,
    }
    for (const word of words) rows.registration_words.push({ ...wordRow, word })
    const gone = exchanged.get(registration.item.reference)
    const wanted = ticketsOf(placement).map((ticket, at) =>
      gone?.has(at) ? { ...ticket, voided: true } : ticket,
    )
    const tickets = attendees.ticketRows(row.id, attendees.sign(key, wanted))
    made.push({ row: complete, item: registration.item, ticketIds: tickets.map(({ id }) => id) })
    for (const [position, ticket] of tickets.entries()) {
      const {
        price = null,
        discount = null,
        tax = null,
        tax_basis_points = null,
        checked_in_at: checkedInAt = null,
      } = registration.item.attendees?.[position] ?? {}
      rows.attendees.push({
        ...ticket,
        ...{ price, discount, tax },
        tax_basis_points: price === null ? null : (tax_basis_points ?? registration.type.tax_basis_points),
        ...{ created_at: AT_WRITE, updated_at: AT_WRITE },
      })
      if (checkedInAt === null) continue
      rows.check_ins.push({
        id: newOrderedId('chk_'),
        account_id,
        event_id,
        attendee_id: ticket.id,
        source: 'scanner',
        created_at: checkedInAt,
        updated_at: checkedInAt,
        checked_in_at: checkedInAt,
        scan_id: null,
      })
    }
  }
  linkExchanges(made)
}

/** A registration that a file brings, with the ids of its tickets. */
interface MadeLine {
  row: { exchanged_for: string | null }
  item: OrganizationRegistration
  ticketIds: readonly string[]
}

/** Says of registrations whose tickets' places they took. An order comes in one write, so both are there. */
function linkExchanges(made: readonly MadeLine[]): void {
  const byReference = new Map(made.map(each => [each.item.reference, each]))
  for (const { row, item } of made) {
    const former = item.exchanged_for
    if (former !== null)
      row.exchanged_for = byReference.get(former.registration)?.ticketIds[former.ticket - 1] ?? null
  }
}
