import type Stripe from 'stripe'
import { SECOND } from '#base/time.ts'
import type { DisputeFacts } from '../disputes.ts'
import { fromStripe } from './amounts.ts'

/** A status that Stripe adds later counts as under review. */
const STATUSES: Readonly<Record<string, DisputeFacts['status']>> = {
  warning_needs_response: 'warning',
  warning_under_review: 'warning',
  warning_closed: 'closed',
  prevented: 'closed',
  needs_response: 'needs_response',
  appeal_needs_response: 'needs_response',
  under_review: 'under_review',
  appeal_under_review: 'under_review',
  won: 'won',
  lost: 'lost',
}

export function toDispute(dispute: Stripe.Dispute): DisputeFacts {
  const { id, charge, status, reason, currency, created } = dispute
  const amount = fromStripe(dispute.amount, currency)
  const dueBy = dispute.evidence_details.due_by
  return {
    ...{ id, reason, amount, currency: currency.toUpperCase(), openedAt: created * SECOND },
    chargeId: typeof charge === 'string' ? charge : charge.id,
    status: STATUSES[status] ?? 'under_review',
    dueBy: dueBy === null ? null : dueBy * SECOND,
    movements: dispute.balance_transactions.map(moved => {
      const isForeign = moved.currency !== currency
      return {
        id: moved.id,
        at: moved.created * SECOND,
        // If the currency differs, Stripe states the converted amount. What is disputed is what was paid.
        amount: isForeign ? Math.sign(moved.amount) * amount : fromStripe(moved.amount, currency),
        fee: isForeign ? (moved.fee === 0 ? 0 : null) : fromStripe(moved.fee, currency),
      }
    }),
  }
}
