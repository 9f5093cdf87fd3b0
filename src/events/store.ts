import { type Page, readPage } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import type { eventStatuses, eventVisibilities } from './schemas.ts'

export interface EventRow {
  id: string
  account_id: string
  slug: string
  title: string
  starts_at: number | null
  ends_at: number | null
  timezone: string
  venue: string | null
  city: string | null
  currency: string
  status: (typeof eventStatuses)[number]
  visibility: (typeof eventVisibilities)[number] | null
  requires_approval: 0 | 1
  created_at: number
}

const SELECT = `SELECT e.id, e.account_id, e.slug, e.title, e.starts_at, e.ends_at, e.timezone, e.venue, e.city, e.currency,
  e.status, e.visibility, e.requires_approval, e.created_at FROM events e`

export function find(tx: ReadTx, accountId: string, id: string): Promise<EventRow | undefined> {
  return tx.one(`${SELECT} WHERE e.account_id = $1 AND e.id = $2`, [accountId, id])
}

export function listPage(tx: ReadTx, accountId: string, page: Page): Promise<EventRow[]> {
  return readPage(tx, SELECT, 'e', { account_id: accountId }, page)
}
