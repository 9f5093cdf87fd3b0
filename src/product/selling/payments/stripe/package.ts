import type Stripe from 'stripe'

/** Stripe's own package, which is loaded when it is first needed: most servers never do, and every start would wait for it. */
export async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).default
}
