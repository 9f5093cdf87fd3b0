import type { Database } from '../db/port.ts'
import { quantityOf } from '../registrations/placement.ts'
import { type ApplyOptions, applyInOneWrite, asPlanned } from './apply.ts'
import { type Current, readCurrent } from './current.ts'
import { Places } from './places.ts'
import { type EventPart, makePlan, type Plan } from './plan.ts'
import type { PlannedEvent, PlannedItem } from './plan-event.ts'
import type { PlannedPool } from './plan-pools.ts'
import { inNumericOrder } from './plan-receipts.ts'
import type { Planned, PlannedType } from './plan-row.ts'
import { describePlan, type Report } from './report.ts'
import type { Organization, OrganizationEvent } from './schema.ts'

/** The limits of a batch: a running server's writes wait some 20 ms for one, on a slow machine some 100. */
export interface BatchSize {
  /** Registrations, tickets, orders, waiting entries and abstracts; a registration has some six rows of words beside them. */
  rows: number
  /** As JSON. */
  characters: number
}

/** How many new rows take the time of a changed one. */
const COMPLETED = 4

const BATCH: BatchSize = { rows: 1_000, characters: 1_000_000 }

/** Only some of the batches were imported: the cause says why. */
export class BatchesStopped extends Error {
  constructor(imported: number, all: number, cause: unknown) {
    const count = (number: number) => number.toLocaleString('en')
    super(
      `${count(imported)} of ${count(all)} registrations, waiting entries and abstracts were imported or completed, and stay. Run the command again to go on.`,
      { cause },
    )
  }
}

/**
 * Applies an organization file in many writes, each whole, so that a server beside it gets its turn in between: first
 * account, events, types and webhooks, then fees and refunds, then a capacity that these make room to lower, then the new
 * registrations, waiting entries and abstracts, oldest first; an order comes in one write with all of its registrations. A file
 * that cannot be applied is refused before the first write; each batch is planned against the database as it is then. Existing
 * items are kept, so that a run that was stopped goes on when it is run again.
 *
 * @throws Problem invalid_parameter with nothing written
 * @throws BatchesStopped
 */
export async function applyInBatches(
  db: Database,
  file: Organization,
  { clock, beforeWrite, updateHistory, size = BATCH }: ApplyOptions & { size?: BatchSize },
): Promise<Report> {
  const current = await db.read(tx => readCurrent(tx, file))
  const preview = makePlan(current, file, clock(), { updateHistory })
  beforeWrite?.(preview)
  const roomy = beforeRefunds(file, preview, current)
  const frame = await applyInOneWrite(
    db,
    frameOf(roomy),
    { clock },
    placesOf(roomy, file, roomy.events.keys()),
  )
  const whole = withItems(frame.plan, preview)
  const note = noteIn(whole)
  const refunds = [...batchesOf(completionsOf(preview), size)]
  const imports = [...batchesOf(importsOf(preview), size)]
  const all = [...refunds, ...imports].reduce((sum, { count }) => sum + count, 0)
  let imported = 0
  const write = async (from: Organization, { events, count }: Batch) => {
    // Preparing a batch takes longer than its write: meanwhile the server's own writes have their turn.
    const parts = placesOf(from, file, events.keys())
    note((await applyInOneWrite(db, partOf(from, events), { clock, updateHistory }, parts)).plan)
    imported += count
  }
  try {
    for (const batch of refunds) await write(roomy, batch)
    if (refunds.length > 0) note((await applyInOneWrite(db, frameOf(file), { clock })).plan)
    for (const batch of imports) await write(file, batch)
    for (const some of receiptParts(file, size)) await applyInOneWrite(db, some, { clock })
  } catch (error) {
    throw new BatchesStopped(imported, all, error)
  }
  return describePlan(whole, asPlanned)
}

function frameOf(file: Organization): Organization {
  return { ...file, events: file.events.map(event => ({ ...event, ...nothing() })), receipts: [] }
}

