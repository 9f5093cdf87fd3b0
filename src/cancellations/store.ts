import { type Page, readPage } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'

/** As much of a registration as says what becomes of it when its event is cancelled. */
export interface EndedRow {
  id: string
  order_id: string | null
  status: string
  created_at: number
}

/** Of an event, newest first: also those that are lines of orders, and those that have ended. */
export function listOfEvent(tx: ReadTx, accountId: string, eventId: string, page: Page): Promise<EndedRow[]> {
  const select = 'SELECT r.id, r.order_id, r.status, r.created_at FROM registrations r'
  return readPage(tx, select, 'r', { account_id: accountId, event_id: eventId }, page)
}
