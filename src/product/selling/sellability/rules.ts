import type { ReadTx } from '#machinery/db/port.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import {
  type PaidEvent,
  type Sellability,
  sellabilityOf,
} from '#product/catalog/registration-types/sellability.ts'
import { payableOf, readSetUp, type SetUp } from '#product/selling/payments/methods.ts'
import type { Processors } from '#product/selling/payments/processor.ts'

/** At most this many types that cost something are looked at, which are those of hundreds of events. */
const MOST_LOOKED_AT = 1000

/** A type, and whether it can be bought. */
export type TypeState = TypeDetails & { state: Sellability }

/** Whether the types of an event can be bought. */
export interface Sellable {
  /** All types, in the organizer's order. */
  types: TypeState[]
  /** Whether payment is only stopped for now, and works at other times. */
  isPaused: boolean
  /** The changes that would let people pay for all types that nobody can pay now. It is empty if there are none. */
  remedies: Remedy[]
}

/**
 * What lets people pay: to connect Stripe, to add a bank account, to allow every way that the account has, or to take money at
 * the door only.
 */
export type Remedy = 'stripe' | 'transfer' | 'set_up' | 'door'

/**
 * Returns whether the types of an event can be bought.
 *
 * @param now milliseconds of the clock
 */
export async function readSellable(
  tx: ReadTx,
  event: EventDetails,
  processors: Processors,
  now: number,
): Promise<Sellable> {
  const types = await registrationTypes.listDetailsOf(tx, event)
  const setUp = await readSetUp(tx, processors)
  const payable = payableOf(event, setUp, processors, now)
  const rated = types.map(type => ({ ...type, state: sellabilityOf(type, event, payable, now) }))
  const unpayable = rated.filter(({ state }) => state === 'no_way_to_pay')
  const remedies = unpayable.length === 0 ? [] : remediesOf(event, { setUp, processors, now }, unpayable)
  return { types: rated, isPaused: payable.isPaused, remedies }
}

/**
 * Does the same for the types of many events at once, without what would let people pay for them.
 *
 * @returns the types by the id of the event; an event without any has none
 */
export async function rateTypes(
  tx: ReadTx,
  events: readonly (PaidEvent & Pick<EventDetails, 'id' | 'status'>)[],
  processors: Processors,
  now: number,
): Promise<Map<string, TypeState[]>> {
  const types = await registrationTypes.listOfEvents(
    tx,
    events.map(({ id }) => id),
  )
  const setUp = await readSetUp(tx, processors)
  return new Map(
    events.map(event => {
      const payable = payableOf(event, setUp, processors, now)
      const rate = (type: TypeDetails) => ({ ...type, state: sellabilityOf(type, event, payable, now) })
      return [event.id, (types.get(event.id) ?? []).map(rate)]
    }),
  )
}

interface Ways {
  setUp: SetUp
  processors: Processors
  now: number
}

function remediesOf(event: EventDetails, ways: Ways, types: readonly TypeDetails[]): Remedy[] {
  const { setUp, processors, now } = ways
  const solves = (chosen: EventDetails['payment_ways'], connected = setUp.connected) => {
    const changed = { ...event, payment_ways: chosen }
    const { isPayable } = payableOf(changed, { ...setUp, connected }, processors, now)
    return types.every(isPayable)
  }
  const withNew = (method: 'stripe' | 'transfer') => {
    const isConnected = setUp.connected.some(row => row.method === method)
    if (isConnected) return false
    return solves(event.payment_ways, [...setUp.connected, { method, bank: null, trouble: null }])
  }
  return [
    ...(withNew('stripe') ? (['stripe'] as const) : []),
    ...(withNew('transfer') ? (['transfer'] as const) : []),
    ...(solves('set_up') ? (['set_up'] as const) : []),
    'door',
  ]
}

/**
 * Counts the types that nobody can pay, by published event. It leaves out events whose payment is only stopped, and archived ones.
 *
 * @param eventIds the events that count, or null for all
 * @param now milliseconds of the clock
 */
export async function countUnpayable(
  tx: ReadTx,
  eventIds: readonly string[] | null,
  processors: Processors,
  now: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const priced = await registrationTypes.listPriced(tx, now, MOST_LOOKED_AT)
  if (priced.length === 0) return counts
  const setUp = await readSetUp(tx, processors)
  for (const { type, event } of priced) {
    if (eventIds !== null && !eventIds.includes(event.id)) continue
    const payable = payableOf(event, setUp, processors, now)
    if (payable.isPaused || sellabilityOf(type, event, payable, now) !== 'no_way_to_pay') continue
    counts.set(event.id, (counts.get(event.id) ?? 0) + 1)
  }
  return counts
}

/** The states of a type that people can buy once its event is published and its sale begins. */
const TO_SELL: readonly Sellability[] = ['draft', 'hidden', 'later', 'on_sale']

/** Returns whether there is a ticket to sell, now or once the event is published, if people can pay it. */
export function canSell({ types }: Pick<Sellable, 'types'>): boolean {
  const isSold = ({ state }: TypeState) => TO_SELL.includes(state) || state === 'no_way_to_pay'
  return types.some(type => type.kind === 'ticket' && isSold(type))
}

/** Returns the types that hinder publishing an event: those that nobody can pay, or all types if none can be sold. */
export function hinderingOf(sellable: Pick<Sellable, 'types'>): TypeState[] {
  const active = sellable.types.filter(({ state }) => state !== 'off')
  return canSell(sellable) ? active.filter(({ state }) => state === 'no_way_to_pay') : active
}
