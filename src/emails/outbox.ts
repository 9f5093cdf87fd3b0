import type { WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { newUuid } from '../ids.ts'
import type { Language } from '../web/texts/languages.ts'
import type { KindOfMail } from './kind.ts'
import { lanes } from './schemas.ts'
import * as store from './store.ts'

/** A mail to one recipient. */
export interface NewEmail {
  /** What sets it off: of one cause, nobody gets a kind twice. */
  cause: string
  recipient: string
  language: Language
  eventId?: string | null
  /** What it is about: a registration, an abstract, a member. */
  subjectId?: string | null
  /** What no other table keeps. A secret in it is forgotten once the mail has ended. */
  details?: object
}

/**
 * Writes a mail to the outbox, in the transaction of what sets it off: a crash leaves both or neither. It is sent soon, and said
 * once: the same cause again adds nothing.
 *
 * @returns whether it was added
 */
export async function queue(
  tx: WriteTx,
  accountId: string,
  { name, lane }: KindOfMail,
  { cause, recipient, language, eventId = null, subjectId = null, details = {} }: NewEmail,
): Promise<boolean> {
  const row: store.NewRow = {
    id: newUuid(),
    account_id: accountId,
    event_id: eventId,
    kind: name,
    cause,
    subject_id: subjectId,
    recipient,
    recipient_key: emailKey(recipient),
    language,
    details: JSON.stringify(details),
    lane: lanes[lane],
  }
  return (await store.insert(tx, row, tx.clock(), await tx.now())) > 0
}
