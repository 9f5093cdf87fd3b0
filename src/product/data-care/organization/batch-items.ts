import { quantityOf } from '#product/guests/registrations/placement.ts'
import type { Plan } from './plan.ts'
import type { PlannedEvent } from './plan-event.ts'
import type { OrganizationEvent } from './schema.ts'

/** This file divides the new items of a file among the writes that bring them. */

/** Sets the limits of a batch. A running server's writes wait some 20 ms for one batch, and some 100 ms on a slow machine. */
export interface BatchSize {
  /**
   * Counts registrations, tickets, orders, waitlist entries, and abstracts with all that is made for them. A registration also has
   * some six rows of words.
   */
  rows: number
  /** The length as JSON. */
  characters: number
}

/** A changed row takes as long as this many new ones. */
const COMPLETED = 4

type Items = Pick<OrganizationEvent, (typeof KINDS)[number]>

/** Returns the items of an event of which none come. */
export function nothing(): Items & { programme: undefined } {
  const people = { reviewers: [], abstracts: [], submitters: [] }
  return { orders: [], registrations: [], waitlist: [], ...people, programme: undefined }
}

/** What one write brings. */
export interface Batch {
  /** The items of the batch, by the index of the event in the file. */
  events: Map<number, Items>
  count: number
}

/** Puts entries together to batches, in their order. */
export function* batchesOf(entries: Iterable<Entry>, size: BatchSize): Generator<Batch> {
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
    const full = batch.events.get(index) ?? nothing()
    batch.events.set(index, full)
    for (const kind of KINDS) {
      ;(full[kind] as object[]).push(...(items[kind] ?? []))
      if (kind !== 'orders') batch.count += items[kind]?.length ?? 0
    }
    rows += more
    characters += length
  }
  if (batch.count > 0) yield batch
}

interface Entry {
  /** The index of the event in the file. */
  index: number
  /** What one write contains: an item, or an order with its registrations. */
  items: Partial<Items>
  rows: number
}

/** Each comes after those that it names. */
export const KINDS = ['orders', 'registrations', 'waitlist', 'reviewers', 'abstracts', 'submitters'] as const

/** Yields the registrations whose history is completed. */
export function* completionsOf(plan: Plan): Generator<Entry> {
  for (const [index, { completed }] of plan.events.entries()) {
    for (const { item } of completed) {
      yield { index, items: { registrations: [item] }, rows: COMPLETED * (1 + quantityOf(item)) }
    }
  }
}

/** Yields the new items, in their order. */
export function* importsOf(plan: Plan): Generator<Entry> {
  for (const [index, event] of plan.events.entries()) {
    for (const { orders, registrations } of togetherOf(event)) {
      const rows = registrations.reduce((sum, item) => sum + 1 + quantityOf(item), moneyRows(orders))
      yield { index, items: { orders, registrations }, rows }
    }
    for (const { change, item } of event.waitlist)
      if (change === 'created') yield { index, items: { waitlist: [item] }, rows: 1 }
    yield* importsOfProgramme(index, event)
  }
}

/** Yields abstracts with all that is said of them, and people with all that they submit. */
function* importsOfProgramme(index: number, event: PlannedEvent): Generator<Entry> {
  for (const { change, item } of event.reviewers)
    if (change === 'created') yield { index, items: { reviewers: [item] }, rows: 1 }
  for (const { change, item } of event.abstracts) {
    const rows = 1 + item.revisions.length + item.reviews.length
    if (change === 'created') yield { index, items: { abstracts: [item] }, rows }
  }
  for (const { item, submissions } of event.submitters) {
    const count = submissions.filter(({ change }) => change === 'created').length
    if (count > 0) yield { index, items: { submitters: [item] }, rows: 1 + count }
  }
}

function moneyRows(orders: Together['orders']): number {
  return orders.reduce((sum, { ledger }) => sum + 1 + (ledger?.length ?? 0), 0)
}

type Together = Pick<Items, 'orders' | 'registrations'>

/**
 * Yields the new registrations, oldest first. Each order comes with all of its registrations in the place of the first of them, and
 * what stands beside a ticket without an order after all others.
 */
function* togetherOf({ orders, imported }: PlannedEvent): Generator<Together> {
  const ordered = new Map<string, Together>()
  for (const { change, item } of orders) {
    if (change === 'created') ordered.set(item.reference, { orders: [item], registrations: [] })
  }
  for (const { item } of imported) ordered.get(item.order ?? '')?.registrations.push(item)
  const [others, beside] = [true, false].map(isOther =>
    imported.filter(({ item }) => (item.beside === null) === isOther),
  ) as [typeof imported, typeof imported]
  for (const { item } of [...others, ...beside]) {
    const together = item.order === null ? { orders: [], registrations: [item] } : ordered.get(item.order)
    if (together?.registrations[0] === item) yield together
  }
}
