import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { type ApplyOptions, applyInOneWrite, asPlanned } from './apply.ts'
import {
  type Batch,
  type BatchSize,
  batchesOf,
  completionsOf,
  importsOf,
  KINDS,
  nothing,
} from './batch-items.ts'
import { type Current, readCurrent } from './current.ts'
import { Places } from './places.ts'
import { type EventPart, makePlan, type Plan } from './plan.ts'
import type { PlannedEvent } from './plan-event.ts'
import type { PlannedItem } from './plan-item.ts'
import type { PlannedPool } from './plan-pools.ts'
import { inNumericOrder } from './plan-receipts.ts'
import type { Planned, PlannedType } from './plan-row.ts'
import { describePlan, type Report } from './report.ts'
import type { Organization, OrganizationEvent } from './schema.ts'

const BATCH: BatchSize = { rows: 1_000, characters: 1_000_000 }

/** Only some of the batches were imported. The cause says why. */
export class BatchesStopped extends Error {
  constructor(imported: number, all: number, cause: unknown) {
    const count = (number: number) => number.toLocaleString('en')
    super(
      `${count(imported)} of ${count(all)} registrations, waiting entries, abstracts and people of calls were imported or completed, and stay. Run the command again to go on.`,
      { cause },
    )
  }
}

/**
 * Applies an organization file in many writes, each complete, so that a server beside it gets its turn in between. It writes the
 * account, events, types and webhooks first, then fees and refunds. Then it lowers capacities for which these make room. The new
 * registrations, waitlist entries, abstracts and people come last, oldest first, and programmes after these. An order comes in one write with all of its
 * registrations. A file that cannot be applied is refused before the first write. Each batch is planned against the database as
 * it is then. Existing items are kept, so running it again after a stop goes on.
 *
 * @throws Problem invalid_parameter with nothing written
 * @throws BatchesStopped
 */
export async function applyInBatches(
  db: Database,
  file: Organization,
  { clock, beforeWrite, updateHistory, size = BATCH }: ApplyOptions & { size?: BatchSize },
): Promise<Report> {
  const current = await db.read(INSTANCE, tx => readCurrent(tx, file))
  const preview = makePlan(current, file, clock(), { updateHistory })
  beforeWrite?.(preview)
  const roomy = beforeRefunds(file, preview, current)
  const frame = await applyInOneWrite(
    db,
    frameOf(roomy),
    { clock },
    placesOf(roomy, file, roomy.events.keys()),
  )
  const full = withItems(frame.plan, preview)
  const note = noteIn(full)
  const refunds = [...batchesOf(completionsOf(preview), size)]
  const imports = [...batchesOf(importsOf(preview), size)]
  const all = [...refunds, ...imports].reduce((sum, { count }) => sum + count, 0)
  let imported = 0
  const write = async (from: Organization, { events, count }: Batch) => {
    // Preparing a batch takes longer than its write. The server's own writes have their turn meanwhile.
    const parts = placesOf(from, file, events.keys())
    note((await applyInOneWrite(db, partOf(from, events), { clock, updateHistory }, parts)).plan)
    imported += count
  }
  try {
    for (const batch of refunds) await write(roomy, batch)
    if (refunds.length > 0) note((await applyInOneWrite(db, frameOf(file), { clock })).plan)
    for (const batch of imports) await write(file, batch)
    for (const index of indexesOfProgrammes(preview)) {
      const { programme } = file.events[index] as OrganizationEvent
      const part = partOf(file, new Map([[index, { ...nothing(), programme }]]))
      note((await applyInOneWrite(db, part, { clock }, placesOf(file, file, [index]))).plan)
    }
    for (const some of receiptParts(file, size)) await applyInOneWrite(db, some, { clock })
  } catch (error) {
    throw new BatchesStopped(imported, all, error)
  }
  return describePlan(full, asPlanned)
}

function frameOf(file: Organization): Organization {
  return { ...file, events: file.events.map(event => ({ ...event, ...nothing() })), receipts: [] }
}

/**
 * Returns the file as it applies before refunds, while places that come back still count as sold. A type has no less capacity
 * than in the database, and a pool stays as the database has it.
 */
