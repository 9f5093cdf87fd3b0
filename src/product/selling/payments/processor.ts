/** Who takes money: by a processor that we ask, or by hand. */
export const methods = ['test', 'stripe', 'transfer', 'door'] as const
export type Method = (typeof methods)[number]

/** Those whose processor is asked. */
export type ProcessorName = 'test' | 'stripe'

export function hasProcessor(method: string): method is ProcessorName {
  return method === 'test' || method === 'stripe'
}

/** A call as it is kept before it is sent: sent again, it is the same. */
export interface Call {
  /** By which the processor knows that it has carried it out. */
  key: string
  /** When it was kept, in milliseconds. */
  at: number
  /** As they are sent. */
  parameters: Readonly<Record<string, unknown>>
  /** The processor has failed at it, and would answer the same again: what there is has to be looked for. */
  isSpent?: boolean | undefined
}

/** What is to be paid. Amounts in minor units of ISO 4217. */
export interface NewSession {
  paymentId: string
  orderId: string
  eventId: string
  /** What people name the order by. */
  reference: string
  title: string
  email: string
  language: 'en' | 'es'
  currency: string
  amount: number
  /** Where the buyer goes on. */
  returnUrl: string
}

/** What a processor knows of a payment. Amounts in minor units of ISO 4217, instants in milliseconds. */
export interface Session {
  id: string
  /** Ours, as it was sent. */
  paymentId: string | null
  /** `processing`: the buyer is done, and the money comes within days, or does not. */
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired'
  /** Where it is paid; null where it cannot be any more. */
  url: string | null
  expiresAt: number | null
  /** What it was paid with: what goes back goes there. */
  chargeId: string | null
  currency: string
  /** That was paid, or is to be. */
  amount: number
  /** When it was. */
  paidAt: number | null
  /** Of the processor; null where it is not known. */
  fee: number | null
  /** It never will be, as the processor takes it in another currency. */
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
  /** Ours, as it was sent; null for one that was made at the processor. */
  refundId: string | null
  chargeId: string
  state: 'pending' | 'requires_action' | 'done' | 'failed'
  currency: string
  amount: number
  /** When it was made, in milliseconds. */
  at: number
  /** When the money that had gone back came again, as it failed; left out where it never went, or that is not known. */
  failedAt?: number | undefined
}

/** A way to take money, and to give it back. Each call may be sent again. @throws ProcessorFault */
export interface Processor {
  /** Whether it takes such an amount. */
  can(currency: string, amount: number): boolean
  /** The parameters of `start`, with all that is to be the same when it is sent again. */
  prepare(accountId: string, session: NewSession): Promise<Call['parameters']>
  start(accountId: string, call: Call): Promise<Session>
  /** Looks for a session that may have been made. @param since milliseconds: nothing of it is older */
  find(accountId: string, paymentId: string, since: number): Promise<Session | undefined>
  read(accountId: string, sessionId: string): Promise<Session>
  /** Has nobody pay any more. @returns what became of it: it may have been paid by then */
  expire(accountId: string, sessionId: string): Promise<Session>
  prepareRefund(accountId: string, refund: NewRefund): Promise<Call['parameters']>
  refund(accountId: string, call: Call): Promise<ProcessorRefund>
  findRefund(accountId: string, refund: NewRefund, since: number): Promise<ProcessorRefund | undefined>
  readRefund(accountId: string, id: string): Promise<ProcessorRefund>
}

export type Processors = ReadonlyMap<ProcessorName, Processor>

/**
 * `silent`: no answer, nobody knows what became of it; `failed`: it answered that it failed, and may have done it; `busy`: it wants
 * to be asked later; `denied`: the key may not, or no more; `refused`: it will not, however often it is asked.
 */
export type FaultKind = 'silent' | 'failed' | 'busy' | 'denied' | 'refused'

export class ProcessorFault extends Error {
  override name = 'ProcessorFault'
  readonly kind: FaultKind
  /** As the processor calls it; never a key, nor what a person typed. */
  readonly code: string | undefined
  /** Of a key that is known, and may not do this. */
  readonly isForbidden: boolean

  constructor(kind: FaultKind, code?: string, isForbidden = false) {
    super(`The processor: ${kind}${code === undefined ? '' : ` (${code})`}.`)
    this.kind = kind
    this.code = code
    this.isForbidden = isForbidden
  }
}
