import type { WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import * as store from './scan-store.ts'

/** Notes an undo by somebody who has no scanner: in the dashboard or by a command. Its door has no name. */
export async function noteUndo(
  tx: WriteTx,
  accountId: string,
  undo: Pick<store.ScanRow, 'event_id' | 'of_id' | 'attendee_id' | 'note'>,
): Promise<void> {
  const at = tx.clock()
  const made = { kind: 'undo', by_hand: 0, device_at: at, clock_offset: 0, scanned_at: at } as const
  const fate = { shown: null, outcome: 'undone', reason: null } as const
  const row = { ...undo, ...made, ...fate, id: newUuid(), device_id: null, door: '' }
  await store.insert(tx, accountId, row, await tx.now())
}
