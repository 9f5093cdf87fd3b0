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

/** Registrations, or waiting entries, that a page looks through to count whom they name. */
const MOST_COUNTED = 20_000
/** Of a read: a few milliseconds. */
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
  recipients: Recipient[]
}

/**
 * Whom an audience is, oldest first, an item for each registration or waiting entry. Buyers are told of all that they bought, and
 * each ticket tells whoever it names; where it names no e-mail, its buyer.
 */
export async function listAudience(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  audience: Audience,
  page: Page,
): Promise<Some[]> {
  const isOfType = (typeId: string) => audience.types.length === 0 || audience.types.includes(typeId)
  if (audience.group === 'waitlist') {
    const entries = [...(await waitlist.list(tx, accountId, eventId, undefined, page))]
    return entries.map(({ position, resource: { registration_type_id, name, email } }) => ({
      position,
      recipients: isOfType(registration_type_id) ? known([{ name, email, language: undefined }]) : [],
    }))
  }
  const contacts = await listContacts(tx, accountId, eventId, page)
  return contacts.map(each => ({
    position: each.position,
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
  /** There are more registrations than are looked through for a page. */
  isMore: boolean
}

export function countAudience(
  reader: Reader,
  accountId: string,
  eventId: string,
  audience: Audience,
  most = MOST_COUNTED,
): Promise<CountedAudience> {
  const list = (tx: ReadTx, page: Page) => listAudience(tx, accountId, eventId, audience, page)
  return countPeople(reader, accountId, list, most)
}

/** Counts whom lists name, each once by e-mail, in short reads. */
export async function countPeople(
  reader: Reader,
  accountId: string,
  list: (tx: ReadTx, page: Page) => Promise<Some[]>,
  most = MOST_COUNTED,
): Promise<CountedAudience> {
  const keys = new Set<string>()
  let unsubscribed = 0
  let looked = 0
  for (let after: Position | undefined; ; await nextTurn()) {
    const page = { limit: Math.min(READ, most + 1 - looked), after }
    const read = await reader.read(async tx => {
      const some = await list(tx, page)
      const found = new Set(some.flatMap(({ recipients }) => recipients.map(({ email }) => emailKey(email))))
      const fresh = [...found].filter(key => !keys.has(key))
      return { some, fresh, without: await emails.findUnsubscribed(tx, accountId, fresh) }
    })
    looked += read.some.length
    for (const key of read.fresh) keys.add(key)
    unsubscribed += read.without.size
    after = read.some.at(-1)?.position
    const isMore = looked > most
    if (isMore || read.some.length < page.limit)
      return { recipients: keys.size - unsubscribed, unsubscribed, isMore }
  }
}
