import type { WriteTx } from '../db/port.ts'
import { admit, refusalOf } from './admission.ts'
import * as store from './scan-store.ts'
import { findTicket } from './store.ts'

/**
 * Of a ticket whose check-in was taken back, the oldest admission that still stands at a door takes its place: its guest is
 * inside. The ticket has a new check-in then, which is told of. Scans of a door that may not admit the ticket stand for nobody.
 */
export async function admitOldestStanding(tx: WriteTx, accountId: string, attendeeId: string): Promise<void> {
  const standing = await store.listStanding(tx, accountId, attendeeId)
  const ticket = standing.length === 0 ? undefined : await findTicket(tx, accountId, attendeeId)
  const next =
    ticket &&
    standing.find(
      ({ event_id, reason, scanned_at }) =>
        event_id === ticket.event_id &&
        reason !== 'wrong_door' &&
        refusalOf(ticket, scanned_at) === undefined,
    )
  if (ticket === undefined || next === undefined) return
  const { id: scanId, scanned_at: at } = next
  await admit(tx, accountId, ticket, { source: 'scanner', at, scanId })
  const fate = { shown: next.shown, outcome: 'admitted', reason: null } as const
  await store.setFate(tx, accountId, scanId, fate, await tx.now())
}
