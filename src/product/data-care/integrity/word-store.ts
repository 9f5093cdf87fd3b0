import type { Person } from '#base/words.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'

/** One batch has this many rows. Each is looked up with its tickets. */
const BATCH = 500

export interface RegistrationRow {
  id: string
  name: string
  email: string
  created_at: number
  account_number: number
  event_number: number
  number: number | null
}

const SELECT = `SELECT r.id, r.buyer_name AS name, r.buyer_email AS email, r.created_at, a.number AS account_number,
  e.number AS event_number, r.number
  FROM registrations r JOIN accounts a ON a.id = r.account_id JOIN events e ON e.id = r.event_id`

export function walkRegistrations(reader: Reader): AsyncGenerator<RegistrationRow[]> {
  return inBatches(reader, INSTANCE, BATCH, (tx, last: RegistrationRow | undefined, size) =>
    tx.all(`${SELECT} WHERE r.id > $1 ORDER BY r.id LIMIT $2`, [last?.id ?? '', size]),
  )
}

/** Lists the buyer, then the people on the tickets in their order. */
export async function listPeople(
  tx: InstanceReadTx,
  { id, name, email }: RegistrationRow,
): Promise<Person[]> {
  const holders = await tx.all<Person>(
    'SELECT name, email FROM attendees WHERE registration_id = $1 ORDER BY position',
    [id],
  )
  return [{ name, email }, ...holders]
}

export async function hasWord(
  tx: InstanceReadTx,
  row: Pick<RegistrationRow, 'account_number' | 'created_at' | 'number' | 'event_number'>,
  word: string,
): Promise<boolean> {
  const found = await tx.one(
    `SELECT 1 FROM registration_words WHERE account_number = $1 AND word = $2 AND created_at = $3
       AND registration_number = $4 AND event_number = $5`,
    [row.account_number, word, row.created_at, row.number, row.event_number],
  )
  return found !== undefined
}

export interface WordRow {
  account_number: number
  word: string
  created_at: number
  registration_number: number
  event_number: number
}

export function walkWords(reader: Reader): AsyncGenerator<WordRow[]> {
  const columns = 'account_number, word, created_at, registration_number, event_number'
  return inBatches(reader, INSTANCE, BATCH, (tx, last: WordRow | undefined, size) =>
    tx.all(
      `SELECT ${columns} FROM registration_words WHERE (account_number, word, created_at, registration_number)
         > ($1, $2, $3, $4) ORDER BY ${columns} LIMIT $5`,
      [
        last?.account_number ?? 0,
        last?.word ?? '',
        last?.created_at ?? 0,
        last?.registration_number ?? 0,
        size,
      ],
    ),
  )
}

/** Finds the registration that a word names. */
export function findRegistration(tx: InstanceReadTx, row: WordRow): Promise<RegistrationRow | undefined> {
  return tx.one(
    `${SELECT} WHERE a.number = $1 AND r.account_id = a.id AND r.number = $2 AND r.created_at = $3 AND e.number = $4`,
    [row.account_number, row.registration_number, row.created_at, row.event_number],
  )
}
