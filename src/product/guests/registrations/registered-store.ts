import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** Lists those of these e-mails, in the form that is compared, that have bought a ticket of an event which counts. */
export function listBuyers(tx: ReadTx, eventId: string, keys: readonly string[]): Promise<{ key: string }[]> {
  return readInList(
    tx,
    keys,
    [tx.accountId, eventId],
    list => `SELECT DISTINCT r.buyer_email_key AS key FROM registrations r
       WHERE r.account_id = $1 AND r.event_id = $2 AND r.buyer_email_key IN ${list} AND r.status = 'confirmed'`,
  )
}

/** Lists the registrations of an event that have one of these words: one that has several of them more than once. */
export function listByWords(
  tx: ReadTx,
  { account, event }: { account: number; event: number },
  words: readonly string[],
): Promise<{ number: number }[]> {
  return readInList(
    tx,
    words,
    [account, event],
    list => `SELECT w.registration_number AS number FROM registration_words w
       WHERE w.account_number = $1 AND w.event_number = $2 AND w.word IN ${list}`,
  )
}

/** Lists the e-mails of the tickets of these registrations that count. */
export function listHolders(tx: ReadTx, numbers: readonly number[]): Promise<{ email: string }[]> {
  return readInList(
    tx,
    numbers,
    [tx.accountId],
    list => `SELECT a.email FROM registrations r JOIN attendees a ON a.registration_id = r.id
       WHERE r.account_id = $1 AND r.number IN ${list} AND r.status = 'confirmed' AND a.voided = 0 AND a.email IS NOT NULL`,
  )
}
