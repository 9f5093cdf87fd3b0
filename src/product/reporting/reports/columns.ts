import { toIso, toIsoOrNull } from '#base/time.ts'
import type { ReportedRegistrationRow, ReportedTicketRow } from './store.ts'

/** Holds one row of the registration report. */
export interface ReportRow {
  registration: ReportedRegistrationRow
  ticket: ReportedTicketRow
  /** The ticket's answers, and those of its registration to keys that the ticket does not answer. */
  answers: Record<string, string>
}

export type Cell = string | number | boolean | null

/** Describes a column of the registration report. */
export interface Column {
  name: string
  /** Whether it holds what a person has typed. Then it is always text or null. */
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
 * Returns every column of the report of an event, in their order. The answers stand after the other columns, in the order of
 * their keys.
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

/** It reads only own properties, so `__proto__` is a key like any other. */
function answerColumn(key: string): Column {
  return typed(`answer:${key}`, ({ answers }) =>
    Object.hasOwn(answers, key) ? (answers[key] as string) : null,
  )
}
