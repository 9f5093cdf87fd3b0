import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '../db/batches.ts'
import type { Page, Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import * as emails from '../emails/rules.ts'
import { emailKey } from '../fields.ts'
import { type Contacts, listContacts } from '../registrations/contacts.ts'
import * as waitlist from '../waitlist/rules.ts'
import type { Language } from '../web/texts/languages.ts'
import { ERASED_EMAIL } from '../words.ts'
import type { Audience } from './schemas.ts'

/** Registrations and their tickets, or waiting entries, that a page looks through to count whom they name. */
const MOST_COUNTED = 20_000
/** Of a read, which takes a few milliseconds. */
const READ = 200

export interface Recipient {
  email: string
  name: string
  /** Undefined where nobody knows. */
  language: Language | undefined
}

/** Whom some registrations, or waiting entries, name, in their order; one person may be there more than once. */
export interface Some {
  position: Position
  /** Tickets that were looked through, 1 at least. */
  looked: number
  recipients: Recipient[]
}

/**
 * Whom an audience is, oldest first, an item for each registration or waiting entry. Buyers are told of all that they bought, and
 * each ticket tells whoever it names; where it names no e-mail, its buyer.
 *
 * @param mostTickets of all the registrations, so that a read stays short: of one registration there may be more
 */
export async function listAudience(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  audience: Audience,
  page: Page,
  mostTickets?: number,
): Promise<Some[]> {
  const isOfType = (typeId: string) => audience.types.length === 0 || audience.types.includes(typeId)
  if (audience.group === 'waitlist') {
    const entries = [...(await waitlist.list(tx, accountId, eventId, undefined, page))]
    return entries.map(({ position, resource: { registration_type_id, name, email } }) => ({
      position,
      looked: 1,
      recipients: isOfType(registration_type_id) ? known([{ name, email, language: undefined }]) : [],
    }))
  }
  const contacts = await listContacts(tx, accountId, eventId, page, { mostTickets })
  return contacts.map(each => ({
    position: each.position,
    looked: Math.max(1, each.tickets.length),
    recipients: isOfType(each.typeId) ? known(recipientsOf(each, audience.group)) : [],
  }))
}

function recipientsOf({ buyer, tickets, language }: Contacts, group: Audience['group']): Recipient[] {
  const held = tickets.filter(
    ({ isCheckedIn }) => group === 'confirmed' || isCheckedIn === (group === 'checked_in'),
  )
  const people = held.map(({ name, email }) => (email === null ? buyer : { name: name ?? buyer.name, email }))
  const all = group === 'confirmed' ? [buyer, ...people] : people
  return all.map(({ name, email }) => ({ name, email, language }))
}

/** Nobody writes to those who were made anonymous. */
function known(recipients: Recipient[]): Recipient[] {
  return recipients.filter(({ email }) => email !== ERASED_EMAIL)
}

/** People, each counted once by e-mail. */
export interface CountedAudience {
  recipients: number
  /** Those of the audience who want no announcements: they get none. */
  unsubscribed: number
  /** There are more registrations and tickets than are looked through for a page. */
  isMore: boolean
}

export function countAudience(
  reader: Reader,
  accountId: string,
  eventId: string,
  audience: Audience,
  most = MOST_COUNTED,
): Promise<CountedAudience> {
  const list: ListSome = (tx, page, mostTickets) =>
    listAudience(tx, accountId, eventId, audience, page, mostTickets)
  return countPeople(reader, accountId, list, most)
}

/** @param mostTickets of all that is listed, 1 item at least */
export type ListSome = (tx: ReadTx, page: Page, mostTickets: number) => Promise<Some[]>

/**
 * Counts whom lists name, each once by e-mail, in turns of a few milliseconds: others have theirs between them.
 *
 * @param most tickets that are looked through
 */
export async function countPeople(
  reader: Reader,
  accountId: string,
  list: ListSome,
  most = MOST_COUNTED,
): Promise<CountedAudience> {
  const keys = new Set<string>()
  let unsubscribed = 0
  let looked = 0
  for (let after: Position | undefined; ; await nextTurn()) {
    const page = { limit: Math.min(READ, most + 1 - looked), after }
    const read = await reader.read(async tx => {
      const some = await list(tx, page, READ)
      const found = new Set(some.flatMap(({ recipients }) => recipients.map(({ email }) => emailKey(email))))
      const fresh = [...found].filter(key => !keys.has(key))
      return { some, fresh, without: await emails.findUnsubscribed(tx, accountId, fresh) }
    })
    looked += read.some.reduce((sum, each) => sum + each.looked, 0)
    for (const key of read.fresh) keys.add(key)
    unsubscribed += read.without.size
    after = read.some.at(-1)?.position
    const isMore = looked > most
    if (isMore || read.some.length === 0)
      return { recipients: keys.size - unsubscribed, unsubscribed, isMore }
  }
}
