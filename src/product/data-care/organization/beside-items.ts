import { type FaultAt, makeFault } from '#base/faults.ts'
import { isObject, listed } from './check.ts'
import type { Places } from './places.ts'
import type { PlannedItem } from './plan-item.ts'
import type { Refusals } from './refusals.ts'
import type { OrganizationEvent, OrganizationRegistration } from './schema.ts'

/** Finds extras that stand beside nothing in the file, beside themselves or another extra, or that have an order. */
export function* findBesideFaults(
  event: OrganizationEvent,
  path: string,
  faulty: ReadonlySet<string>,
): Generator<FaultAt> {
  const tickets = new Set<string>()
  const beside: { of: string; place: string }[] = []
  let areAll = true
  for (const [index, item] of listed(event.registrations)) {
    const place = `${path}.registrations.${index}`
    const isReadable = isObject<OrganizationRegistration>(item)
    if (!isReadable || ['reference', 'order', 'beside'].some(field => faulty.has(`${place}.${field}`))) {
      areAll = false
    } else if ((item.beside ?? null) !== null) {
      if (item.order !== null) yield { path: `${place}.beside`, fault: makeFault('notBeside') }
      else beside.push({ of: item.beside as string, place })
    } else if (item.order === null) tickets.add(item.reference)
  }
  if (!areAll) return
  for (const { of, place } of beside)
    if (!tickets.has(of)) yield { path: `${place}.beside`, fault: makeFault('notBeside') }
}

type Planned = PlannedItem<OrganizationRegistration> & { type: { kind: string } }

/**
 * Returns the ids of what the new extras stand beside, by reference: that comes with the file, or is there already.
 *
 * @param there the ids of the tickets without an order that the event has
 */
export function planBeside(
  registrations: readonly Planned[],
  there: ReadonlyMap<string, string> | undefined,
  { places, uncertain, refusals }: { places: Places; uncertain: object | undefined; refusals: Refusals },
): ReadonlyMap<string, string> {
  const isExtra = ({ type }: Planned) => type.kind === 'extra'
  const coming = registrations.filter(one => one.change === 'created' && !isExtra(one))
  const ids = new Map([...(there ?? []), ...coming.map(({ item, id }) => [item.reference, id] as const)])
  for (const planned of registrations) {
    const { change, item } = planned
    // With faults elsewhere, a type or a ticket may be other than it seems.
    if (change !== 'created' || item.beside === null || uncertain !== undefined) continue
    const place = `${places.of('registrations', item)}.beside`
    if (!isExtra(planned)) refusals.add(place, 'is given, and its registration type is no extra')
    else if (!ids.has(item.beside))
      refusals.add(place, `is "${item.beside}", which is no ticket without an order`)
  }
  return ids
}
