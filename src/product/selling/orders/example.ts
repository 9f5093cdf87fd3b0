import type { ReadTx } from '#machinery/db/port.ts'
import type { Content } from '#machinery/mail/kind.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { readAbout } from './about.ts'
import * as orders from './rules.ts'

/**
 * Returns what mails about tickets would say of the newest order of an event. Its link is made up, as whoever has a real one may
 * do what the buyer may.
 */
export async function orderExample(
  tx: ReadTx,
  eventId: string,
  language: Language,
): Promise<Content | undefined> {
  const [order] = await orders.list(tx, { event_id: eventId }, { limit: 1 })
  if (order === undefined) return undefined
  const { from, replyTo, values } = await readAbout(tx, eventId, language)
  const { name } = order.buyer
  const { link, until, at } = textsIn(language).messages.placeholders
  const made = { link: link?.example ?? '', until: until?.example ?? '', at: at?.example ?? '' }
  return { from, replyTo, values: { ...values, ...made, name, buyer: name, reference: order.reference } }
}
