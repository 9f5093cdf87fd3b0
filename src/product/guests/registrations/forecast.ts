import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { findGuests, type GuestFilters, type WalkedGuest, walkGuests } from './guests.ts'
import { findLeftExtras, listStaying, type StayingExtra } from './left-extras.ts'
import { countValid, findForPaid, get, type RefusedCancel, refusalOfCancel } from './rules.ts'
import type { Registration } from './schemas.ts'

/** Says what a cancellation would do. */
export interface CancelForecast {
  registration: Registration
  /** How many tickets are not void yet. */
  tickets: number
  checked_in: number
  /** How many people on the waitlist would be notified. */
  notified: number
  /** The extras beside it that stay, in the order of the lines. */
  staying: StayingExtra[]
}

/**
 * Forecasts a cancellation.
 *
 * @param now milliseconds of the clock
 * @throws Problem as `cancel`
 */
export async function forecastCancel(tx: ReadTx, id: string, now: number): Promise<CancelForecast> {
  const registration = await get(tx, id)
  const refusal = refusalOfCancel(registration, await findForPaid(tx, [registration]))
  if (refusal !== undefined) throw new Problem(refusal)
  const { attendees, event_id, registration_type_id } = registration
  const tickets = attendees.filter(({ voided }) => !voided).length
  const freed = { typeId: registration_type_id as string, quantity: tickets }
  return {
    registration,
    tickets,
    checked_in: attendees.filter(({ checked_in }) => checked_in).length,
    notified: await registrationTypes.countServed(tx, event_id, freed, now),
    staying: await listStaying(tx, id),
  }
}

/** Selects registrations of an event, either those with these ids or all that pass the filters. */
export type Choice = { event_id: string; ids: readonly string[] } | GuestFilters

/** Says what cancelling many would do. */
export interface ManyForecast {
  /** The registrations that would be cancelled, newest first. */
  ids: string[]
  tickets: number
  /** How many of them are extras that nobody chose, and that no ticket would be left beside. */
  extras: number
  /** How many would stay as they are, by the reason. */
  kept: Record<RefusedCancel, number>
  /** Whether more registrations pass the filters than one call cancels or one page looks at. */
  isMore: boolean
  /** How many people wait for tickets of these types, counted up to 10,000. */
  waiting: number
}

/** One call cancels at most this many. */
const MOST_CANCELLED = 10_000
/**
 * A forecast looks at most at this many rows. With a text it looks at fewer tickets instead, because matching them takes longer.
 */
const MOST_LOOKED_AT = 20_000
const MOST_TICKETS_LOOKED_AT = 5_000
const MOST_WAITING = 10_000
/** A page can tick at most this many ids. */
const MOST_IDS = 100

/**
 * Forecasts the cancellation of a choice. It ignores ids of other events and unknown ids. The extras of an order go with the last
 * of its tickets.
 */
export async function forecastMany(
  reader: Reader,
  accountId: string,
  choice: Choice,
  most = MOST_CANCELLED,
): Promise<ManyForecast> {
  const forecast: ManyForecast = {
    ids: [],
    tickets: 0,
    extras: 0,
    kept: { already_cancelled: 0, refund_required: 0, not_cancellable: 0 },
    isMore: false,
    waiting: 0,
  }
  const typeIds = new Set<string>()
  let counted = 0
  for await (const some of chosen(reader, accountId, choice)) {
    if (some === 'more') forecast.isMore = true
    else {
      const standIns = await reader.read(accountId, tx => findForPaid(tx, some))
      for (const row of some) {
        const refusal = refusalOfCancel(row, standIns)
        if (refusal !== undefined) forecast.kept[refusal]++
        else if (forecast.ids.length === most) forecast.isMore = true
        else {
          forecast.ids.push(row.id)
          typeIds.add(row.typeId)
        }
      }
    }
    const fresh = forecast.ids.slice(counted)
    counted = forecast.ids.length
    forecast.tickets += await reader.read(accountId, tx => countValid(tx, fresh))
    if (forecast.isMore) break
  }
  await addExtras(reader, accountId, choice.event_id, forecast)
  forecast.waiting = await reader.read(accountId, tx => waitlist.countWaiting(tx, [...typeIds], MOST_WAITING))
  return forecast
}

/** Adds the extras of orders of which no ticket would be left. Those that were paid stay, as paid tickets do. */
async function addExtras(
  reader: Reader,
  accountId: string,
  eventId: string,
  forecast: ManyForecast,
): Promise<void> {
  for (const row of await findLeftExtras(reader, accountId, { eventId, ids: forecast.ids })) {
    const refusal = refusalOfCancel(row, new Set())
    if (refusal !== undefined) forecast.kept[refusal]++
    else {
      forecast.ids.push(row.id)
      forecast.extras++
    }
  }
}

async function* chosen(
  reader: Reader,
  accountId: string,
  choice: Choice,
): AsyncGenerator<WalkedGuest[] | 'more'> {
  if ('ids' in choice) {
    const ids = [...new Set(choice.ids.map(id => id.toLowerCase()).filter(isUuid))].slice(0, MOST_IDS)
    yield await reader.read(accountId, tx => findGuests(tx, choice.event_id, ids))
    return
  }
  // Without a state and a text it skips the other states, so as not to go through cancelled registrations again and again. A text
  // has to be searched in all states together, because it may find other registrations in a single state.
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
