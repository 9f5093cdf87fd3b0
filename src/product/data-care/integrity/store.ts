import { bytesOf, countWithin, inBatches, type Length, type Reader } from '#machinery/db/batches.ts'
import { INSTANCE, type InstanceReadTx, type Value } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'

/** One batch has this many rows, few enough to keep in memory. */
const BATCH = 1_000
/** One batch has at most this many bytes, because texts can be megabytes. A single text may have more. */
const BATCH_BYTES = 8 * 1024 * 1024

export interface Rule<Row> {
  sql: string
  say: (row: Row) => string
}

export function rule<Row>(sql: string, say: (row: Row) => string): Rule<Row> {
  return { sql, say }
}

export interface Id {
  id: string
}

export const oneInstance = rule<{ count: number }>(
  'SELECT count(*) AS count FROM instance HAVING count(*) <> 1',
  ({ count }) =>
    count === 0 ? 'the row of the instance is missing' : `there are ${count} rows of the instance`,
)

/**
 * Lists the rules of what must not be found, with the sentence for each. A sentence shows ids and the names of types, but never a
 * person's data.
 */
export const rules: readonly Rule<never>[] = [
  oneInstance,
  rule<{ name: string; sold: number; taken: number }>(
    `SELECT t.name, t.sold, count(a.id) AS taken FROM registration_types t
     JOIN events e ON e.id = t.event_id AND e.deleting_at IS NULL
     LEFT JOIN registrations r ON r.registration_type_id = t.id AND r.status IN ('pending', 'confirmed')
     LEFT JOIN attendees a ON a.registration_id = r.id AND a.voided = 0
     GROUP BY t.id HAVING t.sold <> count(a.id)`,
    ({ name, sold, taken }) => `registration type ${name} says ${sold} sold, and ${taken} are`,
  ),
  rule<{ name: string; taken: number; capacity: number }>(
    `SELECT t.name, t.capacity, count(a.id) AS taken FROM registration_types t
     JOIN registrations r ON r.registration_type_id = t.id AND r.status IN ('pending', 'confirmed')
     JOIN attendees a ON a.registration_id = r.id AND a.voided = 0
     GROUP BY t.id HAVING count(a.id) > t.capacity`,
    ({ name, taken, capacity }) => `registration type ${name} is oversold: ${taken} of ${capacity}`,
  ),
  rule<{ name: string; sold: number; taken: number }>(
    `SELECT p.name, p.sold, coalesce(sum(t.sold), 0) AS taken FROM capacity_pools p
     LEFT JOIN registration_type_pools l ON l.pool_id = p.id
     LEFT JOIN registration_types t ON t.id = l.registration_type_id
     GROUP BY p.id HAVING p.sold <> coalesce(sum(t.sold), 0)`,
    ({ name, sold, taken }) => `shared capacity ${name} says ${sold} sold, and its types say ${taken}`,
  ),
  rule<{ name: string; taken: number; capacity: number }>(
    `SELECT p.name, p.capacity, sum(t.sold) AS taken FROM capacity_pools p
     JOIN registration_type_pools l ON l.pool_id = p.id JOIN registration_types t ON t.id = l.registration_type_id
     GROUP BY p.id HAVING sum(t.sold) > p.capacity`,
    ({ name, taken, capacity }) => `shared capacity ${name} is oversold: ${taken} of ${capacity}`,
  ),
  rule<{ code: string; used: number; tickets: number }>(
    `SELECT c.id AS code, c.used, count(a.id) AS tickets FROM codes c
     JOIN events e ON e.id = c.event_id AND e.deleting_at IS NULL
     LEFT JOIN attendees a ON a.code_id = c.id AND a.voided = 0 GROUP BY c.id HAVING c.used <> count(a.id)`,
    ({ code, used, tickets }) => `code ${code} says ${used} used, and ${tickets} tickets have it`,
  ),
  rule<Id>(
    `SELECT a.id FROM codes c JOIN attendees a ON a.code_id = c.id JOIN registrations r ON r.id = a.registration_id
     WHERE r.event_id <> c.event_id`,
    ({ id }) => `ticket ${id} has a code of another event`,
  ),
  rule<Id & { quantity: number; tickets: number; positions: number }>(
    `SELECT r.id, r.quantity, count(a.id) AS tickets FROM registrations r
     LEFT JOIN attendees a ON a.registration_id = r.id GROUP BY r.id
     HAVING count(a.id) <> r.quantity OR max(a.position) <> r.quantity - 1`,
    ({ id, quantity, tickets }) =>
      tickets === quantity
        ? `the tickets of registration ${id} are not numbered without gaps`
        : `registration ${id} has ${tickets} of ${quantity} tickets`,
  ),
  rule<Id & { status: string }>(
    `SELECT a.id, r.status FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.voided = 0 AND r.status IN ('cancelled', 'refunded', 'failed')`,
    ({ id, status }) => `ticket ${id} is not as void as its registration, which is ${status}`,
  ),
  // A registration that is pending or confirmed may have void tickets, but not only void ones.
  rule<Id & { status: string }>(
    `SELECT r.id, r.status FROM registrations r WHERE r.status IN ('pending', 'confirmed')
       AND EXISTS (SELECT 1 FROM attendees a WHERE a.registration_id = r.id AND a.voided = 1)
       AND NOT EXISTS (SELECT 1 FROM attendees a WHERE a.registration_id = r.id AND a.voided = 0)`,
    ({ id, status }) => `registration ${id} is ${status}, and all of its tickets are void`,
  ),
  rule<Id>(
    'SELECT attendee_id AS id FROM check_ins GROUP BY attendee_id HAVING count(*) > 1',
    ({ id }) => `ticket ${id} is checked in more than once`,
  ),
  rule<Id>(
    `SELECT c.id FROM check_ins c JOIN attendees a ON a.id = c.attendee_id
     JOIN registrations r ON r.id = a.registration_id
     WHERE c.event_id <> r.event_id OR c.account_id <> r.account_id`,
    ({ id }) => `check-in ${id} is at another event than its ticket`,
  ),
  rule<Id>(
    `SELECT c.id FROM check_ins c LEFT JOIN scans s ON s.account_id = c.account_id AND s.id = c.scan_id
     WHERE c.scan_id IS NOT NULL AND (s.id IS NULL OR s.outcome <> 'admitted' OR s.attendee_id <> c.attendee_id)
       AND ${ofKeptEvent('c')}`,
    ({ id }) => `check-in ${id} is held by a scan that has not admitted its ticket`,
  ),
  rule<Id>(
    `SELECT s.id FROM scans s LEFT JOIN check_ins c ON c.attendee_id = s.attendee_id AND c.scan_id = s.id
     WHERE s.kind = 'scan' AND s.outcome = 'admitted' AND c.id IS NULL AND ${ofKeptEvent('s')}
       AND NOT EXISTS (SELECT 1 FROM entries n WHERE n.attendee_id = s.attendee_id AND n.scan_id = s.id)`,
    ({ id }) => `scan ${id} has admitted a ticket, and holds no check-in`,
  ),
  rule<Id>(
    `SELECT s.id FROM scans s LEFT JOIN scan_cases k ON k.account_id = s.account_id AND k.id = s.case_id
     WHERE ${ofKeptEvent('s')} AND ((s.outcome IN ('conflict', 'held') AND s.seen_at IS NULL) <> (s.case_id IS NOT NULL)
       OR (s.case_id IS NOT NULL AND (k.id IS NULL OR k.outcome <> s.outcome OR k.event_id <> s.event_id
         OR k.device_id <> coalesce(s.device_id, '') OR k.door <> s.door)))`,
    ({ id }) => `scan ${id} is not of the case that it should be of`,
  ),
  rule<Id & { scans: number; open: number }>(
    `SELECT k.id, k.scans, count(s.id) AS open FROM scan_cases k
     LEFT JOIN scans s ON s.account_id = k.account_id AND s.case_id = k.id
     WHERE ${ofKeptEvent('k')} GROUP BY k.id HAVING k.scans <> count(s.id)`,
    ({ id, scans, open }) => `case ${id} says ${scans} scans, and ${open} are`,
  ),
  rule<Id>(
    `SELECT r.id FROM registrations r JOIN events e ON e.id = r.event_id WHERE r.currency <> e.currency`,
    ({ id }) => `registration ${id} is in another currency than its event`,
  ),
  rule<Id>(
    `SELECT DISTINCT e.id FROM events e JOIN registrations r ON r.event_id = e.id
     WHERE NOT EXISTS (SELECT 1 FROM ticket_keys k WHERE k.event_id = e.id)`,
    ({ id }) => `event ${id} has tickets, and no key that signs them`,
  ),
  rule<Id>(
    `SELECT d.id FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id
     JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE d.type <> v.type OR d.account_id <> v.account_id OR d.account_id <> e.account_id`,
    ({ id }) => `delivery ${id} is not of the type and account of its event and endpoint`,
  ),
  rule<Id & { attempts: number; latest: number }>(
    // Attempts are kept only for a time. None may be later than the delivery says.
    `SELECT d.id, d.attempts, max(a.number) AS latest FROM webhook_deliveries d
     JOIN webhook_attempts a ON a.delivery_id = d.id GROUP BY d.id HAVING max(a.number) > d.attempts`,
    ({ id, attempts, latest }) => `delivery ${id} says ${attempts} attempts, and has number ${latest}`,
  ),
  rule<Id>(
    `SELECT delivery_id AS id FROM webhook_attempts WHERE number IS NOT NULL
     GROUP BY delivery_id, number HAVING count(*) > 1`,
    ({ id }) => `delivery ${id} has two attempts of one number`,
  ),
  rule<Id & { attempts: number; status: string }>(
    `SELECT id, attempts, status FROM webhook_deliveries
     WHERE (status = 'pending' AND attempts > 7) OR (status = 'failed' AND attempts = 0)`,
    ({ id, attempts, status }) => `delivery ${id} is ${status} after ${attempts} attempts`,
  ),
]

