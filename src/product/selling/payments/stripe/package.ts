import type Stripe from 'stripe'

/** Loads Stripe's own package when it is first needed. Most servers never need it, and every start would wait for it. */
export async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).default
}
