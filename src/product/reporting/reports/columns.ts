import { toIso, toIsoOrNull } from '../time.ts'
import type { ReportedRegistrationRow, ReportedTicketRow } from './store.ts'

/** One row of the registration report. */
export interface ReportRow {
  registration: ReportedRegistrationRow
  ticket: ReportedTicketRow
  /** Of the ticket, and those of its registration that the ticket has none to. */
  answers: Record<string, string>
}

export type Cell = string | number | boolean | null

/** A column of the registration report. */
export interface Column {
  name: string
  /** It carries what a person has typed: always text, or null. */
  isTyped: boolean
  cellOf(row: ReportRow): Cell
}

function computed(name: string, cellOf: (row: ReportRow) => Cell): Column {
  return { name, isTyped: false, cellOf }
}

function typed(name: string, cellOf: (row: ReportRow) => string | null): Column {
  return { name, isTyped: true, cellOf }
}

/**
 * Every column of the report of an event, in their order; the answers stand after the others, in that of their keys.
 *
 * @param typeNames the names of the event's registration types, by id
 */
export function columnsOf(
  eventId: string,
  typeNames: ReadonlyMap<string, string>,
  answerKeys: ReadonlySet<string>,
): Column[] {
  return [...fixedColumns(eventId, typeNames), ...[...answerKeys].sort().map(answerColumn)]
}

function fixedColumns(eventId: string, typeNames: ReadonlyMap<string, string>): Column[] {
  return [
    computed('registration_id', ({ registration }) => registration.id),
    computed('status', ({ registration }) => registration.status),
    computed('source', ({ registration }) => registration.source),
    computed('event_id', () => eventId),
    computed('registration_type_id', ({ registration }) => registration.registration_type_id),
    typed(
      'registration_type_name',
      ({ registration }) => typeNames.get(registration.registration_type_id) ?? null,
    ),
    typed('buyer_name', ({ registration }) => registration.buyer_name),
    typed('buyer_email', ({ registration }) => registration.buyer_email),
    computed('quantity', ({ registration }) => registration.quantity),
    computed('amount_subtotal', ({ registration }) => registration.amount_subtotal),
    computed('amount_total', ({ registration }) => registration.amount_total),
    computed('currency', ({ registration }) => registration.currency),
    computed('created_at', ({ registration }) => toIso(registration.created_at)),
    computed('confirmed_at', ({ registration }) => toIsoOrNull(registration.confirmed_at)),
    computed('cancelled_at', ({ registration }) => toIsoOrNull(registration.cancelled_at)),
    computed('attendee_id', ({ ticket }) => ticket.id),
    typed('attendee_name', ({ ticket }) => ticket.name),
    typed('attendee_email', ({ ticket }) => ticket.email),
    typed('seat', ({ ticket }) => ticket.seat),
    computed('checked_in', ({ ticket }) => ticket.checked_in_at !== null),
    computed('checked_in_at', ({ ticket }) => toIsoOrNull(ticket.checked_in_at)),
    computed('voided', ({ ticket }) => ticket.voided === 1),
  ]
}

/** Only what the registration itself has an answer to: `__proto__` is a key like any other. */
function answerColumn(key: string): Column {
  return typed(`answer:${key}`, ({ answers }) =>
    Object.hasOwn(answers, key) ? (answers[key] as string) : null,
  )
}
