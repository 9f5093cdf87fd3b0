import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'
import type { KindOfMail } from './kind.ts'
import { lanes } from './schemas.ts'
import * as store from './store.ts'

/** A mail to one recipient. */
export interface NewEmail {
  /** The cause that sets it off. Nobody gets the same kind twice for one cause. */
  cause: string
  recipient: string
  language: Language
  eventId?: string | null
  /** The subject of the mail: a registration, an abstract, a member. */
  subjectId?: string | null
  /** Milliseconds of the clock. Without it, the mail is sent soon. */
  due?: number | undefined
  /** The data that no other table keeps. A secret in it is forgotten once the mail has ended. */
  details?: object
}

/**
 * Writes a mail to the outbox, in the transaction that sets it off, so a crash leaves both or neither. The mail is sent soon, and
 * only once: the same cause adds nothing the second time.
 *
 * @returns whether it was added
 */
export async function queue(tx: WriteTx, kind: KindOfMail, mail: NewEmail): Promise<boolean> {
  return add(tx, kind, mail, mail.due ?? tx.clock())
}

/** Adds a mail. @param due milliseconds of the clock */
async function add(
  tx: WriteTx,
  { name, lane }: KindOfMail,
  { cause, recipient, language, eventId = null, subjectId = null, details = {} }: NewEmail,
  due: number,
): Promise<boolean> {
  const row: store.NewRow = {
    id: newUuid(),
    account_id: tx.accountId,
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

/** The most things that one mail reports. It leaves out more. */
const MOST_GATHERED = 100

/**
 * Writes a mail that tells somebody about several things together. Each call adds one thing, as `about` in the details. The mail
 * waits until `release`, or until an instant if that never comes. A mail that was withdrawn was not sent, so it is written anew.
 *
 * @param about the id of a thing, which a later mail may report again
 * @param until milliseconds of the clock, the same for all mails of a cause
 * @returns whether somebody gets a mail who did not get one before
 */
export async function gather(
  tx: WriteTx,
  kind: KindOfMail,
  mail: NewEmail,
  { about, until }: { about: string; until: number },
): Promise<boolean> {
  const of = { kind: kind.name, cause: mail.cause, recipient_key: emailKey(mail.recipient) }
  const found = await store.findOfCause(tx, of)
  if (found === undefined) {
    return add(tx, kind, { ...mail, details: { ...mail.details, about: [about] } }, until)
  }
  if (found.status === 'withdrawn') {
    const details = JSON.stringify({ ...mail.details, about: [about] })
    return (await store.revive(tx, found.id, { details, due: until }, await tx.now())) > 0
  }
  if (found.status !== 'waiting') return false
  const details = JSON.parse(found.details) as { about: string[] }
  if (details.about.includes(about) || details.about.length === MOST_GATHERED) return false
  const more = JSON.stringify({ ...details, about: [...details.about, about] })
  await store.setDetails(tx, found.id, more, await tx.now())
  return false
}

/**
 * Makes the newest mail that somebody was to get about something wait again, of these kinds, if it was withdrawn: it was not sent,
 * as there was nothing to say then.
 *
 * @returns whether it waits again
 */
export async function reviveNewest(
  tx: WriteTx,
  kinds: readonly KindOfMail[],
  { subjectId, recipient, details }: { subjectId: string; recipient: string; details: object },
): Promise<boolean> {
  const rows = await store.listAbout(tx, { subject_id: subjectId, recipient_key: emailKey(recipient) })
  const [newest] = rows
    .filter(({ kind }) => kinds.some(({ name }) => name === kind))
    .sort((one, other) => other.created_at - one.created_at || (one.id < other.id ? 1 : -1))
  if (newest?.status !== 'withdrawn') return false
  const again = { details: JSON.stringify(details), due: tx.clock() }
  return (await store.revive(tx, newest.id, again, await tx.now())) > 0
}

/** The most mails that one write releases. */
const RELEASED = 100

/**
 * Makes the next of the mails that were gathered for a cause due soon.
 *
 * @param after the key of the last recipient before, or empty for the first call
 * @returns the key of the last of these, or undefined once all are due
 */
export async function release(
  tx: WriteTx,
  { name: kind }: Pick<KindOfMail, 'name'>,
  { cause, after, until }: { cause: string; after: string; until: number },
): Promise<string | undefined> {
  const of = { kind, cause, recipient_key: after }
  const last = (await store.findNth(tx, of, RELEASED))?.recipient_key
  await store.release(tx, of, { last, until, due: tx.clock() }, await tx.now())
  return last
}