/**
 * The file, but what gets places back is sold until then: a type has no less capacity than the database gives it, and a pool stays
 * as the database has it.
 */
function beforeRefunds(file: Organization, preview: Plan, current: Current): Organization {
  const events = file.events.map((event, index) => {
    const planned = preview.events[index] as PlannedEvent
    const { types } = planned
    const known = current.events.get(event.slug)?.types
    const registration_types = event.registration_types.map(type => {
      const least = types.get(type.name)?.released ? (known?.get(type.name)?.capacity ?? 0) : 0
      return { ...type, capacity: Math.max(type.capacity, least) }
    })
    // Tickets that are refunded give their codes back.
    const codes =
      planned.completed.length === 0 ? event.codes : event.codes.map(code => ({ ...code, max_tickets: null }))
    const waiting = new Set(planned.pools.filter(pool => getsBack(pool, planned)).map(({ row }) => row.name))
    return {
      ...event,
      registration_types,
      codes,
      pools: event.pools.filter(({ name }) => !waiting.has(name)),
    }
  })
  return { ...file, events }
}

function getsBack({ typeNames }: PlannedPool, { types }: PlannedEvent): boolean {
  return typeNames.some(name => types.get(name)?.released)
}

/** The frame as it was written, with the items as they are planned, and what changes once these are refunded. */
function withItems(frame: Plan, preview: Plan): Plan {
  const events = frame.events.map((event, index) => {
    const planned = preview.events[index] as PlannedEvent
    const { orders, registrations, waitlist, abstracts } = planned
    const codes = planned.completed.length === 0 ? event.codes : planned.codes
    const written = [...event.types].map(([name, type]): [string, PlannedType] => {
      const later = planned.types.get(name)
      return [name, later?.released ? later : type]
    })
    const pools = planned.pools.map(pool =>
      getsBack(pool, planned) ? pool : (event.pools.find(({ row }) => row.name === pool.row.name) ?? pool),
    )
    return { ...event, orders, registrations, waitlist, abstracts, codes, types: new Map(written), pools }
  })
  return { ...frame, events, receipts: preview.receipts }
}

type Items = Pick<OrganizationEvent, 'orders' | 'registrations' | 'waitlist' | 'abstracts'>

function nothing(): Items {
  return { orders: [], registrations: [], waitlist: [], abstracts: [] }
}

interface Batch {
  /** Its items, by the index of the event in the file. */
  events: Map<number, Items>
  count: number
}

function* batchesOf(entries: Iterable<Entry>, size: BatchSize): Generator<Batch> {
  let batch: Batch = { events: new Map(), count: 0 }
  let rows = 0
  let characters = 0
  for (const { index, items, rows: more } of entries) {
    const length = JSON.stringify(items).length
    if (batch.count > 0 && (rows + more > size.rows || characters + length > size.characters)) {
      yield batch
      batch = { events: new Map(), count: 0 }
      rows = 0
      characters = 0
    }
    const whole = batch.events.get(index) ?? nothing()
    batch.events.set(index, whole)
    for (const kind of KINDS) {
      ;(whole[kind] as object[]).push(...(items[kind] ?? []))
      if (kind !== 'orders') batch.count += items[kind]?.length ?? 0
    }
    rows += more
    characters += length
  }
  if (batch.count > 0) yield batch
}

interface Entry {
  /** Of the event in the file. */
  index: number
  /** What comes in one write: an item, or an order with its registrations. */
  items: Partial<Items>
  rows: number
}

const KINDS = ['orders', 'registrations', 'waitlist', 'abstracts'] as const

function* completionsOf(plan: Plan): Generator<Entry> {
  for (const [index, { completed }] of plan.events.entries()) {
    for (const { item } of completed) {
      yield { index, items: { registrations: [item] }, rows: COMPLETED * (1 + quantityOf(item)) }
    }
  }
}

