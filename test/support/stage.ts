import type { ProcessorName, Processors } from '#product/selling/payments/processor.ts'
import type { Life } from './mortal.ts'

/** Describes what a processor has in its books. Amounts are in minor units. */
export interface ProcessorBooks {
  sessions: {
    id: string
    paymentId: string | null
    state: string
    amount: number
    chargeId: string | null
    fee: number | null
    isFeeForeign?: boolean | undefined
  }[]
  /** The id is ours if we have asked for the refund. */
  refunds: { refundId: string | null; chargeId: string; amount: number; state: string }[]
  /** The amounts that banks have taken, less what they gave back. */
  disputes: { chargeId: string; amount: number }[]
}

/** The part of a server that asks a processor, and hears of it. */
export interface Server {
  processors: Processors
  /** Takes what the stage reports, and reads what has happened if it is time. */
  hear(isTime: boolean): Promise<void>
  close(): void
}

/** The payment that something at the processor is about. */
export interface Of {
  id: string
  event_id: string
  order_id: string
}

/** A processor as the world sees it, where a sale is walked through: what buyers, banks and the organizer do there, and its faults. */
export interface Stage {
  readonly method: ProcessorName
  /** Removes everything of the walk before. */
  begin(): Promise<void>
  serve(life: Life, look: (accountId: string, paymentId: string) => void): Server
  advance(milliseconds: number): Promise<void>
  /** Makes one of its faults or ways happen. @returns whether it is one of these */
  happen(kind: string, a: number, b: number): Promise<boolean>
  pay(sessionId: string, amount?: number): Promise<void>
  payLater(sessionId: string): Promise<void>
  failLater(sessionId: string): Promise<void>
  decline(sessionId: string): Promise<void>
  /** Somebody closes it, without having paid. */
  close(sessionId: string): Promise<void>
  refundThere(chargeId: string, amount: number, of: Of): Promise<void>
  failRefund(chargeId: string, of: Of): Promise<void>
  dispute(chargeId: string): Promise<void>
  /** It is well from now on, and all that is under way there comes to its end. */
  end(): Promise<void>
  books(): Promise<ProcessorBooks>
  /** Pays out everything there is, if it can. @returns what each payout is of, by its id there; undefined if it pays nothing out */
  payOut?(): Promise<ReadonlyMap<string, number>>
  /** Counts the calls about sessions and refunds. */
  countCalls(): Promise<number>
}
