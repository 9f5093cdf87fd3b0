import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import SqliteConnection from 'better-sqlite3'
import { wordsOf } from '#base/words.ts'
import type { Client } from './client.ts'

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
export function insertCrowd({ data, accountId, eventId, typeId }: Place, crowd: Crowd): string[] {
  const { count, tickets = 1, answers = () => ({}), createdAt = Date.parse('2026-10-01T10:00:00Z') } = crowd
  const connection = new SqliteConnection(join(data, 'turnout.db'))
  connection.pragma('synchronous = OFF')
  const registration = connection.prepare(
    `INSERT INTO registrations (id, account_id, event_id, registration_type_id, reference, status, source, buyer_name,
       buyer_email, buyer_email_key, quantity, amount_subtotal, amount_total, currency, answers, language, confirmed_at,
       created_at, updated_at, number)
     VALUES (@id, @accountId, @eventId, @typeId, @id, 'confirmed', 'api', 'Grace', 'grace@example.org',
       'grace@example.org', @tickets, 5000, 0, 'EUR', @answers, 'en', @at, @at, @at, @number)`,
  )
  const attendee = connection.prepare(
    `INSERT INTO attendees (id, registration_id, position, name, email, qr_code, voided, created_at, updated_at)
     VALUES (@ticketId, @id, @position, @name, 'grace@example.org', '${UNSIGNED}', 0, @at, @at)`,
  )
  const word = connection.prepare(
    `INSERT INTO registration_words (account_number, word, created_at, registration_number, event_number, updated_at)
     VALUES (@accountNumber, @word, @at, @number, @eventNumber, @at)`,
  )
  const { accountNumber, eventNumber, latest } = connection
    .prepare(
      `SELECT a.number AS accountNumber, e.number AS eventNumber,
         (SELECT coalesce(max(number), 0) FROM registrations WHERE account_id = a.id) AS latest
       FROM accounts a JOIN events e ON e.account_id = a.id WHERE a.id = ? AND e.id = ?`,
    )
    .get(accountId, eventId) as { accountNumber: number; eventNumber: number; latest: number }
  const answerKey = connection.prepare(
    'INSERT INTO answer_keys VALUES (@accountId, @eventId, @key, @createdAt, @createdAt) ON CONFLICT DO NOTHING',
  )
  const issued: string[] = []
  const keys = new Set<string>()
  connection.transaction(() => {
    for (let made = 0; made < count; made++) {
      const id = idOf('aaaa', createdAt, made)
      const at = createdAt + made
      const number = latest + made + 1
      const given = answers(made)
      for (const key of Object.keys(given)) keys.add(key)
      registration.run({
        id,
        accountId,
        eventId,
        typeId,
        tickets,
        at,
        number,
        answers: JSON.stringify(given),
      })
      const people = [{ name: 'Grace', email: 'grace@example.org' }]
      for (let position = 0; position < tickets; position++) {
        const ticketId = idOf('bbbb', createdAt, made * tickets + position)
        const name = `Guest ${made}.${position}`
        attendee.run({ ticketId, id, position, at, name })
        people.push({ name, email: 'grace@example.org' })
        issued.push(ticketId)
      }
      for (const each of wordsOf(people)) word.run({ accountNumber, eventNumber, number, word: each, at })
    }
    for (const key of keys) answerKey.run({ accountId, eventId, key, createdAt })
    connection
      .prepare('UPDATE registration_types SET sold = sold + ?, capacity = 1000000 WHERE id = ?')
      .run(count * tickets, typeId)
  })()
  connection.close()
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
