import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type Stripe from 'stripe'
import { openLog } from '#base/log.ts'
import type { Processor } from '#product/selling/payments/processor.ts'
import { StripeAccounts } from '#product/selling/payments/stripe/access.ts'
import { StripeServerClient } from '#product/selling/payments/stripe/client.ts'
import { StripeFeed } from '#product/selling/payments/stripe/feed.ts'
import { StripeProcessor } from '#product/selling/payments/stripe/processor.ts'
import { METADATA } from '#product/selling/payments/stripe/sessions.ts'
import { StripeSink } from '#product/selling/payments/stripe/sink.ts'
import { readWebhook } from '#product/selling/payments/stripe/webhook.ts'
import { dataFolder } from '../blank-database.ts'
import type { Life } from '../mortal.ts'
import type { Server, Stage } from '../stage.ts'
import { movableClock } from './clock.ts'
import type { Fault, FaultKind } from './faults.ts'
import { StripeStandIn } from './stand-in.ts'
import { ACCOUNT, KEY } from './stripe-connection.ts'
import { openStripeShop } from './stripe-shop.ts'

const PUBLIC = 'https://tickets.example.org'
/** How long the server waits for a byte, and how long what is slow takes: longer, in milliseconds. */
const SILENCE = 200
const SLOW = 300

const FAULTS: readonly FaultKind[] = [
  ...(['drop after', 'drop before', 'error after', 'error before', 'html', 'lock timeout'] as const),
  ...(['rate limit', 'slow'] as const),
]
const CALLS: readonly Pick<Fault, 'method' | 'path'>[] = [
  { method: 'POST', path: '/v1/checkout/sessions' },
  { method: 'POST', path: '/v1/checkout/sessions/:id/expire' },
  { method: 'POST', path: '/v1/refunds' },
  { method: 'GET', path: '/v1/checkout/sessions/:id' },
  { method: 'GET', path: '/v1/refunds' },
  { method: 'GET', path: '/v1/events' },
]
const WEBHOOKS = ['at once', 'twice', 'early', 'held', 'held', 'never'] as const
const COURSES = ['pending', 'succeeded', 'requires_action', 'insufficient_funds'] as const
const FOREIGN = { currency: 'usd', rate: 1.1 }

/** A test may change the adapter, to see that the fault is found out. */
export interface StageOptions {
  adapter?: (processor: Processor) => Processor
}

