import { addressGroup } from '../http/client-address.ts'
import type { Context, FaceRoute, State } from '../http/face.ts'
import { receive } from '../http/receiving.ts'
import { MAX_WEBHOOK } from '../payments/stripe/webhook.ts'
import type { Visited } from './visited.ts'

/**
 * What Stripe tells of an account. It is believed by its signature alone, and wakes who asks Stripe itself; what is not signed is
 * refused alike, whether there is such an account or not.
 */
export function stripeWebhook(services: Visited): FaceRoute<State> {
  return { method: 'POST', path: '/stripe/{account}', stages: [context => take(services, context)] }
}

/** @throws Problem payload_too_large; rate_limited for who has sent much that is not Stripe's */
async function take({ memory, clientAddress, addresses, stripe }: Visited, context: Context): Promise<void> {
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
