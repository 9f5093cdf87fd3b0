import type { Value, WriteTx } from '#machinery/db/port.ts'

/** Describes what a transaction read. `INSERT … RETURNING` counts as a write. */
export interface Reads {
  texts: string[]
  /** The reads of events, without those that only compare a row of another table with one. */
  ofEvents: string[]
}

/** Wraps a transaction that notes each statement by which it is read, and passes all on. */
export function counted(tx: WriteTx): { tx: WriteTx; reads: Reads } {
  const reads: Reads = { texts: [], ofEvents: [] }
  const note = (sql: string) => {
    if (!/^\s*(SELECT|WITH)\b/i.test(sql)) return
    reads.texts.push(sql)
    const itself = sql.replace(/\bEXISTS\s*\(SELECT 1 FROM events\b[^)]*\)/gi, '')
    if (/\bFROM\s+events\b/i.test(itself)) reads.ofEvents.push(sql)
  }
  const counting: WriteTx = {
    accountId: tx.accountId,
    one<Row>(sql: string, params?: readonly Value[]) {
      note(sql)
      return tx.one<Row>(sql, params)
    },
    all<Row>(sql: string, params?: readonly Value[]) {
      note(sql)
      return tx.all<Row>(sql, params)
    },
    run: (sql, params) => tx.run(sql, params),
    insertStaged: (...given) => tx.insertStaged(...given),
    now: () => tx.now(),
    clock: () => tx.clock(),
    attempt: work => tx.attempt(work),
    batchTime: tx.batchTime,
    giveTurn: () => tx.giveTurn(),
    alone: () => tx.alone(),
  }
  return { tx: counting, reads }
}
