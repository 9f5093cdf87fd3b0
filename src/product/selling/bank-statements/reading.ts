import type { Database, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import * as jobs from '../jobs/rules.ts'
import { Problem } from '../problem.ts'
import type { Statement, StatementLine } from '../statements/statement.ts'
import { type Judge, judge, openJudge } from './judge.ts'
import { type Counts, NO_COUNTS, type UploadInput } from './schemas.ts'
import * as store from './store.ts'

/** How long one write takes at most, in milliseconds, and the lines that it keeps: the writes of everybody else wait for it. */
const BATCH_TIME = 4
const KEPT_AT_ONCE = 50
const DELETED_AT_ONCE = 200
/** Lines that cannot be read, of which it is told what is wrong. */
const MOST_WRONG = 20

/**
 * Keeps the lines of a file, and says what would become of each: nothing is matched. Those of an earlier reading go, as its columns may
 * have been others; a reading that a later one has overtaken ends.
 *
 * @throws Problem not_found where the file is gone; invalid_transition with `details.reason` `read_anew` where it was overtaken
 */
export async function readLines(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  id: string,
  statement: Statement,
): Promise<void> {
  const reading = newUuid()
  const now = await db.write(accountId, async tx => {
    await keepInput(tx, accountId, id, { reading, counts: null, wrong: [] })
    return tx.clock()
  })
  while ((await db.write(accountId, tx => store.deleteRead(tx, accountId, id, DELETED_AT_ONCE))) > 0);
  const by = await db.read(tx => openJudge(tx, accountId, now))
  const counts: Counts = { ...NO_COUNTS, sums: {} }
  const wrong: UploadInput['wrong'] = []
  for await (const part of statement.read()) {
    counts.wrong += part.wrong.length
    counts.left_out += part.leftOut.length
    for (const { line, faults } of part.wrong.slice(0, MOST_WRONG - wrong.length))
      wrong.push({ line, field: faults[0].field, fault: faults[0].fault })
    for (let from = 0; from < part.lines.length; ) {
      const lines = part.lines.slice(from, from + KEPT_AT_ONCE)
      const kept = await db.write(accountId, tx => keepLines(tx, accountId, { id, reading, by }, lines))
      addTo(counts, kept.counts)
      from += kept.done
    }
  }
  await db.write(accountId, async tx => {
    await refuseOvertaken(tx, accountId, { id, reading })
    await keepInput(tx, accountId, id, { reading: null, counts, wrong })
  })
}

async function keepInput(
  tx: WriteTx,
  accountId: string,
  id: string,
  changes: Partial<UploadInput>,
): Promise<void> {
  const { input } = await jobs.get(tx, accountId, id)
  await jobs.keepInput(tx, accountId, id, { ...input, ...changes })
}

interface Reading {
  id: string
  reading: string
}

async function refuseOvertaken(tx: WriteTx, accountId: string, { id, reading }: Reading): Promise<void> {
  const { input } = await jobs.get(tx, accountId, id)
  if ((input as unknown as UploadInput).reading !== reading)
    throw new Problem('invalid_transition', { details: { reason: 'read_anew' } })
}

async function keepLines(
  tx: WriteTx,
  accountId: string,
  { by, ...of }: Reading & { by: Judge },
  lines: readonly StatementLine[],
): Promise<{ counts: Counts; done: number }> {
  const until = performance.now() + BATCH_TIME
  await refuseOvertaken(tx, accountId, of)
  const counts: Counts = { ...NO_COUNTS, sums: {} }
  const now = await tx.now()
  let done = 0
  for (const { line, key, date, amount, currency, counterparty, text, bankId } of lines) {
    const row = { key, job_id: of.id, line, date, amount, currency, counterparty, text, bank_id: bankId }
    if ((await store.insert(tx, accountId, { id: newUuid(), ...row }, now)) === 0) counts.known++
    else await foresee(tx, accountId, by, row, counts)
    done++
    if (performance.now() > until) break
  }
  return { counts, done }
}

async function foresee(
  tx: WriteTx,
  accountId: string,
  by: Judge,
  row: Parameters<typeof judge>[3],
  counts: Counts,
): Promise<void> {
  const { state } = await judge(tx, accountId, by, row)
  counts[state]++
  const { currency, amount } = row
  if (state === 'matched') counts.sums[currency] = (counts.sums[currency] ?? 0) + amount
}

function addTo(all: Counts, { sums, ...more }: Counts): void {
  for (const [name, count] of Object.entries(more) as [Exclude<keyof Counts, 'sums'>, number][])
    all[name] += count
  for (const [currency, sum] of Object.entries(sums)) all.sums[currency] = (all.sums[currency] ?? 0) + sum
}
