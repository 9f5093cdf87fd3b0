import type { ReadTx } from '../db/port.ts'
import type { Content } from '../emails/kind.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'
import { readAbout } from './about.ts'
import * as orders from './rules.ts'

/** What mails about tickets would say of the newest order of an event; its link is made up, as whoever has it may do what the buyer may. */
export async function orderExample(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  language: Language,
): Promise<Content | undefined> {
  const [order] = await orders.list(tx, accountId, { event_id: eventId }, { limit: 1 })
  if (order === undefined) return undefined
  const { from, replyTo, values } = await readAbout(tx, accountId, eventId, language)
  const { name } = order.buyer
  const { link, until, at } = textsIn(language).messages.placeholders
  const made = { link: link?.example ?? '', until: until?.example ?? '', at: at?.example ?? '' }
  return { from, replyTo, values: { ...values, ...made, name, buyer: name, reference: order.reference } }
}
