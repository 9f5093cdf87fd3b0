import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type Stripe from 'stripe'
import type { Database } from '#machinery/db/port.ts'
import * as connections from '../connections.ts'
import { ProcessorFault } from '../processor.ts'
import type { StripeAccounts } from './access.ts'
import { loadStripe } from './package.ts'
import { METADATA } from './sessions.ts'
import { EVENT_TYPES } from './stripe-events.ts'

/** A key without permission for webhooks is fine, as the events are read in any case. */
const OPTIONAL = { isOptional: true }

/** The path where Stripe's webhooks for an account come in. */
export const WEBHOOK_PATH = '/orders/stripe'

/**
 * Returns the address that Stripe shall send webhooks to, or undefined if it cannot reach this server.
 *
 * @param baseUrl as people reach it
 */
export function webhookUrl(baseUrl: string, accountId: string): string | undefined {
  const { protocol, hostname } = new URL(baseUrl)
  const isNamed = hostname.includes('.') && isIP(hostname) === 0
  const isPublic = isNamed && !/\.(localhost|local|internal|lan|home\.arpa|test|invalid)$/.test(hostname)
  return protocol === 'https:' && isPublic ? `${baseUrl}${WEBHOOK_PATH}/${accountId}` : undefined
}

/**
 * Registers one webhook endpoint at Stripe, which is known by its metadata. It removes an endpoint whose secret is unknown
 * because of a crash in between.
 *
 * @throws ProcessorFault
 */
export async function registerEndpoint(
  { db, accounts }: { db: Database; accounts: StripeAccounts },
  access: connections.StripeAccess,
  url: string,
): Promise<void> {
  const { accountId, secretKey } = access
  const ours = await listOurs(accounts, accountId)
  const standing = ours.find(({ id, status, ...each }) => id === access.webhook?.id && each.url === url)
  if (standing === undefined || standing.status !== 'enabled') {
    const { API_VERSION } = await loadStripe()
    const made = await accounts.ask(
      accountId,
      stripe =>
        stripe.webhookEndpoints.create(
          {
            url,
            enabled_events: [...EVENT_TYPES],
            api_version: API_VERSION as '2026-10-28.endive',
            description: 'Turnout',
            metadata: { [METADATA.account]: accountId },
          },
          { idempotencyKey: randomUUID() },
        ),
      OPTIONAL,
    )
    // Stripe states the secret only once.
    const { id, secret } = made
    if (secret === undefined) throw new ProcessorFault('silent', 'unreadable')
    await db.write(accountId, tx => connections.note(tx, secretKey, { webhook: { id, url, secret } }))
  }
  for (const { id } of ours)
    if (id !== standing?.id || standing.status !== 'enabled') await remove(accounts, accountId, id)
}

/** Removes our webhook endpoints at Stripe. If Stripe does not answer, they stay, and nobody listens there. */
export async function removeEndpoints(accounts: StripeAccounts, accountId: string): Promise<void> {
  try {
    for (const { id } of await listOurs(accounts, accountId)) await remove(accounts, accountId, id)
  } catch (error) {
    if (!(error instanceof ProcessorFault)) throw error
  }
}

async function listOurs(accounts: StripeAccounts, accountId: string): Promise<Stripe.WebhookEndpoint[]> {
  // An account has 16 endpoints at most.
  const { data } = await accounts.ask(
    accountId,
    stripe => stripe.webhookEndpoints.list({ limit: 100 }),
    OPTIONAL,
  )
  return data.filter(({ metadata }) => metadata[METADATA.account] === accountId)
}

async function remove(accounts: StripeAccounts, accountId: string, id: string): Promise<void> {
  try {
    await accounts.ask(accountId, stripe => stripe.webhookEndpoints.del(id), OPTIONAL)
  } catch (error) {
    if (!(error instanceof ProcessorFault) || error.kind !== 'refused') throw error
  }
}
