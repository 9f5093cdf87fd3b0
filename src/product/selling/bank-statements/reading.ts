import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { Statement, StatementLine } from '#machinery/bank-files/statement.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { type Judge, judge, openJudge } from './judge.ts'
import { type Counts, NO_COUNTS, type UploadInput } from './schemas.ts'
import * as store from './store.ts'

/** The most lines that one write stores. */
const KEPT_AT_ONCE = 50
const DELETED_AT_ONCE = 200
/** How many unreadable lines are reported with what is wrong with them. */
const MOST_WRONG = 20

/**
 * Stores the lines of a file and counts what would become of each, without matching any. It deletes the lines of an earlier
 * reading, whose columns may have been others. A reading that a later one has overtaken ends.
 *
 * @throws Problem not_found if the file is gone; invalid_transition with `details.reason` `read_anew` if it was overtaken
 */
export async function readLines(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  id: string,
  statement: Statement,
): Promise<void> {
  const reading = newUuid()
  const now = await db.write(accountId, async tx => {
    await keepInput(tx, id, { reading, counts: null, wrong: [] })
    return tx.clock()
  })
  while ((await db.write(accountId, tx => store.deleteRead(tx, id, DELETED_AT_ONCE))) > 0);
  const by = await db.read(accountId, tx => openJudge(tx, now))
  const counts: Counts = { ...NO_COUNTS, sums: {} }
  const wrong: UploadInput['wrong'] = []
  for await (const part of statement.read()) {
    counts.wrong += part.wrong.length
    counts.left_out += part.leftOut.length
    for (const { line, faults } of part.wrong.slice(0, MOST_WRONG - wrong.length))
      wrong.push({ line, field: faults[0].field, fault: faults[0].fault })
    for (let from = 0; from < part.lines.length; ) {
      const lines = part.lines.slice(from, from + KEPT_AT_ONCE)
      const kept = await db.write(accountId, tx => keepLines(tx, { id, reading, by }, lines))
      addTo(counts, kept.counts)
      from += kept.done
    }
  }
  await db.write(accountId, async tx => {
    await refuseOvertaken(tx, { id, reading })
    await keepInput(tx, id, { reading: null, counts, wrong })
  })
}

async function keepInput(tx: WriteTx, id: string, changes: Partial<UploadInput>): Promise<void> {
  const { input } = await jobs.get(tx, id)
  await jobs.keepInput(tx, id, { ...input, ...changes })
}

interface Reading {
  id: string
  reading: string
}

async function refuseOvertaken(tx: WriteTx, { id, reading }: Reading): Promise<void> {
  const { input } = await jobs.get(tx, id)
  if ((input as unknown as UploadInput).reading !== reading)
    throw new Problem('invalid_transition', { details: { reason: 'read_anew' } })
}

async function keepLines(
  tx: WriteTx,
  { by, ...of }: Reading & { by: Judge },
  lines: readonly StatementLine[],
): Promise<{ counts: Counts; done: number }> {
  const until = performance.now() + tx.batchTime
  await refuseOvertaken(tx, of)
  const counts: Counts = { ...NO_COUNTS, sums: {} }
  const now = await tx.now()
  let done = 0
  for (const { line, key, date, amount, currency, counterparty, text, bankId } of lines) {
    const row = { key, job_id: of.id, line, date, amount, currency, counterparty, text, bank_id: bankId }
    if ((await store.insert(tx, { id: newUuid(), ...row }, now)) === 0) counts.known++
    else await foresee(tx, by, row, counts)
    done++
    if (performance.now() > until) break
  }
  return { counts, done }
}

async function foresee(
  tx: WriteTx,
  by: Judge,
  row: Parameters<typeof judge>[2],
  counts: Counts,
): Promise<void> {
  const { state } = await judge(tx, by, row)
  counts[state] = (counts[state] ?? 0) + 1
  const { currency, amount } = row
  if (state === 'matched') counts.sums[currency] = (counts.sums[currency] ?? 0) + amount
}

function addTo(all: Counts, { sums, ...more }: Counts): void {
  for (const [name, count] of Object.entries(more) as [Exclude<keyof Counts, 'sums'>, number][])
    all[name] = (all[name] ?? 0) + count
  for (const [currency, sum] of Object.entries(sums)) all.sums[currency] = (all.sums[currency] ?? 0) + sum
}
