import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { wordsOf } from '#base/words.ts'
import type { Value } from '#machinery/db/port.ts'
import type { Client } from './client.ts'
import { type Rows, withRows } from './rows.ts'

/** The columns that every registration report has, in the order of the decisions. */
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
]

export interface Crowd {
  count: number
  /** The tickets of each registration. */
  tickets?: number
  answers?: (number: number) => Record<string, string>
  createdAt?: number
}

interface Place {
  data: string
  accountId: string
  eventId: string
  typeId: string
}

/** This text has the form of a code, and no signature. */
const UNSIGNED = `SVC1.${'A'.repeat(136)}`

/** Writes many confirmed and unpaid registrations as rows, one millisecond after another. @returns the ids of the tickets */
export function insertCrowd(place: Place, crowd: Crowd): Promise<string[]> {
  return withRows(place.data, rows => rows.transaction(() => insert(rows, place, crowd)))
}

async function insert(rows: Rows, { accountId, eventId, typeId }: Place, crowd: Crowd): Promise<string[]> {
  const { count, tickets = 1, answers = () => ({}), createdAt = Date.parse('2026-10-01T10:00:00Z') } = crowd
  const numbers = await rows.one<{ account: number; event: number; latest: number }>(
    `SELECT a.number AS account, e.number AS event,
       (SELECT coalesce(max(number), 0) FROM registrations WHERE account_id = a.id) AS latest
     FROM accounts a JOIN events e ON e.account_id = a.id WHERE a.id = $1 AND e.id = $2`,
    [accountId, eventId],
  )
  if (numbers === undefined) throw new Error('There is no such event.')
  const registrations: Value[][] = []
  const attendees: Value[][] = []
  const words: Value[][] = []
  const issued: string[] = []
  const keys = new Set<string>()
  for (let made = 0; made < count; made++) {
    const id = idOf('aaaa', createdAt, made)
    const at = createdAt + made
    const number = numbers.latest + made + 1
    const given = answers(made)
    for (const key of Object.keys(given)) keys.add(key)
    registrations.push([id, accountId, eventId, typeId, tickets, JSON.stringify(given), at, number])
    const people = [{ name: 'Grace', email: 'grace@example.org' }]
    for (let position = 0; position < tickets; position++) {
      const ticketId = idOf('bbbb', createdAt, made * tickets + position)
      const name = `Guest ${made}.${position}`
      attendees.push([ticketId, id, position, name, UNSIGNED, at])
      people.push({ name, email: 'grace@example.org' })
      issued.push(ticketId)
    }
    for (const word of wordsOf(people)) words.push([numbers.account, word, at, number, numbers.event])
  }
  await rows.runEach(
    `INSERT INTO registrations (id, account_id, event_id, registration_type_id, reference, status, source, buyer_name,
       buyer_email, buyer_email_key, quantity, amount_subtotal, amount_total, currency, answers, language, confirmed_at,
       created_at, updated_at, number)
     VALUES ($1, $2, $3, $4, $1, 'confirmed', 'api', 'Grace', 'grace@example.org',
       'grace@example.org', $5, 5000, 0, 'EUR', $6, 'en', $7, $7, $7, $8)`,
    registrations,
  )
  await rows.runEach(
    `INSERT INTO attendees (id, registration_id, position, name, email, qr_code, voided, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'grace@example.org', $5, 0, $6, $6)`,
    attendees,
  )
  await rows.runEach(
    `INSERT INTO registration_words (account_number, word, created_at, registration_number, event_number, updated_at)
     VALUES ($1, $2, $3, $4, $5, $3)`,
    words,
  )
  await rows.runEach(
    'INSERT INTO answer_keys VALUES ($1, $2, $3, $4, $4) ON CONFLICT DO NOTHING',
    [...keys].map(key => [accountId, eventId, key, createdAt]),
  )
  await rows.run('UPDATE registration_types SET sold = sold + $1, capacity = 1000000 WHERE id = $2', [
    count * tickets,
    typeId,
  ])
  return issued
}

function idOf(kind: string, createdAt: number, number: number): string {
  const time = createdAt.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${kind.slice(1)}-${number.toString(16).padStart(12, '0')}`
}

/** Begins to receive an answer, and reads nothing of its body. */
export async function receiveSlowly(client: Client, path: string): Promise<IncomingMessage> {
  const request = get(client.url + path, { headers: { authorization: `Bearer ${client.key}` }, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.pause()
  return response
}
