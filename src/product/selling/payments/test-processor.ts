import { newUuid } from '#base/ids.ts'
import { portion } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import type { Clock } from '#base/time.ts'
import type { Database, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { SESSION_LASTS } from '#product/selling/orders/reservation-time.ts'
import {
  type Call,
  type NewRefund,
  type NewSession,
  type Processor,
  ProcessorFault,
  type ProcessorRefund,
  type RefundedCharge,
  type Session,
} from './processor.ts'
import * as store from './test-store.ts'

/** Its fee for a payment: 1.5 %, rounded half up, and 25 minor units. */
const FEE = { basisPoints: 150, fixed: 25 }

/** What somebody does on its page. */
export const testActions = ['pay', 'decline', 'pay_later', 'close', 'succeed', 'fail'] as const
export type TestAction = (typeof testActions)[number]

interface TestCall extends Pick<NewSession, 'paymentId' | 'currency' | 'amount'> {
  expiresAt: number
}

interface TestRefund {
  id: string
  key: string
  refundId: string
  amount: number
  at: number
}

/**
 * The processor of a sandbox, which moves no money. It keeps its own tables of payments, as a remote processor would, so that a
 * whole sale is rehearsed by the same steps.
 */
export class TestProcessor implements Processor {
  readonly #db: Database
  readonly #clock: Clock
  readonly #baseUrl: string

  constructor({ db, clock, baseUrl }: { db: Database; clock: Clock; baseUrl: string }) {
    this.#db = db
    this.#clock = clock
    this.#baseUrl = baseUrl
  }

  can(_currency: string, amount: number): boolean {
    return amount > 0
  }

  async prepare(_accountId: string, session: NewSession): Promise<Call['parameters']> {
    const { paymentId, currency, amount, returnUrl } = session
    return { paymentId, currency, amount, returnUrl, expiresAt: this.#clock() + SESSION_LASTS }
  }

  start(accountId: string, { key, parameters }: Call): Promise<Session> {
    const { paymentId, currency, amount, expiresAt } = parameters as unknown as TestCall
    return this.#db.write(accountId, async tx => {
      const row: store.TestSessionRow = {
        ...{ id: `test_${newUuid()}`, account_id: accountId, call_key: key, payment_id: paymentId },
        ...{ state: 'open', is_declined: 0, currency, amount, fee: null, refunds: '[]' },
        ...{ expires_at: expiresAt, paid_at: null, created_at: await tx.now() },
      }
      await store.insert(tx, row)
      return this.#present((await store.findByKey(tx, key)) as store.TestSessionRow)
    })
  }

  async find(accountId: string, paymentId: string): Promise<Session | undefined> {
    const row = await this.#db.read(accountId, tx => store.findByPayment(tx, paymentId))
    return row && this.#present(row)
  }

  async read(accountId: string, sessionId: string): Promise<Session> {
    return this.#present(await this.#db.read(accountId, tx => found(tx, sessionId)))
  }

  expire(accountId: string, sessionId: string): Promise<Session> {
    return this.#db.write(accountId, async tx => {
      const row = await found(tx, sessionId)
      if (row.state !== 'open') return this.#present(row)
      await store.update(tx, row, { state: 'expired' }, await tx.now())
      return this.#present({ ...row, state: 'expired' })
    })
  }

  async prepareRefund(
    _accountId: string,
    { refundId, chargeId, amount }: NewRefund,
  ): Promise<Call['parameters']> {
    return { refundId, chargeId, amount }
  }

  refund(accountId: string, { key, parameters }: Call): Promise<ProcessorRefund> {
    const { refundId, chargeId, amount } = parameters as unknown as NewRefund
    return this.#db.write(accountId, async tx => {
      const row = await found(tx, chargeId)
      const made = refundsOf(row)
      const existing = made.find(each => each.key === key)
      if (existing !== undefined) return presentRefund(row, existing)
      const left = made.reduce((sum, each) => sum - each.amount, row.amount)
      if (row.state !== 'paid' || amount > left) throw new ProcessorFault('refused', 'amount_too_large')
      const at = this.#clock()
      const refund: TestRefund = { id: `test_re_${newUuid()}`, key, refundId, amount, at }
      await store.update(tx, row, { refunds: JSON.stringify([...made, refund]) }, await tx.now())
      return presentRefund(row, refund)
    })
  }

  async findRefund(
    accountId: string,
    { refundId, chargeId }: NewRefund,
  ): Promise<ProcessorRefund | undefined> {
    const row = await this.#db.read(accountId, tx => found(tx, chargeId))
    const existing = refundsOf(row).find(each => each.refundId === refundId)
    return existing && presentRefund(row, existing)
  }

  async readRefund(_accountId: string, _id: string): Promise<ProcessorRefund> {
    // Each refund is done at once, so there is nothing to wait for.
    throw new ProcessorFault('refused', 'no_such_refund')
  }

  async readRefundedCharge(accountId: string, chargeId: string): Promise<RefundedCharge> {
    const row = await this.#db.read(accountId, tx => found(tx, chargeId))
    const refunds = refundsOf(row).map(each => presentRefund(row, each))
    return { left: refunds.reduce((left, { amount }) => left - amount, row.amount), refunds }
  }

  #present(row: store.TestSessionRow): Session {
    const isOver = row.state === 'open' && this.#clock() >= row.expires_at
    const state = isOver ? 'expired' : row.state
    const isOpen = state === 'open' || state === 'processing'
    return {
      ...{ id: row.id, paymentId: row.payment_id, state },
      url: isOpen ? `${this.#baseUrl}/orders/test/${row.account_id}/${row.id}` : null,
      expiresAt: row.expires_at,
      chargeId: row.state === 'paid' ? row.id : null,
      ...{ currency: row.currency, amount: row.amount, paidAt: row.paid_at, fee: row.fee },
    }
  }
}

