import { DAY } from '#base/time.ts'
import { findHold } from '#machinery/db/instance.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { endOf } from '#product/catalog/events/end.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { FindPayable, PaidEvent, Payable } from '#product/catalog/registration-types/sellability.ts'
import {
  payableAtDoorUntil,
  payableUntil,
  reservedForSession,
} from '#product/selling/orders/reservation-time.ts'
import { MAX_TICKETS } from '#product/selling/orders/schemas.ts'
import * as store from './methods-store.ts'
import { hasProcessor, type Method, methods, type Processors } from './processor.ts'

/** The bank account that transfers go to. */
export interface Bank {
  holder: string
  /** Its IBAN, or what people write instead of one. */
  account: string
  /** Its BIC, or what people write instead of one. */
  code: string | null
  /** Anything else that a payer has to know. */
  note: string | null
}

/** The fields of an event that decide how it can be paid. */
type Paid = Omit<PaidEvent, 'requires_approval'>

/** The ways to pay something. */
export interface PaymentMethods {
  /** The methods that take money now, in the order in which they are offered. */
  offered: Method[]
  /** The methods that would be offered, but take no money at the moment. */
  paused: Method[]
}

/**
 * Returns the ways to pay an amount for an event. While payments are held, or while the processor refuses the key, a method is
 * paused.
 *
 * @param amount minor units; undefined for any
 * @param now milliseconds of the clock
 */
export async function findMethods(
  tx: ReadTx,
  event: Paid,
  amount: number | undefined,
  processors: Processors,
  now: number,
): Promise<PaymentMethods> {
  return methodsOf(event, { ...(await readSetUp(tx, processors)), processors }, amount, now)
}

/** The ways to pay that an account has, for all its events. It is nothing but data, so a cache can compare it. */
export interface SetUp {
  connected: readonly store.MethodRow[]
  stopped: readonly Method[]
}

export async function readSetUp(tx: ReadTx, processors: Processors): Promise<SetUp> {
  const connected = await store.list(tx)
  return { connected, stopped: await stoppedOf(tx, connected, processors) }
}

function methodsOf(
  event: Paid,
  { connected, stopped, processors }: SetUp & { processors: Processors },
  amount: number | undefined,
  now: number,
): PaymentMethods {
  const isSetUp = (method: Method) => {
    if (method === 'test') return processors.has('test')
    if (method === 'door') return true
    return connected.some(row => row.method === method)
  }
  const isChosen = (method: Method) => {
    // A sandbox always offers the test method, whatever the event allows.
    if (method === 'test') return true
    const { payment_ways: chosen } = event
    return chosen === method || chosen === 'set_up_and_door' || (chosen === 'set_up' && method !== 'door')
  }
  const canTake = (method: Method) =>
    hasProcessor(method)
      ? amount === undefined || (processors.get(method)?.can(event.currency, amount) ?? false)
      : method !== 'transfer' || now <= lastTransferOf(event)
  const all = methods.filter(method => isSetUp(method) && isChosen(method) && canTake(method))
  const isStopped = (method: Method) => stopped.includes(method)
  return { offered: all.filter(method => !isStopped(method)), paused: all.filter(isStopped) }
}

/** Returns the last moment at which a transfer is offered, in milliseconds. A transfer takes a day. */
function lastTransferOf(event: Pick<Paid, 'starts_at' | 'ends_at'>): number {
  return endOf(event) - DAY
}

/** Returns how an event can be paid, by the ways that its account has. @param now milliseconds of the clock */
export function payableOf(event: PaidEvent, setUp: SetUp, processors: Processors, now: number): Payable {
  const methodsFor = (amount?: number) => methodsOf(event, { ...setUp, processors }, amount, now)
  return {
    isPayable: type =>
      (type.open_price ? [undefined] : amountsOf(type)).some(amount => {
        const { offered, paused } = methodsFor(amount)
        // An order that needs approval is paid only afterwards, so it does not matter what is paused by now.
        return offered.length > 0 || (event.requires_approval && paused.length > 0)
      }),
    isPaused: isAllPaused(methodsFor()),
    until: lastTransferOf(event) + 1,
  }
}

function isAllPaused({ offered, paused }: PaymentMethods): boolean {
  return offered.length === 0 && paused.length > 0
}

/** Returns what orders of nothing but this type can come to, in minor units. */
function amountsOf({ price, min_per_order: least, max_per_order, available }: Payables): number[] {
  const most = Math.min(max_per_order ?? MAX_TICKETS, available, MAX_TICKETS)
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, more) => price * (least + more))
}

type Payables = Parameters<Payable['isPayable']>[0]

/** Returns the rule by which the pages of events tell how their types can be paid. */
export function payableWith(processors: Processors): FindPayable {
  return async (tx, now) => {
    const setUp = await readSetUp(tx, processors)
    return event => payableOf(event, setUp, processors, now)
  }
}

/**
 * Returns the methods that take no money at the moment, for any event. A payment that is under way by one of them goes on later.
 */
export async function findStopped(tx: ReadTx, processors: Processors): Promise<Method[]> {
  return stoppedOf(tx, await store.list(tx), processors)
}

async function stoppedOf(
  tx: ReadTx,
  connected: readonly store.MethodRow[],
  processors: Processors,
): Promise<Method[]> {
  const isOnHold = (await findHold(tx)) !== null
  const isRefused = ({ method, trouble }: store.MethodRow) =>
    method === 'stripe' && (trouble === 'denied' || trouble === 'no_key')
  const isStopped = (method: Method) =>
    hasProcessor(method) &&
    (isOnHold || !processors.has(method) || (method === 'stripe' && connected.some(isRefused)))
  return methods.filter(isStopped)
}

/** Returns a function that tells whether an event can take an amount now, by any method. */
export function payableBy(processors: Processors) {
  return async (tx: WriteTx, event: EventDetails, amount: number): Promise<boolean> =>
    (await findMethods(tx, event, amount, processors, tx.clock())).offered.length > 0
}

/** Returns the methods that an account has set up for its events, in the order in which they are offered. */
export async function listConnected(tx: ReadTx): Promise<Method[]> {
  const rows = await store.list(tx)
  return methods.filter(method => rows.some(row => row.method === method))
}

/** Returns the account that transfers go to, or undefined if transfers are not taken. */
export async function findBank(tx: ReadTx): Promise<Bank | undefined> {
  const row = (await store.list(tx)).find(({ method }) => method === 'transfer')
  return row?.bank ? (JSON.parse(row.bank) as Bank) : undefined
}

/** Returns until when the places of an order are held that is paid in this way. @param now milliseconds of the clock */
export function reservedUntil(event: EventDetails, method: Method, now: number): number {
  if (hasProcessor(method)) return reservedForSession(now)
  return method === 'door' ? payableAtDoorUntil(event, now) : payableUntil(event, now)
}
