import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import {
  anchorOf,
  type Carried,
  changeEach,
  type LaterDate,
  moveTimes,
} from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as types from './rules.ts'
import type { NewType, TypeDetails } from './schemas.ts'
import * as store from './store.ts'

/** The times of a type, which are counted from the start of its event. */
const TIMES = ['sales_start', 'sales_end', 'valid_from', 'valid_until'] as const

/**
 * Changes a type and, in the same way, the type of the same name on later dates of the series, by the rule of `update`. Times get
 * the distance from the start that they have here.
 *
 * @throws Problem those of `update` for the type itself; not_carried as in `changeEach`, also for a date that has no such type, or
 *   has its prices in another currency
 */
export async function updateWithLater(
  tx: WriteTx,
  { eventId, id }: { eventId: string; id: string },
  changes: Partial<NewType>,
  later: readonly LaterDate[],
): Promise<Carried<TypeDetails>> {
  const { name } = await types.getDetails(tx, eventId, id)
  const here = await types.update(tx, eventId, id, changes)
  if (later.length === 0 || Object.keys(changes).length === 0) return { here, others: [] }
  const event = await events.getDetails(tx, eventId)
  const from = anchorOf(event)
  const others = await changeEach(tx, later, async date => {
    const there = findNamed(await store.listByEventOldestFirst(tx, date.id), name)
    refuseOtherCurrency(changes.price, event, date)
    return types.update(tx, date.id, there.id, moveTimes(changes, TIMES, from, date))
  })
  return { here, others }
}

/**
 * Adds a type to an event and, with the same values, to later dates of the series, after their other types.
 *
 * @throws Problem those of `create` for the event itself; not_carried as in `updateWithLater`
 */
export async function createWithLater(
  tx: WriteTx,
  eventId: string,
  input: NewType,
  later: readonly LaterDate[],
): Promise<Carried<TypeDetails>> {
  const here = await types.create(tx, eventId, input)
  if (later.length === 0) return { here, others: [] }
  const event = await events.getDetails(tx, eventId)
  const from = anchorOf(event)
  const others = await changeEach(tx, later, date => {
    refuseOtherCurrency(input.price, event, date)
    return types.create(tx, date.id, moveTimes(input, TIMES, from, date))
  })
  return { here, others }
}

/**
 * Returns the names of some types of an event, by which other dates have them.
 *
 * @param ids types of the event; null for all of them, or undefined for no change, stays what it is
 */
export async function namesOf<None extends null | undefined>(
  tx: ReadTx,
  eventId: string,
  ids: readonly string[] | None,
): Promise<string[] | None> {
  if (ids == null) return ids as None
  const types = await store.listByEventOldestFirst(tx, eventId)
  return types.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
}

/**
 * Returns the types of a date that have some names.
 *
 * @param names as `namesOf` gives them
 * @throws Problem not_found with the reason no_such_type, for the first name that the date does not have
 */
export async function findNamesakes(
  tx: ReadTx,
  names: readonly string[] | null,
  date: LaterDate,
): Promise<string[] | null> {
  if (names === null) return null
  const types = await store.listByEventOldestFirst(tx, date.id)
  return names.map(name => findNamed(types, name).id)
}

/**
 * Refuses an amount of money that another date counts in another currency. Nothing is the same in all currencies.
 *
 * @param amount in minor units
 * @throws Problem in_use with the reason other_currency
 */
export function refuseOtherCurrency(
  amount: number | null | undefined,
  { currency }: { currency: string },
  date: LaterDate,
): void {
  if (!amount || date.currency === currency) return
  throw new Problem('in_use', { details: { reason: 'other_currency', currency: date.currency } })
}

function findNamed(types: readonly store.RegistrationTypeRow[], name: string): store.RegistrationTypeRow {
  const found = types.find(type => type.name === name)
  if (found === undefined) throw new Problem('not_found', { details: { reason: 'no_such_type', name } })
  return found
}
