import { isDeepStrictEqual } from 'node:util'
import { type Clock, DAY, MINUTE } from '#base/time.ts'
import {
  type Call,
  type NewRefund,
  type NewSession,
  type Processor,
  ProcessorFault,
  type ProcessorRefund,
  type RefundedCharge,
  type Session,
} from '#product/selling/payments/processor.ts'

/** The operations of the processor. */
export type Operation =
  | 'prepare'
  | 'start'
  | 'find'
  | 'read'
  | 'expire'
  | 'prepareRefund'
  | 'refund'
  | 'findRefund'
  | 'readRefund'
  | 'readRefundedCharge'

/**
 * `lost`: the request does not arrive; `deaf`: it is carried out, and the answer is lost; `broken`: it fails, and answers the same
 * to the same key; `botched`: the same, and it was carried out; the others are answered as they are named.
 */
export type Fault = 'lost' | 'deaf' | 'broken' | 'botched' | 'busy' | 'denied' | 'refused'

interface MadeSession extends Session {
  refunded: number
}
interface MadeRefund extends ProcessorRefund {
  /** The state that it comes to later. */
  course: ProcessorRefund['state']
}
interface Answered {
  at: number
  call: Call['parameters']
  /** The id of what it made; null where it failed. */
  answer: string | null
}
interface SessionCall extends Pick<NewSession, 'paymentId' | 'currency' | 'amount'> {
  expiresAt: number
}

const LASTS = 32 * MINUTE
/** Returns the fee that it takes of a payment. */
export const feeOf = (amount: number) => Math.min(amount, Math.floor(amount / 50) + 25)

/** A processor in memory, elsewhere as a real one is: it has its own books, and faults as a test tells it. */
export class ScriptedProcessor implements Processor {
  readonly sessions: MadeSession[] = []
  readonly refunds: MadeRefund[] = []
  /** The calls so far, in turn. */
  readonly calls: { name: Operation; at: number }[] = []
  /** `later`: the fee is unknown at first; `foreign`: it is taken in another currency. */
  fees: 'now' | 'later' | 'foreign' = 'now'
  /** The state of its refunds at first. */
  refundCourse: ProcessorRefund['state'] = 'done'
  /** It is called before each answer: a test has it wait, or kills the caller. */
  onCall: (name: Operation) => Promise<void> = async () => undefined
  readonly #clock: Clock
  readonly #faults = new Map<Operation, Fault[]>()
  readonly #answered = new Map<string, Answered>()
  #always: Fault | undefined
  #made = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Faults of the next calls of a kind, one each. */
  fault(name: Operation, ...faults: Fault[]): void {
    this.#faults.set(name, [...(this.#faults.get(name) ?? []), ...faults])
  }

  /** A fault of all calls, until it is over. */
  down(fault: Fault | undefined): void {
    this.#always = fault
  }

  /** Forgets the faults that it was to make. */
  heal(): void {
    this.#always = undefined
    this.#faults.clear()
  }

