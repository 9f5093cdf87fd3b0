import { createHash } from 'node:crypto'
import { emailKey } from '#base/fields.ts'
import { wordsOf } from '#base/words.ts'
import type { Reader, ValueReader } from '#machinery/db/batches.ts'
import { INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'
import { findMisshapen, findMistyped } from '#machinery/db/values.ts'
import { EVENT_RETENTION } from '#product/administration/webhooks/outbox.ts'
import { decodeTicket, isSignedBy, type TicketCode } from '#product/guests/attendees/ticket-code.ts'
import { forms } from './forms.ts'
import * as store from './store.ts'
import { collect, findWrongSums, MAX_FINDINGS } from './sums.ts'
import * as words from './word-store.ts'

/**
 * Finds damage in the rows of a database. It looks for impossible values, wrong sums, bad tickets, check-ins and deliveries, and
 * events and kept answers whose resource is missing. It reads each sum in one snapshot and the rows in batches. An event may be
 * deleted between two of them, so what seems to be missing is looked up again.
 *
 * @returns a sentence for each fault; none for an undamaged database
 */
export async function findDamage(reader: ValueReader): Promise<string[]> {
  const found = await collect(findMistyped(reader, forms))
  // The other checks rely on the types of the values.
  if (found.length > 0) return found
  // The bodies are read only once, together with their resources.
  found.push(...(await collect(findMisshapen(reader, forms, ['body']))))
  found.push(...(await findWrongSums(reader)))
  for (const look of [findBadTickets, findBadRegistrations, findBadWords])
    found.push(...(await collect(look(reader))))
  const undone = new Set<string>()
  found.push(...(await collect(findBadEvents(reader, undone))))
  found.push(...(await collect(findBadAnswers(reader, undone))))
  return found
}

/**
 * Finds values that no server could work with, each on its own. Whether the values add up is left to `findDamage`, which takes
 * far longer.
 *
 * @returns a sentence for each fault
 */
export async function findUnfit(reader: ValueReader): Promise<string[]> {
  const found = await collect(findMistyped(reader, forms))
  if (found.length > 0) return found
  found.push(...(await store.applyRule(reader, store.oneInstance, MAX_FINDINGS)))
  found.push(...(await collect(findMisshapen(reader, forms))))
  return found
}

/** Finds tickets that no scanner would accept, and answers of tickets for which the reports of the event have no column. */
async function* findBadTickets(reader: Reader): AsyncGenerator<string> {
  for await (const tickets of store.walkTickets(reader)) {
    for (const { id, qr_code, key_id, public_key } of tickets) {
      const code = decodeTicket(qr_code)
      if (code === undefined) yield `ticket ${id} has a malformed code`
      else if (code.ticketId !== id) yield `ticket ${id} has the code of ticket ${code.ticketId}`
      // Another rule reports an event without its key.
      else if (public_key === null) continue
      else if (code.keyId !== key_id || !isSigned(code, public_key)) {
        yield `ticket ${id} has a code that the key of its event has not signed`
      }
    }
    const answering = tickets.filter(({ answers }) => answers !== '{}')
    if (answering.length === 0) continue
    yield* await reader.read(INSTANCE, async tx => {
      const found: string[] = []
      const existing = new Set<string>()
      for (const ticket of answering) {
        if (await lacksKey(tx, ticket, existing))
          found.push(`ticket ${ticket.id} has an answer whose key its event lacks`)
      }
      return found
    })
  }
}

/** Returns whether a key has signed a code. A malformed key has signed nothing. */
function isSigned(code: TicketCode, publicKey: string): boolean {
  try {
    return isSignedBy(code, publicKey)
  } catch {
    return false
  }
}

/** Finds buyers whom no filter would find, and answers for which the reports of the event have no column. */
async function* findBadRegistrations(reader: Reader): AsyncGenerator<string> {
  for await (const registrations of store.walkRegistrations(reader)) {
    yield* await reader.read(INSTANCE, async tx => {
      const found: string[] = []
      const existing = new Set<string>()
      for (const registration of registrations) {
        const { id, email, email_key } = registration
        if (emailKey(email) !== email_key)
          found.push(`registration ${id} cannot be found by its buyer's e-mail`)
        if (await lacksKey(tx, registration, existing))
          found.push(`registration ${id} has an answer whose key its event lacks`)
      }
      return found
    })
  }
}

/**
 * Returns whether the event lacks the key of an answer.
 *
 * @param existing collects the keys that events have, so that each is looked up once
 */
async function lacksKey(
  tx: InstanceReadTx,
  { event_id: eventId, answers }: Pick<store.RegistrationRow, 'event_id' | 'answers'>,
  existing: Set<string>,
): Promise<boolean> {
  for (const key of Object.keys(parseObject(answers) ?? {})) {
    const ofEvent = `${eventId} ${key}`
    if (existing.has(ofEvent)) continue
    // The event may have been deleted since the answers were read.
    if (!(await store.isAnswerKey(tx, eventId, key))) return store.hasEvent(tx, eventId)
    existing.add(ofEvent)
  }
  return false
}

/** Finds registrations that one of their words does not find, or that another's word finds. */
async function* findBadWords(reader: Reader): AsyncGenerator<string> {
  for await (const registrations of words.walkRegistrations(reader)) {
    yield* await reader.read(INSTANCE, async tx => {
      const found: string[] = []
      for (const row of registrations) {
        const expected = wordsOf(await words.listPeople(tx, row))
        let missing = expected.size
        for (const word of expected) if (await words.hasWord(tx, row, word)) missing--
        const isThere = missing > 0 && (await store.exists(tx, 'registration', row.id))
        if (isThere) found.push(`registration ${row.id} is not found by ${missing} of its words`)
      }
      return found
    })
  }
  for await (const rows of words.walkWords(reader)) {
    yield* await reader.read(INSTANCE, async tx => {
      const found: string[] = []
      for (const row of rows) {
        const registration = await words.findRegistration(tx, row)
        if (registration === undefined) {
          const named = { ...row, number: row.registration_number }
          if (await words.hasWord(tx, named, row.word)) found.push('a word is of no registration')
          continue
        }
        if (wordsOf([registration]).has(row.word)) continue
        if (!wordsOf(await words.listPeople(tx, registration)).has(row.word))
          found.push(`registration ${registration.id} is found by a word that it does not have`)
      }
      return found
    })
  }
}

/** Matches the event types that a resource has at most once. */
const ONCE = /^(registration\.created|registration\.cancelled|checkin\.created|checkin\.undone)$/

/**
 * Finds events with a wrong body, a missing resource or a duplicate.
 *
 * @param undone collects the names of the check-ins that were undone, which are rightly missing
 */
async function* findBadEvents(reader: Reader, undone: Set<string>): AsyncGenerator<string> {
  const reported = new Set<string>()
  const missingCheckIns = new Map<string, string>()
  const now = await reader.read(INSTANCE, store.findLatestWrite)
  for await (const events of store.walkEvents(reader)) {
    yield* await reader.read(INSTANCE, async tx => {
      const found: string[] = []
      for (const { id, type, body, created_at } of events) {
        const envelope = parseObject(body)
        const object = asObject(asObject(envelope?.data)?.object)
        if (envelope?.id !== id || envelope.type !== type || object === undefined) {
          found.push(`event ${id} has a body with another id or type`)
          continue
        }
        const missing = await findMissing(tx, object)
        if (missing !== undefined && type === 'checkin.undone') undone.add(missing)
        else if (missing !== undefined && object.object === 'check_in') {
          // An event that waits for a disabled endpoint may outlive the event that reports the undoing of its check-in.
          if (created_at > now - EVENT_RETENTION) missingCheckIns.set(missing, id)
        } else if (missing !== undefined) found.push(`event ${id} names ${missing}, which is missing`)
        if (!ONCE.test(type)) continue
        const what = `${type} of ${object.id}`
        // The digests of a million texts take a fifth of the memory of the texts.
        const digest = createHash('sha256').update(what).digest().toString('latin1')
        if (reported.has(digest)) found.push(`event ${id} is a duplicate: ${what}`)
        reported.add(digest)
      }
      return found
    })
  }
  for (const [missing, id] of missingCheckIns) {
    if (!undone.has(missing)) yield `event ${id} names ${missing}, which is missing`
  }
}

async function* findBadAnswers(reader: Reader, undone: ReadonlySet<string>): AsyncGenerator<string> {
  for await (const answers of store.walkAnswers(reader)) {
    yield* await reader.read(INSTANCE, async tx => {
      const found: string[] = []
      for (const { key, status, body } of answers) {
        const answer = parseObject(body)
        if (answer === undefined || status >= 400 !== (asObject(answer.error) !== undefined)) {
          found.push(`the answer kept for Idempotency-Key ${key} does not fit status ${status}`)
          continue
        }
        const missing = status < 400 ? await findMissing(tx, answer) : undefined
        if (missing === undefined || undone.has(missing)) continue
        found.push(`the answer kept for Idempotency-Key ${key} names ${missing}, which is missing`)
      }
      return found
    })
  }
}

/**
 * Finds whether the resource of an event or answer is missing.
 *
 * @returns the name of the resource if it is missing
 */
async function findMissing(
  tx: InstanceReadTx,
  { object, id, event_id: eventId }: JsonObject,
): Promise<string | undefined> {
  if (!store.isResource(object)) return undefined
  if (typeof id === 'string' && (await store.exists(tx, object, id))) return undefined
  // It was deleted with its event. What is lost without its event has left other rows that point to nothing.
  if (typeof eventId === 'string' && !(await store.hasEvent(tx, eventId))) return undefined
  return `${object} ${id}`
}

type JsonObject = Record<string, unknown>

function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined
}
