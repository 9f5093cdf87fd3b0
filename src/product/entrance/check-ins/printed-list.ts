import { setImmediate as nextTurn } from 'node:timers/promises'
import { countWithin, inBatches, type Reader } from '../db/batches.ts'
import * as events from '../events/rules.ts'
import { fold } from '../words.ts'
import * as store from './ticket-store.ts'
import { type DoorTicket, present } from './tickets.ts'

/** Names in memory at a time, some 10 MB: an event with more is gone through again for each so many. */
const KEPT = 50_000
/** Registrations and tickets of one read. */
const REGISTRATIONS_A_READ = 500
const TICKETS_A_READ = 1_000
/** Tickets that are given at a time. */
const GIVEN = 200
/** Names that are sorted at a time. */
const SORTED = 4_000

/** A part of a list. */
export interface ListPart {
  /** Of which alone; undefined for all. */
  typeId?: string | undefined
  /** Names before it. */
  skip?: number
  /** Names that it has. */
  most?: number
}

interface Name {
  id: string
  /** What it is sorted by, and no other has. */
  key: string
}

/**
 * The tickets of an event that are not void, in the order of their names as people write them, without regard to case and accents:
 * a list to be printed. No statement sorts: each way through the event keeps the first 50,000 names after those that were given,
 * so that a million take twenty ways, and memory stays flat. Who is renamed meanwhile may be there twice, or not.
 *
 * @throws Problem not_found
 */
export async function* listByName(
  reader: Reader,
  accountId: string,
  eventId: string,
  kept = KEPT,
  { typeId, skip = 0, most = Number.POSITIVE_INFINITY }: ListPart = {},
): AsyncGenerator<DoorTicket[]> {
  await reader.read(tx => events.get(tx, accountId, eventId))
  let after = ''
  let passed = 0
  for (;;) {
    const names = await findNext(reader, accountId, eventId, { typeId, after }, kept)
    const end = Math.min(names.length, skip + most - passed)
    for (let start = Math.max(0, skip - passed); start < end; start += GIVEN) {
      const ids = names.slice(start, Math.min(start + GIVEN, end)).map(({ id }) => id)
      const rows = await reader.read(tx => store.listByIds(tx, accountId, ids))
      const byId = new Map(rows.map(row => [row.id, row]))
      yield ids.flatMap(id => byId.get(id) ?? []).map(present)
      await nextTurn()
    }
    const last = names.at(-1)
    passed += names.length
    if (last === undefined || names.length < kept || passed >= skip + most) return
    after = last.key
  }
}

/** The first names of an event after one, in their order. */
async function findNext(
  reader: Reader,
  accountId: string,
  eventId: string,
  { typeId, after }: { typeId: string | undefined; after: string },
  most: number,
): Promise<Name[]> {
  let first: Name[] = []
  let others: Name[] = []
  const batches = inBatches<store.WalkedRow>(reader, REGISTRATIONS_A_READ, async (tx, last, size) => {
    const rows = await store.walkRegistrations(tx, accountId, eventId, last, size)
    return rows.slice(
      0,
      countWithin(rows, ({ quantity }) => quantity, TICKETS_A_READ),
    )
  })
  for await (const rows of batches) {
    const [from] = rows
    const to = rows.at(-1)
    if (from === undefined || to === undefined) continue
    const tickets = await reader.read(tx => store.listNames(tx, accountId, eventId, from, to))
    const end = first.length < most ? undefined : first.at(-1)?.key
    for (const { id, name, type_id } of tickets) {
      if (typeId !== undefined && type_id !== typeId) continue
      const key = `${fold(name)}\n${id}`
      if (key > after && (end === undefined || key < end)) others.push({ id, key })
    }
    if (others.length < SORTED) continue
    first = merge(first, others.sort(byKey), most)
    others = []
  }
  return merge(first, others.sort(byKey), most)
}

function byKey(one: Name, other: Name): number {
  return one.key < other.key ? -1 : 1
}

/** The first of both, each of which is in order. */
function merge(some: readonly Name[], others: readonly Name[], most: number): Name[] {
  const merged: Name[] = []
  let [at, otherAt] = [0, 0]
  while (merged.length < most) {
    const one = some[at]
    const other = others[otherAt]
    if (one !== undefined && (other === undefined || one.key < other.key)) {
      merged.push(one)
      at++
    } else if (other !== undefined) {
      merged.push(other)
      otherAt++
    } else break
  }
  return merged
}
