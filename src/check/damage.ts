import { createHash } from 'node:crypto'
import { decodeTicket, isSignedBy, type TicketCode } from '../attendees/ticket-code.ts'
import type { Reader } from '../db/batches.ts'
import type { ReadTx } from '../db/port.ts'
import { findMisshapen, findMistyped } from '../db/sqlite/values.ts'
import { emailKey } from '../fields.ts'
import { wordsOf } from '../words.ts'
import { forms } from './forms.ts'
import * as store from './store.ts'
import * as words from './word-store.ts'

/** Findings of one rule that are told: more of them say no more. */
const MOST = 100
const MORE = 'there may be more of this kind'

/**
 * Looks for what does not add up in the rows of a database: values that are none, sums, tickets, check-ins, deliveries, and
 * what events and kept answers tell of. Each sum is one snapshot, and of the rows each batch: what they tell of is never
 * deleted.
 *
 * @returns a sentence for each; none is a whole database
 */
export async function findDamage(reader: Reader): Promise<string[]> {
  const found = await collect(findMistyped(reader, forms))
  // What looks further takes the types of the values for granted.
  if (found.length > 0) return found
  // The bodies are read once, with what they tell of.
  found.push(...(await collect(findMisshapen(reader, forms, ['body']))))
  for (const rule of store.rules) {
    const sentences = await store.applyRule(reader, rule, MOST)
    found.push(...sentences)
    if (sentences.length === MOST) found.push(MORE)
  }
  for (const look of [findBadTickets, findBadRegistrations, findBadWords, findBadEvents, findBadAnswers]) {
    found.push(...(await collect(look(reader))))
  }
  return found
}

/**
 * Looks for what a server could not work with, in each value by itself: whether they add up is for `findDamage`, which takes
 * far longer.
 *
 * @returns a sentence for each
 */
export async function findUnfit(reader: Reader): Promise<string[]> {
  const found = await collect(findMistyped(reader, forms))
  if (found.length > 0) return found
  found.push(...(await store.applyRule(reader, store.oneInstance, MOST)))
  found.push(...(await collect(findMisshapen(reader, forms))))
  return found
}

async function collect(sentences: AsyncGenerator<string>): Promise<string[]> {
  const found: string[] = []
  for await (const sentence of sentences) {
    found.push(sentence)
    if (found.length < MOST) continue
    found.push(MORE)
    break
  }
  return found
}

/** A ticket that no scanner would take. */
async function* findBadTickets(reader: Reader): AsyncGenerator<string> {
  for await (const tickets of store.walkTickets(reader)) {
    for (const { id, qr_code, key_id, public_key } of tickets) {
      const code = decodeTicket(qr_code)
      if (code === undefined) yield `the code of ticket ${id} is none`
      else if (code.ticketId !== id) yield `the code of ticket ${id} is that of ticket ${code.ticketId}`
      // An event without its key was told of.
      else if (public_key === null) continue
      else if (code.keyId !== key_id || !isSigned(code, public_key)) {
        yield `the code of ticket ${id} is not signed by the key of its event`
      }
    }
  }
}

/** A key that is none has signed nothing. */
function isSigned(code: TicketCode, publicKey: string): boolean {
  try {
    return isSignedBy(code, publicKey)
  } catch {
    return false
  }
}

/** A buyer whom no filter would find, or an answer that the reports of its event have no column for. */
async function* findBadRegistrations(reader: Reader): AsyncGenerator<string> {
  for await (const registrations of store.walkRegistrations(reader)) {
    yield* await reader.read(async tx => {
      const found: string[] = []
      const known = new Set<string>()
      for (const { id, event_id: eventId, email, email_key, answers } of registrations) {
        if (emailKey(email) !== email_key)
          found.push(`registration ${id} cannot be found by its buyer's e-mail`)
        for (const key of Object.keys(parseObject(answers) ?? {})) {
          const ofEvent = `${eventId} ${key}`
          if (known.has(ofEvent)) continue
          if (!(await store.isAnswerKey(tx, eventId, key))) {
            found.push(`registration ${id} has an answer whose key its event lacks`)
            break
          }
          known.add(ofEvent)
        }
      }
      return found
    })
  }
}

/** A registration that is not found by one of its words, or by another's. */
async function* findBadWords(reader: Reader): AsyncGenerator<string> {
  for await (const registrations of words.walkRegistrations(reader)) {
    yield* await reader.read(async tx => {
      const found: string[] = []
      for (const row of registrations) {
        const expected = wordsOf(await words.listPeople(tx, row))
        let missing = expected.size
        for (const word of expected) if (await words.hasWord(tx, row, word)) missing--
        if (missing > 0) found.push(`registration ${row.id} is not found by ${missing} of its words`)
      }
      return found
    })
  }
  for await (const rows of words.walkWords(reader)) {
    yield* await reader.read(async tx => {
      const found: string[] = []
      for (const row of rows) {
        const registration = await words.findRegistration(tx, row)
        if (registration === undefined) found.push('a word is of no registration')
        else if (wordsOf([registration]).has(row.word)) continue
        else if (!wordsOf(await words.listPeople(tx, registration)).has(row.word))
          found.push(`registration ${registration.id} is found by a word that it does not have`)
      }
      return found
    })
  }
}

/** Types of which a resource has one event at most. */
const ONCE = /^(registration\.created|registration\.cancelled|checkin\.created)$/

async function* findBadEvents(reader: Reader): AsyncGenerator<string> {
  const told = new Set<string>()
  for await (const events of store.walkEvents(reader)) {
    yield* await reader.read(async tx => {
      const found: string[] = []
      for (const { id, type, body } of events) {
        const envelope = parseObject(body)
        const object = asObject(asObject(envelope?.data)?.object)
        if (envelope?.id !== id || envelope.type !== type || object === undefined) {
          found.push(`the body of event ${id} is not that of an event of its id and type`)
          continue
        }
        const missing = await findMissing(tx, object)
        if (missing !== undefined) found.push(`event ${id} tells of ${missing}, which is missing`)
        if (!ONCE.test(type)) continue
        const what = `${type} of ${object.id}`
        // Of a million texts the digests alone take a fifth of the memory.
        const digest = createHash('sha256').update(what).digest().toString('latin1')
        if (told.has(digest)) found.push(`event ${id} is one too many: ${what}`)
        told.add(digest)
      }
      return found
    })
  }
}

async function* findBadAnswers(reader: Reader): AsyncGenerator<string> {
  for await (const answers of store.walkAnswers(reader)) {
    yield* await reader.read(async tx => {
      const found: string[] = []
      for (const { key, status, body } of answers) {
        const answer = parseObject(body)
        if (answer === undefined || status >= 400 !== (asObject(answer.error) !== undefined)) {
          found.push(`the answer kept for Idempotency-Key ${key} is none of status ${status}`)
          continue
        }
        const missing = status < 400 ? await findMissing(tx, answer) : undefined
        if (missing === undefined) continue
        found.push(`the answer kept for Idempotency-Key ${key} tells of ${missing}, which is missing`)
      }
      return found
    })
  }
}

/** @returns what is said of the resource when it is not there */
async function findMissing(tx: ReadTx, { object, id }: JsonObject): Promise<string | undefined> {
  if (!store.isResource(object)) return undefined
  if (typeof id === 'string' && (await store.exists(tx, object, id))) return undefined
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
