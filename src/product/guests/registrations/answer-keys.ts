import { makeFault, tell } from '#base/faults.ts'
import { MAX_ANSWER, MAX_ANSWERS } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as store from './answer-key-store.ts'

/** The answers of an event may have at most this many distinct keys, because each is a column of its report. */
export const MAX_ANSWER_KEYS = 500
export const TOO_MANY_KEYS = `must leave the event with at most ${MAX_ANSWER_KEYS} different keys`

/** The answers of all tickets of a registration may have this many characters together. Its own answers may have as many. */
const MAX_TICKET_ANSWERS = MAX_ANSWERS * MAX_ANSWER

type Answers = Readonly<Record<string, string>> | null | undefined

interface Answered {
  answers?: Answers
  attendees?: readonly { answers?: Answers }[] | null | undefined
}

/** Returns the distinct keys of the answers of a registration and of its tickets. */
export function answerKeysOf({ answers, attendees }: Answered): string[] {
  const keys = Object.keys(answers ?? {})
  if (!attendees?.some(ticket => ticket.answers)) return keys
  return [...new Set([...keys, ...attendees.flatMap(ticket => Object.keys(ticket.answers ?? {}))])]
}

/** Returns whether the answers of the tickets are more than a read of one registration should hold. */
export function hasLongAnswers({ attendees }: Answered): boolean {
  let length = 0
  for (const { answers } of attendees ?? []) {
    for (const key in answers) length += (answers[key] as string).length
  }
  return length > MAX_TICKET_ANSWERS
}

export const LONG_ANSWERS = makeFault('answersTogether', { max: MAX_TICKET_ANSWERS })

/**
 * Refuses tickets whose answers are too long together.
 *
 * @throws Problem invalid_parameter for `attendees`
 */
export function refuseLongAnswers(answered: Answered): void {
  if (!hasLongAnswers(answered)) return
  throw new Problem('invalid_parameter', { param: 'attendees', message: tell('attendees', LONG_ANSWERS) })
}

/** Returns the keys of all answers of the event. */
export async function listAnswerKeys(tx: ReadTx, eventId: string): Promise<Set<string>> {
  return new Set(await store.listKeys(tx, eventId))
}

/**
 * Keeps the keys of answers in the transaction of their registrations. Known keys cost one look-up, even if the event has more
 * than the limit, which is possible in an old database.
 *
 * @param keys distinct keys
 * @throws Problem invalid_parameter for `answers`, if the event would have too many keys
 */
export async function registerAnswerKeys(
  tx: WriteTx,
  eventId: string,
  keys: readonly string[],
): Promise<void> {
  const unknown = keys.length - (await store.countExisting(tx, eventId, keys))
  if (unknown === 0) return
  await tx.alone()
  const count = await store.countKeys(tx, eventId, MAX_ANSWER_KEYS)
  if (count + unknown > MAX_ANSWER_KEYS) {
    throw new Problem('invalid_parameter', { param: 'answers', message: `answers ${TOO_MANY_KEYS}.` })
  }
  const now = await tx.now()
  for (const key of keys) await store.insertKey(tx, eventId, key, now)
}
