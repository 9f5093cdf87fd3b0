import { type FaultAt, makeFault } from '#base/faults.ts'
import { MAX_DATES } from '#product/catalog/events/series-schemas.ts'
import { faultyPlaces, findItemFaults, isObject, listed } from './check.ts'
import type { Organization, OrganizationEvent } from './schema.ts'

/**
 * Finds what contradicts itself in the series of a file.
 *
 * @param file the file as the schema gives it, well-formed or not
 * @param faults the faults of its form; what has one is not checked again
 */
export function* findSeriesFaults(file: unknown, faults: readonly FaultAt[]): Generator<FaultAt> {
  if (!isObject<Organization>(file)) return
  const faulty = faultyPlaces(faults)
  yield* findItemFaults(file.series, 'series', 'slug', faulty)
  if (faulty.has('series') || !Array.isArray(file.series)) return
  const slugs = new Set(file.series.map(({ slug }) => slug))
  const counts = new Map<string, number>()
  const ofEvents = new Set<unknown>()
  for (const [index, event] of listed(file.events)) {
    if (!isObject<OrganizationEvent>(event)) continue
    const path = `events.${index}`
    if (!faulty.has(`${path}.slug`)) ofEvents.add(event.slug)
    const { series } = event
    if (typeof series !== 'string' || faulty.has(`${path}.series`)) continue
    if (!slugs.has(series)) yield { path: `${path}.series`, fault: makeFault('noSeries') }
    counts.set(series, (counts.get(series) ?? 0) + 1)
  }
  for (const [index, { slug }] of file.series.entries()) {
    const path = `series.${index}`
    const count = counts.get(slug) ?? 0
    if (ofEvents.has(slug)) yield { path: `${path}.slug`, fault: makeFault('slugOfEvent') }
    // An event that cannot be read may be of any series.
    if (count === 0 && !faulty.has('events')) yield { path: `${path}.slug`, fault: makeFault('noDates') }
    if (count > MAX_DATES)
      yield { path: `${path}.slug`, fault: makeFault('tooManyDates', { max: MAX_DATES }) }
  }
}
