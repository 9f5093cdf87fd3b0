import { toIsoOrNull } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as store from './outline-store.ts'
import { type EventDetails, type EventOutline, presentEvent } from './schemas.ts'

/**
 * Reads many events at once, for a page that lists them: of each what a row of a list, and the rules about its sale, need.
 *
 * @returns them by their ids, without ids of which the account has no event
 */
export async function mapOutlines(tx: ReadTx, ids: readonly string[]): Promise<Map<string, EventOutline>> {
  return new Map((await store.listOutlines(tx, ids)).map(row => [row.id, present(row)]))
}

function present(row: store.OutlineRow): EventOutline {
  const { timezone, payment_ways, series_id } = row
  return {
    ...presentEvent(row),
    ...{ timezone, payment_ways, series_id },
    archived_at: toIsoOrNull(row.archived_at),
  } satisfies Partial<EventDetails>
}
