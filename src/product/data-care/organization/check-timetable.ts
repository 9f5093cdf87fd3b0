import { type FaultAt, makeFault } from '#base/faults.ts'
import { MAX_SESSION } from '#product/programme/timetable/schemas.ts'
import { at, faultyPlaces, isObject, type LocalFault, listed, TWICE } from './check.ts'
import type { Organization, OrganizationEvent } from './schema.ts'
import type { OrganizationProgramme, OrganizationVersion } from './timetable-items.ts'

/**
 * Finds what contradicts itself in the programmes of a file.
 *
 * @param file the file as the schema gives it, well-formed or not
 * @param faults the faults of its form; a programme that has one is not checked again
 */
export function* findTimetableFaults(file: unknown, faults: readonly FaultAt[]): Generator<FaultAt> {
  const faulty = faultyPlaces(faults)
  if (!isObject<Organization>(file)) return
  for (const [index, event] of listed(file.events)) {
    const path = `events.${index}.programme`
    if (!isObject<OrganizationEvent>(event) || event.programme === undefined || faulty.has(path)) continue
    for (const fault of findFaults(event.programme)) yield at(path, fault)
  }
}

function* findFaults({ rooms, sessions, versions, published }: OrganizationProgramme): Generator<LocalFault> {
  const names = new Set<string>()
  for (const [index, name] of rooms.entries()) {
    if (names.has(name.toLowerCase())) yield [`rooms.${index}`, TWICE]
    names.add(name.toLowerCase())
  }
  for (const [index, session] of sessions.entries()) {
    const path = `sessions.${index}`
    if (session.ends_at <= session.starts_at || session.ends_at - session.starts_at > MAX_SESSION)
      yield [`${path}.ends_at`, makeFault('contradicts', { field: 'starts_at' })]
    const codes = new Set<string>()
    for (const [place, { abstract, title }] of session.slots.entries()) {
      const slot = `${path}.slots.${place}`
      if (abstract === null && title === null) yield [`${slot}.title`, makeFault('required')]
      if (abstract === null) continue
      if (title !== null) yield [`${slot}.title`, makeFault('contradicts', { field: 'abstract' })]
      if (codes.has(abstract)) yield [`${slot}.abstract`, TWICE]
      codes.add(abstract)
    }
  }
  const given = new Map<string, string>()
  for (const [index, version] of versions.entries()) yield* findVersionFaults(version, index, given)
  if (published === null || published <= versions.length) return
  const max = versions.length
  yield ['published', max === 0 ? makeFault('unknown') : makeFault('integer', { min: 1, max })]
}

/** @param given the numbers of abstracts that earlier versions gave. No number is given twice, and none changes */
function* findVersionFaults(
  { sessions, numbers }: OrganizationVersion,
  index: number,
  given: Map<string, string>,
): Generator<LocalFault> {
  const path = `versions.${index}`
  const own = new Map(numbers.map(({ abstract, number }) => [abstract, number]))
  const taken = new Set<string>()
  const named = new Set<string>()
  for (const [at, { abstract, number }] of numbers.entries()) {
    const before = given.get(abstract)
    if (named.has(abstract)) yield [`${path}.numbers.${at}.abstract`, TWICE]
    if (taken.has(number)) yield [`${path}.numbers.${at}.number`, TWICE]
    else if (before !== undefined && before !== number)
      yield [`${path}.numbers.${at}.number`, makeFault('contradicts', { field: `versions.${index - 1}` })]
    named.add(abstract)
    taken.add(number)
  }
  for (const abstract of given.keys())
    if (!own.has(abstract)) {
      yield [`${path}.numbers`, makeFault('contradicts', { field: `versions.${index - 1}` })]
      break
    }
  for (const [abstract, number] of own) given.set(abstract, number)
  const seen = { sessions: new Set<number>(), slots: new Set<number>() }
  for (const [of, { session, slots }] of sessions.entries()) {
    if (seen.sessions.has(session)) yield [`${path}.sessions.${of}.session`, TWICE]
    seen.sessions.add(session)
    for (const [at, { slot, abstract }] of slots.entries()) {
      const place = `${path}.sessions.${of}.slots.${at}`
      if (seen.slots.has(slot)) yield [`${place}.slot`, TWICE]
      seen.slots.add(slot)
      if (abstract !== null && !own.has(abstract))
        yield [`${place}.abstract`, makeFault('contradicts', { field: 'numbers' })]
    }
  }
}
