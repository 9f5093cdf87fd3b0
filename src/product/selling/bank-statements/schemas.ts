import type { Fault } from '../faults.ts'
import type { Job } from '../jobs/schemas.ts'
import type { Mapping } from '../statements/mapping.ts'
import { toIso } from '../time.ts'
import type { LineOutcome, LineRow, LineState } from './store.ts'

/**
 * Why a line is not matched by itself: it names no payment (`no_reference`), one that is not known here (`unknown_reference`), or several;
 * its money is of another currency; its day is to come, or before the payment was begun; the same booking seems to be matched already, as
 * another file said it otherwise (`double`), or as a member noted the payment as paid (`marked`); the payment has refused it; it went out
 * (`outgoing`) or moved nothing (`zero`).
 */
export const reasons = [
  ...['no_reference', 'unknown_reference', 'several', 'currency', 'future', 'before'],
  ...['double', 'marked', 'refused', 'outgoing', 'zero'],
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
  | 'outgoing'
  | 'zero'

/** A booking of the organizer's bank account. */
export interface BankLine {
  id: string
  /** That brought it. */
  job_id: string
  /** Of its file. */
  line: number
  /** `YYYY-MM-DD` */
  date: string
  /** Minor units, below 0 where it went out. */
  amount: number
  currency: string
  counterparty: string
  text: string
  state: LineState
  reason: Reason | null
  outcome: LineOutcome | null
  /** That it was matched to, or may be of. */
  payment_id: string | null
  refund_id: string | null
  /** What it said of people is not kept any more. */
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
    is_erased: row.erased_at !== null,
    created_at: toIso(row.created_at),
  }
}

/** What a file would come to, by its lines. */
export interface Counts {
  /** That would be matched, and what they come to by currency, in minor units. */
  matched: number
  sums: Record<string, number>
  /** That somebody would have to decide about. */
  unmatched: number
  /** That are nobody's matter: they went out, or moved nothing. */
  ignored: number
  /** That were dealt with before. */
  known: number
  wrong: number
  left_out: number
}

export const NO_COUNTS: Counts = {
  ...{ matched: 0, sums: {}, unmatched: 0, ignored: 0, known: 0, wrong: 0, left_out: 0 },
}

/** What is kept of an upload, in the `input` of the job that matches its lines. */
export interface UploadInput {
  /** Of the file, as people know it. */
  name: string
  /** Bytes. */
  size: number
  /** Of its bytes: SHA-256 in hex. */
  digest: string
  columns: string[]
  sample: string[][]
  encoding_guessed: boolean
  mapping: Mapping
  /** Columns of the mapping that was kept which this file does not have. */
  unfit: string[]
  /** The reading that is under way: a later one ends it. */
  reading: string | null
  /** Null before its lines were read. */
  counts: Counts | null
  /** The first of the lines that cannot be read. */
  wrong: { line: number; field: string | null; fault: Fault }[]
}

export interface Upload {
  job: Job
  input: UploadInput
  /** Its lines were read, and wait for somebody to have them matched. */
  isReady: boolean
  isUnderWay: boolean
  isDone: boolean
}
