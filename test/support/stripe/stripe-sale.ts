import type { TestContext } from 'node:test'
import * as ledger from '#product/selling/ledger/rules.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { connectStripe } from '#product/selling/payments/connections.ts'
import type { Processor, ProcessorName } from '#product/selling/payments/processor.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { canTake } from '#product/selling/payments/stripe/amounts.ts'
import { organization } from '../organization.ts'
import { type ServerOptions, startWithOrganization } from '../server.ts'
import { onceSettled } from '../settled.ts'
import { StripeStandIn } from './stand-in.ts'
import { ACCOUNT, KEY } from './stripe-connection.ts'

/** The address of a server that Stripe can reach. */
export const PUBLIC = 'https://tickets.example.org'

/** Opens a server that sells by Stripe, and does what a buyer and time do. */
export async function openStripeSale(
  t: TestContext,
  baseUrl: string,
  { currency = 'EUR', ...options }: { currency?: string } & Pick<ServerOptions, 'databaseUrl'> = {},
) {
  const standIn = await StripeStandIn.start()
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: ACCOUNT })
  const settings = { testPayments: true, stripeApi: standIn.origin, baseUrl }
  const server = await startWithOrganization(t, organization({ event: { currency } }), {
    settings,
    ...options,
  })
  const { db, app, applied, clock } = server
  await standIn.forwardWebhooks(PUBLIC, new URL(app.url).origin)
  const accountId = applied.account_id
  const { id: eventId, registration_types } = applied.events['spring-meeting'] as NonNullable<
    (typeof applied.events)[string]
  >
  const found = { secretKey: KEY, isLive: false, account: ACCOUNT, name: null, at: clock() }
  await db.write(accountId, tx => connectStripe(tx, found))
  const can = { can: canTake } as Processor
  const processors = new Map<ProcessorName, Processor>([['stripe', can]])
  let forms = 0
  const order = async () => {
    const placed = await db.write(accountId, tx =>
      payments.placeOrder(
        tx,
        eventId,
        {
          ...{
            formId: `form-${forms++}`,
            buyer: { name: 'Grace', email: 'grace@example.org' },
            language: 'en',
            answers: {},
          },
          agreement: agreementHash({ total: 5000, event: { currency, terms: null } }),
          lines: [
            { typeId: registration_types.Standard as string, tickets: [{ name: 'Grace', email: null }] },
          ],
        },
        { method: 'stripe', processors, signed: [] },
      ),
    )
    const session = await onceSettled({ app }, 'payments', 'a session', async () => {
      const [payment] = await db.read(accountId, tx => payments.listByOrder(tx, placed.id))
      return payment?.session_id ?? undefined
    })
    return { orderId: placed.id, session }
  }
  const stateOf = async (id: string) => (await db.read(accountId, tx => orders.get(tx, id))).status
  const entriesOf = async (orderId: string) =>
    (await db.read(accountId, tx => ledger.list(tx, { orderId }))).map(({ kind, amount }) => [kind, amount])
  /** Has the server learn what there is to learn at this instant, and act on it. */
  const settle = () => app.settled('stripe', 'payments')
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds)
    await standIn.advance(milliseconds)
    await settle()
  }
  return { ...server, settings, standIn, accountId, eventId, order, stateOf, entriesOf, settle, pass }
}
