import * as attendees from '../attendees/rules.ts'
import type { Attendee } from '../attendees/schemas.ts'
import { inBatches, type Reader } from '../db/batches.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { ERASED_EMAIL, ERASED_NAME, type Person, wordsOf } from '../words.ts'
import * as personStore from './person-store.ts'
import { get } from './rules.ts'
import type { Registration } from './schemas.ts'
import * as store from './store.ts'
import { findNumbers, replaceWords } from './word-store.ts'

/** Registrations that one read looks at, with their tickets; of those with many tickets, fewer. */
const READ = 200
const READ_OF_MANY = 20
/** A word that more registrations have is as good as any other. */
const MOST_COUNTED = 20_000

/**
 * The ids of the registrations that a person is the buyer or an attendee of, each once, in batches: buyers by their index,
 * attendees by the rarest word of the e-mail, or one by one where they may have more words than are kept, or the e-mail has none.
 */
export async function* findByPerson(
  reader: Reader,
  accountId: string,
  email: string,
): AsyncGenerator<string[]> {
  const key = emailKey(email)
  const bought = inBatches<personStore.HeldRow>(reader, READ, (tx, last, size) =>
    personStore.listByBuyer(tx, accountId, key, last, size),
  )
  for await (const rows of bought) yield rows.map(({ id }) => id)

  const { account } = await reader.read(tx => findNumbers(tx, accountId, undefined))
  const word = await findRarestWord(reader, account, email)
  const few = word === undefined ? walkAll(reader, accountId) : walkWord(reader, accountId, account, word)
  for await (const rows of few) {
    yield* ownOf(
      reader,
      accountId,
      key,
      rows.filter(({ quantity }) => quantity < personStore.MANY_TICKETS),
    )
  }
  const many = inBatches<personStore.HeldRow>(reader, READ_OF_MANY, (tx, last, size) =>
    personStore.listWithManyTickets(tx, accountId, last, size),
  )
  for await (const rows of many) yield* ownOf(reader, accountId, key, rows)
}

async function findRarestWord(
  reader: Reader,
  accountNumber: number,
  email: string,
): Promise<string | undefined> {
  const counts: { word: string; count: number }[] = []
  for (const word of wordsOf([{ name: null, email }])) {
    const count = await reader.read(tx => personStore.countWord(tx, accountNumber, word, MOST_COUNTED))
    counts.push({ word, count })
  }
  return counts.sort((one, other) => one.count - other.count)[0]?.word
}

function walkAll(reader: Reader, accountId: string): AsyncGenerator<personStore.HeldRow[]> {
  return inBatches<personStore.HeldRow>(reader, READ, (tx, last, size) =>
    personStore.listAll(tx, accountId, last, size),
  )
}

async function* walkWord(
  reader: Reader,
  accountId: string,
  accountNumber: number,
  word: string,
): AsyncGenerator<personStore.HeldRow[]> {
  const batches = inBatches<personStore.WordPosition>(reader, READ, (tx, last, size) =>
    personStore.listWord(tx, accountNumber, word, last, size),
  )
  for await (const positions of batches) {
    const numbers = positions.map(({ registration_number }) => registration_number)
    yield await reader.read(tx => personStore.listByNumbers(tx, accountId, numbers))
  }
}

/** Those of the rows that this person is an attendee of, and not the buyer. */
async function* ownOf(
  reader: Reader,
  accountId: string,
  key: string,
  rows: readonly personStore.HeldRow[],
): AsyncGenerator<string[]> {
  const ids = rows.filter(({ buyer_email_key }) => buyer_email_key !== key).map(({ id }) => id)
  if (ids.length === 0) return
  const people = await reader.read(tx => attendees.peopleByRegistration(tx, accountId, ids))
  const own = ids.filter(id => people.get(id)?.some(({ email }) => email !== null && emailKey(email) === key))
  if (own.length > 0) yield own
}

/** What of a registration is of one person. */
export interface Share {
  isBuyer: boolean
  /** The ids of the person's tickets. */
  tickets: string[]
  /** Tickets of others. */
  others: number
}

