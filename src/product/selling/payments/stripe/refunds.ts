import type Stripe from 'stripe'
import { SECOND } from '#base/time.ts'
import { type NewRefund, ProcessorFault, type ProcessorRefund } from '../processor.ts'
import { fromStripe, toStripe } from './amounts.ts'
import { CODE } from './faults.ts'
import { METADATA, objectIn } from './sessions.ts'

/** @throws ProcessorFault refused for an amount that Stripe does not take */
export function refundParametersOf(accountId: string, refund: NewRefund) {
  const amount = toStripe(refund.amount, refund.currency)
  if (amount === undefined) throw new ProcessorFault('refused', 'amount_not_taken')
  return {
    charge: refund.chargeId,
    amount,
    metadata: {
      [METADATA.account]: accountId,
      [METADATA.refund]: refund.refundId,
      ...(refund.paymentId === null ? {} : { [METADATA.payment]: refund.paymentId }),
    },
  } satisfies Stripe.RefundCreateParams
}

/** The expanded fields of a refund, which say when it failed. */
export const REFUND_EXPANDED = ['failure_balance_transaction']

const STATES: Readonly<Record<string, ProcessorRefund['state']>> = {
  pending: 'pending',
  requires_action: 'requires_action',
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
}

export function toRefund(refund: Stripe.Refund): ProcessorRefund {
  const { id, metadata, charge, status, currency, amount, created } = refund
  const failure = objectIn(refund.failure_balance_transaction)
  const failedFor = CODE.exec(refund.failure_reason ?? '')?.[0]
  return {
    id,
    refundId: metadata?.[METADATA.refund] ?? null,
    chargeId: typeof charge === 'string' ? charge : (charge?.id ?? ''),
    // A status that Stripe adds later counts as pending.
    state: STATES[status ?? ''] ?? 'pending',
    currency: currency.toUpperCase(),
    amount: fromStripe(amount, currency),
    at: created * SECOND,
    ...(failure === undefined ? {} : { failedAt: failure.created * SECOND }),
    ...(failedFor === undefined ? {} : { failedFor }),
  }
}
