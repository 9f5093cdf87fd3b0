import { toIso } from '#base/time.ts'
import type { AccessLogRow } from './store.ts'

export interface AccessLogEntry {
  at: string
  actor: string
  action: string
  target_type: string
  target_id: string | null
  request_id: string | null
  address: string | null
  details: Record<string, unknown>
}

export function presentEntry(row: AccessLogRow): AccessLogEntry {
  return {
    at: toIso(row.created_at),
    actor: row.actor,
    action: row.action,
    target_type: row.target_type,
    target_id: row.target_id,
    request_id: row.request_id,
    address: row.address,
    details: JSON.parse(row.details) as Record<string, unknown>,
  }
}
