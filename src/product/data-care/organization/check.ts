import { type Fault, type FaultAt, makeFault } from '#base/faults.ts'
import { codeKey } from '#product/catalog/codes/schemas.ts'
import { hasChoices } from '#product/guests/questions/kinds.ts'
import { hasLongAnswers, LONG_ANSWERS } from '#product/guests/registrations/answer-keys.ts'
import type {
  Organization,
  OrganizationAbstract,
  OrganizationEvent,
  OrganizationPool,
  OrganizationRegistration,
  OrganizationType,
} from './schema.ts'

export type LocalFault = readonly [field: string, fault: Fault]

/** Describes an item in which each field that is not well-formed is null. */
export type Valid<Item> = { [Key in keyof Item]: Item[Key] | null }

export const TWICE = makeFault('twice')
const before = (field: string) => makeFault('before', { field })

/** No path of an item is as long. A longer one ends with an unknown field, whose name may have any length. */
const LONGEST_PATH = 100

/**
 * Finds every contradiction within a file.
 *
 * @param file the file as the schema gives it, well-formed or not
 * @param faults the faults of its form; what has one is not checked again
 */
export function* findContradictions(file: unknown, faults: readonly FaultAt[]): Generator<FaultAt> {
  const faulty = faultyPlaces(faults)
  if (!isObject<Organization>(file)) return
  yield* findItemFaults(file.webhooks, 'webhooks', 'url', faulty)
  yield* findItemFaults(file.events, 'events', 'slug', faulty, findEventFaults)
  for (const [index, event] of listed(file.events)) {
    if (!isObject<OrganizationEvent>(event)) continue
    const path = `events.${index}`
    const { registration_types: types, pools, registrations, waitlist, abstracts } = event
    yield* findItemFaults(types, `${path}.registration_types`, 'name', faulty, findTypeFaults)
    yield* findItemFaults(pools, `${path}.pools`, 'name', faulty, findPoolFaults)
    yield* findItemFaults(event.questions, `${path}.questions`, 'key', faulty, findQuestionFaults)
    yield* findItemFaults(event.codes, `${path}.codes`, 'code', faulty, findCodeFaults, codeKey)
    yield* findItemFaults(event.orders, `${path}.orders`, 'reference', faulty)
    yield* findItemFaults(registrations, `${path}.registrations`, 'reference', faulty, findRegistrationFaults)
    yield* findItemFaults(waitlist, `${path}.waitlist`, 'reference', faulty)
    yield* findItemFaults(abstracts, `${path}.abstracts`, 'code', faulty, findAbstractFaults)
  }
}

/** Returns the paths that have a fault, at their end or further down. */
export function faultyPlaces(faults: readonly FaultAt[]): ReadonlySet<string> {
  const places = new Set<string>()
  for (const { path } of faults) {
    let place = (path ?? '').slice(0, LONGEST_PATH)
    while (place !== '') {
      places.add(place)
      place = place.slice(0, Math.max(0, place.lastIndexOf('.')))
    }
  }
  return places
}

/** Finds each item whose key an earlier one has, and the faults within each item. */
export function* findItemFaults<Item extends object>(
  items: unknown,
  path: string,
  key: keyof Item & string,
  faulty: ReadonlySet<string>,
  findLocal?: (item: Valid<Item>) => Iterable<LocalFault>,
  compared = (name: string) => name,
): Generator<FaultAt> {
  const seen = new Set<unknown>()
  for (const [index, item] of listed(items)) {
    if (!isObject<Item>(item)) continue
    const place = `${path}.${index}`
    const valid = validOf(item, place, faulty)
    const name = valid[key]
    if (typeof name === 'string') {
      if (seen.has(compared(name))) yield at(place, [key, TWICE])
      seen.add(compared(name))
    }
    for (const fault of findLocal?.(valid) ?? []) yield at(place, fault)
  }
}

function validOf<Item extends object>(item: Item, place: string, faulty: ReadonlySet<string>): Valid<Item> {
  if (!faulty.has(place)) return item
  const fields = Object.entries(item).map(([name, value]) => [
    name,
    faulty.has(`${place}.${name}`) ? null : value,
  ])
  return Object.fromEntries(fields)
}

export function listed(items: unknown): Iterable<[number, unknown]> {
  return Array.isArray(items) ? items.entries() : []
}

