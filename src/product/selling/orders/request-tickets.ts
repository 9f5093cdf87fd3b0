import { HOUR } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { reserveSlot } from '#machinery/mail/pacing.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { Language } from '#texts/languages.ts'
import { againMail } from './kinds.ts'

/** How many such mails one address gets in an hour, of all events of an account. */
const MOST_REQUESTED = 3

/** A request of somebody who has lost the mail with their tickets. */
export interface TicketRequest {
  email: string
  language: Language
  /** The hashed networks that the request came from. It is empty if the server does not count them. */
  networks: readonly string[]
}

/**
 * Queues a mail with all that an address has ordered or holds for an event. It does the same for every address, and looks up only
 * what limits such mails. What the address has is looked up when the mail is sent, so neither an answer nor its time tells a
 * stranger whose address has tickets. A mail that has nothing to bring is not sent.
 */
export async function requestTickets(
  tx: WriteTx,
  eventId: string,
  { email, language, networks }: TicketRequest,
): Promise<void> {
  const now = await tx.now()
  const of = { recipient: email, kind: againMail.name, since: now - HOUR }
  const count = await emails.countToSince(tx, of, MOST_REQUESTED)
  if (count >= MOST_REQUESTED) return
  const wanted = { networks, paces: ['buyers'], subjectId: eventId } as const
  const due = networks.length === 0 ? tx.clock() : await reserveSlot(tx, wanted)
  if (due === undefined) return
  await queue(tx, againMail, { cause: `${eventId} ${now}`, recipient: email, language, eventId, due })
}
