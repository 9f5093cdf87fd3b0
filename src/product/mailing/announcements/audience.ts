import { setImmediate as nextTurn } from 'node:timers/promises'
import { emailKey } from '#base/fields.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { type Contacts, listContacts } from '#product/guests/registrations/contacts.ts'
import { listAddressees } from '#product/programme/abstracts/after.ts'
import { listAddressees as listReviewers } from '#product/programme/reviews/addressees.ts'
import type { Language } from '#texts/languages.ts'
import { type Audience, isOfTickets, type ticketGroups } from './schemas.ts'

/** To count an audience, a page looks through at most this many registrations with their tickets, or waitlist entries. */
const MOST_COUNTED = 20_000
/** One read takes this many, in a few milliseconds. */
const READ = 200

export interface Recipient {
  email: string
  name: string
  /** Undefined if the language is not known. */
  language: Language | undefined
}

/** Lists the people whom a registration, a waitlist entry, an abstract or a reviewer names, in their order. A person may appear more than once. */
export interface Some {
  position: Position
  /** How many tickets were looked through, at least 1. */
  looked: number
  recipients: Recipient[]
}

/**
 * Lists the people of an audience, oldest first, with an item for each registration, or what else names them. The confirmed group
 * includes each buyer. Each ticket adds the person it names, or its buyer if it names no e-mail.
 *
 * @param mostTickets the most tickets of all the registrations, so that a read stays short; a single registration may have more
 */
export async function listAudience(
  tx: ReadTx,
  eventId: string,
  audience: Audience,
  page: Page,
  mostTickets?: number,
): Promise<Some[]> {
  if (!isOfTickets(audience.group)) return listOfProgramme(tx, eventId, audience.group, page)
  const { group } = audience
  // Who has an extra has a ticket too, or is no guest any more. They are written to as its buyers only where it is chosen.
  const isMeant = ({ isExtra }: Contacts) => !isExtra || audience.types.length > 0
  const isOfType = (typeId: string) => audience.types.length === 0 || audience.types.includes(typeId)
  if (group === 'waitlist') {
    const entries = [...(await waitlist.list(tx, eventId, undefined, page))]
    return entries.map(({ position, resource: { registration_type_id, name, email } }) => ({
      position,
      looked: 1,
      recipients: isOfType(registration_type_id) ? withoutErased([{ name, email, language: undefined }]) : [],
    }))
  }
  const contacts = await listContacts(tx, eventId, page, { mostTickets })
  return contacts.map(each => ({
    position: each.position,
    looked: Math.max(1, each.tickets.length),
    recipients: isOfType(each.typeId) && isMeant(each) ? withoutErased(recipientsOf(each, group)) : [],
  }))
}

/** Lists those who submit or review abstracts, with an item for each abstract or reviewer. */
async function listOfProgramme(
  tx: ReadTx,
  eventId: string,
  group: Exclude<Audience['group'], (typeof ticketGroups)[number]>,
  page: Page,
): Promise<Some[]> {
  const isOfReviewers = group === 'reviewers' || group === 'reviewing'
  const some = isOfReviewers
    ? await listReviewers(tx, eventId, { isUndone: group === 'reviewing' }, page)
    : await listAddressees(tx, eventId, group, page)
  return some.map(({ position, ...recipient }) => ({
    position,
    looked: 1,
    recipients: withoutErased([recipient]),
  }))
}

function recipientsOf({ buyer, tickets, language }: Contacts, group: Audience['group']): Recipient[] {
  const ofHolder = tickets.filter(
    ({ isCheckedIn }) => group === 'confirmed' || isCheckedIn === (group === 'checked_in'),
  )
  const people = ofHolder.map(({ name, email }) =>
    email === null ? buyer : { name: name ?? buyer.name, email },
  )
  const all = group === 'confirmed' ? [buyer, ...people] : people
  return all.map(({ name, email }) => ({ name, email, language }))
}

/** Removes those who were made anonymous, as nobody writes to them. */
function withoutErased(recipients: Recipient[]): Recipient[] {
  return recipients.filter(({ email }) => email !== ERASED_EMAIL)
}

/** Counts the people of an audience, each once by e-mail. */
export interface CountedAudience {
  recipients: number
  /** People of the audience who have unsubscribed from announcements and get none. */
  unsubscribed: number
  /** Whether there are more registrations and tickets than a page looks through. */
  isMore: boolean
}

export function countAudience(
  reader: Reader,
  accountId: string,
  eventId: string,
  audience: Audience,
  most = MOST_COUNTED,
): Promise<CountedAudience> {
  return countPeople(reader, accountId, listOf(eventId, audience), most)
}

const listOf =
  (eventId: string, audience: Audience): ListSome =>
  (tx, page, mostTickets) =>
    listAudience(tx, eventId, audience, page, mostTickets)

/**
 * Counts the people of several events, one after the other: each once by e-mail in each of the events.
 *
 * @param most the most tickets to look through, of all the events together
 * @returns the counts in the order of the events
 */
export async function countAudiences(
  reader: Reader,
  accountId: string,
  events: readonly { eventId: string; audience: Audience }[],
  most = MOST_COUNTED,
): Promise<CountedAudience[]> {
  const all: CountedAudience[] = []
  let left = most
  for (const { eventId, audience } of events) {
    const { looked, ...counted } = await lookThrough(reader, accountId, listOf(eventId, audience), left)
    left = Math.max(0, left - looked)
    all.push(counted)
  }
  return all
}

/** @param mostTickets the most tickets of all that is listed, but at least 1 item */
export type ListSome = (tx: ReadTx, page: Page, mostTickets: number) => Promise<Some[]>

/**
 * Counts the people whom lists name, each once by e-mail. It works in turns of a few milliseconds, so that others have theirs
 * between them.
 *
 * @param most the most tickets to look through
 */
export async function countPeople(
  reader: Reader,
  accountId: string,
  list: ListSome,
  most = MOST_COUNTED,
): Promise<CountedAudience> {
  const { looked: _, ...counted } = await lookThrough(reader, accountId, list, most)
  return counted
}

async function lookThrough(
  reader: Reader,
  accountId: string,
  list: ListSome,
  most: number,
): Promise<CountedAudience & { looked: number }> {
  const keys = new Set<string>()
  let unsubscribed = 0
  let looked = 0
  for (let after: Position | undefined; ; await nextTurn()) {
    const page = { limit: Math.min(READ, most + 1 - looked), after }
    const read = await reader.read(accountId, async tx => {
      const some = await list(tx, page, READ)
      const found = new Set(some.flatMap(({ recipients }) => recipients.map(({ email }) => emailKey(email))))
      const fresh = [...found].filter(key => !keys.has(key))
      return { some, fresh, without: await emails.findUnsubscribed(tx, fresh) }
    })
    looked += read.some.reduce((sum, each) => sum + each.looked, 0)
    for (const key of read.fresh) keys.add(key)
    unsubscribed += read.without.size
    after = read.some.at(-1)?.position
    const isMore = looked > most
    if (isMore || read.some.length === 0)
      return { recipients: keys.size - unsubscribed, unsubscribed, isMore, looked }
  }
}