/** @throws ProcessorFault */
async function found(tx: ReadTx, id: string): Promise<store.TestSessionRow> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new ProcessorFault('refused', 'no_such_session')
  return row
}

function refundsOf({ refunds }: store.TestSessionRow): TestRefund[] {
  return JSON.parse(refunds) as TestRefund[]
}

function presentRefund(
  { id: chargeId, currency }: store.TestSessionRow,
  refund: TestRefund,
): ProcessorRefund {
  const { id, refundId, amount, at } = refund
  return { id, refundId, chargeId, state: 'done', currency, amount, at }
}

/** A session as its page shows it. Amounts are in minor units. */
export interface TestSession {
  id: string
  paymentId: string
  state: store.TestSessionRow['state']
  isDeclined: boolean
  currency: string
  amount: number
}

/** @throws Problem not_found */
export async function getTestSession(tx: ReadTx, id: string, now: number): Promise<TestSession> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  const state = row.state === 'open' && now >= row.expires_at ? 'expired' : row.state
  return {
    ...{ id, paymentId: row.payment_id, state, isDeclined: row.is_declined === 1 },
    ...{ currency: row.currency, amount: row.amount },
  }
}

/**
 * Does what somebody chooses on its page. An action that does not fit the state changes nothing.
 *
 * @throws Problem not_found
 */
export async function actInTest(tx: WriteTx, id: string, action: TestAction): Promise<void> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  const now = await tx.now()
  const isOpen = row.state === 'open' && tx.clock() < row.expires_at
  const paid = {
    state: 'paid',
    paid_at: tx.clock(),
    fee: Math.min(row.amount, portion(row.amount, FEE.basisPoints) + FEE.fixed),
  } as const
  if (isOpen && action === 'pay') await store.update(tx, row, paid, now)
  if (isOpen && action === 'decline') await store.update(tx, row, { is_declined: 1 }, now)
  if (isOpen && action === 'pay_later') await store.update(tx, row, { state: 'processing' }, now)
  if (isOpen && action === 'close') await store.update(tx, row, { state: 'expired' }, now)
  if (row.state === 'processing' && action === 'succeed') await store.update(tx, row, paid, now)
  if (row.state === 'processing' && action === 'fail') await store.update(tx, row, { state: 'failed' }, now)
}
