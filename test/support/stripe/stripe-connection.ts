import type { TestContext } from 'node:test'
import { newUuid } from '#base/ids.ts'
import { openLog } from '#base/log.ts'
import type { Database } from '#machinery/db/port.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { connectStripe } from '#product/selling/payments/connections.ts'
import type { NewSession } from '#product/selling/payments/processor.ts'
import * as store from '#product/selling/payments/store.ts'
import { StripeAccounts } from '#product/selling/payments/stripe/access.ts'
import { StripeServerClient } from '#product/selling/payments/stripe/client.ts'
import { StripeFeed } from '#product/selling/payments/stripe/feed.ts'
import { StripeProcessor } from '#product/selling/payments/stripe/processor.ts'
import { StripeSink } from '#product/selling/payments/stripe/sink.ts'
import { dataFolder } from '../blank-database.ts'
import { type TestClock, testClock } from '../clock.ts'
import { openDatabase } from '../engine.ts'
import { organization } from '../organization.ts'
import { StripeStandIn } from './stand-in.ts'

export const ACCOUNT = 'acct_organizer'
export const KEY = 'rk_test_organizer1234'

/** Connects to Stripe from a real database and against the stand-in. Its clock and ours move together. */
export interface Connected {
  db: Database
  clock: TestClock
  standIn: StripeStandIn
  server: StripeServerClient
  accounts: StripeAccounts
  processor: StripeProcessor
  sink: StripeSink
  feed: StripeFeed
  accountId: string
  eventId: string
  /** The payments that a person is to look at, as the sink was called. */
  looked: string[]
  log: Record<string, unknown>[]
  advance(milliseconds: number): Promise<void>
  /** Returns what a buyer is to pay for an existing payment. */
  newSession(changes?: Partial<NewSession>): Promise<NewSession>
  /** Makes a session, and keeps it with its payment. */
  begin(changes?: Partial<NewSession>): Promise<{ paymentId: string; sessionId: string }>
  /** Reads what has happened, once. */
  read(): Promise<void>
}

export async function connectedToStripe(
  t: Pick<TestContext, 'after'>,
  { baseUrl = 'http://127.0.0.1:8080', isConnected = true, silence = 2_000, deadline = 4_000 } = {},
): Promise<Connected> {
  const clock = testClock()
  const db = await openDatabase(dataFolder(t), clock)
  const standIn = await StripeStandIn.start()
  await standIn.addKey(KEY, { account: ACCOUNT })
  const log: Record<string, unknown>[] = []
  const { account_id: accountId, events } = await applyOrganization(db, organization(), { clock })
  const eventId = Object.values(events)[0]?.id as string
  const server = new StripeServerClient({ clock, api: standIn.origin, silence, deadline })
  const accounts = new StripeAccounts({ db, server, allowsTest: true })
  const processor = new StripeProcessor(accounts)
  const looked: string[] = []
  const look = (_: string, paymentId: string) => looked.push(paymentId)
  const sink = new StripeSink({ db, accounts, processor, look })
  const logger = openLog('debug', { write: line => log.push(JSON.parse(line)) })
  const feed = new StripeFeed({ db, clock, log: logger, accounts, processor, sink, baseUrl })
  t.after(async () => {
    await feed.stop()
    server.close()
    await standIn.stop()
    await db.close()
  })
  if (isConnected) {
    const found = { secretKey: KEY, isLive: false, account: ACCOUNT, name: null, at: clock() }
    await db.write(accountId, tx => connectStripe(tx, found))
  }
  const newSession = async (changes: Partial<NewSession> = {}) => {
    const session: NewSession = {
      ...{ paymentId: newUuid(), orderId: newUuid(), eventId, reference: 'K7Q2M', title: 'Spring Meeting' },
      ...{ email: 'grace@example.org', language: 'en', currency: 'EUR', amount: 5000 },
      returnUrl: 'https://tickets.example.org/orders/secret',
      takesDelayed: false,
      ...changes,
    }
    const { paymentId: id, orderId: order_id, currency, amount } = session
    await db.write(accountId, async tx => {
      await store.insert(tx, {
        ...{ id, account_id: accountId, event_id: eventId, order_id, method: 'stripe', status: 'created' },
        ...{ currency, amount, received: null, reference: null, session_id: null, charge_id: null },
        ...{ call: null, url: null, expires_at: null, next_look_at: null, looks: 0, trouble: null },
        ...{ ended_at: null, next_method: null, back: null, created_at: await tx.now() },
      })
    })
    return session
  }
  return {
    ...{ db, clock, standIn, server, accounts, processor, sink, feed, accountId, eventId, looked, log },
    advance: async milliseconds => {
      clock.advance(milliseconds)
      await standIn.advance(milliseconds)
    },
    newSession,
    begin: async changes => {
      const session = await newSession(changes)
      const parameters = await processor.prepare(accountId, session)
      const made = await processor.start(accountId, { key: newUuid(), at: clock(), parameters })
      await db.write(accountId, async tx => {
        const row = await store.find(tx, session.paymentId)
        await store.update(tx, row as store.PaymentRow, { session_id: made.id }, await tx.now())
      })
      return { paymentId: session.paymentId, sessionId: made.id }
    },
    read: async () => {
      feed.wake(accountId)
      await feed.idle()
    },
  }
}
