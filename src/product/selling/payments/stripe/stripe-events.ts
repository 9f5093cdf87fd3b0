import { METADATA } from './sessions.ts'

/** What is told of, and asked for: what may change a payment, a refund or a dispute. */
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
] as const

/** What an event is about: that alone is taken from it, as the object is read again. */
export interface Happening {
  id: string
  /** Seconds, by Stripe's clock. */
  created: number
  isLive: boolean
  about: 'session' | 'refund' | 'dispute'
  objectId: string
  /** Of a session, ours, as it was sent. */
  paymentId: string | null
  /** Of a refund or dispute. */
  chargeId: string | null
}

const ABOUT: Readonly<Record<string, Happening['about']>> = {
  'checkout.session': 'session',
  refund: 'refund',
  dispute: 'dispute',
}

const types: ReadonlySet<string> = new Set(EVENT_TYPES)

/** Reads an event, of which nothing but its signature is known. @returns undefined for one that is about nothing of ours */
export function readHappening(event: unknown): Happening | undefined {
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
