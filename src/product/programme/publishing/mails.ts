import { emailKey } from '#base/fields.ts'
import { unlessMissing } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, KindName, MailKind, MailToSend, Server } from '#machinery/mail/kind.ts'
import { Format } from '#machinery/web/format.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { pageForAll } from '#product/catalog/event-pages/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { getSubmitted, type SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import { presentersOf } from '#product/programme/decisions/presenters.ts'
import { ownLinkFor } from '#product/programme/submissions/own-link.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { type FrozenPlace, placesIn, type Version } from '#product/programme/versions/schemas.ts'
import type { Language } from '#texts/languages.ts'
import { signOf } from './changes.ts'

/** Tells when and where an abstract stands in the programme. */
export const slotMail = mailAbout('programme_slot')
/** Tells that it stands elsewhere than before. */
export const movedMail = mailAbout('programme_moved')
/** Tells that it has no place any more. */
export const removedMail = mailAbout('programme_removed')

/** All that tells of places in the programme. */
export const placeMails = [slotMail, movedMail, removedMail] as const

type PlaceMail = Extract<KindName, 'programme_slot' | 'programme_moved' | 'programme_removed'>

/**
 * Makes a mail about the place of an abstract. It is withdrawn if the abstract stands elsewhere by now, as another mail says so, and
 * while no programme is public: what the next version says of the same place revives it.
 */
function mailAbout(name: PlaceMail): MailKind {
  const isGone = name === 'programme_removed'
  return {
    name,
    lane: 'others',
    isOfEvent: true,
    placeholders: [
      ...['name', 'title', 'number', 'event', 'organizer'],
      ...(isGone ? [] : ['places', 'page']),
    ],
    async read(tx, mail, server) {
      const eventId = mail.event_id as string
      const shown = await versions.findPublished(tx, eventId)
      const number = Number(mail.details.number)
      if (shown === undefined) return undefined
      const told = shown.number === number ? shown : await versions.find(tx, eventId, number)
      if (told === undefined) return undefined
      const id = mail.subject_id as string
      const places = placesIn(shown.content).get(id) ?? []
      if ((places.length === 0) !== isGone) return undefined
      if (signOf(places) !== signOf(placesIn(told.content).get(id) ?? [])) return undefined
      const abstract = await unlessMissing(getSubmitted(tx, id))
      if (abstract?.status !== 'accepted' || abstract.withdrawn_at !== null) return undefined
      return readFor(tx, { abstract, version: shown, places }, mail, server)
    },
    async example(tx, eventId, language) {
      const shown = await versions.findPublished(tx, eventId)
      const [first] = shown === undefined ? [] : placesIn(shown.content)
      if (shown === undefined || first === undefined) return undefined
      const abstract = await unlessMissing(getSubmitted(tx, first[0]))
      return abstract && contentOf(tx, { abstract, version: shown, places: isGone ? [] : first[1] }, language)
    },
  }
}

/** An abstract where it stands. */
interface Placed {
  abstract: SubmittedAbstract
  version: Version
  places: readonly FrozenPlace[]
}

/** Reads what a mail says to its recipient. Only the person behind the abstract gets its link. */
async function readFor(
  tx: ReadTx,
  placed: Placed,
  mail: MailToSend,
  server: Server,
): Promise<Content | undefined> {
  const { abstract } = placed
  const { recipient, language, details } = mail
  if (details.to === 'presenter') {
    const person = presentersOf(abstract).find(({ email }) => emailKey(email) === emailKey(recipient))
    return person && contentOf(tx, placed, language, { name: person.name, server })
  }
  const content = await contentOf(tx, placed, language, { server })
  return { ...content, ...(await ownLinkFor(tx, abstract.id, mail, server)) }
}

async function contentOf(
  tx: ReadTx,
  { abstract, version, places }: Placed,
  language: Language,
  { name = abstract.contact.name, server }: { name?: string; server?: Server } = {},
): Promise<Content> {
  const account = await accounts.getDetails(tx)
  const event = await events.getDetails(tx, abstract.event_id)
  const names = await versions.readNames(tx, abstract.event_id)
  const number = version.content.numbers[abstract.id] ?? ''
  const page = server && pageForAll(server.baseUrl, account.slug, event)
  const values = { name, number, title: abstract.title, event: event.title, organizer: account.name }
  const from = { from: account.name, replyTo: event.contact_email ?? account.email }
  if (places.length === 0) return { ...from, values }
  return {
    ...from,
    values: {
      ...values,
      places: places.map(place => tellPlace(place, names, event, language)).join('; '),
      page: page === undefined ? '' : `${page}programme/${number}`,
    },
  }
}

/** Returns a place in one line: day, hours, room and session. */
export function tellPlace(
  { session, slot }: FrozenPlace,
  { sessions, rooms }: versions.Names,
  { timezone }: Pick<EventDetails, 'timezone'>,
  language: Language,
): string {
  const format = new Format(language, timezone)
  const when = `${format.weekday(slot.from)}, ${format.time(slot.from)}–${format.time(slot.to)} ${format.zone(slot.from)}`
  const room = session.room_id === null ? undefined : rooms.get(session.room_id)
  const title = sessions.get(session.id)?.title
  return [when, room, title].filter(part => part !== undefined).join(', ')
}
