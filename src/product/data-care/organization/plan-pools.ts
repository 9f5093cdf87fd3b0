import { newUuid } from '../ids.ts'
import type { PoolRow } from '../registration-types/pool-store.ts'
import type { CurrentEvent } from './current.ts'
import { type Doubts, isAmong, mayBeDescribed } from './doubts.ts'
import type { Places } from './places.ts'
import { type Planned, type PlannedType, planRow } from './plan-row.ts'
import { type Refusals, refusal } from './refusals.ts'
import type { OrganizationEvent, OrganizationPool } from './schema.ts'

export interface PlannedPool extends Planned<PoolRow> {
  /** Where the file describes it; undefined for a pool that only the database knows. */
  path: string | undefined
  /** Of the types that draw from it. */
  typeNames: readonly string[]
}

interface Around {
  /** Where the file has the event, and what is in it. */
  places: Places
  doubts: Doubts | undefined
  updateHistory: boolean
  eventId: string
  /** With what the file takes from each and gives back. */
  types: ReadonlyMap<string, PlannedType>
  /** Gets all that cannot be. */
  refusals: Refusals
}

/** The pools of an event, those of the file first; those that only the database knows stay as they are. */
export function planPools(
  current: Pick<CurrentEvent, 'pools'> | undefined,
  file: OrganizationEvent,
  around: Around,
): PlannedPool[] {
  const { places, types, refusals } = around
  const named = new Map([...types].map(([name, { row }]) => [row.id, name]))
  const known = new Map<string, PlannedPool>()
  for (const { typeIds, ...row } of current?.pools ?? []) {
    const typeNames = typeIds.map(id => named.get(id) as string)
    known.set(row.name, { change: 'kept', row, fields: [], path: undefined, typeNames })
  }
  const ofFile = file.pools.map(pool => planPool(known.get(pool.name), pool, around))
  for (const { row } of ofFile) known.delete(row.name)
  const planned = [...ofFile, ...known.values()]
  for (const pool of planned) {
    const oversold = isDoubtful(pool, around) ? undefined : findOversold(pool, types, places.path)
    if (oversold !== undefined) refusals.add(...oversold)
  }
  return planned
}

function planPool(
  known: PlannedPool | undefined,
  pool: OrganizationPool,
  { places, doubts, eventId, types, refusals }: Around,
): PlannedPool {
  const { name, capacity } = pool
  const path = places.of('pools', pool)
  const typeNames = pool.registration_types.filter((type, at) => {
    if (types.has(type)) return true
    if (!mayBeDescribed(type, doubts)) {
      refusals.add(`${path}.registration_types.${at}`, `is "${type}", and the event has no type of that name`)
    }
    return false
  })
  const id = known?.row.id ?? newUuid()
  const planned = planRow(known?.row, { id, event_id: eventId, name, capacity, sold: known?.row.sold ?? 0 })
  const isSame = typeNames.toSorted().join('\n') === known?.typeNames.toSorted().join('\n')
  if (known === undefined || isSame) return { ...planned, path, typeNames }
  return { ...planned, change: 'updated', fields: [...planned.fields, 'registration_types'], path, typeNames }
}

/** Whether it may have more room than it seems, or fewer types. */
function isDoubtful({ row }: PlannedPool, { doubts, updateHistory }: Around): boolean {
  if (doubts === undefined) return false
  return (updateHistory && doubts.refunds) || isAmong(row.name, doubts.pools)
}

/** The tickets that these types have sold once the file has given back and taken its own. */
export function soldOf(types: readonly PlannedType[]): number {
  return types.reduce((sum, { row, released, taken }) => sum + row.sold - released + taken, 0)
}

/** @throws Problem invalid_parameter */
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
