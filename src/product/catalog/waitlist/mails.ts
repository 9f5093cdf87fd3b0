import * as accounts from '../accounts/rules.ts'
import type { MailKind } from '../emails/kind.ts'
import * as events from '../events/rules.ts'
import { Problem } from '../problem.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import { placeFreeMail } from './kinds.ts'
import * as waitlist from './rules.ts'

/** Leads whoever was notified to the page of the event: a place is held for nobody, so that it comes at once or is of no use. */
export const ofWaiting: MailKind = {
  ...placeFreeMail,
  isOfEvent: true,
  async read(tx, { account_id, event_id, subject_id, language, now }, { baseUrl }) {
    const entry = await find(tx, account_id, event_id as string, subject_id as string)
    const account = await accounts.getDetails(tx, account_id)
    const event = await events.getDetails(tx, account_id, event_id as string)
    const isOver = event.ends_at !== null && now >= Date.parse(event.ends_at)
    if (entry === undefined || account.slug === null || event.status !== 'published' || isOver)
      return undefined
    const link = `${baseUrl}/${account.slug}/${event.slug}/`
    return {
      from: account.name,
      replyTo: event.contact_email ?? account.email,
      values: { name: entry.name, event: event.title, organizer: account.name, link },
      button: { label: textsIn(language).mail.buttons.free, url: link },
    }
  },
}

async function find(...args: Parameters<typeof waitlist.get>) {
  try {
    return await waitlist.get(...args)
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}
