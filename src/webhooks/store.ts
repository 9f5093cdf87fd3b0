import type { ReadTx, WriteTx } from '../db/port.ts'

export interface WebhookEventRow {
  id: string
  account_id: string
  type: string
  body: string
  created_at: number
}

export function insertEvent(tx: WriteTx, event: WebhookEventRow): Promise<number> {
  return tx.run(
    'INSERT INTO webhook_events (id, account_id, type, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)',
    [event.id, event.account_id, event.type, event.body, event.created_at],
  )
}

export interface EndpointRow {
  id: string
  account_id: string
  url: string
  /** A JSON array. */
  types: string
  enabled: 0 | 1
  secret: string
  created_at: number
}

/** Oldest first. */
export function listEndpoints(tx: ReadTx, accountId: string): Promise<EndpointRow[]> {
  return tx.all(
    `SELECT w.id, w.account_id, w.url, w.types, w.enabled, w.secret, w.created_at FROM webhook_endpoints w
     WHERE w.account_id = $1 ORDER BY w.created_at, w.id`,
    [accountId],
  )
}

export function insertEndpoint(tx: WriteTx, row: EndpointRow): Promise<number> {
  return tx.run(
    `INSERT INTO webhook_endpoints (id, account_id, url, types, enabled, secret, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [row.id, row.account_id, row.url, row.types, row.enabled, row.secret, row.created_at],
  )
}

export function updateEndpoint(tx: WriteTx, row: EndpointRow, now: number): Promise<number> {
  return tx.run(
    'UPDATE webhook_endpoints SET types = $3, enabled = $4, updated_at = $5 WHERE account_id = $1 AND id = $2',
    [row.account_id, row.id, row.types, row.enabled, now],
  )
}
