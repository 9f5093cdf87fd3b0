import { newUuid } from '#base/ids.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { keep } from './scan-filing.ts'
import type { ScanRow } from './scan-store.ts'

/** Notes an undo by somebody who has no scanner, in the dashboard or by a command. Its door has no name. */
export async function noteUndo(
  tx: WriteTx,
  undo: Pick<ScanRow, 'event_id' | 'of_id' | 'attendee_id' | 'note'>,
): Promise<void> {
  const at = tx.clock()
  const made = { kind: 'undo', by_hand: 0, device_at: at, clock_offset: 0, scanned_at: at } as const
  const fate = { shown: null, outcome: 'undone', reason: null } as const
  const row = { ...undo, ...made, ...fate, id: newUuid(), device_id: null, door: '' }
  await keep(tx, row)
}
