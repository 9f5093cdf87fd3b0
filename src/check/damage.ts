import { decodeTicket, isSignedBy } from '../attendees/ticket-code.ts'
import type { ReadTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import * as store from './store.ts'

/** Findings of one rule that are told: more of them say no more. */
const MOST = 100
const MORE = 'there may be more of this kind'

/**
 * Looks for what does not add up in the rows of a database: sums, tickets, check-ins, deliveries, and what events and kept
 * answers tell of.
 *
 * @returns a sentence for each; none is a whole database
 */
export async function findDamage(tx: ReadTx): Promise<string[]> {
  const found: string[] = []
  for (const rule of store.rules) {
    const sentences = await store.applyRule(tx, rule, MOST)
    found.push(...sentences)
    if (sentences.length === MOST) found.push(MORE)
  }
  for (const look of [findBadTickets, findBadBuyers, findBadEvents, findBadAnswers]) {
    let count = 0
    for await (const sentence of look(tx)) {
      found.push(sentence)
      if (++count < MOST) continue
      found.push(MORE)
      break
    }
  }
  return found
}

/** A ticket that no scanner would take. */
async function* findBadTickets(tx: ReadTx): AsyncGenerator<string> {
  for await (const { id, qr_code, key_id, public_key } of store.walkTickets(tx)) {
    const code = decodeTicket(qr_code)
    if (code === undefined) yield `the code of ticket ${id} is none`
    else if (code.ticketId !== id) yield `the code of ticket ${id} is that of ticket ${code.ticketId}`
    // An event without its key was told of.
    else if (public_key === null) continue
    else if (code.keyId !== key_id || !isSignedBy(code, public_key)) {
      yield `the code of ticket ${id} is not signed by the key of its event`
    }
  }
}

async function* findBadBuyers(tx: ReadTx): AsyncGenerator<string> {
  for await (const { id, email, key, answers } of store.walkBuyers(tx)) {
    if (emailKey(email) !== key) yield `registration ${id} cannot be found by its buyer's e-mail`
    if (parseObject(answers) === undefined) yield `the answers of registration ${id} are no JSON object`
  }
}

/** Types of which a resource has one event at most. */
const ONCE = /^(registration\.created|registration\.cancelled|checkin\.created)$/

async function* findBadEvents(tx: ReadTx): AsyncGenerator<string> {
  const told = new Set<string>()
  for await (const { id, type, body } of store.walkEvents(tx)) {
    const envelope = parseObject(body)
    const object = asObject(asObject(envelope?.data)?.object)
    if (envelope?.id !== id || envelope.type !== type || object === undefined) {
      yield `the body of event ${id} is not that of an event of its id and type`
      continue
    }
    const missing = await findMissing(tx, object)
    if (missing !== undefined) yield `event ${id} tells of ${missing}, which is missing`
    if (!ONCE.test(type)) continue
    const what = `${type} of ${object.id}`
    if (told.has(what)) yield `event ${id} is one too many: ${what}`
    told.add(what)
  }
}

async function* findBadAnswers(tx: ReadTx): AsyncGenerator<string> {
  for await (const { key, status, body } of store.walkAnswers(tx)) {
    const answer = parseObject(body)
    if (answer === undefined || status >= 400 !== (asObject(answer.error) !== undefined)) {
      yield `the answer kept for Idempotency-Key ${key} is none of status ${status}`
      continue
    }
    const missing = status < 400 ? await findMissing(tx, answer) : undefined
    if (missing !== undefined)
      yield `the answer kept for Idempotency-Key ${key} tells of ${missing}, which is missing`
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
