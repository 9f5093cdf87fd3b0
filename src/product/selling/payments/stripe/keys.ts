import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { Problem } from '../../problem.ts'
import type { LookedAt } from '../connections.ts'
import { ProcessorFault } from '../processor.ts'
import type { StripeServerClient } from './client.ts'

/** An id that Stripe has never given: what is asked about it is refused only to whoever may not ask. */
const NOBODY = 'turnout_permission_probe'

export interface Permission {
  /** As Stripe's dashboard calls it, and its messages. https://docs.stripe.com/keys/permissions-reference */
  name: string
  probe: (stripe: Stripe) => Promise<object>
  /** Only where Stripe can reach this server: it is told what happens there. */
  isOfWebhooks?: boolean
}

const unique = () => ({ idempotencyKey: randomUUID() })

/** What a key has to be allowed. Each is probed by what changes nothing. */
export const PERMISSIONS: readonly Permission[] = [
  {
    name: 'Connected accounts: Read (connected_account_read)',
    probe: stripe => stripe.accounts.retrieveCurrent(),
  },
  {
    name: 'Checkout Sessions: Write (checkout_session_write)',
    probe: stripe => stripe.checkout.sessions.expire(`cs_${NOBODY}`, {}, unique()),
  },
  {
    name: 'Charges and Refunds: Write (charge_write)',
    probe: stripe => stripe.refunds.create({ charge: `ch_${NOBODY}` }, unique()),
  },
  {
    name: 'PaymentIntents: Read (payment_intent_read)',
    probe: stripe => stripe.paymentIntents.retrieve(`pi_${NOBODY}`),
  },
  {
    name: 'Balance: Read (balance_read)',
    probe: stripe => stripe.balanceTransactions.retrieve(`txn_${NOBODY}`),
  },
  { name: 'Disputes: Read (dispute_read)', probe: stripe => stripe.disputes.list({ limit: 1 }) },
  { name: 'Events: Read (event_read)', probe: stripe => stripe.events.list({ limit: 1 }) },
  {
    name: 'Webhook Endpoints: Write (webhook_write)',
    probe: stripe => stripe.webhookEndpoints.del(`we_${NOBODY}`),
    isOfWebhooks: true,
  },
]

/**
 * Asks Stripe whose a key is, and whether it may do all that it has to.
 *
 * @param key of which the shape was looked at
 * @throws Problem invalid_parameter with `details.reason` key_denied, or key_permissions with `details.missing`; unavailable with
 *   `details.reason` stripe_silent
 */
export async function lookAtKey(
  server: StripeServerClient,
  { secretKey, isLive }: { secretKey: string; isLive: boolean },
  hasWebhook: boolean,
): Promise<LookedAt> {
  const missing: string[] = []
  for (const { name, probe, isOfWebhooks = false } of PERMISSIONS)
    if ((hasWebhook || !isOfWebhooks) && (await asked(server, secretKey, probe)) === 'not allowed')
      missing.push(name)
  const account = await asked(server, secretKey, stripe => stripe.accounts.retrieveCurrent())
  if (typeof account === 'string' || missing.length > 0) {
    throw new Problem('invalid_parameter', {
      message: `The key lacks permissions at Stripe: ${missing.join(', ')}.`,
      param: 'key',
      details: { reason: 'key_permissions', missing },
    })
  }
  const at = server.now()
  if (at === undefined) throw silent()
  return { secretKey, isLive, account: account.id, name: nameOf(account), at }
}

/** @returns what was answered; `refused` where that was no matter of permissions */
async function asked<T extends object>(
  server: StripeServerClient,
  secretKey: string,
  question: (stripe: Stripe) => Promise<T>,
): Promise<T | 'not allowed' | 'refused'> {
  try {
    return await server.ask(secretKey, question)
  } catch (error) {
    if (!(error instanceof ProcessorFault)) throw error
    if (error.kind === 'refused') return 'refused'
    if (error.kind !== 'denied') throw silent()
    if (error.isForbidden) return 'not allowed'
    throw new Problem('invalid_parameter', {
      message: 'Stripe does not know this key, or not any more.',
      param: 'key',
      details: { reason: 'key_denied' },
    })
  }
}

function silent(): Problem {
  return new Problem('unavailable', {
    message: 'Stripe did not answer. Nothing was changed; try again shortly.',
    details: { reason: 'stripe_silent' },
  })
}

const MOST_NAME = 200

function nameOf({ settings, business_profile: profile }: Stripe.Account): string | null {
  const name = settings?.dashboard.display_name ?? profile?.name ?? null
  return name === null || name.trim() === '' ? null : name.trim().slice(0, MOST_NAME)
}