/** Returns at most `limit` findings of one rule. */
export async function applyRule(reader: Reader, { sql, say }: Rule<never>, limit: number): Promise<string[]> {
  const rows = await reader.read(INSTANCE, tx => tx.all<never>(`${sql} LIMIT $1`, [limit]))
  return rows.map(row => say(row))
}

export interface TicketRow {
  id: string
  qr_code: string
  /** The id of the event's key. It is null if the key is missing. */
  key_id: string | null
  public_key: string | null
  event_id: string
  answers: string
}

export function walkTickets(reader: Reader): AsyncGenerator<TicketRow[]> {
  return walk(
    reader,
    `SELECT a.id, a.qr_code, k.id AS key_id, k.public_key, r.event_id, a.answers FROM attendees a
     JOIN registrations r ON r.id = a.registration_id LEFT JOIN ticket_keys k ON k.event_id = r.event_id
     WHERE a.id > $1 ORDER BY a.id LIMIT $2`,
    'SELECT octet_length(answers) AS bytes FROM attendees WHERE id > $1 ORDER BY id LIMIT $2',
  )
}

/** Returns the instant of the latest write, or 0 if nothing records it. */
export async function findLatestWrite(tx: InstanceReadTx): Promise<number> {
  const row = await tx.one<{ at: number }>('SELECT latest_write_at AS at FROM instance')
  return row?.at ?? 0
}

