import { emailKey } from '#base/fields.ts'
import { ERASED_EMAIL, ERASED_NAME, type Person, wordsOf } from '#base/words.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { INSTANCE, type ReadTx, type WriteTx } from '#machinery/db/port.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { Attendee } from '#product/guests/attendees/schemas.ts'
import * as personStore from './person-store.ts'
import { presentRegistration, type Registration } from './schemas.ts'
import * as store from './store.ts'
import { findNumbers, replaceWords } from './word-store.ts'

/** One read looks at this many registrations with their tickets, and at fewer if they have many tickets. */
const READ = 200
const READ_OF_MANY = 20
/** Words that this many registrations have all count as equally common. */
const MOST_COUNTED = 20_000

/**
 * Yields the ids of the registrations that a person is the buyer or an attendee of, each once, in batches. It finds buyers by
 * their index and attendees by the rarest word of the e-mail. It looks at each registration if it may have more words than are
 * kept, or if the e-mail has no word.
 */
export async function* findByPerson(
  reader: Reader,
  accountId: string,
  email: string,
): AsyncGenerator<string[]> {
  const key = emailKey(email)
  const bought = inBatches(reader, accountId, READ, (tx, last: personStore.BuyerRow | undefined, size) =>
    personStore.listByBuyer(tx, key, last, size),
  )
  for await (const rows of bought) yield rows.map(({ id }) => id)

  const { account } = await reader.read(accountId, tx => findNumbers(tx, undefined))
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
  const many = inBatches(
    reader,
    accountId,
    READ_OF_MANY,
    (tx, last: personStore.BuyerRow | undefined, size) => personStore.listWithManyTickets(tx, last, size),
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
    const count = await reader.read(INSTANCE, tx =>
      personStore.countWord(tx, accountNumber, word, MOST_COUNTED),
    )
    counts.push({ word, count })
  }
  return counts.sort((one, other) => one.count - other.count)[0]?.word
}

function walkAll(reader: Reader, accountId: string): AsyncGenerator<personStore.BuyerRow[]> {
  return inBatches(reader, accountId, READ, (tx, last: personStore.BuyerRow | undefined, size) =>
    personStore.listAll(tx, last, size),
  )
}

async function* walkWord(
  reader: Reader,
  accountId: string,
  accountNumber: number,
  word: string,
): AsyncGenerator<personStore.BuyerRow[]> {
  const batches = inBatches(reader, INSTANCE, READ, (tx, last: personStore.WordPosition | undefined, size) =>
    personStore.listWord(tx, accountNumber, word, last, size),
  )
  for await (const positions of batches) {
    const numbers = positions.map(({ registration_number }) => registration_number)
    yield await reader.read(accountId, tx => personStore.listByNumbers(tx, numbers))
  }
}

/** Yields the rows that this person is an attendee of but not the buyer. */
async function* ownOf(
  reader: Reader,
  accountId: string,
  key: string,
  rows: readonly personStore.BuyerRow[],
): AsyncGenerator<string[]> {
  const ids = rows.filter(({ buyer_email_key }) => buyer_email_key !== key).map(({ id }) => id)
  if (ids.length === 0) return
  const people = await reader.read(accountId, tx => attendees.peopleByRegistration(tx, ids))
  const own = ids.filter(id => people.get(id)?.some(({ email }) => email !== null && emailKey(email) === key))
  if (own.length > 0) yield own
}

/** Describes the part of a registration that belongs to one person. */
export interface Share {
  isBuyer: boolean
  /** The ids of the person's tickets. */
  tickets: string[]
  /** How many tickets belong to others. */
  others: number
}

/** @throws Problem not_found */
export async function readShare(tx: ReadTx, id: string, key: string): Promise<Share> {
  const registration = await findStored(tx, id)
  return registration === undefined ? NOTHING : shareOf(registration, key)
}

/** Describes a registration that went with its event after it was found. */
const NOTHING: Share = { isBuyer: false, tickets: [], others: 0 }

async function findStored(tx: ReadTx, id: string): Promise<Registration | undefined> {
  const row = await store.findStored(tx, id)
  if (row === undefined) return undefined
  const tickets = await attendees.byRegistration(tx, [id])
  return presentRegistration(row, tickets.get(id) ?? [])
}

/** A ticket without an e-mail belongs to the buyer if it has the buyer's name. */
function shareOf({ buyer, attendees: tickets }: People, key: string): Share {
  const isBuyer = emailKey(buyer.email) === key
  const isOwn = ({ name, email }: Person) =>
    email === null ? isBuyer && name === buyer.name : emailKey(email) === key
  const own = tickets.filter(isOwn).map(ticket => ticket.id)
  return { isBuyer, tickets: own, others: tickets.length - own.length }
}

type People = Pick<Registration, 'buyer' | 'attendees'>

/**
 * Makes one person of a registration anonymous. This covers the person as its buyer, with the answers and the note, and the
 * person's own tickets with their answers. Places, money, states and codes stay, and so do all other people.
 */
export async function erase(tx: WriteTx, id: string, key: string): Promise<Share> {
  const was = await findStored(tx, id)
  if (was === undefined) return NOTHING
  const share = shareOf(was, key)
  await eraseShare(tx, was, share)
  return share
}

/** Makes all people of a registration anonymous. @returns it as it was; undefined if it went with its event */
export async function eraseAll(tx: WriteTx, id: string): Promise<Registration | undefined> {
  const was = await findStored(tx, id)
  if (was === undefined) return undefined
  const tickets = was.attendees.map(ticket => ticket.id)
  await eraseShare(tx, was, { isBuyer: true, tickets, others: 0 })
  return was
}

async function eraseShare(tx: WriteTx, was: Registration, share: Share): Promise<void> {
  const is = withoutPerson(was, share.isBuyer, new Set(share.tickets))
  const now = await tx.now()
  if (share.isBuyer) {
    await store.eraseBuyer(tx, was.id, is.buyer, now)
    await attendees.noteRegistrationAtDoors(tx, was.id)
  }
  for (const ticket of is.attendees) {
    if (share.tickets.includes(ticket.id)) await attendees.amend(tx, ticket)
  }
  const words = (people: People) => wordsOf([people.buyer, ...people.attendees])
  await replaceWords(tx, was.id, words(was), words(is), now)
}

/**
 * Returns a copy of a registration without a person. The copy itself identifies the person, or the person is known to be
 * anonymous by now.
 */
export function eraseCopy<Of extends Copied>(copy: Of, key: string, erased: ErasedIds): Of {
  const { isBuyer, tickets } = shareOf(copy, key)
  const isErased = isBuyer || erased.registrations.has(copy.id)
  return withoutPerson(copy, isErased, new Set([...tickets, ...erased.tickets]))
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

/** Says what is anonymous already: registrations without their buyer, and tickets, by their ids. */
export interface ErasedIds {
  registrations: ReadonlySet<string>
  tickets: ReadonlySet<string>
}

/** Reads which of these registrations and their tickets are anonymous. */
export async function readErased(tx: ReadTx, ids: readonly string[]): Promise<ErasedIds> {
  const registrations = await personStore.listErased(tx, ids)
  const tickets = await attendees.listErased(tx, ids)
  return { registrations: new Set(registrations.map(({ id }) => id)), tickets: new Set(tickets) }
}
