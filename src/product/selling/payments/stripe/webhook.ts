import type Stripe from 'stripe'
import { isUuid } from '#base/ids.ts'
import { type Clock, MINUTE, SECOND } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as connections from '../connections.ts'
import { loadStripe } from './package.ts'
import { readStripeEvent, type StripeEvent } from './stripe-events.ts'

/** The most bytes of a webhook. */
export const MAX_WEBHOOK = 256 * 1024
/** How old a signature may be, in seconds. */
const TOLERANCE = (5 * MINUTE) / SECOND
/** An account without a connection is checked against this secret, so that the answer takes as long. */
const NOBODYS = 'whsec_nobody'

/**
 * Reads what comes to the address of an account. The signature shows that it comes from Stripe, is for this account and is
 * recent.
 * https://docs.stripe.com/webhooks/signature
 *
 * @param body as it came
 * @returns undefined for what has to be refused: forged, too old, for another account, or of the other mode; null for an event
 *   that concerns nothing of ours
 */
export async function readWebhook(
  { db, clock }: { db: Database; clock: Clock },
  accountId: string,
  body: Buffer,
  signature: string,
): Promise<StripeEvent | null | undefined> {
  const access = isUuid(accountId) ? await db.read(accountId, tx => connections.findAccess(tx)) : undefined
  const secrets = access?.webhookSecrets ?? []
  const { webhooks } = await loadStripe()
  const event = [...secrets, ...(secrets.length === 0 ? [NOBODYS] : [])]
    .map(secret => verified(webhooks, [body, signature], secret, clock()))
    .find(each => each !== undefined)
  if (access === undefined || secrets.length === 0 || event === undefined) return undefined
  return event.livemode === access.isLive ? (readStripeEvent(event) ?? null) : undefined
}

function verified(
  webhooks: typeof Stripe.webhooks,
  [body, signature]: readonly [Buffer, string],
  secret: string,
  now: number,
): Stripe.Event | undefined {
  try {
    return webhooks.constructEvent(body, signature, secret, TOLERANCE, undefined, now)
  } catch {
    // The error is dropped, as its message quotes what came.
    return undefined
  }
}
