import type Stripe from 'stripe'
import type { Database } from '../../db/port.ts'
import { isUuid } from '../../ids.ts'
import { type Clock, MINUTE, SECOND } from '../../time.ts'
import * as connections from '../connections.ts'
import { type Happening, readHappening } from './happenings.ts'
import { loadStripe } from './package.ts'

/** Bytes. */
export const MAX_WEBHOOK = 256 * 1024
/** How old what was signed may be, in seconds. */
const TOLERANCE = (5 * MINUTE) / SECOND
/** Who is not there takes as long as who is. */
const NOBODYS = 'whsec_nobody'

/**
 * Reads what comes to the address of an account: by its signature it is Stripe's, for this account, and new.
 * https://docs.stripe.com/webhooks/signature
 *
 * @param body as it came
 * @returns undefined for what is to be refused: forged, too old, for another account, or of the other mode; null for what is about
 *   nothing of ours
 */
export async function readWebhook(
  { db, clock }: { db: Database; clock: Clock },
  accountId: string,
  body: Buffer,
  signature: string,
): Promise<Happening | null | undefined> {
  const access = isUuid(accountId) ? await db.read(tx => connections.findAccess(tx, accountId)) : undefined
  const secrets = access?.webhookSecrets ?? []
  const { webhooks } = await loadStripe()
  const event = [...secrets, ...(secrets.length === 0 ? [NOBODYS] : [])]
    .map(secret => verified(webhooks, [body, signature], secret, clock()))
    .find(each => each !== undefined)
  if (access === undefined || secrets.length === 0 || event === undefined) return undefined
  return event.livemode === access.isLive ? (readHappening(event) ?? null) : undefined
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
    // Its message quotes what came.
    return undefined
  }
}
