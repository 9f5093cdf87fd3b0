import { MINUTE } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { gather } from '#machinery/mail/outbox.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import { newsMail } from './after-kinds.ts'

/** What authors do that those who organize the event are told of. */
export const newsOfAuthors = ['withdrawn', 'disowned', 'presenter'] as const
export type News = (typeof newsOfAuthors)[number]

/** What happens within this time is told together, in milliseconds. */
const GATHERED = 15 * MINUTE

/** Tells whoever answers for an event that an author has done something, once for all of some minutes. */
export async function tellChairs(
  tx: WriteTx,
  { id, event_id: eventId }: Pick<SubmittedAbstract, 'id' | 'event_id'>,
  what: News,
): Promise<void> {
  const { email } = await accounts.get(tx)
  const recipient = (await events.getDetails(tx, eventId)).contact_email ?? email
  const user = (await users.findUserByEmail(tx, recipient)) ?? (await users.findUserByEmail(tx, email))
  const turn = Math.floor(tx.clock() / GATHERED)
  const mail = { cause: `${eventId} ${turn}`, recipient, language: user?.language ?? 'en', eventId }
  await gather(tx, newsMail, mail, { about: `${what} ${id}`, until: (turn + 1) * GATHERED })
}