/** @throws Problem not_found */
export async function readShare(tx: ReadTx, accountId: string, id: string, key: string): Promise<Share> {
  return shareOf(await get(tx, accountId, id), key)
}

/** A ticket without an e-mail is the buyer's where it has the buyer's name. */
function shareOf({ buyer, attendees: tickets }: People, key: string): Share {
  const isBuyer = emailKey(buyer.email) === key
  const isOwn = ({ name, email }: Person) =>
    email === null ? isBuyer && name === buyer.name : emailKey(email) === key
  const own = tickets.filter(isOwn).map(ticket => ticket.id)
  return { isBuyer, tickets: own, others: tickets.length - own.length }
}

type People = Pick<Registration, 'buyer' | 'attendees'>

/**
 * Makes one person of a registration anonymous: as its buyer, with the answers and the note; and on the person's own tickets, with
 * the answers of these.
 * Places, money, states and codes stay, as do all others.
 *
 * @throws Problem not_found
 */
export async function erase(tx: WriteTx, accountId: string, id: string, key: string): Promise<Share> {
  const was = await get(tx, accountId, id)
  const share = shareOf(was, key)
  await eraseShare(tx, accountId, was, share)
  return share
}

/** Makes all people of a registration anonymous: nothing came of it. @throws Problem not_found */
export async function eraseAll(tx: WriteTx, accountId: string, id: string): Promise<void> {
  const was = await get(tx, accountId, id)
  const tickets = was.attendees.map(ticket => ticket.id)
  await eraseShare(tx, accountId, was, { isBuyer: true, tickets, others: 0 })
}

async function eraseShare(tx: WriteTx, accountId: string, was: Registration, share: Share): Promise<void> {
  const is = withoutPerson(was, share.isBuyer, new Set(share.tickets))
  const now = await tx.now()
  if (share.isBuyer) {
    await store.eraseBuyer(tx, accountId, was.id, is.buyer, now)
    await attendees.noteRegistrationAtDoors(tx, accountId, was.id)
  }
  for (const ticket of is.attendees) {
    if (share.tickets.includes(ticket.id)) await attendees.amend(tx, accountId, ticket)
  }
  const words = (people: People) => wordsOf([people.buyer, ...people.attendees])
  await replaceWords(tx, accountId, was.id, words(was), words(is), now)
}

/** A copy of a registration as it is without a person, whom what it says of itself or what is known of it makes out. */
export function eraseCopy<Of extends Copied>(copy: Of, key: string, known: Known): Of {
  const { isBuyer, tickets } = shareOf(copy, key)
  const isErased = isBuyer || known.registrations.has(copy.id)
  return withoutPerson(copy, isErased, new Set([...tickets, ...known.tickets]))
}

type Copied = Pick<Registration, 'id' | 'buyer' | 'attendees' | 'answers'>

function withoutPerson<Of extends Omit<Copied, 'id'>>(
  registration: Of,
  isBuyer: boolean,
  tickets: ReadonlySet<string>,
): Of {
  return {
    ...registration,
    ...(isBuyer ? { buyer: { name: ERASED_NAME, email: ERASED_EMAIL }, answers: {} } : {}),
    attendees: registration.attendees.map(ticket =>
      tickets.has(ticket.id) ? withoutHolder(ticket) : ticket,
    ),
  }
}

/** A copy may be older than the answers of tickets. */
function withoutHolder(ticket: Attendee): Attendee {
  const answers = ticket.answers === undefined ? {} : { answers: {} }
  return { ...ticket, name: ERASED_NAME, email: null, ...answers }
}

/** What is anonymous already: registrations without their buyer, and tickets, by their ids. */
export interface Known {
  registrations: ReadonlySet<string>
  tickets: ReadonlySet<string>
}

/** What of these registrations is anonymous. */
export async function readErased(tx: ReadTx, accountId: string, ids: readonly string[]): Promise<Known> {
  const registrations = await personStore.listErased(tx, accountId, ids)
  const tickets = await attendees.listErased(tx, accountId, ids)
  return { registrations: new Set(registrations.map(({ id }) => id)), tickets: new Set(tickets) }
}
