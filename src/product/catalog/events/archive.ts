import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { listUnlistedAmong } from './list-store.ts'
import * as rules from './rules.ts'
import type { EventDetails } from './schemas.ts'
import * as store from './store.ts'

/**
 * Takes an event off the dashboard's list, or puts it back. Nothing else changes: its page, its sale and the API stay as they
 * are. An event that is where it should be already stays as it is.
 *
 * @returns the event, and whether it has moved
 * @throws Problem not_found
 */
export async function setArchived(
  tx: WriteTx,
  id: string,
  isArchived: boolean,
): Promise<{ event: EventDetails; hasMoved: boolean }> {
  const event = await rules.getDetails(tx, id)
  if ((event.archived_at !== null) === isArchived) return { event, hasMoved: false }
  const now = await tx.now()
  await store.setArchived(tx, id, isArchived ? now : null, now)
  return { event: await rules.getDetails(tx, id), hasMoved: true }
}

/** Returns those of these events that need nobody, because they are archived or being deleted. */
export async function pickUnlisted(tx: ReadTx, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await listUnlistedAmong(tx, ids)).map(({ id }) => id))
}
