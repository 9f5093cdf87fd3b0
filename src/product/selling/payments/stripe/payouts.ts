import type Stripe from 'stripe'
import { DAY, SECOND } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import type {
  PayoutFacts,
  PayoutLineFacts,
  PayoutLineKind,
  PayoutStatus,
  PayoutsDenied,
} from '#product/selling/payouts/facts.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import { ProcessorFault } from '../processor.ts'
import type { StripeAccounts } from './access.ts'
import { fromStripe } from './amounts.ts'

/**
 * How far back payouts are read again before the last reading, in milliseconds. A bank may send a payout back for days, and Stripe
 * may take days to know what a payout holds.
 */
const BACK = 90 * DAY
const PAGE = 100
/** The most pages of one list that are read. */
const MOST_PAGES = 2_000
/** A key without these permissions is fine: payments do not need them. */
const OPTIONAL = { isOptional: true }

export interface PayoutOptions {
  db: Pick<Database, 'read' | 'write'>
  accounts: StripeAccounts
}

/**
 * Reads the payouts of an account at Stripe, and what each holds. If the key may not read them, that is stored for people to see, and
 * is no fault.
 *
 * @throws ProcessorFault
 */
export async function readPayouts(options: PayoutOptions, accountId: string): Promise<void> {
  const { db } = options
  let missing: PayoutsDenied = 'payouts'
  try {
    const listed = await noteAll(options, accountId)
    missing = 'lines'
    const waiting = await db.read(accountId, tx => payouts.listWaiting(tx, listed))
    for (const id of waiting) await readLines(options, accountId, id)
  } catch (error) {
    const isDenied = error instanceof ProcessorFault && error.kind === 'denied' && error.isForbidden
    if (!isDenied) throw error
    return db.write(accountId, tx => payouts.noteReading(tx, missing))
  }
  await db.write(accountId, tx => payouts.noteReading(tx, null))
}

/** Stores all recent payouts. @returns the ids of those whose list is complete at Stripe, the oldest first */
async function noteAll({ db, accounts }: PayoutOptions, accountId: string): Promise<string[]> {
  const now = await accounts.now(accountId)
  const reading = await db.read(accountId, tx => payouts.findReading(tx))
  const from = Math.min(reading?.readAt ?? now, now) - BACK
  const created = { gte: Math.floor(from / SECOND) }
  const listed: string[] = []
  const pages = eachPage<Stripe.Payout>(page =>
    accounts.ask(accountId, stripe => stripe.payouts.list({ created, ...page }), OPTIONAL),
  )
  for await (const data of pages) {
    await db.write(accountId, tx => payouts.note(tx, data.map(toPayout)))
    for (const payout of data) if (payout.reconciliation_status === 'completed') listed.push(payout.id)
  }
  return listed.reverse()
}

/** Stores what a payout holds. A list that is cut off is read from its beginning the next time. */
async function readLines({ db, accounts }: PayoutOptions, accountId: string, payout: string): Promise<void> {
  const pages = eachPage<Stripe.BalanceTransaction>(page =>
    accounts.ask(accountId, stripe => stripe.balanceTransactions.list({ payout, ...page }), OPTIONAL),
  )
  for await (const data of pages) {
    // The payout itself takes all that from the balance, and is no part of it.
    const held = data.filter(({ type, source }) => type !== 'payout' || idOf(source) !== payout)
    await db.write(accountId, tx => payouts.addLines(tx, payout, held.map(toLine)))
  }
  await db.write(accountId, tx => payouts.complete(tx, payout))
}

/** @throws ProcessorFault; busy if there are more pages than are read */
async function* eachPage<Listed extends { id: string }>(
  ask: (page: { limit: number; starting_after?: string }) => Promise<{ data: Listed[]; has_more: boolean }>,
): AsyncGenerator<Listed[]> {
  let after: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { data, has_more: hasMore } = await ask({ limit: PAGE, ...(after && { starting_after: after }) })
    yield data
    after = data.at(-1)?.id
    if (!hasMore || after === undefined) return
  }
  throw new ProcessorFault('busy', 'too_many_to_look_through')
}

const STATUSES: ReadonlySet<string> = new Set(['pending', 'in_transit', 'paid', 'failed', 'canceled'])

export function toPayout(payout: Stripe.Payout): PayoutFacts {
  const { id, amount, currency, status, arrival_date: arrival, created, automatic } = payout
  return {
    ...{ id, amount: fromStripe(amount, currency), currency: currency.toUpperCase() },
    // A status that Stripe adds later counts as pending.
    status: (STATUSES.has(status) ? status : 'pending') as PayoutStatus,
    // Stripe states the day as its midnight in UTC.
    arrivesOn: new Date(arrival * SECOND).toISOString().slice(0, 10),
    madeAt: created * SECOND,
    isManual: !automatic || payout.reconciliation_status === 'not_applicable',
  }
}

const KINDS: Readonly<Record<string, PayoutLineKind>> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_reversal',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  payout_failure: 'payout_return',
  payout_cancel: 'payout_return',
}

/** Stripe calls what disputes move an adjustment, and says in another field what it is of. */
const ADJUSTMENTS: Readonly<Record<string, PayoutLineKind>> = {
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
}

export function toLine(moved: Stripe.BalanceTransaction): PayoutLineFacts {
  const { id, type, reporting_category: category, currency, created } = moved
  const kinds = type === 'adjustment' ? ADJUSTMENTS : KINDS
  const name = type === 'adjustment' ? category : type
  return {
    ...{ id, type, sourceId: idOf(moved.source), movedAt: created * SECOND },
    kind: Object.hasOwn(kinds, name) ? (kinds[name] as PayoutLineKind) : 'adjustment',
    amount: fromStripe(moved.amount, currency),
    fee: fromStripe(moved.fee, currency),
  }
}

function idOf(source: Stripe.BalanceTransaction['source']): string | null {
  return source === null || typeof source === 'string' ? source : source.id
}
