import { newUuid } from '#base/ids.ts'
import type { PoolRow } from '#product/catalog/registration-types/pool-store.ts'
import type { CurrentEvent } from './current.ts'
import type { Places } from './places.ts'
import { type Planned, type PlannedType, planRow } from './plan-row.ts'
import { type Refusals, refusal } from './refusals.ts'
import type { OrganizationEvent, OrganizationPool } from './schema.ts'
import { isAmong, mayBeDescribed, type Uncertain } from './uncertain.ts'

export interface PlannedPool extends Planned<PoolRow> {
  /** Where the file describes it. It is undefined for a pool that only the database has. */
  path: string | undefined
  /** The names of the types that draw from it. */
  typeNames: readonly string[]
}

interface Around {
  /** Where the file has the event and its items. */
  places: Places
  uncertain: Uncertain | undefined
  updateHistory: boolean
  eventId: string
  /** The types, with what the file takes from each and gives back. */
  types: ReadonlyMap<string, PlannedType>
  /** Collects everything that is impossible. */
  refusals: Refusals
}

/** Plans the pools of an event, with those of the file first. Those that only the database has stay as they are. */
export function planPools(
  current: Pick<CurrentEvent, 'pools'> | undefined,
  file: OrganizationEvent,
  around: Around,
): PlannedPool[] {
  const { places, types, refusals } = around
  const named = new Map([...types].map(([name, { row }]) => [row.id, name]))
  const existing = new Map<string, PlannedPool>()
  for (const { typeIds, ...row } of current?.pools ?? []) {
    const typeNames = typeIds.map(id => named.get(id) as string)
    existing.set(row.name, { change: 'kept', row, fields: [], path: undefined, typeNames })
  }
  const ofFile = file.pools.map(pool => planPool(existing.get(pool.name), pool, around))
  for (const { row } of ofFile) existing.delete(row.name)
  const planned = [...ofFile, ...existing.values()]
  for (const pool of planned) {
    const oversold = isUncertain(pool, around) ? undefined : findOversold(pool, types, places.path)
    if (oversold !== undefined) refusals.add(...oversold)
  }
  return planned
}

function planPool(
  existing: PlannedPool | undefined,
  pool: OrganizationPool,
  { places, uncertain, eventId, types, refusals }: Around,
): PlannedPool {
  const { name, capacity } = pool
  const path = places.of('pools', pool)
  const typeNames = pool.registration_types.filter((type, at) => {
    if (types.has(type)) return true
    if (!mayBeDescribed(type, uncertain)) {
      refusals.add(`${path}.registration_types.${at}`, `is "${type}", and the event has no type of that name`)
    }
    return false
  })
  const id = existing?.row.id ?? newUuid()
  const planned = planRow(existing?.row, {
    id,
    event_id: eventId,
    name,
    capacity,
    sold: existing?.row.sold ?? 0,
  })
  const isSame = typeNames.toSorted().join('\n') === existing?.typeNames.toSorted().join('\n')
  if (existing === undefined || isSame) return { ...planned, path, typeNames }
  return { ...planned, change: 'updated', fields: [...planned.fields, 'registration_types'], path, typeNames }
}

/** Returns whether the pool may have more room than it seems, or fewer types. */
function isUncertain({ row }: PlannedPool, { uncertain, updateHistory }: Around): boolean {
  if (uncertain === undefined) return false
  return (updateHistory && uncertain.refunds) || isAmong(row.name, uncertain.pools)
}

/** Returns how many tickets these types will have sold, once the file has given back and taken its own. */
export function soldOf(types: readonly PlannedType[]): number {
  return types.reduce((sum, { row, released, taken }) => sum + row.sold - released + taken, 0)
}

/**
 * Refuses a pool that would be oversold.
 *
 * @throws Problem invalid_parameter
 */
export function refuseOversoldPool(
  pool: PlannedPool,
  types: ReadonlyMap<string, PlannedType>,
  eventPath: string,
): void {
  const oversold = findOversold(pool, types, eventPath)
  if (oversold !== undefined) throw refusal(...oversold)
}

function findOversold(
  { row, path, typeNames }: PlannedPool,
  types: ReadonlyMap<string, PlannedType>,
  eventPath: string,
): [path: string, message: string] | undefined {
  const sold = soldOf(typeNames.map(name => types.get(name) as PlannedType))
  if (sold <= row.capacity) return undefined
  const [place, verb] =
    path === undefined ? [`${eventPath}.registrations`, 'are too many'] : [`${path}.capacity`, 'is too small']
  return [
    place,
    `${verb}: "${row.name}" is a shared capacity of ${row.capacity}, and ${sold} tickets are sold of it`,
  ]
}