export interface EventRow {
  id: string
  type: string
  body: string
  created_at: number
}

export function walkEvents(reader: Reader): AsyncGenerator<EventRow[]> {
  return walk(
    reader,
    'SELECT id, type, body, created_at FROM webhook_events WHERE id > $1 ORDER BY id LIMIT $2',
    'SELECT octet_length(body) AS bytes FROM webhook_events WHERE id > $1 ORDER BY id LIMIT $2',
  )
}

export interface RegistrationRow {
  id: string
  event_id: string
  email: string
  email_key: string
  answers: string
}

export function walkRegistrations(reader: Reader): AsyncGenerator<RegistrationRow[]> {
  return walk(
    reader,
    `SELECT id, event_id, buyer_email AS email, buyer_email_key AS email_key, answers FROM registrations
     WHERE id > $1 ORDER BY id LIMIT $2`,
    'SELECT octet_length(answers) AS bytes FROM registrations WHERE id > $1 ORDER BY id LIMIT $2',
  )
}

export async function isAnswerKey(tx: InstanceReadTx, eventId: string, key: string): Promise<boolean> {
  const row = await tx.one('SELECT 1 FROM answer_keys WHERE event_id = $1 AND key = $2', [eventId, key])
  return row !== undefined
}

/**
 * Reads a table from its first id to its last.
 *
 * @param lengths selects the bytes of the long text in the same rows
 */
function walk<Row extends { id: string }>(
  reader: Reader,
  sql: string,
  lengths?: string,
): AsyncGenerator<Row[]> {
  return inBatches(reader, INSTANCE, BATCH, async (tx, last: Row | undefined, size) => {
    const after = last?.id ?? ''
    const count = lengths === undefined ? size : await countFitting(tx, lengths, [after, size])
    return tx.all(sql, [after, count])
  })
}

async function countFitting(tx: InstanceReadTx, lengths: string, params: readonly Value[]): Promise<number> {
  return countWithin(await tx.all<Length>(lengths, params), bytesOf, BATCH_BYTES)
}

export interface AnswerRow {
  account_id: string
  key: string
  status: number
  body: string
}

/** Reads the kept answers, by their keys. */
export function walkAnswers(reader: Reader): AsyncGenerator<AnswerRow[]> {
  const next = `FROM idempotent_responses WHERE (account_id, idempotency_key) > ($1, $2)
    ORDER BY account_id, idempotency_key LIMIT $3`
  return inBatches(reader, INSTANCE, BATCH, async (tx, last: AnswerRow | undefined, size) => {
    const after = [last?.account_id ?? '', last?.key ?? '']
    const count = await countFitting(tx, `SELECT octet_length(body) AS bytes ${next}`, [...after, size])
    return tx.all(`SELECT account_id, idempotency_key AS key, status, body ${next}`, [...after, count])
  })
}

export async function hasEvent(tx: InstanceReadTx, id: string): Promise<boolean> {
  return (await tx.one('SELECT 1 FROM events WHERE id = $1 AND deleting_at IS NULL', [id])) !== undefined
}

/** Lists the tables of the resources that events and answers contain, by their names in the API. */
const tables = {
  registration: 'registrations',
  check_in: 'check_ins',
  abstract: 'abstracts',
} as const

export type Resource = keyof typeof tables

export function isResource(name: unknown): name is Resource {
  return typeof name === 'string' && Object.hasOwn(tables, name)
}

export async function exists(tx: InstanceReadTx, resource: Resource, id: string): Promise<boolean> {
  return (await tx.one(`SELECT 1 FROM ${tables[resource]} WHERE id = $1`, [id])) !== undefined
}
