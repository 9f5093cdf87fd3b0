import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './client.ts'
import { damageOf } from './engine.ts'
import { type Rows, withRows } from './rows.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and envelopes are compared as the JSON that they are
type Json = any

/**
 * Finds what is half there in a database of which every write came with an Idempotency-Key: what `turnout check` finds, and a
 * change without its event, its idempotent answer or its access log entry, or one of these without the change. Registrations of an
 * organization file have tickets and sums, and nothing else.
 *
 * @returns a sentence for each; none is a whole database
 */
export async function findDamage(data: string): Promise<string[]> {
  return [...(await damageOf(data)), ...(await inspect(data, damageOfRecords))]
}

/** Returns what the database lacks of the imports that were acknowledged with a 201, by idempotency key. */
export function findLoss(data: string, acknowledged: ReadonlyMap<string, Answer>): Promise<string[]> {
  return inspect(data, async rows => {
    const registrations = new Set((await rows('SELECT id FROM registrations')).map(({ id }) => id))
    const kept = new Map(
      (await rows('SELECT idempotency_key, body FROM idempotent_responses')).map(row => [
        row.idempotency_key,
        row.body,
      ]),
    )
    const tickets = groupBy(
      await rows('SELECT registration_id, id, qr_code FROM attendees ORDER BY position'),
      ({ registration_id }) => registration_id,
    )
    const events = new Map(
      (await rows("SELECT body FROM webhook_events WHERE type = 'registration.created'"))
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

type Query = (sql: string) => Promise<Json[]>

function inspect(data: string, look: (rows: Query) => Promise<string[]>): Promise<string[]> {
  return withRows(data, (rows: Rows) => rows.transaction(() => look(sql => rows.all<Json>(sql))))
}

/** Each change has one event, one kept answer and one access log entry, and each of these has its change. */
async function damageOfRecords(rows: Query): Promise<string[]> {
  const made = await rows('SELECT id FROM registrations WHERE reference = id')
  const cancelled = await rows("SELECT id FROM registrations WHERE reference = id AND status = 'cancelled'")
  const admitted = await rows("SELECT id, attendee_id FROM check_ins WHERE source = 'api'")
  const events = (await rows('SELECT type, body FROM webhook_events')).map(
    ({ type, body }) => `${type} ${JSON.parse(body).data.object.id}`,
  )
  const answers = (await rows('SELECT body FROM idempotent_responses WHERE status < 300'))
    .map(({ body }) => JSON.parse(body))
    .map(({ object, status, id }) => `${object} ${status ?? ''} ${id}`)
  const entries = (await rows("SELECT action, target_id, details FROM access_log WHERE actor LIKE 'key:%'"))
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
