import type Stripe from 'stripe'

/** Has all objects of an account in one mode, the oldest first. */
export interface AccountBooks {
  sessions: Stripe.Checkout.Session[]
  intents: Stripe.PaymentIntent[]
  charges: Stripe.Charge[]
  transactions: Stripe.BalanceTransaction[]
  refunds: Stripe.Refund[]
  disputes: Stripe.Dispute[]
  payouts: Stripe.Payout[]
  events: Stripe.Event[]
  webhookEndpoints: Stripe.WebhookEndpoint[]
}

/** Describes the webhook to make up. Without a secret there is no signature at all. */
export interface Forgery {
  url: string
  /** The body, or the event whose body it has. */
  body?: string
  event?: string
  secret?: string
  /** The signed time. The default is that of the stand-in's clock. */
  seconds?: number
}
