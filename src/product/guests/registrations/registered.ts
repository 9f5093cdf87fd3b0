import { emailKey } from '#base/fields.ts'
import { wordsOf } from '#base/words.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as store from './registered-store.ts'
import { findNumbers } from './word-store.ts'

/**
 * Returns those of some e-mails that have no ticket of an event: neither bought one that counts, nor hold one.
 *
 * @param keys in the form that is compared
 */
export async function findUnregistered(
  tx: ReadTx,
  eventId: string,
  keys: ReadonlySet<string>,
): Promise<Set<string>> {
  const missing = new Set(keys)
  for (const { key } of await store.listBuyers(tx, eventId, [...missing])) missing.delete(key)
  const { account, event } = await findNumbers(tx, eventId)
  if (event === null || missing.size === 0) return missing
  const found = await store.listByWords(tx, { account, event }, wordsToFind(missing))
  const numbers = new Set(found.map(({ number }) => number))
  for (const { email } of await store.listHolders(tx, [...numbers])) missing.delete(emailKey(email))
  return missing
}

/** Returns a word of each e-mail by which a ticket with it is found: the longest one, which the fewest others have. */
function wordsToFind(keys: ReadonlySet<string>): string[] {
  const longest = [...keys].flatMap(email => {
    const words = [...wordsOf([{ name: null, email }])].sort((one, other) => other.length - one.length)
    return words.slice(0, 1)
  })
  return [...new Set(longest)]
}
