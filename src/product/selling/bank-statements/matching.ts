import { runRecorded } from '../access-log/recorded-write.ts'
import type { Actor } from '../access-log/rules.ts'
import * as accounts from '../accounts/rules.ts'
import type { WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import type { JobKind } from '../jobs/rules.ts'
import { settle } from '../payments/settle.ts'
import { Problem } from '../problem.ts'
import { fromLocalTime, HOUR } from '../time.ts'
import { type Judge, judge, openJudge } from './judge.ts'
import * as store from './store.ts'

export const MATCH = 'statement.match'

/** How long a batch of lines takes at most, in milliseconds: the writes of everybody else wait for it. */
const BATCH_TIME = 4
const LINES_AT_ONCE = 25
/** Parts of the file that one batch deletes, of up to 128 KiB each. */
const PARTS_AT_ONCE = 8

/** What the lines of a file came to, by line. */
export interface Matched {
  confirmed: number
  kept: number
  returned: number
  unmatched: number
  ignored: number
}

const NOTHING: Matched = { confirmed: 0, kept: 0, returned: 0, unmatched: 0, ignored: 0 }

/**
 * Matches the lines of a file that were read. What becomes of a line is kept in the transaction of its money: whatever is cut off
 * or done again, no line counts twice. The file goes once all are done.
 */
export const matchLines: JobKind = {
  name: MATCH,
  permission: 'statements',
  async run(tx, job, actor) {
    const until = performance.now() + BATCH_TIME
    const { accountId } = actor
    const counts = { ...NOTHING, ...(job.outcome as Partial<Matched> | null) }
    const rows = await store.listRead(tx, accountId, job.id, LINES_AT_ONCE)
    const by = rows.length === 0 ? undefined : await openJudge(tx, accountId, tx.clock())
    let { done } = job
    for (const row of rows) {
      counts[await matchLine(tx, actor, by as Judge, row)]++
      done++
      if (performance.now() > until) break
    }
    const left = rows.length === 0 ? await store.deleteParts(tx, accountId, job.id, PARTS_AT_ONCE) : 1
    return { position: null, done, finished: left === 0, outcome: { ...counts } }
  },
}

async function matchLine(tx: WriteTx, actor: Actor, by: Judge, row: store.LineRow): Promise<keyof Matched> {
  const verdict = await judge(tx, actor.accountId, by, row)
  if (verdict.state !== 'matched') {
    const { state, reason, paymentId } = verdict
    await store.update(tx, row, { state, reason, payment_id: paymentId }, await tx.now())
    return state
  }
  const { id } = verdict.payment
  const outcome = await runRecorded(tx, actor, inner => settleLine(inner, actor.accountId, row, id), {
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

/**
 * Settles the money of a line for a payment, on the day of its booking.
 *
 * @throws Problem not_found
 */
export async function settleLine(
  tx: WriteTx,
  accountId: string,
  row: store.LineRow,
  paymentId: string,
): Promise<'confirmed' | 'kept' | 'returned'> {
  const { timezone } = await accounts.get(tx, accountId)
  // What was taken back once is another entry of the ledger when it is matched anew.
  const entryId = row.entry_id === null ? row.id : newUuid()
  const outcome = await settle(tx, accountId, paymentId, {
    ...{ entryId, amount: row.amount, currency: row.currency, fee: 0, method: 'transfer' },
    at: noonOf(row.date, timezone, tx.clock()),
  })
  if (outcome === 'known') throw new Problem('invalid_transition', { details: { reason: 'line_ended' } })
  const changes = { state: 'matched', outcome, payment_id: paymentId, entry_id: entryId } as const
  await store.update(tx, row, changes, await tx.now())
  return outcome
}

/** The noon of a day in a time zone, in milliseconds; not after now. */
export function noonOf(date: string, timezone: string, now: number): number {
  return Math.min(fromLocalTime(`${date}T12:00`, timezone) ?? Date.parse(date) + 12 * HOUR, now)
}
