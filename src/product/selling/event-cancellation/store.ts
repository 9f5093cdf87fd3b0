import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** The fields of a registration that decide what becomes of it when its event is cancelled. */
export interface StatusRow {
  id: string
  order_id: string | null
  status: string
  created_at: number
}

/** Returns the registrations of an event, newest first, including lines of orders and those that have ended. */
export function listOfEvent(tx: ReadTx, eventId: string, page: Page): Promise<StatusRow[]> {
  const select = 'SELECT r.id, r.order_id, r.status, r.created_at FROM registrations r'
  return readPage(tx, select, 'r', { account_id: tx.accountId, event_id: eventId }, page)
}
