import type Stripe from 'stripe'
import type { Accounts } from './accounts.ts'
import { type Books, find } from './books.ts'
import { DAY } from './clock.ts'
import { type Endpoint, endpoint, listPage, within } from './endpoint.ts'
import { missing, refused } from './errors.ts'
import { moveMoney } from './money-objects.ts'
import { page, range, text } from './parameters.ts'

/** How an account is paid out. */
export interface PayoutWish {
  account: string
  live?: boolean
  currency: string
  /** The amount that somebody chose. Without it, everything that is available is paid out. */
  amount?: number
  /** Whether Stripe still looks for what the payout holds. */
  isUnderWay?: boolean
}

/** Returns what is available in a currency and in no automatic payout yet. */
function availableOf(books: Books, currency: string): Stripe.BalanceTransaction[] {
  return [...books.transactions.values()].filter(
    each => each.currency === currency && each.available_on <= books.now() && !books.payoutOf.has(each.id),
  )
}

/** Pays accounts out, and lets what comes of a payout happen. */
export class Payouts {
  private readonly accounts: Accounts

  constructor(accounts: Accounts) {
    this.accounts = accounts
  }

  /** @returns undefined if an automatic payout would be of nothing */
  payOut({
    account,
    live = false,
    currency,
    amount,
    isUnderWay = false,
  }: PayoutWish): Stripe.Payout | undefined {
    const books = this.accounts.booksOf(account, live)
    const held = amount === undefined ? availableOf(books, currency) : []
    const sum = amount ?? held.reduce((all, { net }) => all + net, 0)
    if (sum === 0) return undefined
    const payout = newPayout(books, { sum, currency, isManual: amount !== undefined, isUnderWay })
    const own = moveMoney(books, {
      ...{ amount: -sum, currency, source: payout.id, type: 'payout', category: 'payout' },
      description: 'STRIPE PAYOUT',
    })
    payout.balance_transaction = own.id
    if (payout.automatic) for (const { id } of [...held, own]) books.payoutOf.set(id, payout.id)
    books.payouts.set(payout.id, payout)
    books.emit('payout.created', payout)
    if (payout.reconciliation_status === 'completed') books.emit('payout.reconciliation_completed', payout)
    return payout
  }

  /** Stripe has found what a payout holds. */
  reconcile(id: string): void {
    const { books, payout } = this.find(id)
    payout.reconciliation_status = 'completed'
    books.emit('payout.reconciliation_completed', payout)
  }

  arrive(id: string): void {
    const { books, payout } = this.find(id)
    const before = { status: payout.status }
    payout.status = 'paid'
    books.emit('payout.updated', payout, { before })
    books.emit('payout.paid', payout)
  }

  /** The bank sends a payout back, which may happen days after it was `paid`. Its money comes back to the balance. */
  fail(id: string): void {
    const { books, payout } = this.find(id)
    payout.status = 'failed'
    payout.failure_code = 'account_closed'
    payout.failure_balance_transaction = moveMoney(books, {
      ...{ amount: payout.amount, currency: payout.currency, source: payout.id },
      ...{ type: 'payout_failure', category: 'payout_reversal', description: 'PAYOUT FAILURE' },
    }).id
    books.emit('payout.failed', payout)
  }

  private find(id: string): { books: Books; payout: Stripe.Payout } {
    for (const books of this.accounts.allBooks()) {
      const payout = books.payouts.get(id)
      if (payout !== undefined) return { books, payout }
    }
    throw new Error(`there is no payout ${id}`)
  }
}

interface Made {
  sum: number
  currency: string
  isManual: boolean
  isUnderWay: boolean
}

function newPayout(books: Books, { sum, currency, isManual, isUnderWay }: Made): Stripe.Payout {
  const midnight = Math.floor(books.now() / DAY) * DAY
  return {
    id: books.id('po'),
    object: 'payout',
    amount: sum,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: midnight + 2 * DAY,
    automatic: !isManual,
    balance_transaction: null,
    created: books.now(),
    currency,
    description: 'STRIPE PAYOUT',
    destination: books.id('ba'),
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: books.live,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: isManual ? 'not_applicable' : isUnderWay ? 'in_progress' : 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  } as unknown as Stripe.Payout
}

export const payoutEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/payouts',
    permission: 'payout_read',
    expands: 'payout',
    parameters: { ...page, arrival_date: range, created: range, destination: text(), status: text() },
    run: ({ books, given }) =>
      listPage(
        '/v1/payouts',
        books.payouts.values(),
        given,
        payout =>
          within(payout.created, given.created) &&
          within(payout.arrival_date, given.arrival_date) &&
          (given.destination === undefined || payout.destination === given.destination) &&
          (given.status === undefined || payout.status === given.status),
        (id, param) => missing('payout', id, param, false, books.live),
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/balance_transactions',
    permission: 'balance_read',
    expands: 'balance_transaction',
    parameters: {
      ...page,
      created: range,
      currency: text(),
      payout: text(),
      source: text(),
      type: text(),
    },
    run({ books, given }) {
      if (given.payout !== undefined && !find(books, 'payouts', given.payout, 'payout').automatic)
        throw refused('Balance transaction history can only be filtered on automatic transfers, not manual.')
      return listPage(
        '/v1/balance_transactions',
        books.transactions.values(),
        given,
        ({ id, created, currency, source, type }) =>
          within(created, given.created) &&
          (given.currency === undefined || currency === given.currency) &&
          (given.payout === undefined || books.payoutOf.get(id) === given.payout) &&
          (given.source === undefined || source === given.source) &&
          (given.type === undefined || type === given.type),
        (id, param) => missing('balance_transaction', id, param, false, books.live),
      )
    },
  }),
]
