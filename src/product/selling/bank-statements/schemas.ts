import type { Fault } from '#base/faults.ts'
import { toIso } from '#base/time.ts'
import type { Mapping } from '#machinery/bank-files/mapping.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import type { LineOutcome, LineRow, LineState } from './store.ts'

/**
 * Why a line is not matched by itself:
 *
 * - It names no payment (`no_reference`), one that is not known here (`unknown_reference`), or several.
 * - Its money is of another currency.
 * - Its day is in the future, or before the payment began.
 * - The same booking seems to be matched already, as another file states it differently (`double`), or a member noted the payment
 *   as paid (`marked`).
 * - The payment has refused it.
 * - Several payouts of a processor have its amount and arrive at that time (`several_payouts`).
 * - It went out (`outgoing`) or moved nothing (`zero`).
 */
export const reasons = [
  ...['no_reference', 'unknown_reference', 'several', 'currency', 'future', 'before'],
  ...['double', 'marked', 'refused', 'several_payouts', 'outgoing', 'zero'],
] as const
export type Reason =
  | 'no_reference'
  | 'unknown_reference'
  | 'several'
  | 'currency'
  | 'future'
  | 'before'
  | 'double'
  | 'marked'
  | 'refused'
  | 'several_payouts'
  | 'outgoing'
  | 'zero'

/** A booking of the organizer's bank account. */
export interface BankLine {
  id: string
  /** The id of the job that brought it. */
  job_id: string
  /** The number of its line in the file. */
  line: number
  /** `YYYY-MM-DD`. */
  date: string
  /** Minor units, below 0 if the money went out. */
  amount: number
  currency: string
  counterparty: string
  text: string
  state: LineState
  reason: Reason | null
  outcome: LineOutcome | null
  /** The id of the payment that it was matched to, or may be of. */
  payment_id: string | null
  refund_id: string | null
  /** The id of the payout of a processor that it is. */
  payout_id: string | null
  /** It is true once the line no longer names people. */
  is_erased: boolean
  created_at: string
}

export function presentLine(row: LineRow): BankLine {
  const { id, job_id, line, date, amount, currency, counterparty, text, state, outcome } = row
  return {
    ...{ id, job_id, line, date, amount, currency, counterparty, text, state },
    reason: row.reason as Reason | null,
    outcome,
    payment_id: row.payment_id,
    refund_id: row.refund_id,
    payout_id: row.payout_id,
    is_erased: row.erased_at !== null,
    created_at: toIso(row.created_at),
  }
}

/** What a file would come to, by its lines. */
export interface Counts {
  /** The lines that would be matched. `sums` has their amounts by currency, in minor units. */
  matched: number
  sums: Record<string, number>
  /** The lines that are payouts of a processor. A file that was read before they were looked for has none. */
  paid_out?: number
  /** The lines that somebody would have to decide about. */
  unmatched: number
  /** The lines that concern nobody, because their money went out or they moved nothing. */
  ignored: number
  /** The lines that were dealt with before. */
  known: number
  wrong: number
  left_out: number
}

export const NO_COUNTS: Counts = {
  ...{ matched: 0, sums: {}, unmatched: 0, ignored: 0, known: 0, wrong: 0, left_out: 0 },
}

/** What is stored of an upload, in the `input` of the job that matches its lines. */
export interface UploadInput {
  /** The name of the file, as people know it. */
  name: string
  /** Bytes. */
  size: number
  /** The SHA-256 of its bytes, in hex. */
  digest: string
  columns: string[]
  sample: string[][]
  encoding_guessed: boolean
  mapping: Mapping
  /** The columns of the stored mapping that this file does not have. */
  unfit: string[]
  /** The id of the reading that is under way. A later reading ends it. */
  reading: string | null
  /** It is null before its lines were read. */
  counts: Counts | null
  /** The first of the lines that cannot be read. */
  wrong: { line: number; field: string | null; fault: Fault }[]
}

export interface Upload {
  job: Job
  input: UploadInput
  /** It is true if its lines were read and wait for somebody to have them matched. */
  isReady: boolean
  isUnderWay: boolean
  isDone: boolean
}
