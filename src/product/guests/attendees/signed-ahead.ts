import type { Reader } from '#machinery/db/batches.ts'
import { FoundKeys } from './found-keys.ts'
import * as keyStore from './key-store.ts'
import { type SignedCode, signInThread } from './signing-thread.ts'
import type { TicketKey } from './ticket-code.ts'

/** These codes are valid for this event alone. */
export interface SignedAhead {
  eventId: string
  codes: readonly SignedCode[]
}

/** By account and event. */
const keys = new FoundKeys<TicketKey>()

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
  const key = await keys.get(reader, `${accountId} ${eventId}`, () =>
    reader.read(accountId, tx => keyStore.findKeyOfEvent(tx, eventId)),
  )
  return key && { eventId, codes: await signInThread(key, count) }
}
