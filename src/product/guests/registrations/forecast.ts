import type { Reader } from '../db/batches.ts'
import type { ReadTx } from '../db/port.ts'
import { isUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import * as waitlist from '../waitlist/rules.ts'
import { findGuests, type GuestFilters, type WalkedGuest, walkGuests } from './guests.ts'
import { countValid, get, type RefusedCancel, refusalOfCancel } from './rules.ts'
import type { Registration } from './schemas.ts'

/** What a cancellation would do. */
export interface CancelForecast {
  registration: Registration
  /** Those that are not void yet. */
  tickets: number
  checked_in: number
  /** Of those who wait, how many would be notified. */
  notified: number
}

/** @param now milliseconds of the clock @throws Problem as `cancel` */
export async function forecastCancel(
  tx: ReadTx,
  accountId: string,
  id: string,
  now: number,
): Promise<CancelForecast> {
  const registration = await get(tx, accountId, id)
  const refusal = refusalOfCancel(registration)
  if (refusal !== undefined) throw new Problem(refusal)
  const { attendees, event_id, registration_type_id } = registration
  const tickets = attendees.filter(({ voided }) => !voided).length
  const freed = { typeId: registration_type_id as string, quantity: tickets }
  return {
    registration,
    tickets,
    checked_in: attendees.filter(({ checked_in }) => checked_in).length,
    notified: await registrationTypes.countServed(tx, accountId, event_id, freed, now),
  }
}

/** Registrations of an event: these, or all that pass the filters. */
export type Choice = { event_id: string; ids: readonly string[] } | GuestFilters

/** What cancelling many would do. */
export interface ManyForecast {
  /** Those that would be cancelled, newest first. */
  ids: string[]
  tickets: number
  /** How many would stay as they are, and why. */
  kept: Record<RefusedCancel, number>
  /** More pass the filters than are cancelled at a time, or than one page looks at. */
  isMore: boolean
  /** How many wait for tickets of these types, counted to 10,000. */
  waiting: number
}

/** Cancelled at a time. */
const MOST_CANCELLED = 10_000
/** What is looked at for it: rows, or the tickets of those that a text is held against, which take longer. */
const MOST_LOOKED_AT = 20_000
const MOST_TICKETS_LOOKED_AT = 5_000
const MOST_WAITING = 10_000
/** Ids that a page can tick. */
const MOST_IDS = 100

/** What the cancellation of a choice would do. Ids of other events, and of nothing, are as if they were not there. */
export async function forecastMany(
  reader: Reader,
  accountId: string,
  choice: Choice,
  most = MOST_CANCELLED,
): Promise<ManyForecast> {
  const forecast: ManyForecast = {
    ids: [],
    tickets: 0,
    kept: { already_cancelled: 0, refund_required: 0, not_cancellable: 0 },
    isMore: false,
    waiting: 0,
  }
  const typeIds = new Set<string>()
  let counted = 0
  for await (const some of chosen(reader, accountId, choice)) {
    if (some === 'more') forecast.isMore = true
    else
      for (const row of some) {
        const refusal = refusalOfCancel(row)
        if (refusal !== undefined) forecast.kept[refusal]++
        else if (forecast.ids.length === most) forecast.isMore = true
        else {
          forecast.ids.push(row.id)
          typeIds.add(row.typeId)
        }
      }
    const fresh = forecast.ids.slice(counted)
    counted = forecast.ids.length
    forecast.tickets += await reader.read(tx => countValid(tx, accountId, fresh))
    if (forecast.isMore) break
  }
  forecast.waiting = await reader.read(tx => waitlist.countWaiting(tx, accountId, [...typeIds], MOST_WAITING))
  return forecast
}

async function* chosen(
  reader: Reader,
  accountId: string,
  choice: Choice,
): AsyncGenerator<WalkedGuest[] | 'more'> {
  if ('ids' in choice) {
    const ids = [...new Set(choice.ids.map(id => id.toLowerCase()).filter(isUuid))].slice(0, MOST_IDS)
    yield await reader.read(tx => findGuests(tx, accountId, choice.event_id, ids))
    return
  }
  // What was cancelled before is not gone through again and again; a text finds the same in one state as in all alone.
  const isOpen = choice.status === undefined && choice.text === undefined
  const states = isOpen ? (['pending', 'confirmed'] as const) : [choice.status]
  const most = choice.text === undefined ? MOST_LOOKED_AT : MOST_TICKETS_LOOKED_AT
  let looked = 0
  for (const status of states) {
    for await (const walked of walkGuests(reader, accountId, { ...choice, status })) {
      if (looked >= most) return yield 'more'
      yield walked.matching
      looked += walked.looked
    }
  }
}
