import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '#machinery/db/batches.ts'
import type { Position } from '#machinery/db/keyset.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { findKept, MOST_AT_ONCE } from './rules.ts'
import * as store from './store.ts'

/** One read takes at most this many rows, in a few milliseconds. */
const CHECK_INS_A_READ = 1_000
/** At most this many events are remembered. Those whose last request is oldest leave first. */
const KEPT_EVENTS = 1_000

/** Says how many of an event's tickets are checked in. */
export interface Inside {
  /** Null if there are too many to count at once and they were not counted in the background yet. */
  count: number | null
  /** The counts by the id of the type. */
  by_type: Readonly<Record<string, number>>
  /**
   * The counts by the name of the door, which is empty for check-ins without one. It is null if there are too many to count at
   * once.
   */
  by_door: ReadonlyMap<string, number> | null
  /** The instant of both counts, in ISO 8601. It is null if they are of this moment. */
  counted_at: string | null
  /** The people who were checked in since the requested instant, at most 20,000. Extras that were handed out are none. */
  recent: number
}

interface Counted {
  count: number
  byType: Record<string, number>
  byDoor: Map<string, number>
  last: Position | undefined
}

/**
 * Counts who is inside, for pages that look every few seconds at several doors. It remembers earlier counts and reads only what
 * came since. If the sum is not that of the table, as after an undo, it counts everything again.
 */
export class InsideCounts {
  readonly #remembered = new Map<string, Counted>()

  /** @param since milliseconds */
  async count(reader: Reader, accountId: string, eventId: string, since: number): Promise<Inside> {
    const most = MOST_AT_ONCE + 1
    const { isLarge, recent, kept } = await reader.read(accountId, async tx => {
      const isLarge = (await store.countCheckIns(tx, eventId, most)) === most
      const without = await registrationTypes.listExtras(tx, eventId)
      return {
        isLarge,
        recent: await store.countCheckInsSince(tx, eventId, { since, without }, MOST_AT_ONCE),
        kept: isLarge ? await findKept(tx, eventId) : undefined,
      }
    })
    if (isLarge) {
      const { check_ins = null, check_ins_by_type = {} } = kept?.counted ?? {}
      const by = { by_type: check_ins_by_type, by_door: null }
      return { count: check_ins, ...by, counted_at: kept?.countedAt ?? null, recent }
    }
    const none: Counted = { count: 0, byType: {}, byDoor: new Map(), last: undefined }
    const name = `${accountId} ${eventId}`
    const remembered = this.#remembered.get(name)
    let counted = await goOn(reader, accountId, eventId, remembered ?? none)
    if (!counted.isComplete && remembered !== undefined)
      counted = await goOn(reader, accountId, eventId, none)
    this.#remember(name, counted)
    const by = { by_type: counted.byType, by_door: counted.byDoor }
    return { count: counted.count, ...by, counted_at: null, recent }
  }

  #remember(name: string, counted: Counted): void {
    this.#remembered.delete(name)
    this.#remembered.set(name, counted)
    if (this.#remembered.size > KEPT_EVENTS)
      this.#remembered.delete(this.#remembered.keys().next().value as string)
  }
}

/** Adds the check-ins after those that were counted. */
async function goOn(
  reader: Reader,
  accountId: string,
  eventId: string,
  before: Counted,
): Promise<Counted & { isComplete: boolean }> {
  let { count, last } = before
  const byType = { ...before.byType }
  const byDoor = new Map(before.byDoor)
  for (;;) {
    const { rows, all } = await reader.read(accountId, async tx => {
      const rows = await store.listCheckInsAfter(tx, eventId, last, CHECK_INS_A_READ)
      const isEnd = rows.length < CHECK_INS_A_READ
      // Both are read in the same snapshot. Otherwise one of them would miss a check-in made in between.
      return {
        rows,
        all: isEnd ? await store.countCheckIns(tx, eventId, MOST_AT_ONCE) : undefined,
      }
    })
    for (const { registration_type_id: type, door } of rows) {
      byType[type] = (byType[type] ?? 0) + 1
      byDoor.set(door ?? '', (byDoor.get(door ?? '') ?? 0) + 1)
    }
    count += rows.length
    last = rows.at(-1) ?? last
    if (all !== undefined) return { count, byType, byDoor, last, isComplete: count === all }
    await nextTurn()
  }
}