function beforeRefunds(file: Organization, preview: Plan, current: Current): Organization {
  const events = file.events.map((event, index) => {
    const planned = preview.events[index] as PlannedEvent
    const { types } = planned
    const existing = current.events.get(event.slug)?.types
    const registration_types = event.registration_types.map(type => {
      const least = types.get(type.name)?.released ? (existing?.get(type.name)?.capacity ?? 0) : 0
      return { ...type, capacity: Math.max(type.capacity, least) }
    })
    // Refunded tickets give their codes back.
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

/** Returns the frame as it was written, with the planned items and what changes once these are refunded. */
function withItems(frame: Plan, preview: Plan): Plan {
  const events = frame.events.map((event, index) => {
    const planned = preview.events[index] as PlannedEvent
    const { orders, registrations, waitlist, reviewers, abstracts, submitters, programme } = planned
    const codes = planned.completed.length === 0 ? event.codes : planned.codes
    const written = [...event.types].map(([name, type]): [string, PlannedType] => {
      const later = planned.types.get(name)
      return [name, later?.released ? later : type]
    })
    const pools = planned.pools.map(pool =>
      getsBack(pool, planned) ? pool : (event.pools.find(({ row }) => row.name === pool.row.name) ?? pool),
    )
    const items = { orders, registrations, waitlist, reviewers, abstracts, submitters, programme }
    return { ...event, ...items, codes, types: new Map(written), pools }
  })
  return { ...frame, events, receipts: preview.receipts }
}

/** Returns which events get a programme. It names abstracts, and comes in one write, after these. */
function indexesOfProgrammes({ events }: Plan): number[] {
  return events.flatMap(({ programme }, index) => (programme?.change === 'created' ? [index] : []))
}

function partOf(file: Organization, events: Batch['events']): Organization {
  const parts = [...events].map(([index, items]) => ({
    ...(file.events[index] as OrganizationEvent),
    ...items,
    series: undefined,
  }))
  return { ...file, series: [], events: parts, webhooks: [], receipts: [] }
}

/** Yields the receipts, oldest first, some in each part, with their orders, which exist by then. */
function* receiptParts(file: Organization, { rows }: BatchSize): Generator<Organization> {
  const all = inNumericOrder(file.receipts)
  for (let start = 0; start < all.length; start += rows) {
    const receipts = all.slice(start, start + rows)
    const named = new Set(receipts.map(({ event, order }) => `${event} ${order}`))
    const events = file.events.map(event => ({
      ...event,
      ...nothing(),
      series: undefined,
      orders: event.orders.filter(({ reference }) => named.has(`${event.slug} ${reference}`)),
    }))
    yield { ...file, series: [], events, webhooks: [], receipts }
  }
}

/**
 * Returns the places of the events of a file.
 *
 * @param full the file that also has the pools to come
 */
function placesOf(file: Organization, full: Organization, indexes: Iterable<number>): EventPart[] {
  return [...indexes].map(index => {
    const { pools } = full.events[index] as OrganizationEvent
    const event = file.events[index] as OrganizationEvent
    return { places: new Places(`events.${index}`, { ...event, pools }) }
  })
}

/** Notes the outcome of a batch in the plan of the whole file, because another process may have changed something since. */
function noteIn(full: Plan): (batch: Plan) => void {
  const events = new Map(full.events.map(event => [event.row.slug, event]))
  const items = new Map(full.events.flatMap(itemsOf).map(planned => [planned.item, planned]))
  return batch => {
    noteRow(full.account, batch.account)
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
      if (event.programme !== undefined) Object.assign(event.programme, done.programme)
      for (const item of itemsOf(done)) Object.assign(items.get(item.item) as object, item)
    }
  }
}

function noteRow<Row>(planned: Planned<Row>, { change, row, fields }: Planned<Row>): void {
  if (planned.change === 'kept') Object.assign(planned, { change, row, fields })
}

function itemsOf(event: PlannedEvent): PlannedItem<object>[] {
  return KINDS.flatMap(kind => event[kind] as PlannedItem<object>[])
}
