import { type FaultAt, makeFault } from '#base/faults.ts'
import { findAddress } from '#base/name-address.ts'
import { faultyPlaces, isObject, listed } from './check.ts'
import type { Organization, OrganizationEvent } from './schema.ts'

/** Holds a name of a person, and where it stands in its item. */
type Named = readonly [field: string, name: unknown]

/**
 * Finds every name of a person that contains a web address. An item that says when it was made is history from an export and
 * keeps its names. Otherwise names that were accepted once could not move to another server.
 *
 * @param file the file as the schema gives it, well-formed or not
 * @param faults the faults of its form; what has one is not checked again
 */
export function* findNameFaults(file: unknown, faults: readonly FaultAt[]): Generator<FaultAt> {
  if (!isObject<Organization>(file)) return
  const faulty = faultyPlaces(faults)
  for (const [index, event] of listed(file.events)) {
    if (!isObject<OrganizationEvent>(event)) continue
    for (const [place, [field, name]] of namesOf(event)) {
      const path = `events.${index}.${place}.${field}`
      const found = typeof name === 'string' && !faulty.has(path) ? findAddress(name) : undefined
      if (found !== undefined) yield { path, fault: makeFault('addressInName', { found }) }
    }
  }
}

/** Yields the names in new items, and where each item stands in the event. */
function* namesOf(event: OrganizationEvent): Generator<[place: string, named: Named]> {
  const lists: [name: string, items: unknown, find: (item: never) => Iterable<Named>, since: string][] = [
    ['orders', event.orders, namesOfBuyer, 'created_at'],
    ['registrations', event.registrations, namesOfRegistration, 'created_at'],
    ['waitlist', event.waitlist, namesOfOne, 'created_at'],
    ['abstracts', event.abstracts, namesOfAbstract, 'submitted_at'],
    ['reviewers', event.reviewers, namesOfOne, 'created_at'],
    ['submitters', event.submitters, namesOfOne, 'created_at'],
  ]
  for (const [name, items, find, since] of lists) {
    for (const [index, item] of listed(items)) {
      if (!isObject<Record<string, unknown>>(item) || typeof item[since] === 'number') continue
      for (const named of find(item as never)) yield [`${name}.${index}`, named]
    }
  }
}

function* namesOfBuyer({ buyer }: { buyer: unknown }): Generator<Named> {
  if (isObject<{ name: unknown }>(buyer)) yield ['buyer.name', buyer.name]
}

function* namesOfRegistration(item: { buyer: unknown; attendees: unknown }): Generator<Named> {
  yield* namesOfBuyer(item)
  yield* namesIn('attendees', item.attendees)
}

function* namesOfOne({ name }: { name: unknown }): Generator<Named> {
  yield ['name', name]
}

function* namesOfAbstract(item: { authors: unknown; contact: unknown }): Generator<Named> {
  yield* namesIn('authors', item.authors)
  if (isObject<{ name: unknown }>(item.contact)) yield ['contact.name', item.contact.name]
}

function* namesIn(field: string, people: unknown): Generator<Named> {
  for (const [index, person] of listed(people))
    if (isObject<{ name: unknown }>(person)) yield [`${field}.${index}.name`, person.name]
}
