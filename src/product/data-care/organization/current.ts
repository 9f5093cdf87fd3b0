import { isDeepStrictEqual } from 'node:util'
import * as accounts from '../accounts/store.ts'
import * as attendees from '../attendees/rules.ts'
import type { CodeRow } from '../codes/store.ts'
import * as codes from '../codes/store.ts'
import type { ReadTx } from '../db/port.ts'
import type { OwnText } from '../emails/kind.ts'
import * as ownTexts from '../emails/text-store.ts'
import * as events from '../events/store.ts'
import { emailKey } from '../fields.ts'
import type { QuestionRow } from '../questions/store.ts'
import * as questions from '../questions/store.ts'
import * as poolStore from '../registration-types/pool-store.ts'
import * as registrationTypes from '../registration-types/store.ts'
import { listAnswerKeys } from '../registrations/answer-keys.ts'
import * as webhooks from '../webhooks/endpoint-store.ts'
import { asStored, type Known, type KnownRegistration, readKept, readKnown } from './known.ts'
import { type CurrentReceipts, NO_RECEIPTS, readReceipts } from './receipt-store.ts'
import type { Organization, OrganizationEvent } from './schema.ts'
import { findMoved, findReferences } from './store.ts'

/** What the database has of what a file names, but for what there may be thousands of. */
export interface Frame {
  account: accounts.AccountRow | undefined
  /** The id of the account that has the slug which the file gives to its own. */
  slugOwner: string | undefined
  /** By slug. */
  events: ReadonlyMap<string, FrameEvent>
  /** By URL. */
  webhooks: ReadonlyMap<string, webhooks.EndpointRow>
  /** Of the account, or those that a new one gets. */
  numbers: { account: number; nextEvent: number }
}

export interface FrameEvent {
  row: events.EventRow
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
}

/** A pool, with the ids of its types. */
export type FramePool = poolStore.PoolRow & { typeIds: readonly string[] }

/** The whole of it. */
export interface Current extends Frame {
  /** Which of the file's money the account has already, each as its kind and id. */
  moved: ReadonlySet<string>
  receipts: CurrentReceipts
  events: ReadonlyMap<string, CurrentEvent>
}

export interface CurrentEvent extends FrameEvent {
  /** By reference, of those that the file names. */
  orders: ReadonlyMap<string, Known>
  /** By reference, of those that the file names. */
  registrations: ReadonlyMap<string, KnownRegistration>
  /** By reference. */
  waitlist: ReadonlyMap<string, Known>
  /** By code. */
  abstracts: ReadonlyMap<string, Known>
}

/** A database without the account. */
export const NOTHING: Current = {
  moved: new Set(),
  account: undefined,
  slugOwner: undefined,
  events: new Map(),
  webhooks: new Map(),
  numbers: { account: 1, nextEvent: 1 },
  receipts: NO_RECEIPTS,
}

export async function readCurrent(tx: ReadTx, file: Organization): Promise<Current> {
  const frame = await readFrame(tx, file)
  const found = new Map<string, CurrentEvent>()
  for (const event of file.events) {
    const known = frame.events.get(event.slug)
    if (known !== undefined) found.set(event.slug, await readItems(tx, known, event))
  }
  const { account } = frame
  const receipts = account && (await readReceipts(tx, account.id, file.receipts))
  const items = file.events.flatMap(({ orders }) => orders.flatMap(({ ledger }) => ledger ?? []))
  const moved = account && (await findMoved(tx, account.id, items))
  const named = file.events.flatMap(({ orders }) => orders.flatMap(({ payment }) => payment?.reference ?? []))
  for (const key of account ? await findReferences(tx, account.id, named) : []) moved?.add(key)
  return { ...frame, events: found, receipts: receipts ?? NO_RECEIPTS, moved: moved ?? NOTHING.moved }
}

export async function readFrame(tx: ReadTx, file: Organization): Promise<Frame> {
  const account = await accounts.findByEmailKey(tx, emailKey(file.account.email))
  const numbers = { ...NOTHING.numbers, account: await accounts.findNumber(tx, account?.id) }
  const { slug: wanted } = file.account
  const slugOwner = wanted ? (await accounts.findBySlug(tx, wanted))?.id : undefined
  if (account === undefined) return { ...NOTHING, slugOwner, numbers }
  const found = new Map<string, FrameEvent>()
  for (const { slug } of file.events) {
    const row = await events.findBySlug(tx, account.id, slug)
    if (row !== undefined) found.set(slug, await readFrameEvent(tx, row))
  }
  const endpoints = await webhooks.list(tx, account.id)
  return {
    account,
    slugOwner,
    events: found,
    webhooks: new Map(endpoints.map(endpoint => [endpoint.url, endpoint])),
    numbers: { ...numbers, nextEvent: await events.findNumber(tx, account.id) },
  }
}

async function readFrameEvent(tx: ReadTx, row: events.EventRow): Promise<FrameEvent> {
  const { account_id: accountId, id } = row
  const types = await registrationTypes.listByEventOldestFirst(tx, accountId, id)
  const links = await poolStore.listLinks(tx, accountId, id)
  const pools = await poolStore.listByEvent(tx, accountId, id)
  return {
    row,
    number: await events.findNumber(tx, accountId, id),
    types: byName(types),
    pools: pools.map(pool => ({
      ...pool,
      typeIds: links.flatMap(link => (link.pool_id === pool.id ? [link.registration_type_id] : [])).sort(),
    })),
    emailTexts: await ownTexts.list(tx, accountId, id),
    hasRegistrations: await events.hasRegistrations(tx, accountId, id),
    ticketKey: await attendees.findTicketKey(tx, accountId, id),
    answerKeys: await listAnswerKeys(tx, accountId, id),
    questions: await questions.listByEvent(tx, accountId, id),
    codes: await codes.listByEvent(tx, accountId, id),
  }
}

/** By the name that a file has: one that is older than the trimming of names may have white space at its ends. */
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
    orders: await readKept(tx, 'orders', row, file.orders.map(asStored), ({ reference }) => reference),
    registrations: await readKnown(tx, row, file.registrations),
    waitlist: await readKept(tx, 'waitlist_entries', row, file.waitlist, ({ reference }) => reference),
    abstracts: await readKept(tx, 'abstracts', row, file.abstracts, ({ code }) => code),
  }
}

/** Whether two frames ask for the same plan. What was sold may differ: a running server sells all the time. */
export function isSameFrame(one: Frame, other: Frame): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other))
}

function comparable({ account, slugOwner, events, webhooks, numbers }: Frame) {
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
  }))
  return { account, slugOwner, events: unsold, webhooks, numbers }
}
