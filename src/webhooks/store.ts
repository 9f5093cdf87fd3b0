import type { WriteTx } from '../db/port.ts'

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
