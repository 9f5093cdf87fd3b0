import type SqliteConnection from 'better-sqlite3'
import { newOrderedId, newRequestId, newUuid } from '#base/ids.ts'
import { DAY } from '#base/time.ts'
import { wordsOf } from '#base/words.ts'
import { fingerprint } from '#faces/api/idempotency.ts'
import { keptCompiled } from '#machinery/db/sqlite/connection.ts'
import { hashApiKey } from '#product/administration/keys/api-key.ts'
import type { ApiKeyRow } from '#product/administration/keys/store.ts'
import type { EventRow } from '#product/catalog/events/store.ts'
import type { RegistrationTypeRow } from '#product/catalog/registration-types/store.ts'
import { validityOf } from '#product/entrance/check-ins/admission.ts'
import { presentCheckIn } from '#product/entrance/check-ins/schemas.ts'
import type { CheckInRow, TicketRow } from '#product/entrance/check-ins/store.ts'
import { presentAttendee } from '#product/guests/attendees/schemas.ts'
import type { AttendeeRow } from '#product/guests/attendees/store.ts'
import {
  decodeTicket,
  encodeTicket,
  isSignedBy,
  type TicketKey,
} from '#product/guests/attendees/ticket-code.ts'
import { type NewRegistration, presentRegistration } from '#product/guests/registrations/schemas.ts'
import type { Numbers, RegistrationRow } from '#product/guests/registrations/store.ts'
import type { Commits } from './floor-commits.ts'
import type { Statements } from './floor-statements.ts'

export interface Outcome {
  status: number
  body: string
}

export interface Write {
  key: ApiKeyRow
  path: string
  idempotencyKey: string
  rawBody: Buffer
  address: string
}

/** The three operations that are compared, written down as directly as they can be. */
export class FloorOperations {
  readonly #commits: Commits
  readonly #read: Prepared
  readonly #write: Prepared
  readonly #begin: SqliteConnection.Statement
  readonly #end: SqliteConnection.Statement
  /** The span in which tickets are valid, by the event and the type that decide it. */
  readonly #validity = new Map<string, ReturnType<typeof validityOf>>()

  constructor(
    reader: SqliteConnection.Database,
    writer: SqliteConnection.Database,
    commits: Commits,
    statements: Statements,
  ) {
    this.#commits = commits
    this.#read = prepareAll(reader, statements)
    this.#write = prepareAll(writer, statements)
    this.#begin = reader.prepare('BEGIN')
    this.#end = reader.prepare('COMMIT')
  }

  authenticate(key: string): ApiKeyRow {
    const row = this.#read.findKey.get(bind(hashApiKey(key))) as ApiKeyRow | undefined
    if (row === undefined || row.revoked_at !== null || !Array.isArray(JSON.parse(row.scopes)))
      throw new Error('The key is not valid.')
    return row
  }

  getRegistration(accountId: string, id: string): Outcome {
    this.#begin.run()
    const row = this.#read.findRegistration.get(bind(accountId, id)) as RegistrationRow | undefined
    const tickets = this.#read.listTickets.all(bind(accountId, id)) as AttendeeRow[]
    this.#end.run()
    if (row === undefined) return { status: 404, body: '' }
    return { status: 200, body: JSON.stringify(presentRegistration(row, tickets.map(presentAttendee))) }
  }

