import { randomInt } from 'node:crypto'
import * as v from 'valibot'
import type { WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { says } from '../faults.ts'
import { refuseContradictions, refuseMore, refuseUnknownTypes, rowOf } from './rules.ts'
import { codeKey, MAX_CODE, type NewCode } from './schemas.ts'
import * as store from './store.ts'

/** Codes that are made at once. */
export const MAX_GENERATED = 1_000

/** Neither 0 and O nor 1, I and L: people read them to each other. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
/** Nobody guesses one of some ten to the fourteenth. */
const RANDOM = 10

/** What stands before the random part. */
export const codePrefix = v.pipe(
  v.string(says('string')),
  v.trim(),
  v.regex(/^[A-Za-z0-9_-]{0,20}$/, says('code', { min: 0, max: 20 })),
)

/**
 * Makes as many different codes of `prefix` and ten random letters and digits, all alike otherwise.
 *
 * @returns the codes
 * @throws Problem those of `create`
 */
export async function generate(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  { prefix, count, ...input }: Omit<NewCode, 'code'> & { prefix: string; count: number },
): Promise<string[]> {
  const { id: event_id } = await events.get(tx, accountId, eventId)
  await refuseMore(tx, accountId, event_id, count)
  refuseContradictions(input)
  await refuseUnknownTypes(tx, accountId, event_id, input.registration_type_ids)
  const codes = new Map<string, string>()
  while (codes.size < count) {
    const more = Array.from({ length: count - codes.size }, () => prefix + randomPart(prefix))
    const keys = more.map(codeKey)
    const taken = new Set((await store.listByKeys(tx, accountId, event_id, keys)).map(row => row.code_key))
    for (const code of more) if (!taken.has(codeKey(code))) codes.set(codeKey(code), code)
  }
  const now = await tx.now()
  for (const code of codes.values()) {
    await store.insert(tx, accountId, rowOf(event_id, { ...input, code }), now)
  }
  return [...codes.values()]
}

function randomPart(prefix: string): string {
  const length = Math.min(RANDOM, MAX_CODE - prefix.length)
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
