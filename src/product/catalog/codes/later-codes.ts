import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import {
  type Anchor,
  anchorOf,
  type Carried,
  changeEach,
  type LaterDate,
  moveTimes,
} from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import {
  findNamesakes,
  namesOf,
  refuseOtherCurrency,
} from '#product/catalog/registration-types/later-types.ts'
import * as codes from './rules.ts'
import { type Code, codeKey, type NewCode } from './schemas.ts'
import * as store from './store.ts'

/**
 * Changes a code and, in the same way, the code of the same text on later dates of the series, by the rule of `update`. Times get
 * the distance from the start that they have here. Types are those of the same names.
 *
 * @throws Problem those of `update` for the code itself; not_carried as in `changeEach`, also for a date that has no such code, lacks
 *   a type, or has its prices in another currency
 */
export async function updateWithLater(
  tx: WriteTx,
  { eventId, id }: { eventId: string; id: string },
  changes: Partial<NewCode>,
  later: readonly LaterDate[],
): Promise<Carried<Code>> {
  const { code } = await codes.get(tx, eventId, id)
  const here = await codes.update(tx, eventId, id, changes)
  if (later.length === 0 || Object.keys(changes).length === 0) return { here, others: [] }
  const moving = await beginMoving(tx, eventId, changes)
  const others = await changeEach(tx, later, async date => {
    const there = await store.findByKey(tx, date.id, codeKey(code))
    if (there === undefined) throw new Problem('not_found', { details: { reason: 'no_such_code', code } })
    return codes.update(tx, date.id, there.id, await moveCode(tx, changes, moving, date))
  })
  return { here, others }
}

/**
 * Adds a code to an event and, with the same values, to later dates of the series.
 *
 * @throws Problem those of `create` for the event itself; not_carried as in `updateWithLater`
 */
export async function createWithLater(
  tx: WriteTx,
  eventId: string,
  input: NewCode,
  later: readonly LaterDate[],
): Promise<Carried<Code>> {
  const here = await codes.create(tx, eventId, input)
  if (later.length === 0) return { here, others: [] }
  const moving = await beginMoving(tx, eventId, input)
  const others = await changeEach(tx, later, async date =>
    codes.create(tx, date.id, await moveCode(tx, input, moving, date)),
  )
  return { here, others }
}

/** The event from which a code goes to others. */
interface Moving {
  event: EventDetails
  from: Anchor
  /** The names of its types, as `namesOf` gives them. */
  types: string[] | null | undefined
}

async function beginMoving(tx: ReadTx, eventId: string, given: Partial<NewCode>): Promise<Moving> {
  const event = await events.getDetails(tx, eventId)
  const types = await namesOf(tx, eventId, given.registration_type_ids)
  return { event, from: anchorOf(event), types }
}

async function moveCode<Given extends Partial<NewCode>>(
  tx: ReadTx,
  given: Given,
  { event, from, types }: Moving,
  date: LaterDate,
): Promise<Given> {
  refuseOtherCurrency(given.amount, event, date)
  const moved = moveTimes(given, ['valid_from', 'valid_until'], from, date)
  if (types === undefined) return moved
  return { ...moved, registration_type_ids: await findNamesakes(tx, types, date) }
}
