import type {
  Organization,
  OrganizationAbstract,
  OrganizationEvent,
  OrganizationRegistration,
  OrganizationType,
} from './schema.ts'

/** What is wrong with a file, and where: a dotted path. */
export interface Fault {
  path: string
  message: string
}

type LocalFault = readonly [field: string, message: string]

/** The first thing in a well-formed file that contradicts itself; undefined when nothing does. */
export function findFault(file: Organization): Fault | undefined {
  const webhook = findRepeated(file.webhooks, ({ url }) => url)
  if (webhook !== undefined) return at(`webhooks.${webhook}`, ['url', 'is there twice'])
  const repeated = findRepeated(file.events, ({ slug }) => slug)
  if (repeated !== undefined) return at(`events.${repeated}`, ['slug', 'is there twice'])
  for (const [index, event] of file.events.entries()) {
    const fault = findEventFault(event, `events.${index}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function findEventFault(event: OrganizationEvent, path: string): Fault | undefined {
  if (isBefore(event.ends_at, event.starts_at)) return at(path, ['ends_at', 'is before starts_at'])
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
): Fault | undefined {
  const repeated = findRepeated(items, item => item[key])
  if (repeated !== undefined) return at(`${path}.${repeated}`, [key, 'is there twice'])
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
  if (isBefore(type.sales_end, type.sales_start)) return ['sales_end', 'is before sales_start']
  if (isBefore(type.valid_until, type.valid_from)) return ['valid_until', 'is before valid_from']
  return undefined
}

/** The same states as the CHECKs of the table, with a sentence for each. */
function findRegistrationFault(registration: OrganizationRegistration): LocalFault | undefined {
  const { status, attendees, quantity } = registration
  const never = `does not apply to a registration that is ${status}`
  const unconfirmed = status === 'pending' || status === 'failed' || registration.never_confirmed
  if (registration.never_confirmed && status !== 'cancelled') return ['never_confirmed', never]
  if (registration.confirmed_at !== null && unconfirmed) {
    return ['confirmed_at', registration.never_confirmed ? 'contradicts never_confirmed' : never]
  }
  if (registration.cancelled_at !== null && status !== 'cancelled' && status !== 'refunded') {
    return ['cancelled_at', never]
  }
  if (registration.refunded_at !== null && status !== 'refunded') return ['refunded_at', never]
  if (registration.refunded_amount !== null && status !== 'refunded') return ['refunded_amount', never]
  if ((registration.refunded_amount ?? 0) > registration.amount_total) {
    return ['refunded_amount', 'is more than amount_total']
  }
  if (attendees !== null && quantity !== null && attendees.length !== quantity) {
    return ['attendees', 'must be as many as quantity']
  }
  const admitted = attendees?.findIndex(attendee => attendee.checked_in_at !== null) ?? -1
  if (unconfirmed && admitted !== -1) {
    return [
      `attendees.${admitted}.checked_in_at`,
      'does not apply to a registration that was never confirmed',
    ]
  }
  return undefined
}

function findAbstractFault({ status, ...abstract }: OrganizationAbstract): LocalFault | undefined {
  const never = `does not apply to an abstract that is ${status}`
  const decided = status === 'accepted' || status === 'rejected'
  if (abstract.decided_at !== null && !decided) return ['decided_at', never]
  if (abstract.decision_note !== null && status === 'submitted') return ['decision_note', never]
  return undefined
}

function isBefore(later: number | null, earlier: number | null): boolean {
  return later !== null && earlier !== null && later < earlier
}

function at(path: string, [field, message]: LocalFault): Fault {
  return { path: `${path}.${field}`, message }
}
