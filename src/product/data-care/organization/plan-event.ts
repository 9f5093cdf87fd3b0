import { newUuid } from '#base/ids.ts'
import type { OwnText } from '#machinery/mail/kind.ts'
import type { StoredAccount } from '#product/administration/accounts/store.ts'
import type { EventRow } from '#product/catalog/events/store.ts'
import { entryDefaults, saleDefaults } from '#product/catalog/registration-types/schemas.ts'
import type { TypeRow } from '#product/catalog/registration-types/store.ts'
import type { QuestionRow } from '#product/guests/questions/store.ts'
import { answerKeysOf, MAX_ANSWER_KEYS, TOO_MANY_KEYS } from '#product/guests/registrations/answer-keys.ts'
import { holdsPlaces } from '#product/guests/registrations/placement.ts'
import { planBeside } from './beside-items.ts'
import type { CurrentEvent } from './current.ts'
import { planTexts } from './email-texts.ts'
import { eventRow } from './event-row.ts'
import { exchangedTickets, placesOf } from './exchanged-tickets.ts'
import type { Existing } from './existing.ts'
import { type Completion, completeHistory, isMoreThanPaid } from './history.ts'
import { type PlannedColour, planColour, withColour } from './look-items.ts'
import { findOversold, isUncertain } from './oversold.ts'
import type { Places } from './places.ts'
import { type PlannedCodes, planCodes } from './plan-codes.ts'
import { type PlannedItem, planItem } from './plan-item.ts'
import { type PlannedOrders, planOrders } from './plan-orders.ts'
import type { PlannedPeople } from './plan-people.ts'
import { type PlannedPool, planPools } from './plan-pools.ts'
import { planAllOfProgramme } from './plan-programme.ts'
import { planQuestions } from './plan-questions.ts'
import { type Planned, type PlannedType, planRow } from './plan-row.ts'
import type { PlannedTimetable } from './plan-timetable.ts'
import type { PlannedProgramme } from './programme-items.ts'
import type { Refusals } from './refusals.ts'
import type { OrganizationEvent, OrganizationRegistration, OrganizationType } from './schema.ts'
import type { CurrentSeries, PlannedSeries } from './series-items.ts'
import { mayBeDescribed, type Uncertain } from './uncertain.ts'

export interface PlannedRegistration extends PlannedTypedItem<OrganizationRegistration> {
  /** Set only if the registration is updated. */
  completion: Completion | undefined
  /** The differing fields that could be completed. */
  completable?: readonly string[] | undefined
}

type Completed = PlannedRegistration & { completion: Completion }

/** Holds an item that names a registration type. */
export interface PlannedTypedItem<Item> extends PlannedItem<Item> {
  type: TypeRow
}

export interface PlannedEvent
  extends Planned<EventRow>,
    PlannedCodes,
    PlannedOrders,
    PlannedProgramme,
    PlannedPeople {
  /** It is undefined if the file says nothing of it. */
  programme: PlannedTimetable | undefined
  /** Where the file has the event. */
  path: string
  /** The types by name, with those of the file first. */
  types: Map<string, PlannedType>
  pools: PlannedPool[]
  emailTexts: Planned<OwnText>[]
  accent: PlannedColour
  questions: Planned<QuestionRow>[]
  registrations: PlannedRegistration[]
  /** The new registrations, oldest first. */
  imported: PlannedRegistration[]
  /** The ids of what the new extras stand beside, by reference. */
  besideIds: ReadonlyMap<string, string>
  /** The registrations whose history is completed. */
  completed: Completed[]
  /** The keys of the imported answers that the event does not have yet. */
  answerKeys: string[]
  waitlist: PlannedTypedItem<OrganizationEvent['waitlist'][number]>[]
}

interface Around {
  /** Where the file has the event and its items. */
  places: Places
  uncertain: Uncertain | undefined
  account: StoredAccount
  series: readonly PlannedSeries[]
  /** The slugs of all series that the account has. */
  slugsOfSeries: CurrentSeries['slugs']
  /** The money of the file that the account has already, each item as its kind and id. */
  moved: ReadonlySet<string>
  /** Milliseconds. */
  now: number
  updateHistory: boolean
  /** Collects everything that is impossible. If there is any, the plan is useless. */
  refusals: Refusals
}

