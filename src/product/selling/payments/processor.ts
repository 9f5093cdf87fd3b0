import { HOUR } from '#base/time.ts'

/** The ways to take money: by a processor that the server asks, or by hand. */
export const methods = ['stripe', 'test', 'transfer', 'door'] as const
export type Method = (typeof methods)[number]

/** The methods whose processor the server asks. */
export type ProcessorName = 'test' | 'stripe'

export function hasProcessor(method: string): method is ProcessorName {
  return method === 'test' || method === 'stripe'
}

/** For how long a call may be repeated with its key, in milliseconds. Processors forget keys after a day. */
export const KEY_LASTS = 23 * HOUR

/** A call as it is stored before it is sent. If it is sent again, it is the same call. */
export interface Call {
  /** The idempotency key, by which the processor knows that it has carried out the call. */
  key: string
  /** When it was stored, in milliseconds. */
  at: number
  /** The parameters as they are sent. */
  parameters: Readonly<Record<string, unknown>>
  /** It is true if the processor failed at the call and would answer the same again. The result has to be looked up instead. */
  isSpent?: boolean | undefined
}

/** Reads a call as it is stored. */
export function readCall(stored: string | null): Call | undefined {
  return stored === null ? undefined : (JSON.parse(stored) as Call)
}

/** Returns whether this call is stored, and not one that another server has made since. */
export function isStored(stored: string | null, call: Call): boolean {
  return readCall(stored)?.key === call.key
}

/** What is to be paid. Amounts are in minor units of ISO 4217. */
export interface NewSession {
  paymentId: string
  orderId: string
  eventId: string
  /** The reference that people name the order by. */
  reference: string
  title: string
  email: string
  language: 'en' | 'es'
  currency: string
  amount: number
  /** Where the buyer goes after paying. */
  returnUrl: string
  /** Whether the buyer may choose a method whose money comes days later, or not at all. */
  takesDelayed: boolean
}

/** What a processor knows of a payment. Amounts are in minor units of ISO 4217, instants in milliseconds. */
export interface Session {
  id: string
  /** Our id, as it was sent. */
  paymentId: string | null
  /** `processing`: the buyer is done, and the money comes within days or not at all. */
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired'
  /** Where the buyer pays. It is null if the session cannot be paid any more. */
  url: string | null
  expiresAt: number | null
  /** The charge that paid it. A refund goes back to it. */
  chargeId: string | null
  currency: string
  /** The amount that was paid, or is to be paid. */
  amount: number
  /** When it was paid. */
  paidAt: number | null
  /** The fee of the processor. It is null if it is not known. */
  fee: number | null
  /** It is true if the fee will never be known, as the processor takes it in another currency. */
  isFeeForeign?: boolean | undefined
}

/** What is to go back. */
export interface NewRefund {
  refundId: string
  paymentId: string | null
  chargeId: string
  currency: string
  amount: number
}

/** What a processor knows of a refund. */
export interface ProcessorRefund {
  id: string
  /** Our id, as it was sent. It is null for a refund that was made at the processor. */
  refundId: string | null
  chargeId: string
  state: 'pending' | 'requires_action' | 'done' | 'failed'
  currency: string
  amount: number
  /** When it was made, in milliseconds. */
  at: number
  /** When the money came back because the refund failed. It is absent if the money never went, or if the time is not known. */
  failedAt?: number | undefined
  /** The processor's code of why it failed, if it names one. */
  failedFor?: string | undefined
}

/** What a processor knows of the refunds of a charge. */
export interface RefundedCharge {
  /** What can still go back, in minor units. */
  left: number
  /** All its refunds, in no order. */
  refunds: ProcessorRefund[]
}

/** A way to take money, and to give it back. Each call may be repeated. @throws ProcessorFault */
export interface Processor {
  /** Tells whether it takes such an amount. */
  can(currency: string, amount: number): boolean
  /** Returns the parameters of `start`, with everything that has to be the same when it is sent again. */
  prepare(accountId: string, session: NewSession): Promise<Call['parameters']>
  start(accountId: string, call: Call): Promise<Session>
  /** Looks for a session that may have been made. @param since milliseconds: such a session is not older */
  find(accountId: string, paymentId: string, since: number): Promise<Session | undefined>
  read(accountId: string, sessionId: string): Promise<Session>
  /** Ends the session, so that nobody can pay any more. @returns the session as it is now: it may have been paid by then */
  expire(accountId: string, sessionId: string): Promise<Session>
  prepareRefund(accountId: string, refund: NewRefund): Promise<Call['parameters']>
  refund(accountId: string, call: Call): Promise<ProcessorRefund>
  findRefund(accountId: string, refund: NewRefund, since: number): Promise<ProcessorRefund | undefined>
  readRefund(accountId: string, id: string): Promise<ProcessorRefund>
  readRefundedCharge(accountId: string, chargeId: string): Promise<RefundedCharge>
}

export type Processors = ReadonlyMap<ProcessorName, Processor>

/**
 * `silent`: no answer came, and nobody knows the result. `failed`: it answered that it failed, but may have done it. `busy`: it
 * wants to be asked later. `denied`: the key is not allowed to do it, or no longer works. `refused`: it will refuse however often
 * it is asked.
 */
export type FaultKind = 'silent' | 'failed' | 'busy' | 'denied' | 'refused'

export class ProcessorFault extends Error {
  override name = 'ProcessorFault'
  readonly kind: FaultKind
  /** The processor's code. It is never a key, nor what a person typed. */
  readonly code: string | undefined
  /** It is true for a known key that may not do this. */
  readonly isForbidden: boolean

  constructor(kind: FaultKind, code?: string, isForbidden = false) {
    super(`The processor: ${kind}${code === undefined ? '' : ` (${code})`}.`)
    this.kind = kind
    this.code = code
    this.isForbidden = isForbidden
  }
}
