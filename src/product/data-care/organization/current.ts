import { isDeepStrictEqual } from 'node:util'
import { emailKey } from '#base/fields.ts'
import type { AnyReadTx, InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import type { OwnText } from '#machinery/mail/kind.ts'
import * as ownTexts from '#machinery/mail/text-store.ts'
import * as accounts from '#product/administration/accounts/store.ts'
import * as webhooks from '#product/administration/webhooks/endpoint-store.ts'
import type { CodeRow } from '#product/catalog/codes/store.ts'
import * as codes from '#product/catalog/codes/store.ts'
import * as events from '#product/catalog/events/store.ts'
import * as poolStore from '#product/catalog/registration-types/pool-store.ts'
import * as registrationTypes from '#product/catalog/registration-types/store.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { QuestionRow } from '#product/guests/questions/store.ts'
import * as questions from '#product/guests/questions/store.ts'
import { listAnswerKeys } from '#product/guests/registrations/answer-keys.ts'
import { findTickets } from './beside-store.ts'
import {
  asStored,
  type Existing,
  type ExistingRegistration,
  readExistingItems,
  readExistingRegistrations,
} from './existing.ts'
import { readColour } from './look-items.ts'
import { type CurrentPeople, readPeople } from './people.ts'
import { type CurrentProgramme, readProgramme } from './programme-items.ts'
import { readTimetable } from './read-timetable.ts'
import { type CurrentReceipts, NO_RECEIPTS, readReceipts } from './receipt-store.ts'
import type { Organization, OrganizationEvent } from './schema.ts'
import { type CurrentSeries, NO_SERIES, readSeries } from './series-items.ts'
import { findMoved, findReferences } from './store.ts'
import type { OrganizationProgramme } from './timetable-items.ts'
import { hasProgramme } from './timetable-store.ts'

/** Holds what the database has of the things that a file names, except those that may number in the thousands. */
export interface Frame {
  account: accounts.StoredAccount | undefined
  /** The colour that it has of its own. */
  accent: string | null
  /** The id of the account that has the slug which the file gives to its own account. */
  slugOwner: string | undefined
  series: CurrentSeries
  /** The events by slug. */
  events: ReadonlyMap<string, FrameEvent>
  /** The webhooks by URL. */
  webhooks: ReadonlyMap<string, webhooks.EndpointRow>
  /** The numbers of the account, or those that a new account gets. */
  numbers: { account: number; nextEvent: number }
}

export interface FrameEvent extends CurrentProgramme {
  row: events.EventRow
  accent: string | null
  number: number
  /** All types of the event, by name. */
  types: ReadonlyMap<string, registrationTypes.RegistrationTypeRow>
  pools: readonly FramePool[]
  emailTexts: readonly OwnText[]
  hasRegistrations: boolean
  ticketKey: attendees.TicketKey | undefined
  answerKeys: ReadonlySet<string>
  questions: readonly QuestionRow[]
  codes: readonly CodeRow[]
  hasProgramme: boolean
}

/** Holds a pool with the ids of its types. */
export type FramePool = poolStore.PoolRow & { typeIds: readonly string[] }

/** Holds everything that the database has of the things that a file names. */
export interface Current extends Frame {
  /** The money of the file that the account has already, each item as its kind and id. */
  moved: ReadonlySet<string>
  receipts: CurrentReceipts
  events: ReadonlyMap<string, CurrentEvent>
}

export interface CurrentEvent extends FrameEvent {
  /** The orders that the file names, by reference. */
  orders: ReadonlyMap<string, Existing>
  /** The registrations that the file names, by reference. */
  registrations: ReadonlyMap<string, ExistingRegistration>
  /** The ids of those that the file's extras stand beside, by reference. */
  tickets: ReadonlyMap<string, string>
  /** The waitlist entries, by reference. */
  waitlist: ReadonlyMap<string, Existing>
  /** The abstracts, by code. */
  abstracts: ReadonlyMap<string, Existing>
  people: CurrentPeople
  /** The programme that the event has, if the file has one of it too. */
  programme: OrganizationProgramme | undefined
}

/** Holds the state of a database without the account. */
export const NOTHING: Current = {
  moved: new Set(),
  account: undefined,
  accent: null,
  slugOwner: undefined,
  series: NO_SERIES,
  events: new Map(),
  webhooks: new Map(),
  numbers: { account: 1, nextEvent: 1 },
  receipts: NO_RECEIPTS,
}

export async function readCurrent(of: InstanceReadTx, file: Organization): Promise<Current> {
  const frame = await readFrame(of, accountId => of.of(accountId), file)
  const { account } = frame
  if (account === undefined) return { ...NOTHING, ...frame, events: new Map() }
  const tx = of.of(account.id)
  const found = new Map<string, CurrentEvent>()
  for (const event of file.events) {
    const existing = frame.events.get(event.slug)
    if (existing !== undefined) found.set(event.slug, await readItems(tx, existing, event))
  }
  const receipts = await readReceipts(tx, file.receipts)
  const items = file.events.flatMap(({ orders }) => orders.flatMap(({ ledger }) => ledger ?? []))
  const moved = await findMoved(tx, items)
  const named = file.events.flatMap(({ orders }) => orders.flatMap(({ payment }) => payment?.reference ?? []))
  for (const key of await findReferences(tx, named)) moved.add(key)
  return { ...frame, events: found, receipts, moved }
}

export async function readFrame(
  any: AnyReadTx,
  ofAccount: (accountId: string) => ReadTx,
  file: Organization,
): Promise<Frame> {
  const account = await accounts.findStored(any, emailKey(file.account.email))
  const numbers = { ...NOTHING.numbers, account: await accounts.findNumber(any, account?.id) }
  const { slug: wanted } = file.account
  const slugOwner = wanted ? (await accounts.findBySlug(any, wanted))?.id : undefined
  if (account === undefined) return { ...NOTHING, slugOwner, numbers }
  const tx = ofAccount(account.id)
  const found = new Map<string, FrameEvent>()
  for (const { slug } of file.events) {
    const row = await events.findBySlug(tx, slug)
    if (row !== undefined) found.set(slug, await readFrameEvent(tx, row))
  }
  const endpoints = await webhooks.list(tx)
  return {
    account,
    accent: await readColour(tx, null),
    slugOwner,
    series: await readSeries(tx, file),
    events: found,
    webhooks: new Map(endpoints.map(endpoint => [endpoint.url, endpoint])),
    numbers: { ...numbers, nextEvent: await events.findNumber(tx) },
  }
}

async function readFrameEvent(tx: ReadTx, row: events.EventRow): Promise<FrameEvent> {
  const { id } = row
  const types = await registrationTypes.listByEventOldestFirst(tx, id)
  const links = await poolStore.listLinks(tx, id)
  const pools = await poolStore.listByEvent(tx, id)
  return {
    row,
    accent: await readColour(tx, id),
    number: await events.findNumber(tx, id),
    types: byName(types),
    pools: pools.map(pool => ({
      ...pool,
      typeIds: links.flatMap(link => (link.pool_id === pool.id ? [link.registration_type_id] : [])).sort(),
    })),
    emailTexts: await ownTexts.list(tx, id),
    hasRegistrations: await events.hasRegistrations(tx, id),
    ticketKey: await attendees.findTicketKey(tx, id),
    answerKeys: await listAnswerKeys(tx, id),
    questions: await questions.listByEvent(tx, id),
    codes: await codes.listByEvent(tx, id),
    hasProgramme: await hasProgramme(tx, id),
    ...(await readProgramme(tx, id)),
  }
}

/**
 * Indexes types by the name that a file has. A name that is older than the trimming of names may have white space at its ends.
 */
function byName<Type extends { name: string }>(types: readonly Type[]): Map<string, Type> {
  const found = new Map(types.map(type => [type.name, type]))
  for (const type of types) {
    const name = type.name.trim()
    if (found.has(name)) continue
    found.delete(type.name)
    found.set(name, { ...type, name })
  }
  return found
}

async function readItems(tx: ReadTx, event: FrameEvent, file: OrganizationEvent): Promise<CurrentEvent> {
  const { row } = event
  return {
    ...event,
    orders: await readExistingItems(
      tx,
      'orders',
      row,
      file.orders.map(asStored),
      ({ reference }) => reference,
    ),
    registrations: await readExistingRegistrations(tx, row, file.registrations),
    tickets: await findTickets(
      tx,
      row.id,
      file.registrations.flatMap(({ beside }) => beside ?? []),
    ),
    waitlist: await readExistingItems(
      tx,
      'waitlist_entries',
      row,
      file.waitlist,
      ({ reference }) => reference,
    ),
    abstracts: await readExistingItems(tx, 'abstracts', row, file.abstracts, ({ code }) => code),
    people: await readPeople(tx, row.id, file),
    programme:
      event.hasProgramme && file.programme !== undefined ? await readTimetable(tx, row.id) : undefined,
  }
}

/**
 * Returns whether two frames lead to the same plan. They may differ in what was sold, because a running server sells all the
 * time.
 */
export function isSameFrame(one: Frame, other: Frame): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other))
}

function comparable({ account, slugOwner, series, events, webhooks, numbers }: Frame) {
  const unsold = [...events.values()].map(event => ({
    row: event.row,
    number: event.number,
    types: [...event.types.values()].map(type => ({ ...type, sold: 0, shared_available: 0 })),
    pools: event.pools.map(pool => ({ ...pool, sold: 0 })),
    hasRegistrations: event.hasRegistrations,
    ticketKey: event.ticketKey,
    answerKeys: event.answerKeys,
    questions: event.questions,
    codes: event.codes.map(code => ({ ...code, used: 0 })),
    call: event.call,
    review: event.review,
    hasProgramme: event.hasProgramme,
  }))
  return { account, slugOwner, series, events: unsold, webhooks, numbers }
}
