import type Stripe from 'stripe'
import { ProcessorFault } from '../processor.ts'

/** What a code looks like: nothing else of what Stripe says goes on, as its messages name keys, people and parameters. */
const CODE = /^[a-z][a-z0-9_]{0,63}$/

/** A code of a fault: Stripe has answered before, and answers the same under this key for a day. */
export const REPLAYED = 'replayed'

/**
 * What an error of Stripe's package means, which is at hand where it was asked. https://docs.stripe.com/error-low-level
 *
 * @throws what is none of its errors
 */
export function toFault(error: unknown, { errors }: typeof Stripe): ProcessorFault {
  if (error instanceof ProcessorFault) return error
  if (!(error instanceof errors.StripeError)) throw error
  const { statusCode: status, rawType } = error
  const code = codeOf(error)
  // Cut off, or no JSON: nobody knows what came of it.
  if (status === undefined) return new ProcessorFault('silent')
  if (status >= 500) return new ProcessorFault('failed', isReplayed(error.headers) ? REPLAYED : undefined)
  if (status === 429 || status === 409) return new ProcessorFault('busy', code)
  if (status === 401 || status === 403) return new ProcessorFault('denied', code, status === 403)
  if (rawType === 'idempotency_error') return new ProcessorFault('refused', 'idempotency_error')
  return new ProcessorFault('refused', code)
}

/** Where Stripe has no code for it, the parameter that it refuses says more than nothing. */
function codeOf({ code, param }: Stripe.errors.StripeError): string | undefined {
  return [code, param].find(each => typeof each === 'string' && CODE.test(each))
}

export function isReplayed(headers: Record<string, unknown> | undefined): boolean {
  return headers?.['idempotent-replayed'] === 'true'
}