  /** Returns all that it knows as text, so that a process can be given it, and be killed. */
  memory(): string {
    const { sessions, refunds } = this
    return JSON.stringify({ sessions, refunds, answered: [...this.#answered], made: this.#made })
  }

  recall(memory: string): void {
    const memories = JSON.parse(memory) as {
      sessions: MadeSession[]
      refunds: MadeRefund[]
      answered: [string, Answered][]
      made: number
    }
    this.sessions.splice(0, Number.POSITIVE_INFINITY, ...memories.sessions)
    this.refunds.splice(0, Number.POSITIVE_INFINITY, ...memories.refunds)
    this.#answered.clear()
    for (const [key, answer] of memories.answered) this.#answered.set(key, answer)
    this.#made = memories.made
  }

  countOf(...names: Operation[]): number {
    return this.calls.filter(({ name }) => names.includes(name)).length
  }

  can(_currency: string, amount: number): boolean {
    return amount > 0
  }

  prepare(_accountId: string, session: NewSession): Promise<Call['parameters']> {
    const { paymentId, currency, amount } = session
    return this.#ask('prepare', () => ({ paymentId, currency, amount, expiresAt: this.#clock() + LASTS }))
  }

  start(_accountId: string, call: Call): Promise<Session> {
    return this.#once('start', call, parameters => {
      const { paymentId, currency, amount, expiresAt } = parameters as unknown as SessionCall
      if (expiresAt <= this.#clock()) throw new ProcessorFault('refused', 'expires_at')
      const id = `cs_${++this.#made}`
      this.sessions.push({
        ...{
          id,
          paymentId,
          state: 'open',
          url: `https://pay.example.org/${id}`,
          expiresAt,
          currency,
          amount,
        },
        ...{ chargeId: null, paidAt: null, fee: null, refunded: 0 },
      })
      return id
    }).then(id => this.#present(this.session(id)))
  }

  find(_accountId: string, paymentId: string, since: number): Promise<Session | undefined> {
    return this.#ask('find', () => {
      const found = this.sessions.find(
        each => each.paymentId === paymentId && (each.expiresAt as number) - LASTS >= since - 10 * MINUTE,
      )
      return found && this.#present(found)
    })
  }

  read(_accountId: string, sessionId: string): Promise<Session> {
    return this.#ask('read', () => this.#present(this.session(sessionId)))
  }

  expire(_accountId: string, sessionId: string): Promise<Session> {
    return this.#ask('expire', () => {
      const session = this.session(sessionId)
      if (session.state === 'open') session.state = 'expired'
      return this.#present(session)
    })
  }

  prepareRefund(_accountId: string, refund: NewRefund): Promise<Call['parameters']> {
    const { refundId, chargeId, currency, amount } = refund
    return this.#ask('prepareRefund', () => ({ refundId, chargeId, currency, amount }))
  }

  refund(_accountId: string, call: Call): Promise<ProcessorRefund> {
    return this.#once('refund', call, parameters => {
      const { refundId, chargeId, currency, amount } = parameters as unknown as NewRefund
      return this.#refund({ refundId, chargeId, currency, amount }).id
    }).then(id => ({ ...this.#find(id) }))
  }

  findRefund(
    _accountId: string,
    { refundId }: NewRefund,
    since: number,
  ): Promise<ProcessorRefund | undefined> {
    return this.#ask('findRefund', () => {
      const found = this.refunds.findLast(
        each => each.refundId === refundId && each.at >= since - 10 * MINUTE,
      )
      return found && { ...found }
    })
  }

  readRefund(_accountId: string, id: string): Promise<ProcessorRefund> {
    return this.#ask('readRefund', () => ({ ...this.#find(id) }))
  }

  readRefundedCharge(_accountId: string, chargeId: string): Promise<RefundedCharge> {
    return this.#ask('readRefundedCharge', () => {
      const { amount, refunded } = this.#chargeOf(chargeId)
      const refunds = this.refunds.filter(each => each.chargeId === chargeId).map(each => ({ ...each }))
      return { left: amount - refunded, refunds }
    })
  }

  // These happen at the processor.

  session(id: string): MadeSession {
    const session = this.sessions.find(each => each.id === id)
    if (session === undefined) throw new ProcessorFault('refused', 'no_such_session')
    if (session.state === 'open' && this.#clock() >= (session.expiresAt as number)) session.state = 'expired'
    return session
  }

  /** Pays a session, now or later. @returns whether that can be done */
  pay(id: string, { amount, currency }: { amount?: number; currency?: string } = {}): boolean {
    const session = this.session(id)
    if (session.state !== 'open' && session.state !== 'processing') return false
    Object.assign(session, {
      ...{ state: 'paid', chargeId: `ch_${id}`, paidAt: this.#clock() },
      ...{ amount: amount ?? session.amount, currency: currency ?? session.currency },
    })
    if (this.fees === 'now') session.fee = feeOf(session.amount)
    if (this.fees === 'foreign') session.isFeeForeign = true
    return true
  }

  payLater(id: string): boolean {
    const session = this.session(id)
    if (session.state !== 'open') return false
    session.state = 'processing'
    return true
  }

  /** Somebody closes it, without having paid. */
  close(id: string): void {
    const session = this.session(id)
    if (session.state === 'open') session.state = 'expired'
  }

  /** Makes money that was to come later fail. */
  failLater(id: string): boolean {
    const session = this.session(id)
    if (session.state !== 'processing') return false
    session.state = 'failed'
    return true
  }

  tellFee(id: string): void {
    const session = this.session(id)
    session.fee = feeOf(session.amount)
  }

  /** Refunds at the processor, without us. */
  refundThere(chargeId: string, amount: number): ProcessorRefund {
    const { currency } = this.sessions.find(each => each.chargeId === chargeId) as MadeSession
    return { ...this.#refund({ refundId: null, chargeId, currency, amount }) }
  }

  endRefund(id: string, state: 'done' | 'failed'): ProcessorRefund {
    const refund = this.#find(id)
    if (refund.state !== 'failed' && state === 'failed')
      this.#chargeOf(refund.chargeId).refunded -= refund.amount
    refund.state = state
    return { ...refund }
  }

  /** Returns what is left with it of all that came, in minor units. */
  books(): { paid: number; refunded: number } {
    const sum = (all: readonly { amount: number }[]) => all.reduce((total, { amount }) => total + amount, 0)
    return {
      paid: sum(this.sessions.filter(({ state }) => state === 'paid')),
      refunded: sum(this.refunds.filter(({ state }) => state !== 'failed')),
    }
  }

  #refund({
    refundId,
    chargeId,
    currency,
    amount,
  }: Omit<NewRefund, 'paymentId' | 'refundId'> & { refundId: string | null }) {
    const session = this.#chargeOf(chargeId)
    if (session.currency !== currency) throw new ProcessorFault('refused', 'currency')
    if (amount > session.amount - session.refunded) throw new ProcessorFault('refused', 'amount_too_large')
    const id = `re_${++this.#made}`
    const state = this.refundCourse
    const refund: MadeRefund = {
      id,
      refundId,
      chargeId,
      state,
      currency,
      amount,
      at: this.#clock(),
      course: state,
    }
    if (state !== 'failed') session.refunded += amount
    this.refunds.push(refund)
    return refund
  }

  #chargeOf(chargeId: string): MadeSession {
    const session = this.sessions.find(each => each.chargeId === chargeId)
    if (session === undefined) throw new ProcessorFault('refused', 'no_such_charge')
    return session
  }

  #find(id: string): MadeRefund {
    const refund = this.refunds.find(each => each.id === id)
    if (refund === undefined) throw new ProcessorFault('refused', 'no_such_refund')
    return refund
  }

  #present({ refunded: _, ...session }: MadeSession): Session {
    const { state, url } = this.session(session.id)
    return { ...session, state, url: state === 'open' || state === 'processing' ? url : null }
  }

  /** Carries a call out, once a key: for a day the same answer is given again. */
  async #once(
    name: 'start' | 'refund',
    { key, parameters }: Call,
    work: (of: Call['parameters']) => string,
  ): Promise<string> {
    // The call is compared in the form in which it is sent.
    const call = JSON.parse(JSON.stringify(parameters)) as Call['parameters']
    const earlier = this.#answered.get(key)
    const isReplayed = earlier !== undefined && this.#clock() - earlier.at < DAY
    return this.#ask(name, fault => {
      if (isReplayed) {
        if (!isDeepStrictEqual(earlier.call, call)) throw new ProcessorFault('refused', 'idempotency_error')
        if (earlier.answer === null) throw new ProcessorFault('failed', 'api_error')
        return earlier.answer
      }
      const keep = (answer: Answered['answer']) =>
        this.#answered.set(key, { at: this.#clock(), call, answer })
      if (fault === 'broken') {
        keep(null)
        throw new ProcessorFault('failed', 'api_error')
      }
      const id = work(call)
      keep(fault === 'botched' ? null : id)
      return id
    })
  }

  async #ask<Answer>(name: Operation, work: (fault: Fault | undefined) => Answer): Promise<Answer> {
    this.calls.push({ name, at: this.#clock() })
    const fault = this.#faults.get(name)?.shift() ?? this.#always
    if (fault === 'lost') throw new ProcessorFault('silent')
    if (fault === 'busy' || fault === 'denied') throw new ProcessorFault(fault, fault)
    if (fault === 'refused') throw new ProcessorFault('refused', 'said_no')
    const answer = work(fault)
    await this.onCall(name)
    if (fault === 'deaf') throw new ProcessorFault('silent')
    if (fault === 'broken' || fault === 'botched') throw new ProcessorFault('failed', 'api_error')
    return answer
  }
}
