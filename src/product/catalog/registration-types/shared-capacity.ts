/** A type with a capacity of its own. */
interface Limited {
  id: string
  capacity: number
}

/** Capacity that several types share. */
interface Shared {
  capacity: number
  registration_type_ids: readonly string[]
}

/** Types whose tickets together are no more than the capacity. */
interface Group {
  types: readonly Limited[]
  capacity: number
}

/**
 * Returns how many tickets of these types can be sold in all. A pool takes its types together, so that they have no more than it
 * has. If pools overlap and none is within the other, the result may be more than can be sold, and is never less.
 */
export function sumCapacity(types: readonly Limited[], pools: readonly Shared[]): number {
  let groups: Group[] = types.map(type => ({ types: [type], capacity: type.capacity }))
  // Small pools come first, so that those within others are counted before them.
  const sorted = pools.toSorted((one, other) => {
    return one.registration_type_ids.length - other.registration_type_ids.length
  })
  for (const pool of sorted) {
    const ids = new Set(pool.registration_type_ids)
    const isTouched = (group: Group) => group.types.some(({ id }) => ids.has(id))
    const touched = groups.filter(isTouched)
    const within = touched.flatMap(group => group.types)
    const outside = within.filter(({ id }) => !ids.has(id))
    const capacity = Math.min(sum(touched), pool.capacity + sum(outside))
    groups = [...groups.filter(group => !isTouched(group)), { types: within, capacity }]
  }
  return sum(groups)
}

/** Returns how many tickets of a type can be sold if all pools that it draws from are left to it. */
export function capacityOf({ capacity, pools }: { capacity: number; pools: readonly Shared[] }): number {
  return Math.min(capacity, ...pools.map(pool => pool.capacity))
}

function sum(all: readonly { capacity: number }[]): number {
  return all.reduce((total, { capacity }) => total + capacity, 0)
}
