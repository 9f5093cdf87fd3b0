import { unlessMissing } from '#base/problem.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { momentOf, placeOf } from '#product/catalog/events/when-and-where.ts'
import { textsIn } from '#texts/catalogue.ts'
import { placeFreeMail } from './kinds.ts'
import * as waitlist from './rules.ts'

/** Leads people who were notified to the event page. No place is held, so the mail is useful only if it arrives at once. */
export const ofWaiting: MailKind = {
  ...placeFreeMail,
  isOfEvent: true,
  async read(tx, { event_id, subject_id, language, now }, { baseUrl }) {
    const entry = await unlessMissing(waitlist.get(tx, event_id as string, subject_id as string))
    const account = await accounts.getDetails(tx)
    const event = await events.getDetails(tx, event_id as string)
    const isOver = event.ends_at !== null && now >= Date.parse(event.ends_at)
    if (entry === undefined || account.slug === null || event.status !== 'published' || isOver)
      return undefined
    const link = `${baseUrl}/${account.slug}/${event.slug}/`
    return {
      from: account.name,
      replyTo: event.contact_email ?? account.email,
      values: {
        ...{ name: entry.name, event: event.title, organizer: account.name, link },
        when: momentOf(event, event.starts_at, language),
        place: placeOf(event),
      },
      button: { label: textsIn(language).mail.buttons.free, url: link },
    }
  },
}
