import type { Reader } from '#machinery/db/batches.ts'
import * as keyStore from './key-store.ts'
import { type SignedCode, signInThread } from './signing-thread.ts'
import type { TicketKey } from './ticket-code.ts'

/** These codes are valid for this event alone. */
export interface SignedAhead {
  eventId: string
  codes: readonly SignedCode[]
}

/**
 * Signs the codes of tickets in a thread, before the write that issues them.
 *
 * @returns undefined if the event has no key yet or is not this account's; the write itself decides on it
 */
export async function signAhead(
  reader: Reader,
  accountId: string,
  eventId: string,
  count: number,
): Promise<SignedAhead | undefined> {
  const key = keysOf(reader).get(`${accountId} ${eventId}`) ?? (await findKey(reader, accountId, eventId))
  return key && { eventId, codes: await signInThread(key, count) }
}

async function findKey(reader: Reader, accountId: string, eventId: string): Promise<TicketKey | undefined> {
  const key = await reader.read(accountId, tx => keyStore.findKeyOfEvent(tx, eventId))
  if (key === undefined) return undefined
  const keys = keysOf(reader)
  if (keys.size >= KEPT_KEYS) keys.delete(keys.keys().next().value as string)
  keys.set(`${accountId} ${eventId}`, key)
  return key
}

/** Caches the keys that were found, by account and event, as a key is never changed or deleted. The oldest leave first. */
const foundKeys = new WeakMap<Reader, Map<string, TicketKey>>()
const KEPT_KEYS = 1000

function keysOf(reader: Reader): Map<string, TicketKey> {
  let keys = foundKeys.get(reader)
  if (keys === undefined) {
    keys = new Map()
    foundKeys.set(reader, keys)
  }
  return keys
}
