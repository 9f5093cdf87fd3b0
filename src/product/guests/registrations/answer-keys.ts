import type { ReadTx, WriteTx } from '../db/port.ts'
import { makeFault, tell } from '../faults.ts'
import { MAX_ANSWER, MAX_ANSWERS } from '../fields.ts'
import { Problem } from '../problem.ts'
import * as store from './answer-key-store.ts'

/** Distinct keys that the answers of an event may have: each is a column of its report. */
export const MAX_ANSWER_KEYS = 500
export const TOO_MANY_KEYS = `must leave the event with at most ${MAX_ANSWER_KEYS} different keys`

/** Characters of the answers of all tickets of a registration: no more than its own may have. */
const MAX_TICKET_ANSWERS = MAX_ANSWERS * MAX_ANSWER

type Answers = Readonly<Record<string, string>> | null | undefined

interface Answered {
  answers?: Answers
  attendees?: readonly { answers?: Answers }[] | null | undefined
}

/** The keys of the answers of a registration and of its tickets, each once. */
export function answerKeysOf({ answers, attendees }: Answered): string[] {
  const keys = Object.keys(answers ?? {})
  if (!attendees?.some(ticket => ticket.answers)) return keys
  return [...new Set([...keys, ...attendees.flatMap(ticket => Object.keys(ticket.answers ?? {}))])]
}

/** Whether the answers of the tickets are more than a read of one registration should hold. */
export function hasLongAnswers({ attendees }: Answered): boolean {
  let length = 0
  for (const { answers } of attendees ?? []) {
    for (const key in answers) length += (answers[key] as string).length
  }
  return length > MAX_TICKET_ANSWERS
}

export const LONG_ANSWERS = makeFault('answersTogether', { max: MAX_TICKET_ANSWERS })

/** @throws Problem invalid_parameter for `attendees` */
export function refuseLongAnswers(answered: Answered): void {
  if (!hasLongAnswers(answered)) return
  throw new Problem('invalid_parameter', { param: 'attendees', message: tell('attendees', LONG_ANSWERS) })
}

/** The keys of all answers that the event has. */
export async function listAnswerKeys(tx: ReadTx, accountId: string, eventId: string): Promise<Set<string>> {
  return new Set(await store.listKeys(tx, accountId, eventId))
}

/**
 * Keeps the keys of answers, in the transaction of their registrations. Known keys cost one look-up, even if the event has
 * more than the limit, as an event of an old database may.
 *
 * @param keys each once
 * @throws Problem invalid_parameter for `answers`, when the event would have too many
 */
export async function registerAnswerKeys(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  keys: readonly string[],
): Promise<void> {
  const unknown = keys.length - (await store.countKnown(tx, accountId, eventId, keys))
  if (unknown === 0) return
  const count = await store.countKeys(tx, accountId, eventId, MAX_ANSWER_KEYS)
  if (count + unknown > MAX_ANSWER_KEYS) {
    throw new Problem('invalid_parameter', { param: 'answers', message: `answers ${TOO_MANY_KEYS}.` })
  }
  const now = await tx.now()
  for (const key of keys) await store.insertKey(tx, accountId, eventId, key, now)
}
