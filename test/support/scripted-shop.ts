import type { TestContext } from 'node:test'
import { MINUTE } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import type { Method } from '#product/selling/payments/processor.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { settle } from '#product/selling/payments/settle.ts'
import { openShop, type ShopOptions } from './payments.ts'
import { ScriptedProcessor } from './scripted-processor.ts'

/** Opens a shop whose processor does what a test tells it, and that takes transfers too. */
export async function openScriptedShop(t: TestContext, options: Omit<ShopOptions, 'processors'> = {}) {
  let made: ScriptedProcessor | undefined
  const shop = await openShop(t, {
    ...options,
    changes: { payment_ways: 'set_up_and_door', ...options.changes },
    processors: (_db, clock) => {
      made = new ScriptedProcessor(clock)
      return new Map([['test', made]])
    },
  })
  const processor = made as ScriptedProcessor
  const { db, accountId, eventId, reconciler, clock } = shop
  await db.write(accountId, async tx => {
    const bank = JSON.stringify({ holder: 'Ada', account: 'DE89370400440532013000', code: null, note: null })
    await tx.run(
      `INSERT INTO payment_connections (account_id, method, bank, created_at, updated_at) VALUES ($1, 'transfer', $2, $3, $3)`,
      [accountId, bank, await tx.now()],
    )
  })
  const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
  const newest = async (orderId: string) => {
    const payment = (await shop.paymentsOf(orderId)).at(-1)
    if (payment === undefined) throw new Error('There is no payment.')
    return payment
  }
  const sessionOf = async (orderId: string) => (await newest(orderId)).session_id as string
  /** Orders, and has the session made. */
  const begin = async (...args: Parameters<typeof shop.order>) => {
    const { id } = await shop.order(...args)
    await reconciler.settle()
    return id
  }
  /** Pays, and says so. */
  const pay = async (orderId: string, what: Parameters<ScriptedProcessor['pay']>[1] = {}) => {
    const { id, session_id } = await newest(orderId)
    const isPaid = processor.pay(session_id as string, what)
    reconciler.look(accountId, id)
    await reconciler.settle()
    return isPaid
  }
  /** Lets time go by as a server does, which looks now and then. @param step how often */
  const pass = async (milliseconds: number, step = 5 * MINUTE) => {
    for (let left = milliseconds; left > 0; left -= step) {
      clock.advance(Math.min(step, left))
      await reconciler.settle()
    }
  }
  const choose = (orderId: string, method: Method) =>
    write(tx => payments.choose(tx, orderId, method, shop.processors))
  const cancelLine = async (orderId: string, at: number) => {
    const line = (await shop.get(orderId)).registrations[at]
    await write(tx => cancelRegistration(tx, line?.id as string))
  }
  const cancelEvent = () => write(tx => events.setStatus(tx, eventId, 'cancelled'))
  const refund = (orderId: string, amount: number) =>
    write(tx => refunds.request(tx, { orderId, eventId, currency: 'EUR', amount, reason: 'organizer' }))
  /** Records a transfer as a statement does. */
  const transfer = async (paymentId: string, amount: number, entryId: string) => {
    const money = { entryId, amount, currency: 'EUR', at: clock(), fee: 0, method: 'transfer' } as const
    await write(tx => settle(tx, paymentId, money))
    await reconciler.settle()
  }
  const states = async (orderId: string) => {
    const { status, failed_for } = await shop.get(orderId)
    return failed_for ?? status
  }
  /** Returns what has moved for an order, without fees. */
  const moved = async (orderId: string) =>
    (await shop.ledgerOf(orderId))
      .filter(({ kind }) => !kind.startsWith('fee'))
      .map(({ kind, amount }) => `${kind} ${amount}`)
      .sort()
  const refundStates = async (orderId: string) =>
    (await shop.refundsOf(orderId)).map(each => `${each.reason} ${each.amount} ${each.status}`)
  return {
    ...shop,
    ...{
      processor,
      write,
      newest,
      sessionOf,
      begin,
      pay,
      pass,
      choose,
      cancelLine,
      cancelEvent,
      refund,
      transfer,
    },
    ...{ states, moved, refundStates },
  }
}
