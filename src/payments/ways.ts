import type { ReadTx, WriteTx } from '../db/port.ts'
import type { EventDetails } from '../events/schemas.ts'
import { payableUntil } from '../orders/rules.ts'
import { DAY, MINUTE } from '../time.ts'
import { hasProcessor, type Method, methods, type Processors } from './processor.ts'
import * as store from './ways-store.ts'

/** Whose account transfers go to. */
export interface Bank {
  holder: string
  /** Its IBAN, or what one writes in its place. */
  account: string
  /** Its BIC, or what one writes in its place. */
  code: string | null
  /** What else one has to know. */
  note: string | null
}

/** For how long the places are held before a processor has made the session, in milliseconds: it says more then. */
const FIRST_HOLD = 35 * MINUTE

/** What of an event says how it can be paid. */
type Paid = Pick<EventDetails, 'payment_ways' | 'payment_days' | 'currency' | 'starts_at' | 'ends_at'>

/**
 * The ways in which an amount can be paid for an event, in the order in which they are offered.
 *
 * @param amount minor units; undefined for any @param now milliseconds of the clock
 */
export async function waysFor(
  tx: ReadTx,
  accountId: string,
  event: Paid,
  amount: number | undefined,
  processors: Processors,
  now: number,
): Promise<Method[]> {
  const connected = await store.list(tx, accountId)
  const isSetUp = (method: Method) => {
    if (method === 'test') return processors.has('test')
    if (method === 'door') return true
    return connected.some(way => way.method === method && way.trouble !== 'denied')
  }
  const isChosen = (method: Method) => {
    // Whoever tries things out is offered it, whatever is chosen.
    if (method === 'test') return true
    const { payment_ways: ways } = event
    return ways === method || ways === 'set_up_and_door' || (ways === 'set_up' && method !== 'door')
  }
  const canTake = (method: Method) =>
    hasProcessor(method)
      ? amount === undefined || (processors.get(method)?.can(event.currency, amount) ?? false)
      : // A transfer takes days.
        method !== 'transfer' || payableUntil(event, now) - now >= DAY
  return methods.filter(method => isSetUp(method) && isChosen(method) && canTake(method))
}

/** Whether so much can be paid for an event now, by any way. */
export function payableBy(processors: Processors) {
  return async (tx: WriteTx, accountId: string, event: EventDetails, amount: number): Promise<boolean> =>
    (await waysFor(tx, accountId, event, amount, processors, tx.clock())).length > 0
}

/** Where transfers for an account go to; undefined where it takes none. */
export async function findBank(tx: ReadTx, accountId: string): Promise<Bank | undefined> {
  const way = (await store.list(tx, accountId)).find(({ method }) => method === 'transfer')
  return way?.bank ? (JSON.parse(way.bank) as Bank) : undefined
}

/** Until when the places of an order are held that is to be paid in this way. @param now milliseconds of the clock */
export function heldUntil(event: EventDetails, method: Method, now: number): number {
  return hasProcessor(method) ? now + FIRST_HOLD : payableUntil(event, now)
}
