import type Stripe from 'stripe'
import { ProcessorFault } from '../processor.ts'

/** The shape of a code. Nothing else that Stripe says is passed on, as its messages name keys, people and parameters. */
export const CODE = /^[a-z][a-z0-9_]{0,63}$/

/** The code of a repeated fault: Stripe answered before, and answers the same under this key for a day. */
export const REPLAYED = 'replayed'

/**
 * Returns the fault that an error of Stripe's package means. The caller has loaded the package already.
 * https://docs.stripe.com/error-low-level
 *
 * @throws any error that does not come from the package
 */
export function toFault(error: unknown, { errors }: typeof Stripe): ProcessorFault {
  if (error instanceof ProcessorFault) return error
  if (!(error instanceof errors.StripeError)) throw error
  const { statusCode: status, rawType } = error
  const code = codeOf(error)
  // The answer was cut off or is not JSON, so nobody knows the result.
  if (status === undefined) return new ProcessorFault('silent')
  if (status >= 500) return new ProcessorFault('failed', isReplayed(error.headers) ? REPLAYED : undefined)
  if (status === 429 || status === 409) return new ProcessorFault('busy', code)
  if (status === 401 || status === 403) return new ProcessorFault('denied', code, status === 403)
  if (rawType === 'idempotency_error') return new ProcessorFault('refused', 'idempotency_error')
  return new ProcessorFault('refused', code)
}

/** Returns Stripe's code. If Stripe has none, the name of the refused parameter says more than nothing. */
function codeOf({ code, param }: Stripe.errors.StripeError): string | undefined {
  return [code, param].find(each => typeof each === 'string' && CODE.test(each))
}

export function isReplayed(headers: Record<string, unknown> | undefined): boolean {
  return headers?.['idempotent-replayed'] === 'true'
}
