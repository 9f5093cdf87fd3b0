import { toIso } from '#base/time.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as begunStore from './begun-store.ts'

/** What was begun and never sent. What somebody has typed is not in it: nobody has sent it. */
export interface Begun {
  submitter_id: string
  name: string
  email: string
  is_confirmed: boolean
  saved_at: string
  position: Position
}

/** Lists what was begun in an event and never sent, the newest first. */
export async function listBegun(tx: ReadTx, eventId: string, page: Page): Promise<Begun[]> {
  const rows = await begunStore.listBegun(tx, eventId, page)
  return rows.map(({ submitter_id, name, email, confirmed_at, updated_at, created_at, id }) => ({
    ...{ submitter_id, name, email },
    is_confirmed: confirmed_at !== null,
    saved_at: toIso(updated_at),
    position: { created_at, id },
  }))
}
