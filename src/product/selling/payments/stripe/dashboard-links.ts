import type { StripeConnection } from '../connections.ts'

/** What Stripe's own dashboard shows on a page: a payment with its refunds, a dispute, or a payout. */
export type ShownAtStripe = 'payments' | 'disputes' | 'payouts'

/**
 * Returns the address of an object in Stripe's dashboard, where it is answered and looked into. A member needs an account there.
 *
 * @param id of a charge, a dispute or a payout, as Stripe names it
 */
export function stripeUrl(
  { account, is_live: isLive }: Pick<StripeConnection, 'account' | 'is_live'>,
  what: ShownAtStripe,
  id: string,
): string {
  const path = [account, ...(isLive ? [] : ['test']), what, id].map(encodeURIComponent).join('/')
  return `https://dashboard.stripe.com/${path}`
}
