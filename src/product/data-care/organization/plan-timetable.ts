import { MAX_SLOTS } from '#product/programme/timetable/schemas.ts'
import { differing } from './existing.ts'
import type { Places } from './places.ts'
import type { Refusals } from './refusals.ts'
import type { OrganizationProgramme } from './timetable-items.ts'

/** The programme of an event as it will be. */
export interface PlannedTimetable {
  change: 'created' | 'kept'
  item: OrganizationProgramme
  /** The parts in which the file differs from the database, which keeps its own. */
  differs: readonly string[]
  /** The ids of the abstracts of the event, by code. */
  abstractIds: ReadonlyMap<string, string>
}

interface Around {
  /** What the event has. It is undefined if it has no programme. */
  current: OrganizationProgramme | undefined
  abstractIds: ReadonlyMap<string, string>
  places: Places
  refusals: Refusals
}

/**
 * Plans the programme of an event. It comes as a whole to an event that has none. One that is there stays as it is: what people have
 * been told of it is of its own versions.
 */
export function planTimetable(
  item: OrganizationProgramme,
  { current, abstractIds, places, refusals }: Around,
): PlannedTimetable {
  if (current !== undefined) {
    const fields = ['texts_from', 'published', 'people', 'rooms', 'sessions', 'versions'] as const
    const differs = differing(fields.map(field => [field, item[field], current[field]]))
    return { change: 'kept', item, differs, abstractIds }
  }
  const path = `${places.path}.programme`
  for (const [place, code] of abstractsIn(item))
    if (!abstractIds.has(code))
      refusals.add(`${path}.${place}.abstract`, `is "${code}", and the event has no abstract of that code`)
  const rooms = new Set(item.rooms)
  for (const [at, { room }] of item.sessions.entries())
    if (room !== null && !rooms.has(room))
      refusals.add(`${path}.sessions.${at}.room`, `is "${room}", and the programme has no room of that name`)
  if (item.sessions.reduce((sum, { slots }) => sum + slots.length, 0) > MAX_SLOTS)
    refusals.add(`${path}.sessions`, `have more than the ${MAX_SLOTS} slots that a programme takes`)
  return { change: 'created', item, differs: [], abstractIds }
}

/** Yields the code of each abstract that a programme names, with its place. */
function* abstractsIn({ sessions, versions }: OrganizationProgramme): Generator<[string, string]> {
  for (const [of, { slots }] of sessions.entries())
    for (const [at, { abstract }] of slots.entries())
      if (abstract !== null) yield [`sessions.${of}.slots.${at}`, abstract]
  for (const [number, version] of versions.entries()) {
    for (const [of, { slots }] of version.sessions.entries())
      for (const [at, { abstract }] of slots.entries())
        if (abstract !== null) yield [`versions.${number}.sessions.${of}.slots.${at}`, abstract]
    for (const [at, { abstract }] of version.numbers.entries())
      yield [`versions.${number}.numbers.${at}`, abstract]
  }
}

/** Returns the codes of the abstracts that a programme names. */
export function codesIn(item: OrganizationProgramme): string[] {
  return [...new Set([...abstractsIn(item)].map(([, code]) => code))]
}
