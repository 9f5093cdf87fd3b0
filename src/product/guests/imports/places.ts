import type { ReadTx } from '#machinery/db/port.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import * as store from './store.ts'

/** Counts the tickets that the earlier lines take, by the id of a type or a pool. */
export type Taken = Record<string, number>

/** Tracks what is left for the lines of a file, one after the other, as if each took its tickets. */
export class Places {
  readonly taken: Taken
  readonly #free: ReadonlyMap<string, number>
  readonly #pools: ReadonlyMap<string, string[]>

  private constructor(free: ReadonlyMap<string, number>, pools: ReadonlyMap<string, string[]>, taken: Taken) {
    this.#free = free
    this.#pools = pools
    this.taken = taken
  }

  static async read(
    tx: ReadTx,
    eventId: string,
    types: readonly RegistrationType[],
    taken: Taken,
  ): Promise<Places> {
    const free = new Map(types.map(({ id, capacity, sold }) => [id, capacity - sold]))
    for (const pool of await store.listPools(tx, eventId)) free.set(pool.id, pool.free)
    const pools = new Map<string, string[]>()
    for (const { type_id, pool_id } of await store.listDraws(tx, eventId)) {
      pools.set(type_id, [...(pools.get(type_id) ?? []), pool_id])
    }
    return new Places(free, pools, { ...taken })
  }

  /**
   * Takes all of the tickets or none.
   *
   * @returns how many are left if there are too few
   */
  take(typeId: string, quantity: number): number | undefined {
    const sources = [typeId, ...(this.#pools.get(typeId) ?? [])]
    const left = Math.min(...sources.map(id => (this.#free.get(id) ?? 0) - (this.taken[id] ?? 0)))
    if (left < quantity) return Math.max(0, left)
    for (const id of sources) this.taken[id] = (this.taken[id] ?? 0) + quantity
    return undefined
  }
}
