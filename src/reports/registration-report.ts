import * as attendees from '../attendees/rules.ts'
import { inBatches, type Reader } from '../db/batches.ts'
import * as events from '../events/rules.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from './csv.ts'
import * as store from './store.ts'

/** Registrations a batch: short enough that a check-in never waits for one. */
const BATCH = 100
const ANSWER_BATCH = 500

/** The columns that every report has, in their order. */
export const FIXED_COLUMNS = [
  'registration_id',
  'status',
  'source',
  'event_id',
  'registration_type_id',
  'registration_type_name',
  'buyer_name',
  'buyer_email',
  'quantity',
  'amount_subtotal',
  'amount_total',
  'currency',
  'created_at',
  'confirmed_at',
  'cancelled_at',
  'attendee_id',
  'attendee_name',
  'attendee_email',
  'seat',
  'checked_in',
  'checked_in_at',
  'voided',
] as const

type FixedColumn = (typeof FIXED_COLUMNS)[number]

/** Those of them that carry what a person has typed. */
const TYPED: ReadonlySet<string> = new Set<FixedColumn>([
  'registration_type_name',
  'buyer_name',
  'buyer_email',
  'attendee_name',
  'attendee_email',
  'seat',
])

type Cell = string | number | boolean | null

/** One row an attendee: the fixed cells, and the answers of the registration. */
interface ReportRow {
  fixed: Record<FixedColumn, Cell>
  answers: Record<string, string>
}

/** A report that has been begun: who may read it is settled, its rows are not read yet. */
export interface RegistrationReport {
  eventId: string
  /** The start of the report, in milliseconds: what is registered later is not in it. */
  startedAt: number
  answerKeys: string[]
  rows: AsyncGenerator<ReportRow[]>
}

/**
 * Begins the report of an event's registrations, one row an attendee, oldest registration first (specification section 4,
 * reports). The keys of the answers are gathered first, as they are its columns.
 *
 * @throws Problem not_found
 */
export async function beginRegistrationReport(
  reader: Reader,
  accountId: string,
  eventId: string,
  startedAt: number,
): Promise<RegistrationReport> {
  const event = await reader.read(tx => events.get(tx, accountId, eventId, 'event_id'))
  const keys = new Set<string>()
  const answers = inBatches(reader, ANSWER_BATCH, (tx, last: store.AnsweredRow | undefined, size) =>
    store.listAnswers(tx, accountId, event.id, startedAt, last, size),
  )
  for await (const batch of answers) {
    for (const row of batch) {
      if (row.answers !== '{}') for (const key of Object.keys(JSON.parse(row.answers))) keys.add(key)
    }
  }
  return {
    eventId: event.id,
    startedAt,
    answerKeys: [...keys].sort(),
    rows: readRows(reader, accountId, event.id, startedAt),
  }
}

interface TicketedRegistration {
  registration: store.ReportedRegistrationRow
  tickets: readonly attendees.AttendeeRow[]
}

async function* readRows(
  reader: Reader,
  accountId: string,
  eventId: string,
  startedAt: number,
): AsyncGenerator<ReportRow[]> {
  const batches = inBatches(reader, BATCH, async (tx, last: TicketedRegistration | undefined, size) => {
    const registrations = await store.listRegistrations(
      tx,
      accountId,
      eventId,
      startedAt,
      last?.registration,
      size,
    )
    const ids = store.idsOfRegistrations(accountId, eventId, startedAt, last?.registration, size)
    const tickets = await attendees.byRegistration(tx, ids.query, ids.params)
    return registrations.map(registration => ({ registration, tickets: tickets.get(registration.id) ?? [] }))
  })
  for await (const batch of batches) {
    yield batch.flatMap(({ registration, tickets }) => {
      const answers = JSON.parse(registration.answers) as Record<string, string>
      return tickets.map(ticket => ({ fixed: toCells(registration, ticket), answers }))
    })
  }
}

function toCells(
  registration: store.ReportedRegistrationRow,
  ticket: attendees.AttendeeRow,
): Record<FixedColumn, Cell> {
  return {
    registration_id: registration.id,
    status: registration.status,
    source: registration.source,
    event_id: registration.event_id,
    registration_type_id: registration.registration_type_id,
    registration_type_name: registration.registration_type_name,
    buyer_name: registration.buyer_name,
    buyer_email: registration.buyer_email,
    quantity: registration.quantity,
    amount_subtotal: registration.amount_subtotal,
    amount_total: registration.amount_total,
    currency: registration.currency,
    created_at: toIso(registration.created_at),
    confirmed_at: toIsoOrNull(registration.confirmed_at),
    cancelled_at: toIsoOrNull(registration.cancelled_at),
    attendee_id: ticket.id,
    attendee_name: ticket.name,
    attendee_email: ticket.email,
    seat: ticket.seat,
    checked_in: ticket.checked_in_at !== null,
    checked_in_at: toIsoOrNull(ticket.checked_in_at),
    voided: ticket.voided === 1,
  }
}

/** Every column, as the report names it. */
function columnsOf(report: RegistrationReport): string[] {
  return [...FIXED_COLUMNS, ...report.answerKeys.map(key => `answer:${key}`)]
}

/** The answer to a key, where the registration itself has one: `__proto__` is a key like any other. */
function answerTo(row: ReportRow, key: string): string | null {
  return Object.hasOwn(row.answers, key) ? (row.answers[key] as string) : null
}

/** The report as CSV, piece by piece. */
export async function* toCsvChunks(report: RegistrationReport): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([columnsOf(report)])
  for await (const rows of report.rows) {
    if (rows.length === 0) continue
    yield toCsv(
      rows.map(row => [
        ...FIXED_COLUMNS.map(column => {
          const cell = row.fixed[column]
          if (cell === null) return ''
          return TYPED.has(column) ? safeCell(String(cell)) : String(cell)
        }),
        ...report.answerKeys.map(key => safeCell(answerTo(row, key) ?? '')),
      ]),
    )
  }
}

/** The report as one JSON document, piece by piece. */
export async function* toJsonChunks(report: RegistrationReport): AsyncGenerator<string> {
  const head = {
    object: 'registration_report',
    event_id: report.eventId,
    generated_at: toIso(report.startedAt),
    columns: columnsOf(report),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"data":[`
  let separator = ''
  for await (const rows of report.rows) {
    if (rows.length === 0) continue
    yield separator + rows.map(row => toJsonRow(row, report.answerKeys)).join(',')
    separator = ','
  }
  yield ']}'
}

function toJsonRow(row: ReportRow, answerKeys: readonly string[]): string {
  const answers = answerKeys.map(
    key => `,${JSON.stringify(`answer:${key}`)}:${JSON.stringify(answerTo(row, key))}`,
  )
  return `${JSON.stringify(row.fixed).slice(0, -1)}${answers.join('')}}`
}
