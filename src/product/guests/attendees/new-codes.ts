import type { Position } from '#machinery/db/keyset.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as keys from './key-store.ts'
import { ensureTicketKey } from './rules.ts'
import * as store from './store.ts'
import { encodeTicket } from './ticket-code.ts'

/** One write signs the tickets of this many registrations. */
const BATCH = 500

/**
 * Gives each event that a copy without secrets has left without a key a new one, in all accounts, and gives its tickets new codes
 * signed by it. Codes that were printed before admit nobody here.
 *
 * @returns how many tickets have a new code
 */
export async function renewCodes(db: Pick<Database, 'read' | 'write'>): Promise<number> {
  let renewed = 0
  for (const { id: eventId, account_id: accountId } of await db.read(INSTANCE, keys.listWithoutKey)) {
    const key = await db.write(accountId, tx => ensureTicketKey(tx, eventId))
    for (let after: Position | undefined, isMore = true; isMore; ) {
      const from = after
      const rows = await db.read(accountId, tx => store.listIds(tx, eventId, from, BATCH))
      const codes = rows.flatMap(({ ticket_id: id }) =>
        id === null ? [] : [{ id, code: encodeTicket(key, id) }],
      )
      await db.write(accountId, async tx => {
        const now = await tx.now()
        for (const { id, code } of codes) await store.setCode(tx, id, code, now)
      })
      renewed += codes.length
      after = rows.at(-1)
      isMore = rows.length > 0
    }
  }
  return renewed
}
