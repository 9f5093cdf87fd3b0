import Stripe from 'stripe'
import { API_VERSION } from './versions.ts'

/** The official library, pointed at a stand-in, as Turnout must have it: no telemetry, no retries of its own. */
export function stripeClient(
  { origin }: { origin: string },
  key: string,
  options: { timeout?: number } = {},
): Stripe {
  const { hostname: host, port } = new URL(origin)
  return new Stripe(key, {
    host,
    port,
    protocol: 'http',
    apiVersion: API_VERSION,
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: options.timeout ?? 5_000,
  })
}