export function planEvent(
  current: CurrentEvent | undefined,
  file: OrganizationEvent,
  around: Around,
): PlannedEvent {
  const { places, uncertain, account, series, now, updateHistory, refusals } = around
  const { path } = places
  const planned = planRow(current?.row, eventRow(current?.row, file, account, series, now))
  if (current === undefined && around.slugsOfSeries.has(file.slug))
    refusals.add(`${path}.slug`, 'is that of a series of the account')
  if (current?.hasRegistrations && !uncertain?.currency && planned.fields.includes('currency')) {
    refusals.add(
      `${path}.currency`,
      `cannot become ${planned.row.currency}: the event has registrations in ${current.row.currency}`,
    )
  }
  const types = planTypes(current, file, around, planned.row.id)
  const registrations = planRegistrations(file, current, types, around)
  const completed = registrations.filter(
    (registration): registration is Completed => registration.completion !== undefined,
  )
  // It looks types up by id, because the name in the database may be older than the trimming of names.
  const typesById = new Map([...types.values()].map(type => [type.row.id, type]))
  for (const { completion } of completed) {
    const type = typesById.get(completion.was.registration_type_id) as PlannedType
    type.released += completion.released
  }
  const imported = inOrderOfTime(registrations, now)
  const exchanged = exchangedTickets(file.registrations)
  for (const { item, type } of imported) {
    const isCounted = holdsPlaces(item.status) && !uncertain?.registrations.has(item)
    if (isCounted) (types.get(type.name) as PlannedType).taken += placesOf(item, exchanged)
  }
  for (const type of types.values()) {
    const oversold = isUncertain(type, uncertain, updateHistory) ? undefined : findOversold(type, path)
    if (oversold !== undefined) refusals.add(...oversold)
  }
  const aroundTypes = { ...around, eventId: planned.row.id, types }
  const pools = planPools(current, file, aroundTypes)
  const questions = planQuestions(current, file, aroundTypes)
  const coded = planCodes(current, file, registrations, aroundTypes)
  const answerKeys = planAnswerKeys(registrations, current?.answerKeys ?? new Set(), places, refusals)
  const accent = planColour(current?.accent, file.accent)
  return {
    ...withColour(planned, accent),
    path,
    types,
    pools,
    emailTexts: planTexts(current?.emailTexts, file.email_texts),
    accent,
    questions,
    ...coded,
    ...planOrders(current?.orders, file, planned.row, registrations, around),
    registrations,
    imported,
    besideIds: planBeside(registrations, current?.tickets, around),
    completed,
    answerKeys,
    waitlist: planTyped('waitlist', file.waitlist, current?.waitlist, types, around),
    ...planAllOfProgramme(current, file, planned.row.id, { questions, ...coded }, around),
  }
}

function planTypes(
  current: CurrentEvent | undefined,
  file: OrganizationEvent,
  { places, refusals }: Pick<Around, 'places' | 'refusals'>,
  eventId: string,
): Map<string, PlannedType> {
  const types = new Map<string, PlannedType>()
  const last = Math.max(0, ...[...(current?.types.values() ?? [])].map(({ position }) => position))
  for (const type of file.registration_types) {
    const row = current?.types.get(type.name)
    if (row !== undefined && row.sold > 0 && (type.kind ?? row.kind) !== row.kind)
      refusals.add(`${places.of('registration_types', type)}.kind`, 'cannot change, as it has tickets')
    types.set(type.name, {
      ...planRow<TypeRow>(row, typeRow(row, type, eventId, last)),
      path: places.of('registration_types', type),
      taken: 0,
      released: 0,
    })
  }
  for (const [name, row] of current?.types ?? []) {
    if (!types.has(name))
      types.set(name, { change: 'kept', row, fields: [], path: undefined, taken: 0, released: 0 })
  }
  return types
}

