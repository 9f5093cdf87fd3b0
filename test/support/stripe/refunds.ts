import type Stripe from 'stripe'
import { checkDigits, shown } from './amounts.ts'
import { type Books, type Cause, find, NOBODY } from './books.ts'
import { DAY } from './clock.ts'
import { type Endpoint, endpoint, listPage, within } from './endpoint.ts'
import { invalid, missing, refused } from './errors.ts'
import { moveMoney } from './money-objects.ts'
import { absent, expand, metadata, oneOf, page, range, text, wholeNumber } from './parameters.ts'

/** The course of the next refunds of an account, as the test sets it. */
export type RefundCourse = 'insufficient_funds' | 'pending' | 'requires_action' | 'succeeded'

export interface RefundWish {
  amount?: number | undefined
  reason?: Stripe.Refund.Reason | undefined
  metadata?: Record<string, string> | undefined
}

/** Returns what is left of a charge after its refunds. */
const leftOf = (charge: Stripe.Charge) => charge.amount - charge.amount_refunded

function checkRefundable(books: Books, charge: Stripe.Charge): void {
  if (!charge.paid) {
    throw refused(
      `Charge ${charge.id} has not been paid; only paid charges can be refunded.`,
      'charge_not_refundable',
    )
  }
  const disputes = [...books.disputes.values()].filter(dispute => dispute.charge === charge.id)
  if (disputes.some(dispute => !dispute.is_charge_refundable && dispute.status !== 'won')) {
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed')
  }
  if (leftOf(charge) === 0) {
    throw refused(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded')
  }
}

/** Refunds money of a charge. Requests by the API and at the dashboard meet the same rules. */
export function refundCharge(
  books: Books,
  charge: Stripe.Charge,
  wish: RefundWish,
  { course, cause = NOBODY }: { course: RefundCourse; cause?: Cause },
): Stripe.Refund {
  checkRefundable(books, charge)
  const left = leftOf(charge)
  const amount = wish.amount ?? left
  if (amount > left) {
    throw refused(
      `Refund amount (${shown(amount, charge.currency)}) is greater than unrefunded amount on charge (${shown(left, charge.currency)})`,
      undefined,
      'amount',
    )
  }
  checkDigits(amount, charge.currency, 'amount')
  const refund: Stripe.Refund = {
    id: books.id('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: books.now(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: { type: 'card' },
    metadata: wish.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: wish.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: course === 'insufficient_funds' ? 'pending' : course,
    transfer_reversal: null,
  }
  if (refund.status === 'pending') {
    refund.pending_reason = course === 'insufficient_funds' ? 'insufficient_funds' : 'processing'
  }
  if (course === 'requires_action') nextAction(refund, charge, books)
  if (course === 'succeeded' || course === 'pending') takeMoney(books, refund)
  const before = { amount_refunded: charge.amount_refunded, refunded: charge.refunded }
  charge.amount_refunded += amount
  charge.refunded = leftOf(charge) === 0
  books.refunds.set(refund.id, refund)
  books.emit('refund.created', refund, { cause })
  books.emit('charge.refunded', charge, { before, cause })
  return refund
}

function nextAction(refund: Stripe.Refund, charge: Stripe.Charge, books: Books): void {
  refund.next_action = {
    type: 'display_details',
    display_details: {
      email_sent: { email_sent_at: books.now(), email_sent_to: charge.billing_details.email ?? '' },
      expires_at: books.now() + 45 * DAY,
    },
  }
}

/** Takes the money for a refund from the balance. */
export function takeMoney(books: Books, refund: Stripe.Refund): void {
  refund.balance_transaction = moveMoney(books, {
    amount: -refund.amount,
    currency: refund.currency,
    source: refund.id,
    type: String(refund.charge).startsWith('ch_') ? 'refund' : 'payment_refund',
    category: 'refund',
    description: 'REFUND FOR PAYMENT',
  }).id
}

const REFUND_CREATE = {
  ...expand,
  amount: wholeNumber(1),
  charge: text(),
  currency: absent,
  customer: absent,
  instructions_email: text(),
  metadata,
  origin: absent,
  payment_intent: text(),
  reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']),
  refund_application_fee: absent,
  reverse_transfer: absent,
}

/** Finds the charge that a request for a refund names, by itself or by its payment intent. */
function chargeOf(
  books: Books,
  { charge, payment_intent: intent }: { charge?: string | undefined; payment_intent?: string | undefined },
): Stripe.Charge {
  if (charge === undefined && intent === undefined) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'payment_intent',
      'parameter_missing',
    )
  }
  if (charge !== undefined && intent !== undefined) {
    throw invalid('You may only specify one of these parameters: charge, payment_intent.')
  }
  if (charge !== undefined) return find(books, 'charges', charge, 'charge')
  const found = find(books, 'intents', intent ?? '', 'payment_intent')
  const latest = typeof found.latest_charge === 'string' ? books.charges.get(found.latest_charge) : undefined
  if (latest?.paid) return latest
  throw refused(
    `This PaymentIntent (${found.id}) does not have a successful charge to refund.`,
    undefined,
    'payment_intent',
  )
}

/** These are the endpoints of refunds. `courseOf` returns the course of an account's next refund. */
export const refundEndpoints = (courseOf: (books: Books) => RefundCourse): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/v1/refunds',
    permission: 'charge_write',
    expands: 'refund',
    parameters: REFUND_CREATE,
    run: ({ books, given, cause }) =>
      refundCharge(books, chargeOf(books, given), given, { course: courseOf(books), cause }),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/refunds/:id',
    permission: 'charge_read',
    expands: 'refund',
    parameters: expand,
    run: ({ books, id }) => find(books, 'refunds', id, 'refund'),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/refunds',
    permission: 'charge_read',
    expands: 'refund',
    parameters: { ...page, charge: text(), created: range, payment_intent: text() },
    run: ({ books, given }) =>
      listPage(
        '/v1/refunds',
        books.refunds.values(),
        given,
        refund =>
          within(refund.created, given.created) &&
          (given.charge === undefined || refund.charge === given.charge) &&
          (given.payment_intent === undefined || refund.payment_intent === given.payment_intent),
        (id, param) => missing('refund', id, param, false, books.live),
      ),
  }),
]