/** The new items, in their order. */
function* importsOf(plan: Plan): Generator<Entry> {
  for (const [index, event] of plan.events.entries()) {
    for (const { orders, registrations } of togetherOf(event)) {
      const rows = registrations.reduce((sum, item) => sum + 1 + quantityOf(item), moneyRows(orders))
      yield { index, items: { orders, registrations }, rows }
    }
    for (const { change, item } of event.waitlist)
      if (change === 'created') yield { index, items: { waitlist: [item] }, rows: 1 }
    for (const { change, item } of event.abstracts)
      if (change === 'created') yield { index, items: { abstracts: [item] }, rows: 1 }
  }
}

function moneyRows(orders: Together['orders']): number {
  return orders.reduce((sum, { ledger }) => sum + 1 + (ledger?.length ?? 0), 0)
}

type Together = Pick<Items, 'orders' | 'registrations'>

/** The new registrations, oldest first, each order with all of its own where the first of them stands. */
function* togetherOf({ orders, imported }: PlannedEvent): Generator<Together> {
  const ordered = new Map<string, Together>()
  for (const { change, item } of orders) {
    if (change === 'created') ordered.set(item.reference, { orders: [item], registrations: [] })
  }
  for (const { item } of imported) ordered.get(item.order ?? '')?.registrations.push(item)
  for (const { item } of imported) {
    const together = item.order === null ? { orders: [], registrations: [item] } : ordered.get(item.order)
    if (together?.registrations[0] === item) yield together
  }
}

function partOf(file: Organization, events: Batch['events']): Organization {
  const parts = [...events].map(([index, items]) => ({
    ...(file.events[index] as OrganizationEvent),
    ...items,
  }))
  return { ...file, events: parts, webhooks: [], receipts: [] }
}

/** The receipts, oldest first, some in each part, with the orders that they are of: these are there by now. */
function* receiptParts(file: Organization, { rows }: BatchSize): Generator<Organization> {
  const all = inNumericOrder(file.receipts)
  for (let start = 0; start < all.length; start += rows) {
    const receipts = all.slice(start, start + rows)
    const named = new Set(receipts.map(({ event, order }) => `${event} ${order}`))
    const events = file.events.map(event => ({
      ...event,
      ...nothing(),
      orders: event.orders.filter(({ reference }) => named.has(`${event.slug} ${reference}`)),
    }))
    yield { ...file, events, webhooks: [], receipts }
  }
}

/** @param whole has the pools that are to come, too */
function placesOf(file: Organization, whole: Organization, indexes: Iterable<number>): EventPart[] {
  return [...indexes].map(index => {
    const { pools } = whole.events[index] as OrganizationEvent
    const event = file.events[index] as OrganizationEvent
    return { places: new Places(`events.${index}`, { ...event, pools }) }
  })
}

/** Notes the outcome of a batch in the plan of the whole: another process may have changed something since. */
function noteIn(whole: Plan): (batch: Plan) => void {
  const events = new Map(whole.events.map(event => [event.row.slug, event]))
  const items = new Map(whole.events.flatMap(itemsOf).map(planned => [planned.item, planned]))
  return batch => {
    noteRow(whole.account, batch.account)
    for (const done of batch.events) {
      const event = events.get(done.row.slug) as PlannedEvent
      noteRow(event, done)
      for (const [name, type] of done.types) {
        const planned = event.types.get(name)
        if (planned !== undefined) noteRow(planned, type)
      }
      for (const pool of done.pools) {
        const planned = event.pools.find(({ row }) => row.name === pool.row.name)
        if (planned !== undefined) noteRow(planned, pool)
      }
      for (const item of itemsOf(done)) Object.assign(items.get(item.item) as object, item)
    }
  }
}

function noteRow<Row>(planned: Planned<Row>, { change, row, fields }: Planned<Row>): void {
  if (planned.change === 'kept') Object.assign(planned, { change, row, fields })
}

function itemsOf({ orders, registrations, waitlist, abstracts }: PlannedEvent): PlannedItem<object>[] {
  return [...orders, ...registrations, ...waitlist, ...abstracts]
}
