import type Stripe from 'stripe'
import { convert } from './amounts.ts'
import type { Books } from './books.ts'
import { DAY } from './clock.ts'

/** Describes how a buyer pays. */
export interface PaidBy {
  /** A type of payment method, as `card` or `sepa_debit`. */
  method: string
  email: string | null
  name: string | null
}

export function newIntent(
  books: Books,
  session: Stripe.Checkout.Session,
  amount: number,
): Stripe.PaymentIntent {
  const intentData = books.intentData.get(session.id)
  const id = books.id('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${books.id('s').slice(2)}`,
    confirmation_method: 'automatic',
    created: books.now(),
    currency: session.currency ?? books.account.currency,
    customer: null,
    customer_account: null,
    description: intentData?.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: books.live,
    managed_payments: null,
    metadata: intentData?.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: session.payment_method_types,
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
}

export function newCharge(
  books: Books,
  intent: Stripe.PaymentIntent,
  by: PaidBy,
  status: Stripe.Charge.Status,
): Stripe.Charge {
  const paid = status === 'succeeded'
  const failed = status === 'failed'
  return {
    id: books.id(by.method === 'card' ? 'ch' : 'py'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: by.email, name: by.name, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: paid,
    created: books.now(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failed ? 'card_declined' : null,
    failure_message: failed ? 'Your card was declined.' : null,
    fraud_details: {},
    livemode: books.live,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: null,
    paid,
    payment_intent: intent.id,
    payment_method: books.id('pm'),
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: null,
    transfer_group: null,
  }
}

interface Moved {
  /** The amount in the currency of the charge. It is below 0 if money leaves. */
  amount: number
  currency: string
  source: string
  type: Stripe.BalanceTransaction.Type
  category: string
  description: string
  /** The fee in the currency of the account's balance. */
  fee?: number
  feeFor?: string
}

/** Writes down that money came or went, in the currency that the account is paid out in. */
export function moveMoney(books: Books, moved: Moved): Stripe.BalanceTransaction {
  const { settlement } = books.account
  const foreign = settlement !== null && settlement.currency !== moved.currency ? settlement : null
  const currency = foreign?.currency ?? moved.currency
  const amount = foreign ? convert(moved.amount, moved.currency, foreign) : moved.amount
  const fee = moved.fee ?? 0
  const transaction: Stripe.BalanceTransaction = {
    id: books.id('txn'),
    object: 'balance_transaction',
    amount,
    available_on: books.now() + 2 * DAY,
    balance_type: 'payments',
    created: books.now(),
    currency,
    description: moved.description,
    exchange_rate: foreign?.rate ?? null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: moved.feeFor ?? 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: moved.category,
    source: moved.source,
    status: 'pending',
    type: moved.type,
  }
  books.transactions.set(transaction.id, transaction)
  return transaction
}

/** Gives a charge the balance transaction that its money and its fee are in. */
export function settleCharge(books: Books, charge: Stripe.Charge): Stripe.BalanceTransaction {
  const { fee, settlement } = books.account
  const gross =
    settlement && settlement.currency !== charge.currency
      ? convert(charge.amount, charge.currency, settlement)
      : charge.amount
  const transaction = moveMoney(books, {
    amount: charge.amount,
    currency: charge.currency,
    source: charge.id,
    type: charge.id.startsWith('ch_') ? 'charge' : 'payment',
    category: 'charge',
    description: charge.description ?? charge.id,
    fee: Math.round((gross * fee.basisPoints) / 10_000) + fee.fixed,
  })
  charge.balance_transaction = transaction.id
  return transaction
}
