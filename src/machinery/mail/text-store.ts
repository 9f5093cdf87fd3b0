import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { MailText, OwnText } from './kind.ts'

export function find(
  tx: ReadTx,
  eventId: string,
  { kind, language }: Pick<OwnText, 'kind' | 'language'>,
): Promise<MailText | undefined> {
  return tx.one(
    `SELECT t.subject, t.body FROM email_texts t
     WHERE t.account_id = $1 AND t.event_id = $2 AND t.kind = $3 AND t.language = $4`,
    [tx.accountId, eventId, kind, language],
  )
}

export function list(tx: ReadTx, eventId: string): Promise<OwnText[]> {
  return tx.all(
    `SELECT t.kind, t.language, t.subject, t.body FROM email_texts t
     WHERE t.account_id = $1 AND t.event_id = $2 ORDER BY t.kind, t.language`,
    [tx.accountId, eventId],
  )
}

export function put(
  tx: WriteTx,
  eventId: string,
  { kind, language, subject, body }: OwnText,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO email_texts (account_id, event_id, kind, language, subject, body, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT (event_id, kind, language) DO UPDATE SET subject = $5, body = $6, updated_at = $7`,
    [tx.accountId, eventId, kind, language, subject, body, now],
  )
}

/** Copies the texts of an event to another one that has none. */
export function copy(tx: WriteTx, fromId: string, toId: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO email_texts (account_id, event_id, kind, language, subject, body, created_at, updated_at)
     SELECT t.account_id, $3, t.kind, t.language, t.subject, t.body, $4, $4 FROM email_texts t
     WHERE t.account_id = $1 AND t.event_id = $2`,
    [tx.accountId, fromId, toId, now],
  )
}

export function remove(
  tx: WriteTx,
  eventId: string,
  { kind, language }: Pick<OwnText, 'kind' | 'language'>,
): Promise<number> {
  return tx.run(
    'DELETE FROM email_texts WHERE account_id = $1 AND event_id = $2 AND kind = $3 AND language = $4',
    [tx.accountId, eventId, kind, language],
  )
}
