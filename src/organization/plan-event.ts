import type { AccountRow } from '../accounts/store.ts'
import type { EventRow } from '../events/store.ts'
import { newUuid } from '../ids.ts'
import type { RegistrationTypeRow } from '../registration-types/store.ts'
import { MAX_ANSWER_KEYS, TOO_MANY_KEYS } from '../registrations/answer-keys.ts'
import { holdsPlaces, quantityOf } from '../registrations/placement.ts'
import type { CurrentEvent } from './current.ts'
import { type Planned, planRow } from './plan-row.ts'
import { type Refusals, refusal } from './refusals.ts'
import type {
  OrganizationAbstract,
  OrganizationEvent,
  OrganizationRegistration,
  OrganizationType,
} from './schema.ts'

export type TypeRow = Omit<RegistrationTypeRow, 'currency'>

export interface PlannedType extends Planned<TypeRow> {
  /** Where the file describes it; undefined for a type that only the database knows. */
  path: string | undefined
  /** Tickets that registrations of the file take from the capacity. */
  taken: number
}

/** An item that is only ever added: an existing one is kept as it is. */
export interface PlannedItem<Item> {
  change: 'created' | 'kept'
  id: string
  item: Item
}

/** A registration, with the fields in which the file differs from the database. */
export interface PlannedRegistration extends PlannedTypedItem<OrganizationRegistration> {
  differs: readonly string[]
}

/** An item that names a registration type. */
export interface PlannedTypedItem<Item> extends PlannedItem<Item> {
  type: TypeRow
}

export interface PlannedEvent extends Planned<EventRow> {
  /** Where the file has it. */
  path: string
  /** By name; the types of the file first. */
  types: Map<string, PlannedType>
  registrations: PlannedRegistration[]
  /** The new registrations, oldest first. */
  imported: PlannedRegistration[]
  /** The keys of the imported answers that the event does not have yet. */
  answerKeys: string[]
  waitlist: PlannedTypedItem<OrganizationEvent['waitlist'][number]>[]
  abstracts: PlannedItem<OrganizationAbstract>[]
}

interface Around {
  /** Where the file has the event. */
  path: string
  account: AccountRow
  /** Milliseconds. */
  now: number
  /** Gets all that cannot be: then what is planned is of no use. */
  refusals: Refusals
}

export function planEvent(
  current: CurrentEvent | undefined,
  file: OrganizationEvent,
  { path, account, now, refusals }: Around,
): PlannedEvent {
  const planned = planRow(current?.row, eventRow(current?.row, file, account, now))
  if (current?.hasRegistrations && planned.fields.includes('currency')) {
    refusals.add(
      `${path}.currency`,
      `cannot become ${planned.row.currency}: the event has registrations in ${current.row.currency}`,
    )
  }
  const types = planTypes(current, file, path, planned.row.id)
  const known = current?.registrations
  const registrations = planTyped(
    file.registrations,
    `${path}.registrations`,
    reference => known?.get(reference)?.id,
    types,
    refusals,
  ).map(planned => ({ ...planned, differs: known?.get(planned.item.reference)?.differs ?? [] }))
  const imported = inOrderOfTime(registrations, now)
  for (const { item, type } of imported) {
    if (holdsPlaces(item.status)) (types.get(type.name) as PlannedType).taken += quantityOf(item)
  }
  for (const type of types.values()) {
    const oversold = findOversold(type, path)
    if (oversold !== undefined) refusals.add(...oversold)
  }
  const answerKeys = planAnswerKeys(file, registrations, current?.answerKeys ?? new Set(), path, refusals)
  return {
    ...planned,
    path,
    types,
    registrations,
    imported,
    answerKeys,
    waitlist: planTyped(
      file.waitlist,
      `${path}.waitlist`,
      reference => current?.waitlist.get(reference),
      types,
      refusals,
    ),
    abstracts: file.abstracts.map(item => planItem(item, current?.abstracts.get(item.code))),
  }
}

function eventRow(
  current: EventRow | undefined,
  file: OrganizationEvent,
  account: AccountRow,
  now: number,
): EventRow {
  return {
    id: current?.id ?? newUuid(),
    account_id: account.id,
    slug: file.slug,
    title: file.title,
    starts_at: file.starts_at,
    ends_at: file.ends_at,
    timezone: file.timezone ?? account.timezone,
    venue: file.venue,
    city: file.city,
    currency: file.currency ?? account.currency,
    status: file.status,
    visibility: file.visibility,
    requires_approval: file.requires_approval ? 1 : 0,
    created_at: current?.created_at ?? now,
  }
}