export function isObject<Item extends object>(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function* findEventFaults(event: Valid<OrganizationEvent>): Generator<LocalFault> {
  if (isBefore(event.ends_at, event.starts_at)) yield ['ends_at', before('starts_at')]
  const { call } = event
  if (isObject<NonNullable<typeof call>>(call) && isBefore(call.closes_at, call.opens_at))
    yield ['call.closes_at', before('opens_at')]
}

function* findTypeFaults(type: Valid<OrganizationType>): Generator<LocalFault> {
  if (isBefore(type.sales_end, type.sales_start)) yield ['sales_end', before('sales_start')]
  if (isBefore(type.valid_until, type.valid_from)) yield ['valid_until', before('valid_from')]
}

function* findPoolFaults(pool: Valid<OrganizationPool>): Generator<LocalFault> {
  const seen = new Set<string>()
  for (const [index, name] of pool.registration_types?.entries() ?? []) {
    if (seen.has(name)) yield [`registration_types.${index}`, TWICE]
    seen.add(name)
  }
}

function* findQuestionFaults({
  kind,
  choices,
  asked_for,
  ...question
}: Valid<OrganizationEvent['questions'][number]>): Generator<LocalFault> {
  if (kind !== null && hasChoices(kind) && choices?.length === 0) yield ['choices', makeFault('required')]
  const contradicts = makeFault('contradicts', { field: 'asked_for' })
  if (asked_for === 'abstract') {
    if (question.registration_types !== null) yield ['registration_types', contradicts]
  } else if (question.for_reviewers) yield ['for_reviewers', contradicts]
}

function* findCodeFaults(code: Valid<OrganizationEvent['codes'][number]>): Generator<LocalFault> {
  if (isBefore(code.valid_until, code.valid_from)) yield ['valid_until', before('valid_from')]
  if (code.percent !== null && code.amount !== null) {
    yield ['amount', makeFault('contradicts', { field: 'percent' })]
  }
}

/** Finds the faults of a registration. It allows the same states as the CHECKs of the table, with a sentence for each. */
function* findRegistrationFaults(registration: Valid<OrganizationRegistration>): Generator<LocalFault> {
  const { status, attendees, quantity, amount_total: total } = registration
  if (status !== null) yield* findStatusFaults(registration, status)
  if (total !== null && (registration.refunded_amount ?? 0) > total) {
    yield ['refunded_amount', makeFault('moreThan', { field: 'amount_total' })]
  }
  if (attendees !== null && quantity !== null && attendees.length !== quantity) {
    yield ['attendees', makeFault('asManyAs', { field: 'quantity' })]
  }
  if (hasLongAnswers({ attendees })) yield ['attendees', LONG_ANSWERS]
}

function* findStatusFaults(
  registration: Valid<OrganizationRegistration>,
  status: OrganizationRegistration['status'],
): Generator<LocalFault> {
  const never = makeFault('notOfRegistration', { status })
  const unconfirmed = status === 'pending' || status === 'failed' || registration.never_confirmed === true
  if (registration.never_confirmed && status !== 'cancelled') yield ['never_confirmed', never]
  else if (registration.confirmed_at !== null && unconfirmed) {
    const contradiction = makeFault('contradicts', { field: 'never_confirmed' })
    yield ['confirmed_at', registration.never_confirmed ? contradiction : never]
  }
  if (registration.cancelled_at !== null && status !== 'cancelled' && status !== 'refunded') {
    yield ['cancelled_at', never]
  }
  if (registration.refunded_at !== null && status !== 'refunded') yield ['refunded_at', never]
  if (registration.refunded_amount !== null && status !== 'refunded') yield ['refunded_amount', never]
  if (!unconfirmed) return
  for (const [index, attendee] of registration.attendees?.entries() ?? []) {
    if (attendee.checked_in_at !== null)
      yield [`attendees.${index}.checked_in_at`, makeFault('neverConfirmed')]
  }
}

function* findAbstractFaults(abstract: Valid<OrganizationAbstract>): Generator<LocalFault> {
  const { status } = abstract
  if (status === null) return
  const never = makeFault('notOfAbstract', { status })
  const decided = status === 'accepted' || status === 'rejected'
  if (abstract.decided_at !== null && !decided) yield ['decided_at', never]
  if (abstract.decision_note !== null && status === 'submitted') yield ['decision_note', never]
}

function isBefore(later: number | null, earlier: number | null): boolean {
  return later !== null && earlier !== null && later < earlier
}

export function at(path: string, [field, fault]: LocalFault): FaultAt {
  return { path: `${path}.${field}`, fault }
}
