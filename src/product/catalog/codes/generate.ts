import { randomInt } from 'node:crypto'
import * as v from 'valibot'
import { says } from '#base/faults.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { refuseContradictions, refuseMore, rowOf } from './rules.ts'
import { codeKey, MAX_CODE, type NewCode } from './schemas.ts'
import * as store from './store.ts'

/** The most codes that are made at once. */
export const MAX_GENERATED = 1_000

/** The letters leave out 0 and O, and 1, I and L, because people read codes to each other. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
/** Nobody can guess a code among some ten to the fourteenth. */
const RANDOM = 10

/** The text before the random part. */
export const codePrefix = v.pipe(
  v.string(says('string')),
  v.trim(),
  v.regex(/^[A-Za-z0-9_-]{0,20}$/, says('code', { min: 0, max: 20 })),
)

/**
 * Makes different codes of `prefix` and ten random letters and digits, which are all alike otherwise.
 *
 * @returns the codes
 * @throws Problem the ones of `create`
 */
export async function generate(
  tx: WriteTx,
  eventId: string,
  { prefix, count, ...input }: Omit<NewCode, 'code'> & { prefix: string; count: number },
): Promise<string[]> {
  const { id: event_id } = await events.get(tx, eventId)
  await refuseMore(tx, event_id, count)
  refuseContradictions(input)
  await registrationTypes.refuseUnknown(tx, event_id, input.registration_type_ids)
  const codes = new Map<string, string>()
  while (codes.size < count) {
    const more = Array.from({ length: count - codes.size }, () => prefix + randomPart(prefix))
    const keys = more.map(codeKey)
    const taken = new Set((await store.listByKeys(tx, event_id, keys)).map(row => row.code_key))
    for (const code of more) if (!taken.has(codeKey(code))) codes.set(codeKey(code), code)
  }
  const now = await tx.now()
  for (const code of codes.values()) {
    await store.insert(tx, rowOf(event_id, { ...input, code }), now)
  }
  return [...codes.values()]
}

function randomPart(prefix: string): string {
  const length = Math.min(RANDOM, MAX_CODE - prefix.length)
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