/** Runs the adapter of Stripe on the stand-in: over a socket, and with webhooks and the list of events. */
export async function openStripeStage(t: TestContext, { adapter = each => each }: StageOptions = {}) {
  const first = await StripeStandIn.start()
  let standIn = first
  t.after(() => standIn.stop())
  const shop = await openStripeShop(t, () => first.origin, { folder: dataFolder(t) })
  const { db, clock, accountId } = shop
  const log = openLog('silent', { write: () => undefined })
  /** The feed that listens now. */
  let feed: StripeFeed | undefined
  const site = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const id = (request.url ?? '').split('/').at(-1) as string
    const signature = String(request.headers['stripe-signature'])
    const happening = await readWebhook({ db, clock }, id, Buffer.concat(chunks), signature)
    if (happening) feed?.notify(id, happening)
    response.writeHead(feed === undefined ? 503 : happening === undefined ? 400 : 200).end()
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  t.after(() => site.close())
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const books = () => standIn.books(ACCOUNT)
  const isOpen = async (id: string) =>
    (await books()).sessions.some(each => each.id === id && each.status === 'open')
  const isProcessing = async (id: string) => {
    const { sessions, intents } = await books()
    const intent = sessions.find(each => each.id === id)?.payment_intent
    return intents.some(each => each.id === intent && each.status === 'processing')
  }
  /** Whether it is up. */
  let isUp = true

  const serve = (life: Life, look: (accountId: string, paymentId: string) => void): Server => {
    const server = new StripeServerClient({ clock, api: standIn.origin, silence: SILENCE, deadline: 1_000 })
    const mortal = life.database(db)
    const accounts = life.asking(new StripeAccounts({ db: mortal, server, allowsTest: true }))
    const processor = adapter(new StripeProcessor(accounts))
    const sink = new StripeSink({ db: mortal, accounts, processor, look })
    const own = new StripeFeed({ db: mortal, clock, log, accounts, processor, sink, baseUrl: PUBLIC })
    feed = own
    return {
      processors: new Map([['stripe', processor]]),
      hear: async isTime => {
        if (isTime) own.wake(accountId)
        await own.idle()
      },
      close: () => {
        feed = undefined
        server.close()
      },
    }
  }

  const happen = async (kind: string, a: number, b: number): Promise<boolean> => {
    if (kind === 'fault') {
      const nth = a * 12 + b
      const call = CALLS[nth % CALLS.length] as (typeof CALLS)[number]
      const fault = FAULTS[Math.floor(nth / CALLS.length)] as FaultKind
      // The package itself repeats a request once on a closed connection.
      await standIn.fault({ ...call, kind: fault, times: nth % 4 === 0 ? 1 : 2, ms: SLOW })
    } else if (kind === 'fees') {
      const fees = b % 3 === 1 ? 'later' : 'at once'
      await standIn.setAccount(ACCOUNT, { fees, settlement: b % 3 === 2 ? FOREIGN : null })
    } else if (kind === 'course') {
      await standIn.setRefundCourse(ACCOUNT, COURSES[b % COURSES.length] as 'pending')
    } else if (kind === 'webhooks') {
      await standIn.setWebhookMode(WEBHOOKS[b % WEBHOOKS.length] as 'held')
    } else if (kind === 'deliver') {
      await standIn.deliver({ reversed: b % 2 === 0, times: 1 + (a % 2) })
    } else if (kind === 'holdEvents') {
      await standIn.holdEvents(ACCOUNT, b % 3 > 0)
    } else if (kind === 'outage') {
      isUp = !isUp
      await (isUp ? standIn.up() : standIn.down())
    } else return false
    return true
  }

  const stage: Stage = {
    method: 'stripe',
    begin: async () => {
      await standIn.stop()
      standIn = await StripeStandIn.start({ clock: movableClock(new Date(clock()).toISOString()) })
      isUp = true
      await standIn.addKey(KEY, { account: ACCOUNT })
      await standIn.forwardWebhooks(PUBLIC, origin)
    },
    serve,
    advance: milliseconds => standIn.advance(milliseconds),
    happen,
    pay: async (id, amount) => {
      if (!(await isOpen(id))) return
      await (amount === undefined ? standIn.pay(id) : standIn.payOtherAmount(id, amount))
    },
    payLater: async id => {
      if (await isOpen(id)) await standIn.payLater(id, { evenIfNotOffered: true })
    },
    failLater: async id => {
      if (await isProcessing(id)) await standIn.failLater(id)
    },
    decline: async id => {
      if (await isOpen(id)) await standIn.decline(id)
    },
    // A buyer who leaves the page closes nothing.
    close: async () => undefined,
    refundThere: async (chargeId, amount) => {
      // An amount that is disputed, or refunded, is not refunded there again.
      await standIn.refund(chargeId, { amount }).catch(() => undefined)
    },
    failRefund: async chargeId => {
      const { refunds } = await books()
      const refund = refunds.find(each => each.charge === chargeId && each.status !== 'failed')
      if (refund !== undefined) await standIn.failRefund(refund.id)
    },
    dispute: async chargeId => {
      const { disputes, charges, refunds } = await books()
      if (disputes.some(({ charge }) => charge === chargeId)) return
      // A bank takes what has not gone back.
      const gone = refunds.filter(each => each.charge === chargeId && each.balance_transaction !== null)
      const back = gone.reduce((sum, each) => sum + (each.status === 'failed' ? 0 : each.amount), 0)
      const amount = (charges.find(({ id }) => id === chargeId)?.amount ?? 0) - back
      if (amount > 0) await standIn.dispute(chargeId, { amount })
    },
    end: async () => {
      await standIn.up()
      await standIn.clearFaults()
      await standIn.holdEvents(ACCOUNT, false)
      await standIn.setWebhookMode('at once')
      await standIn.deliver()
      await standIn.setAccount(ACCOUNT, { fees: 'at once' })
      await standIn.setRefundCourse(ACCOUNT, 'succeeded')
      const { sessions, refunds, disputes } = await books()
      for (const [at, { id }] of sessions.entries()) {
        if (!(await isProcessing(id))) continue
        await (at % 2 === 0 ? standIn.succeedLater(id) : standIn.failLater(id))
      }
      for (const { id, status } of refunds)
        if (status === 'pending' || status === 'requires_action') await standIn.finishRefund(id)
      for (const [at, { id, status }] of disputes.entries())
        if (status === 'needs_response') await standIn.closeDispute(id, at % 2 === 0 ? 'lost' : 'won')
      for (const { id, paid, balance_transaction: transaction } of (await books()).charges)
        if (paid && transaction === null) await standIn.tellFee(id)
    },
    payOut: async () => {
      await standIn.setAccount(ACCOUNT, { settlement: null })
      for (const currency of ['eur', 'usd']) await standIn.payOut({ account: ACCOUNT, currency })
      return new Map((await books()).payouts.map(({ id, amount }) => [id, amount]))
    },
    books: async () => read(await books()),
    countCalls: async () => {
      const all = await standIn.requests()
      return all.filter(({ path }) => /^\/v1\/(checkout|refunds)/.test(path)).length
    },
  }
  return { shop, stage }
}

type Books = Awaited<ReturnType<StripeStandIn['books']>>

/** Reads the books as a person would. */
function read({ sessions, intents, charges, transactions, refunds, disputes }: Books) {
  const chargeOf = ({ payment_intent: id }: Stripe.Checkout.Session) => {
    const intent = intents.find(each => each.id === id && each.status === 'succeeded')
    return charges.find(each => each.id === intent?.latest_charge)
  }
  return {
    sessions: sessions.map(session => {
      const charge = chargeOf(session)
      const cost = transactions.find(({ id }) => id === charge?.balance_transaction)
      const isFeeForeign = cost !== undefined && cost.currency !== charge?.currency
      return {
        ...{ id: session.id, paymentId: session.client_reference_id, chargeId: charge?.id ?? null },
        state: charge === undefined ? (session.status ?? '') : 'paid',
        amount: charge?.amount_captured ?? session.amount_total ?? 0,
        ...{ fee: cost?.fee ?? null, isFeeForeign },
      }
    }),
    refunds: refunds.map(({ metadata, charge, amount, status }) => ({
      refundId: metadata?.[METADATA.refund] ?? null,
      ...{ chargeId: String(charge), amount, state: status ?? '' },
    })),
    disputes: disputes.map(({ charge, balance_transactions, amount }) => ({
      chargeId: String(charge),
      amount: amount * balance_transactions.reduce((sum, each) => sum - Math.sign(each.amount), 0),
    })),
  }
}