  createRegistration(request: Write): Promise<Outcome> {
    const input = JSON.parse(request.rawBody.toString()) as NewRegistration
    return this.#execute(request, 'registration.create', 'registration', takeInstant => {
      const { account_id: accountId } = request.key
      const event = this.#write.findEvent.get(bind(accountId, input.event_id)) as EventRow
      const type = this.#write.findType.get(
        bind(accountId, event.id, input.registration_type_id),
      ) as RegistrationTypeRow
      const now = takeInstant()
      const { changes } = this.#write.reserve.run(bind(accountId, type.id, 1, now))
      if (changes === 0) throw new Error('The type is sold out.')
      const id = newUuid()
      const row = newRegistrationRow(id, input, event, type, now)
      const numbers = this.#write.insertRegistration.get(
        bind(
          row.id,
          accountId,
          row.event_id,
          row.registration_type_id,
          row.reference,
          row.status,
          row.source,
          row.buyer_name,
          row.buyer_email,
          row.buyer_email_key,
          row.quantity,
          row.amount_subtotal,
          row.amount_total,
          row.currency,
          row.processor_fee,
          row.refunded_amount,
          row.answers,
          row.language,
          row.confirmed_at,
          row.cancelled_at,
          row.refunded_at,
          row.created_at,
          now,
          ...[null, null, null, null],
        ),
      )
      const { account_number, registration_number, event_number } = numbers as Numbers
      const words = wordsOf([input.buyer])
      this.#write.insertWords.run(bind(account_number, now, registration_number, event_number, now, ...words))
      const key = this.#write.findTicketKey.get(bind(accountId, event.id)) as TicketKey
      const ticketId = newUuid()
      const { name, email } = input.buyer
      const code = encodeTicket(key, ticketId)
      const unsold = [null, null, null, null]
      this.#write.insertTicket.run(
        bind(ticketId, id, 0, name, email, null, code, 0, '{}', null, now, ...unsold),
      )
      const ticket: AttendeeRow = {
        id: ticketId,
        registration_id: id,
        position: 0,
        name,
        email,
        seat: null,
        qr_code: code,
        voided: 0,
        answers: '{}',
        code_id: null,
        checked_in_at: null,
      }
      return {
        type: 'registration.created',
        target: id,
        object: presentRegistration(row, [presentAttendee(ticket)]),
      }
    })
  }

  createCheckIn(request: Write): Promise<Outcome> {
    const input = JSON.parse(request.rawBody.toString()) as { qr_code: string }
    return this.#execute(request, 'check_in.create', 'attendee', takeInstant => {
      const { account_id: accountId } = request.key
      const code = decodeTicket(input.qr_code)
      const signer =
        code &&
        (this.#write.findPublicKey.get(bind(code.keyId)) as
          | { public_key: string; event_id: string }
          | undefined)
      if (code === undefined || signer === undefined || !isSignedBy(code, signer.public_key))
        throw new Error('The code is not valid.')
      const ticket = this.#write.findTicket.get(bind(accountId, code.ticketId)) as TicketRow
      const now = takeInstant()
      const { from, until } = this.#validityOf(ticket)
      const isValid =
        ticket.event_id === signer.event_id &&
        ticket.status === 'confirmed' &&
        ticket.voided === 0 &&
        ticket.checked_in_at === null
      if (!isValid || now < (from ?? now) || now >= (until ?? now + 1)) throw new Error('Not admitted.')
      const of = { source: 'api', checked_in_at: now, scan_id: null, created_at: now } as const
      const row: CheckInRow = { ...ticket, ...of, id: newOrderedId('chk_') }
      const checkIn = [row.id, accountId, row.event_id, row.attendee_id, row.source, now, now, null] as const
      this.#write.insertCheckIn.run(bind(...checkIn))
      return { type: 'checkin.created', target: row.attendee_id, object: presentCheckIn(row) }
    })
  }

  /** Does what every write has around it: the idempotent answer, the outbox and the access log. */
  #execute(
    { key, path, idempotencyKey, rawBody, address }: Write,
    action: string,
    targetType: string,
    change: (takeInstant: () => number) => { type: string; target: string; object: object },
  ): Promise<Outcome> {
    const { account_id: accountId } = key
    const print = fingerprint('POST', path, rawBody)
    return this.#commits.write(takeInstant => {
      const oldest = Date.now() - DAY
      const kept = this.#write.findAnswer.get(bind(accountId, idempotencyKey, oldest)) as Outcome | undefined
      if (kept !== undefined) return kept
      const { type, target, object } = change(takeInstant)
      const now = takeInstant()
      const body = JSON.stringify(object)
      const eventId = newOrderedId('evt_')
      const created = Math.floor(now / 1000)
      const envelope = `{"id":"${eventId}","object":"event","type":"${type}","created":${created},"data":{"object":${body}}}`
      this.#write.insertEvent.run(bind(eventId, accountId, type, envelope, now))
      this.#write.listEndpoints.all(bind(accountId))
      this.#write.keepAnswer.run(bind(accountId, idempotencyKey, print, 201, body, now, oldest))
      this.#write.insertAccess.run(
        bind(
          newUuid(),
          accountId,
          `key:${key.id}`,
          action,
          targetType,
          target,
          newRequestId(),
          address,
          '{"status":201}',
          now,
        ),
      )
      return { status: 201, body }
    })
  }

  #validityOf(ticket: TicketRow): ReturnType<typeof validityOf> {
    const { valid_from, valid_until, starts_at, ends_at, timezone } = ticket
    const decided = `${valid_from} ${valid_until} ${starts_at} ${ends_at} ${timezone}`
    let validity = this.#validity.get(decided)
    if (validity === undefined) {
      validity = validityOf(ticket)
      this.#validity.set(decided, validity)
    }
    return validity
  }
}

type Prepared = Record<keyof Statements, SqliteConnection.Statement>

function prepareAll(sqlite: SqliteConnection.Database, statements: Statements): Prepared {
  const prepared = Object.entries(statements).map(([name, sql]) => [name, sqlite.prepare(keptCompiled(sql))])
  return Object.fromEntries(prepared) as Prepared
}

function bind(...values: (string | number | null)[]): Record<number, string | number | null> {
  const bound: Record<number, string | number | null> = {}
  for (let at = 0; at < values.length; at++) bound[at + 1] = values[at] as string | number | null
  return bound
}

function newRegistrationRow(
  id: string,
  { buyer, answers, language }: NewRegistration,
  event: EventRow,
  type: RegistrationTypeRow,
  now: number,
): RegistrationRow {
  return {
    id,
    event_id: event.id,
    registration_type_id: type.id,
    registration_type_name: type.name,
    reference: id,
    status: 'confirmed',
    source: 'api',
    buyer_name: buyer.name,
    buyer_email: buyer.email,
    buyer_email_key: buyer.email.toLowerCase(),
    quantity: 1,
    amount_subtotal: type.price,
    amount_total: 0,
    currency: event.currency,
    processor_fee: null,
    refunded_amount: null,
    answers: JSON.stringify(answers ?? {}),
    language: language ?? 'en',
    confirmed_at: now,
    cancelled_at: null,
    refunded_at: null,
    created_at: now,
  }
}
