import { METADATA } from './sessions.ts'

/** The event types that webhooks bring and the list is read for: those that may change a payment, a refund, a dispute or a payout. */
export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  'payout.reconciliation_completed',
] as const

/** What an event is about. Nothing else is taken from it, as the object is read again. */
export interface StripeEvent {
  id: string
  /** Seconds, by Stripe's clock. */
  created: number
  isLive: boolean
  about: 'session' | 'refund' | 'dispute' | 'payout'
  objectId: string
  /** Our id of the payment, as it was sent with a session. */
  paymentId: string | null
  /** The charge of a refund or a dispute. */
  chargeId: string | null
}

const ABOUT: Readonly<Record<string, StripeEvent['about']>> = {
  'checkout.session': 'session',
  refund: 'refund',
  dispute: 'dispute',
  payout: 'payout',
}

const types: ReadonlySet<string> = new Set(EVENT_TYPES)

/** Reads an event, of which only the signature was checked. @returns undefined for an event that concerns nothing of ours */
export function readStripeEvent(event: unknown): StripeEvent | undefined {
  if (!isRecord(event) || typeof event.type !== 'string' || !types.has(event.type)) return undefined
  const object = isRecord(event.data) ? event.data.object : undefined
  if (!isRecord(object)) return undefined
  const about = ABOUT[String(object.object)]
  const [id, objectId] = [idIn(event.id), idIn(object.id)]
  if (about === undefined || id === null || objectId === null) return undefined
  const metadata = isRecord(object.metadata) ? object.metadata : {}
  return {
    ...{ id, objectId, about, created: Number(event.created), isLive: event.livemode === true },
    paymentId: about === 'session' ? idIn(metadata[METADATA.payment]) : null,
    chargeId: idIn(object.charge),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const MOST_ID = 255

function idIn(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MOST_ID && /^[\w-]+$/.test(value) ? value : null
}
