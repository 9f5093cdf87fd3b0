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
  kind: KindOfMail,
  mail: NewEmail,
): Promise<boolean> {
  return add(tx, accountId, kind, mail, tx.clock())
}

/** @param due milliseconds of the clock */
async function add(
  tx: WriteTx,
  accountId: string,
  { name, lane }: KindOfMail,
  { cause, recipient, language, eventId = null, subjectId = null, details = {} }: NewEmail,
  due: number,
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
  return (await store.insert(tx, row, due, await tx.now())) > 0
}

/** Things that one mail tells of: more are left out. */
const MOST_GATHERED = 100

/**
 * Writes a mail that tells somebody of several things in one, one thing at a time, as `about` in its details: it waits until
 * `release`, or where that never comes, until an instant. One that was not needed any more is written anew: it was not sent.
 *
 * @param about the id of a thing, which may be told of once more
 * @param until milliseconds of the clock, the same for all of a cause
 * @returns whether somebody gets it who did not
 */
export async function gather(
  tx: WriteTx,
  accountId: string,
  kind: KindOfMail,
  mail: NewEmail,
  { about, until }: { about: string; until: number },
): Promise<boolean> {
  const of = { kind: kind.name, cause: mail.cause, recipient_key: emailKey(mail.recipient) }
  const found = await store.findOfCause(tx, accountId, of)
  if (found === undefined) {
    return add(tx, accountId, kind, { ...mail, details: { ...mail.details, about: [about] } }, until)
  }
  if (found.status === 'withdrawn') {
    const details = JSON.stringify({ ...mail.details, about: [about] })
    return (await store.revive(tx, accountId, found.id, { details, due: until }, await tx.now())) > 0
  }
  if (found.status !== 'waiting') return false
  const details = JSON.parse(found.details) as { about: string[] }
  if (details.about.includes(about) || details.about.length === MOST_GATHERED) return false
  const more = JSON.stringify({ ...details, about: [...details.about, about] })
  await store.setDetails(tx, accountId, found.id, more, await tx.now())
  return false
}

/** Mails that one write has sent. */
const RELEASED = 100

/**
 * Has the next of the mails that were gathered for a cause sent soon.
 *
 * @param after the key of the last one before; empty for the first
 * @returns the key of the last of these; undefined once all are sent
 */
export async function release(
  tx: WriteTx,
  accountId: string,
  { name: kind }: Pick<KindOfMail, 'name'>,
  { cause, after, until }: { cause: string; after: string; until: number },
): Promise<string | undefined> {
  const of = { kind, cause, recipient_key: after }
  const last = (await store.findNth(tx, accountId, of, RELEASED))?.recipient_key
  await store.release(tx, accountId, of, { last, until, due: tx.clock() }, await tx.now())
  return last
}