function typeRow(
  current: TypeRow | undefined,
  file: OrganizationType,
  eventId: string,
  last: number,
): TypeRow {
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
    position: file.position ?? current?.position ?? last,
    min_per_order: file.min_per_order ?? current?.min_per_order ?? saleDefaults.min_per_order,
    max_per_order: file.max_per_order === undefined ? (current?.max_per_order ?? null) : file.max_per_order,
    hidden: file.hidden === undefined ? (current?.hidden ?? 0) : file.hidden ? 1 : 0,
    tax_basis_points: file.tax_basis_points ?? current?.tax_basis_points ?? saleDefaults.tax_basis_points,
    kind: file.kind ?? current?.kind ?? saleDefaults.kind,
    open_price: file.open_price === undefined ? (current?.open_price ?? 0) : file.open_price ? 1 : 0,
    entries: file.entries ?? current?.entries ?? entryDefaults.entries,
    reentry: file.reentry === undefined ? (current?.reentry ?? 0) : file.reentry ? 1 : 0,
  }
}

function planAnswerKeys(
  registrations: readonly PlannedTypedItem<OrganizationRegistration>[],
  existing: ReadonlySet<string>,
  places: Places,
  refusals: Refusals,
): string[] {
  const fresh = new Set<string>()
  for (const { change, item } of registrations) {
    if (change !== 'created') continue
    for (const key of answerKeysOf(item)) {
      if (existing.has(key) || fresh.has(key)) continue
      if (existing.size + fresh.size >= MAX_ANSWER_KEYS) {
        refusals.add(`${places.of('registrations', item)}.answers`, TOO_MANY_KEYS)
        return []
      }
      fresh.add(key)
    }
  }
  return [...fresh]
}

function planRegistrations(
  file: OrganizationEvent,
  current: CurrentEvent | undefined,
  types: ReadonlyMap<string, PlannedType>,
  around: Around,
): PlannedRegistration[] {
  const existing = current?.registrations
  const { places, uncertain, updateHistory, refusals } = around
  const planned = planTyped('registrations', file.registrations, existing, types, around)
  return planned.map(registration => {
    const { item, differs } = registration
    const was = existing?.get(item.reference)?.was
    const completion =
      was === undefined || uncertain?.registrations.has(item) ? undefined : completeHistory(item, was)
    if (completion === undefined) return { ...registration, completion }
    const isCompleted = (field: string) => completion.fields.includes(field)
    if (!updateHistory) {
      const completable = isMoreThanPaid(completion) ? undefined : differs.filter(isCompleted)
      return { ...registration, completion: undefined, completable }
    }
    if (isMoreThanPaid(completion)) {
      refusals.add(
        `${places.of('registrations', item)}.refunded_amount`,
        `is more than the ${completion.was.amount_total} that were paid, in minor units`,
      )
    }
    const kept = differs.filter(field => !isCompleted(field))
    return { ...registration, change: 'updated', differs: kept, completion }
  })
}

function planTyped<Item extends { reference: string; registration_type: string }>(
  list: 'registrations' | 'waitlist',
  items: readonly Item[],
  existing: ReadonlyMap<string, Existing> | undefined,
  types: ReadonlyMap<string, PlannedType>,
  { places, uncertain, refusals }: Pick<Around, 'places' | 'uncertain' | 'refusals'>,
): PlannedTypedItem<Item>[] {
  return items.flatMap(item => {
    const type = types.get(item.registration_type)
    if (type !== undefined) return [{ ...planItem(item, existing?.get(item.reference)), type: type.row }]
    if (!mayBeDescribed(item.registration_type, uncertain)) {
      refusals.add(
        `${places.of(list, item)}.registration_type`,
        `is "${item.registration_type}", and the event has no type of that name`,
      )
    }
    return []
  })
}

/**
 * Returns the new registrations, oldest first, with their ids in that order too. Rows in the order of the indexes are written
 * several times as fast.
 */
function inOrderOfTime(registrations: readonly PlannedRegistration[], now: number): PlannedRegistration[] {
  const imported = registrations.filter(({ change }) => change === 'created')
  const ids = imported.map(({ id }) => id)
  imported.sort((one, other) => (one.item.created_at ?? now) - (other.item.created_at ?? now))
  for (const [index, registration] of imported.entries()) registration.id = ids[index] as string
  return imported
}
