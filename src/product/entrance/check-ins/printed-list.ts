import { setImmediate as nextTurn } from 'node:timers/promises'
import { fold } from '#base/fold.ts'
import { countWithin, inBatches, type Reader } from '#machinery/db/batches.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as store from './ticket-store.ts'
import { type DoorTicket, present } from './tickets.ts'

/** This many names are in memory at a time, some 10 MB. An event with more names is gone through again for each such part. */
const KEPT = 50_000
/** One read takes at most this many registrations and tickets. */
const REGISTRATIONS_A_READ = 500
const TICKETS_A_READ = 1_000
/** The generator yields this many tickets at a time. */
const GIVEN = 200
/** This many names are sorted at a time. */
const SORTED = 4_000

/** Selects a part of a list. */
export interface ListPart {
  /** The only type that it lists. All tickets, without extras, if undefined. */
  typeId?: string | undefined
  /** How many names come before it. */
  skip?: number
  /** How many names it has. */
  most?: number
}

interface Name {
  id: string
  /** Names are sorted by this key, and no two have the same. */
  key: string
}

/**
 * Lists the tickets of an event that are not void in the order of their names as people write them, ignoring case and accents.
 * The list is meant to be printed. No statement sorts. Each pass through the event keeps the first 50,000 names after those
 * already given, so a million names take twenty passes and memory stays flat. Somebody who is renamed meanwhile may appear twice
 * or not at all.
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
  const extras = await reader.read(accountId, async tx => {
    await events.get(tx, eventId)
    return registrationTypes.listExtras(tx, eventId)
  })
  const isListed = (id: string) => (typeId === undefined ? !extras.has(id) : id === typeId)
  let after = ''
  let passed = 0
  for (;;) {
    const names = await findNext(reader, accountId, eventId, { isListed, after }, kept)
    const end = Math.min(names.length, skip + most - passed)
    for (let start = Math.max(0, skip - passed); start < end; start += GIVEN) {
      const ids = names.slice(start, Math.min(start + GIVEN, end)).map(({ id }) => id)
      const rows = await reader.read(accountId, tx => store.listByIds(tx, ids))
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

/** Finds the first names of an event after one, in their order. */
async function findNext(
  reader: Reader,
  accountId: string,
  eventId: string,
  { isListed, after }: { isListed: (typeId: string) => boolean; after: string },
  most: number,
): Promise<Name[]> {
  let first: Name[] = []
  let others: Name[] = []
  const batches = inBatches(
    reader,
    accountId,
    REGISTRATIONS_A_READ,
    async (tx, last: store.WalkedRow | undefined, size) => {
      const rows = await store.walkRegistrations(tx, eventId, last, size)
      return rows.slice(
        0,
        countWithin(rows, ({ quantity }) => quantity, TICKETS_A_READ),
      )
    },
  )
  for await (const rows of batches) {
    const [from] = rows
    const to = rows.at(-1)
    if (from === undefined || to === undefined) continue
    const tickets = await reader.read(accountId, tx => store.listNames(tx, eventId, from, to))
    const end = first.length < most ? undefined : first.at(-1)?.key
    for (const { id, name, type_id } of tickets) {
      if (!isListed(type_id)) continue
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

/** Merges two sorted lists and returns the first names of both. */
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
