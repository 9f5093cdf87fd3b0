import { isDeepStrictEqual } from 'node:util'
import SqliteConnection from 'better-sqlite3'
import type { Answer } from './client.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and envelopes are compared as the JSON that they are
type Json = any

/**
 * What is half there in a database of which every write came with an Idempotency-Key: a change without its tickets, its
 * event, its idempotent answer or its access log entry, one of these without the change, a sum that does not add up.
 * Registrations of an organization file have tickets and sums, and nothing else.
 *
 * @returns a sentence for each; none is a whole database
 */
export function findDamage(path: string): string[] {
  return inspect(path, rows => [
    ...damageOfFile(rows),
    ...damageOfSums(rows),
    ...damageOfTickets(rows),
    ...damageOfRecords(rows),
  ])
}

/** What the database does not have of the imports that were acknowledged with a 201, by idempotency key. */
export function findLoss(path: string, acknowledged: ReadonlyMap<string, Answer>): string[] {
  return inspect(path, rows => {
    const registrations = new Set(rows('SELECT id FROM registrations').map(({ id }) => id))
    const kept = new Map(
      rows('SELECT idempotency_key, body FROM idempotent_responses').map(row => [
        row.idempotency_key,
        row.body,
      ]),
    )
    const tickets = groupBy(
      rows('SELECT registration_id, id, qr_code FROM attendees ORDER BY position'),
      ({ registration_id }) => registration_id,
    )
    const events = new Map(
      rows("SELECT body FROM webhook_events WHERE type = 'registration.created'")
        .map(({ body }) => JSON.parse(body).data.object)
        .map(object => [object.id, object]),
    )
    const losses: string[] = []
    for (const [key, { text, body }] of acknowledged) {
      const lost = (what: string) => losses.push(`${key}: ${what} is lost`)
      const issued = body.attendees.map(({ id, qr_code }: Json) => ({
        registration_id: body.id,
        id,
        qr_code,
      }))
      if (!registrations.has(body.id)) lost('the registration')
      if (kept.get(key) !== text) lost('the idempotent answer')
      if (!isDeepStrictEqual(tickets.get(body.id), issued)) lost('a ticket')
      if (!isDeepStrictEqual(events.get(body.id), body)) lost('the event')
    }
    return losses
  })
}

type Query = (sql: string) => Json[]

function inspect(path: string, look: (rows: Query) => string[]): string[] {
  const connection = new SqliteConnection(path, { readonly: true })
  try {
    return connection.transaction(() => look(sql => connection.prepare(sql).all()))()
  } finally {
    connection.close()
  }
}

function damageOfFile(rows: Query): string[] {
  const integrity = rows('PRAGMA integrity_check').map(row => row.integrity_check)
  const orphans = rows('PRAGMA foreign_key_check').map(({ table, parent }) => `${table} lacks its ${parent}`)
  return [...integrity.filter(text => text !== 'ok'), ...orphans]
}

function damageOfSums(rows: Query): string[] {
  return rows(
    `SELECT t.name, t.sold, coalesce(sum(r.quantity), 0) AS taken FROM registration_types t
     LEFT JOIN registrations r ON r.registration_type_id = t.id AND r.status IN ('pending', 'confirmed')
     GROUP BY t.id HAVING t.sold <> taken`,
  ).map(({ name, sold, taken }) => `${name} says ${sold} sold, and ${taken} are`)
}

function damageOfTickets(rows: Query): string[] {
  const uneven = rows(
    `SELECT r.id, r.quantity, count(a.id) AS tickets FROM registrations r
     LEFT JOIN attendees a ON a.registration_id = r.id GROUP BY r.id
     HAVING tickets <> r.quantity OR max(a.position) <> r.quantity - 1`,
  ).map(({ id, quantity, tickets }) => `registration ${id} has ${tickets} of ${quantity} tickets`)
  const voided = rows(
    `SELECT a.id FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.voided <> (r.status IN ('cancelled', 'refunded', 'failed'))`,
  ).map(({ id }) => `ticket ${id} is not as void as its registration`)
  return [...uneven, ...voided]
}

/** Each change has one event, one kept answer and one access log entry, and each of these has its change. */
function damageOfRecords(rows: Query): string[] {
  const made = rows('SELECT id FROM registrations WHERE reference = id')
  const cancelled = rows("SELECT id FROM registrations WHERE reference = id AND status = 'cancelled'")
  const admitted = rows("SELECT id, attendee_id FROM check_ins WHERE source = 'api'")
  const events = rows('SELECT type, body FROM webhook_events').map(
    ({ type, body }) => `${type} ${JSON.parse(body).data.object.id}`,
  )
  const answers = rows('SELECT body FROM idempotent_responses WHERE status < 300')
    .map(({ body }) => JSON.parse(body))
    .map(({ object, status, id }) => `${object} ${status ?? ''} ${id}`)
  const entries = rows("SELECT action, target_id, details FROM access_log WHERE actor LIKE 'key:%'")
    .filter(({ details }) => JSON.parse(details).status < 300)
    .map(({ action, target_id }) => `${action} ${target_id}`)
  return [
    ...compare('event', events, [
      ...made.map(({ id }) => `registration.created ${id}`),
      ...cancelled.map(({ id }) => `registration.cancelled ${id}`),
      ...admitted.map(({ id }) => `checkin.created ${id}`),
    ]),
    ...compare('idempotent answer', answers, [
      ...made.map(({ id }) => `registration confirmed ${id}`),
      ...cancelled.map(({ id }) => `registration cancelled ${id}`),
      ...admitted.map(({ id }) => `check_in  ${id}`),
    ]),
    ...compare('access log entry', entries, [
      ...made.map(({ id }) => `registration.create ${id}`),
      ...cancelled.map(({ id }) => `registration.cancel ${id}`),
      ...admitted.map(({ attendee_id }) => `check_in.create ${attendee_id}`),
    ]),
  ]
}

function compare(what: string, found: string[], expected: string[]): string[] {
  const counts = new Map<string, number>()
  for (const one of expected) counts.set(one, (counts.get(one) ?? 0) - 1)
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([one, count]) => `${count < 0 ? 'no' : 'one too many'} ${what}: ${one}`)
}

function groupBy<Row>(rows: Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}
