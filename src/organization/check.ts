import { type Fault, type FaultAt, makeFault } from '../faults.ts'
import type {
  Organization,
  OrganizationAbstract,
  OrganizationEvent,
  OrganizationRegistration,
  OrganizationType,
} from './schema.ts'

type LocalFault = readonly [field: string, fault: Fault]

const TWICE = makeFault('twice')
const before = (field: string) => makeFault('before', { field })

/** The first thing in a well-formed file that contradicts itself; undefined when nothing does. */
export function findFault(file: Organization): FaultAt | undefined {
  const webhook = findRepeated(file.webhooks, ({ url }) => url)
  if (webhook !== undefined) return at(`webhooks.${webhook}`, ['url', TWICE])
  const repeated = findRepeated(file.events, ({ slug }) => slug)
  if (repeated !== undefined) return at(`events.${repeated}`, ['slug', TWICE])
  for (const [index, event] of file.events.entries()) {
    const fault = findEventFault(event, `events.${index}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function findEventFault(event: OrganizationEvent, path: string): FaultAt | undefined {
  if (isBefore(event.ends_at, event.starts_at)) return at(path, ['ends_at', before('starts_at')])
  return (
    findItemFault(event.registration_types, `${path}.registration_types`, 'name', findTypeFault) ??
    findItemFault(event.registrations, `${path}.registrations`, 'reference', findRegistrationFault) ??
    findItemFault(event.waitlist, `${path}.waitlist`, 'reference', () => undefined) ??
    findItemFault(event.abstracts, `${path}.abstracts`, 'code', findAbstractFault)
  )
}

function findItemFault<Key extends string, Item extends Record<Key, string>>(
  items: readonly Item[],
  path: string,
  key: Key,
  findLocal: (item: Item) => LocalFault | undefined,
): FaultAt | undefined {
  const repeated = findRepeated(items, item => item[key])
  if (repeated !== undefined) return at(`${path}.${repeated}`, [key, TWICE])
  for (const [index, item] of items.entries()) {
    const fault = findLocal(item)
    if (fault !== undefined) return at(`${path}.${index}`, fault)
  }
  return undefined
}

/** The index of the first item whose key an earlier one has. */
function findRepeated<Item>(items: readonly Item[], keyOf: (item: Item) => string): number | undefined {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    if (seen.size === seen.add(keyOf(item)).size) return index
  }
  return undefined
}

function findTypeFault(type: OrganizationType): LocalFault | undefined {
  if (isBefore(type.sales_end, type.sales_start)) return ['sales_end', before('sales_start')]
  if (isBefore(type.valid_until, type.valid_from)) return ['valid_until', before('valid_from')]
  return undefined
}

/** The same states as the CHECKs of the table, with a sentence for each. */
function findRegistrationFault(registration: OrganizationRegistration): LocalFault | undefined {
  const { status, attendees, quantity } = registration
  const never = makeFault('notOfRegistration', { status })
  const unconfirmed = status === 'pending' || status === 'failed' || registration.never_confirmed
  if (registration.never_confirmed && status !== 'cancelled') return ['never_confirmed', never]
  if (registration.confirmed_at !== null && unconfirmed) {
    const contradiction = makeFault('contradicts', { field: 'never_confirmed' })
    return ['confirmed_at', registration.never_confirmed ? contradiction : never]
  }
  if (registration.cancelled_at !== null && status !== 'cancelled' && status !== 'refunded') {
    return ['cancelled_at', never]
  }
  if (registration.refunded_at !== null && status !== 'refunded') return ['refunded_at', never]
  if (registration.refunded_amount !== null && status !== 'refunded') return ['refunded_amount', never]
  if ((registration.refunded_amount ?? 0) > registration.amount_total) {
    return ['refunded_amount', makeFault('moreThan', { field: 'amount_total' })]
  }
  if (attendees !== null && quantity !== null && attendees.length !== quantity) {
    return ['attendees', makeFault('asManyAs', { field: 'quantity' })]
  }
  const admitted = attendees?.findIndex(attendee => attendee.checked_in_at !== null) ?? -1
  if (unconfirmed && admitted !== -1) {
    return [`attendees.${admitted}.checked_in_at`, makeFault('neverConfirmed')]
  }
  return undefined
}

function findAbstractFault({ status, ...abstract }: OrganizationAbstract): LocalFault | undefined {
  const never = makeFault('notOfAbstract', { status })
  const decided = status === 'accepted' || status === 'rejected'
  if (abstract.decided_at !== null && !decided) return ['decided_at', never]
  if (abstract.decision_note !== null && status === 'submitted') return ['decision_note', never]
  return undefined
}

function isBefore(later: number | null, earlier: number | null): boolean {
  return later !== null && earlier !== null && later < earlier
}

function at(path: string, [field, fault]: LocalFault): FaultAt {
  return { path: `${path}.${field}`, fault }
}
