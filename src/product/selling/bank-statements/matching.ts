import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { fromLocalTime, HOUR } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { runRecorded } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import { settle } from '#product/selling/payments/settle.ts'
import { type Judge, judge, openJudge } from './judge.ts'
import { settlePayout } from './payout-lines.ts'
import * as store from './store.ts'

export const MATCH = 'statement.match'

const LINES_AT_ONCE = 25
/** How many parts of the file one batch deletes, of up to 128 KiB each. */
const PARTS_AT_ONCE = 8

/** How many lines of a file had each result. */
export interface Matched {
  confirmed: number
  kept: number
  returned: number
  /** The lines that are payouts of a processor. Earlier jobs have none. */
  paid_out?: number
  unmatched: number
  ignored: number
}

const NOTHING: Matched = { confirmed: 0, kept: 0, returned: 0, unmatched: 0, ignored: 0 }

/**
 * Matches the lines of a file that were read. The result of a line is stored in the transaction of its money, so no line counts
 * twice if the job is cut off or runs again. The file is deleted once all lines are done.
 */
export const matchLines: JobKind = {
  name: MATCH,
  permission: 'statements',
  async run(tx, job, actor) {
    const until = performance.now() + tx.batchTime
    const counts = { ...NOTHING, ...(job.outcome as Partial<Matched> | null) }
    const rows = await store.listRead(tx, job.id, LINES_AT_ONCE)
    const by = rows.length === 0 ? undefined : await openJudge(tx, tx.clock())
    let { done } = job
    for (const row of rows) {
      const result = await matchLine(tx, actor, by as Judge, row)
      counts[result] = (counts[result] ?? 0) + 1
      done++
      if (performance.now() > until) break
    }
    const left = rows.length === 0 ? await store.deleteParts(tx, job.id, PARTS_AT_ONCE) : 1
    return { position: null, done, finished: left === 0, outcome: { ...counts } }
  },
}

async function matchLine(tx: WriteTx, actor: Actor, by: Judge, row: store.LineRow): Promise<keyof Matched> {
  const verdict = await judge(tx, by, row)
  if (verdict.state === 'paid_out') return matchPayout(tx, actor, row, verdict.payout.id)
  if (verdict.state !== 'matched') {
    const { state, reason, paymentId } = verdict
    await store.update(tx, row, { state, reason, payment_id: paymentId }, await tx.now())
    return state
  }
  const { id } = verdict.payment
  const outcome = await runRecorded(tx, actor, inner => settleLine(inner, row, id), {
    action: 'statement_line.match',
    targetType: 'statement_line',
    targetId: row.id,
    details: () => ({ job_id: row.job_id, payment_id: id }),
  })
  if (outcome.problem === undefined) return outcome.result
  const refused = { state: 'unmatched', reason: 'refused', payment_id: id } as const
  await store.update(tx, row, refused, await tx.now())
  return 'unmatched'
}

async function matchPayout(
  tx: WriteTx,
  actor: Actor,
  row: store.LineRow,
  payoutId: string,
): Promise<'paid_out' | 'unmatched'> {
  const outcome = await runRecorded(tx, actor, inner => settlePayout(inner, row, payoutId), {
    action: 'statement_line.match',
    targetType: 'statement_line',
    targetId: row.id,
    details: () => ({ job_id: row.job_id, payout_id: payoutId }),
  })
  if (outcome.problem === undefined) return 'paid_out'
  await store.update(tx, row, { state: 'unmatched', reason: 'refused' }, await tx.now())
  return 'unmatched'
}

/**
 * Settles the money of a line for a payment, on the day of its booking.
 *
 * @throws Problem not_found; invalid_transition with `details.reason` `line_ended` if the ledger has the money already
 */
export async function settleLine(
  tx: WriteTx,
  row: store.LineRow,
  paymentId: string,
): Promise<'confirmed' | 'kept' | 'returned'> {
  const { timezone } = await accounts.get(tx)
  // If a match was undone before, the next match needs a new entry in the ledger.
  const entryId = row.entry_id === null ? row.id : newUuid()
  const outcome = await settle(tx, paymentId, {
    ...{ entryId, amount: row.amount, currency: row.currency, fee: 0, method: 'transfer' },
    at: noonOf(row.date, timezone, tx.clock()),
  })
  if (outcome === 'known') throw new Problem('invalid_transition', { details: { reason: 'line_ended' } })
  const changes = { state: 'matched', outcome, payment_id: paymentId, entry_id: entryId } as const
  await store.update(tx, row, changes, await tx.now())
  return outcome
}

/** Returns the noon of a day in a time zone, in milliseconds, but not after now. */
export function noonOf(date: string, timezone: string, now: number): number {
  return Math.min(fromLocalTime(`${date}T12:00`, timezone) ?? Date.parse(date) + 12 * HOUR, now)
}