function planTypes(
  current: CurrentEvent | undefined,
  file: OrganizationEvent,
  path: string,
  eventId: string,
): Map<string, PlannedType> {
  const types = new Map<string, PlannedType>()
  for (const [index, type] of file.registration_types.entries()) {
    const row = current?.types.get(type.name)
    types.set(type.name, {
      ...planRow<TypeRow>(row, typeRow(row, type, eventId)),
      path: `${path}.registration_types.${index}`,
      taken: 0,
    })
  }
  for (const [name, row] of current?.types ?? []) {
    if (!types.has(name)) types.set(name, { change: 'kept', row, fields: [], path: undefined, taken: 0 })
  }
  return types
}

function typeRow(current: TypeRow | undefined, file: OrganizationType, eventId: string): TypeRow {
  return {
    id: current?.id ?? newUuid(),
    event_id: eventId,
    name: file.name,
    description: file.description,
    price: file.price,
    capacity: file.capacity,
    sold: current?.sold ?? 0,
    active: file.active ? 1 : 0,
    sales_start: file.sales_start,
    sales_end: file.sales_end,
    valid_from: file.valid_from,
    valid_until: file.valid_until,
  }
}

/** @throws Problem invalid_parameter */
export function refuseOversold(type: PlannedType, eventPath: string): void {
  const oversold = findOversold(type, eventPath)
  if (oversold !== undefined) throw refusal(...oversold)
}

function findOversold(
  { row, path, taken }: PlannedType,
  eventPath: string,
): [path: string, message: string] | undefined {
  const sold = row.sold + taken
  if (sold <= row.capacity) return undefined
  const [place, verb] =
    path === undefined ? [`${eventPath}.registrations`, 'are too many'] : [`${path}.capacity`, 'is too small']
  return [place, `${verb}: "${row.name}" has a capacity of ${row.capacity}, and ${sold} tickets are sold`]
}

function planAnswerKeys(
  file: OrganizationEvent,
  registrations: readonly PlannedTypedItem<OrganizationRegistration>[],
  known: ReadonlySet<string>,
  path: string,
  refusals: Refusals,
): string[] {
  const fresh = new Set<string>()
  for (const { change, item } of registrations) {
    if (change === 'kept') continue
    for (const key of Object.keys(item.answers ?? {})) {
      if (known.has(key) || fresh.has(key)) continue
      if (known.size + fresh.size >= MAX_ANSWER_KEYS) {
        refusals.add(`${path}.registrations.${file.registrations.indexOf(item)}.answers`, TOO_MANY_KEYS)
        return []
      }
      fresh.add(key)
    }
  }
  return [...fresh]
}

function planTyped<Item extends { reference: string; registration_type: string }>(
  items: readonly Item[],
  path: string,
  idOf: (reference: string) => string | undefined,
  types: ReadonlyMap<string, PlannedType>,
  refusals: Refusals,
): PlannedTypedItem<Item>[] {
  return items.flatMap((item, index) => {
    const type = types.get(item.registration_type)
    if (type !== undefined) return [{ ...planItem(item, idOf(item.reference)), type: type.row }]
    refusals.add(
      `${path}.${index}.registration_type`,
      `is "${item.registration_type}", and the event has no type of that name`,
    )
    return []
  })
}

function planItem<Item>(item: Item, id: string | undefined): PlannedItem<Item> {
  return id === undefined ? { change: 'created', id: newUuid(), item } : { change: 'kept', id, item }
}

/**
 * The new ones, oldest first, with their ids in that order too: rows that come in the order of the indexes are written
 * several times as fast.
 */
function inOrderOfTime(registrations: readonly PlannedRegistration[], now: number): PlannedRegistration[] {
  const imported = registrations.filter(({ change }) => change === 'created')
  const ids = imported.map(({ id }) => id)
  imported.sort((one, other) => (one.item.created_at ?? now) - (other.item.created_at ?? now))
  for (const [index, registration] of imported.entries()) registration.id = ids[index] as string
  return imported
}
