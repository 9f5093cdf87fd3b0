import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { Problem } from '#base/problem.ts'
import type { LookedAt } from '../connections.ts'
import { ProcessorFault } from '../processor.ts'
import type { StripeServerClient } from './client.ts'

/** An id that Stripe has never given. A question about it is denied only to a key that may not ask. */
const NOBODY = 'turnout_permission_probe'

export interface Permission {
  /** The name in Stripe's dashboard and in its messages. https://docs.stripe.com/keys/permissions-reference */
  name: string
  probe: (stripe: Stripe) => Promise<object>
  /** It is true if the permission is needed only for webhooks, when Stripe can reach this server. */
  isOfWebhooks?: boolean
}

/** The permission that the report on payouts needs. Without it everything else goes on, so no key is refused for it. */
export const PAYOUT_PERMISSION = 'Payouts: Read (payout_read)'
/** The permission that shows what a payout holds. Payments need it too. */
export const BALANCE_PERMISSION = 'Balance: Read (balance_read)'

const unique = () => ({ idempotencyKey: randomUUID() })

/** The permissions that a key needs. Each is probed by a call that changes nothing. */
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
    name: BALANCE_PERMISSION,
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
 * Asks Stripe whose a key is, and whether it has all permissions that it needs.
 *
 * @param key a key whose shape was checked
 * @throws Problem invalid_parameter with `details.reason` key_denied, or key_permissions with `details.missing`; unavailable with
 *   `details.reason` stripe_silent
 */
export async function inspectKey(
  server: StripeServerClient,
  { secretKey, isLive }: { secretKey: string; isLive: boolean },
  hasWebhook: boolean,
): Promise<LookedAt> {
  const missing: string[] = []
  for (const { name, probe, isOfWebhooks = false } of PERMISSIONS)
    if ((hasWebhook || !isOfWebhooks) && (await askStripe(server, secretKey, probe)) === 'not allowed')
      missing.push(name)
  const account = await askStripe(server, secretKey, stripe => stripe.accounts.retrieveCurrent())
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

/** @returns the answer; `refused` if Stripe refused for another reason than permissions */
async function askStripe<T extends object>(
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
