import { addressGroup } from '#machinery/http/client-address.ts'
import type { Context, FaceRoute, State } from '#machinery/http/face.ts'
import { receive } from '#machinery/http/receiving.ts'
import { MAX_WEBHOOK } from '#product/selling/payments/stripe/webhook.ts'
import type { StorefrontServices } from './storefront-services.ts'

/**
 * Receives Stripe's webhooks for an account. The server believes only the signature, and then asks Stripe itself. It refuses
 * every unsigned request in the same way, whether the account exists or not.
 */
export function stripeWebhook(services: StorefrontServices): FaceRoute<State> {
  return { method: 'POST', path: '/stripe/{account}', stages: [context => take(services, context)] }
}

/** @throws Problem payload_too_large; rate_limited for a client that has sent many requests that are not Stripe's */
async function take(
  { memory, clientAddress, addresses, stripe }: StorefrontServices,
  context: Context,
): Promise<void> {
  const { req, res } = context
  const holding = memory.open(res, undefined, addressGroup(clientAddress(req)))
  const { 'content-length': length } = req.headers
  const size = length === undefined ? undefined : Number(length)
  const body = await receive(req, size, MAX_WEBHOOK, bytes => holding.keep('body', bytes))
  const [accountId = ''] = (context as Context & { captures: string[] }).captures
  const isTaken = await stripe.takeWebhook(accountId, body, context.get('Stripe-Signature'))
  if (!isTaken) addresses.apply(context)
  context.status = isTaken ? 200 : 400
  context.type = 'text/plain'
  context.body = isTaken ? 'ok\n' : 'refused\n'
}
