import type Stripe from 'stripe'
import { SECOND } from '#base/time.ts'
import { SESSION_LASTS } from '#product/selling/orders/reservation-time.ts'
import { type NewSession, ProcessorFault, type Session } from '../processor.ts'
import { fromStripe, toStripe } from './amounts.ts'

/**
 * The payment methods whose money comes days later, or not at all ("delayed notification" in
 * https://docs.stripe.com/payments/payment-methods/payment-method-support).
 */
const DELAYED = [
  ...['acss_debit', 'au_becs_debit', 'bacs_debit', 'boleto', 'customer_balance', 'konbini', 'multibanco'],
  ...['nz_bank_account', 'oxxo', 'payto', 'sepa_debit', 'sofort', 'us_bank_account'],
]

/** The names of our ids in Stripe's metadata. */
export const METADATA = {
  account: 'turnout_account',
  payment: 'turnout_payment',
  order: 'turnout_order',
  event: 'turnout_event',
  refund: 'turnout_refund',
} as const

/** An address that Stripe surely takes. With any other, the buyer types it again at Stripe. */
const PLAIN_EMAIL = /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,63}$/

/**
 * Returns the parameters of a session, which the buyer pays on Stripe's own page.
 *
 * @param now milliseconds, at Stripe
 * @throws ProcessorFault refused for an amount that Stripe does not take
 */
export function parametersOf(accountId: string, session: NewSession, now: number) {
  const {
    paymentId,
    orderId,
    eventId,
    reference,
    title,
    email,
    language,
    currency,
    returnUrl,
    takesDelayed,
  } = session
  const unitAmount = toStripe(session.amount, currency)
  if (unitAmount === undefined) throw new ProcessorFault('refused', 'amount_not_taken')
  const metadata = {
    [METADATA.account]: accountId,
    [METADATA.payment]: paymentId,
    [METADATA.order]: orderId,
    [METADATA.event]: eventId,
  }
  return {
    mode: 'payment',
    client_reference_id: paymentId,
    metadata,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: unitAmount,
          product_data: { name: title },
        },
      },
    ],
    payment_intent_data: { description: `${title} · ${reference}`.slice(0, MOST_DESCRIPTION), metadata },
    ...(PLAIN_EMAIL.test(email) ? { customer_email: email } : {}),
    locale: language,
    success_url: returnUrl,
    cancel_url: returnUrl,
    // Otherwise buyers could pay another amount than is asked for, in their own currency.
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: false },
    invoice_creation: { enabled: false },
    ...(takesDelayed ? {} : { excluded_payment_method_types: DELAYED }),
    expires_at: Math.floor((now + SESSION_LASTS) / SECOND),
  } satisfies Stripe.Checkout.SessionCreateParams
}

const MOST_DESCRIPTION = 1_000

/** The expanded fields of a session, which say what became of the money and what it cost. */
export const EXPANDED = ['payment_intent.latest_charge.balance_transaction']

/**
 * Returns a session as the server knows it.
 *
 * @param session read with `EXPANDED`
 * @throws ProcessorFault busy if its charge is not there yet
 */
export function toSession(session: Stripe.Checkout.Session): Session {
  const intent = objectIn(session.payment_intent)
  const charge = objectIn(intent?.latest_charge)
  const money = objectIn(charge?.balance_transaction)
  const currency = (session.currency ?? '').toUpperCase()
  const state = stateOf(session, intent)
  const isPaid = state === 'paid' && charge !== undefined
  // Without the charge nobody could refund the money, so the session is read again.
  if (state === 'paid' && !isPaid) throw new ProcessorFault('busy', 'charge_missing')
  const isForeign = money !== undefined && money.currency !== charge?.currency
  return {
    id: session.id,
    paymentId: session.metadata?.[METADATA.payment] ?? session.client_reference_id,
    state,
    url: state === 'open' ? session.url : null,
    expiresAt: session.expires_at * SECOND,
    chargeId: isPaid ? charge.id : null,
    currency: isPaid ? charge.currency.toUpperCase() : currency,
    amount: isPaid
      ? fromStripe(charge.amount_captured, charge.currency)
      : fromStripe(session.amount_total ?? 0, currency),
    // With a method that takes days, the charge is made long before the money comes.
    paidAt: isPaid ? (money ?? charge).created * SECOND : null,
    fee: money === undefined || isForeign ? null : fromStripe(money.fee, money.currency),
    ...(isForeign ? { isFeeForeign: true } : {}),
  }
}

function stateOf(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | undefined,
): Session['state'] {
  // Once the money is paid, no other field changes that.
  if (intent?.status === 'succeeded' || session.payment_status === 'paid') return 'paid'
  if (session.status === 'open') return 'open'
  if (session.status === 'expired') return 'expired'
  // If the payment was declined after days or never made, the session stays complete. Until then the money is on its way.
  return intent?.status === 'requires_payment_method' || intent?.status === 'canceled'
    ? 'failed'
    : 'processing'
}

/** Returns an expanded object, or undefined if the field is null or only an id. */
export function objectIn<T extends { id: string }>(given: string | T | null | undefined): T | undefined {
  return given === null || given === undefined || typeof given === 'string' ? undefined : given
}
