import { Problem } from '#base/problem.ts'
import { type Clock, toIso } from '#base/time.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { FAR_BEHIND, renewEpoch } from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as store from './instant-store.ts'

/** One write takes this many rows, so few that no check-in waits for it. */
const ROWS_PER_WRITE = 500

/** This program wrote nothing before this instant. */
const EARLIEST = Date.UTC(2026, 0, 1)

const INSTANCE_TABLE = 'instance'
const tables = Object.keys(store.instants)

/** Gives the number of rows by table, for tables that have any. */
export type RowsByTable = Record<string, number>

/** Counts the rows with an instant that lies ahead of `limit`, in milliseconds. */
export async function countAhead(reader: Reader, limit: number): Promise<RowsByTable> {
  const rows: RowsByTable = {}
  for (const table of tables) {
    const count = await reader.read(INSTANCE, tx => store.countAhead(tx, table, limit))
    if (count > 0) rows[table] = count
  }
  return rows
}

/**
 * Finds what a clock that was ahead has left: instants that lie more than a day ahead of the clock.
 *
 * @param now milliseconds
 * @returns a sentence for each table
 */
export async function findAhead(reader: Reader, now: number): Promise<string[]> {
  const found: string[] = []
  const newest = await reader.read(INSTANCE, store.findNewestWrite)
  if (newest !== undefined && newest - now > FAR_BEHIND) {
    found.push(`the newest write is of ${toIso(newest)}, and the clock says ${toIso(now)}: ${HINT}`)
  }
  const { [INSTANCE_TABLE]: _, ...rows } = await countAhead(reader, now + FAR_BEHIND)
  for (const [table, count] of Object.entries(rows)) {
    const some = count === 1 ? `a row of ${table} lies` : `${count} rows of ${table} lie`
    found.push(`${some} more than a day ahead: ${HINT}`)
  }
  return found
}

const HINT = 'see "turnout repair clock"'

/**
 * Refuses a clock that is surely behind.
 *
 * @throws Problem invalid_parameter for such a clock, which would date everything back to its own time
 */
export function refuseBehind(now: number): void {
  if (now >= EARLIEST) return
  const message = `The clock says ${toIso(now)}, when nothing can have been written yet. Set it right first.`
  throw new Problem('invalid_parameter', { message })
}

/**
 * Puts every instant that lies ahead of the clock back to now. It changes those that the program has written, not those that a
 * person has set. It works in short writes, which a server beside it waits for. If it is interrupted, the next run finishes it.
 *
 * @throws Problem that of `refuseBehind`
 */
export async function putBack(db: Database, clock: Clock): Promise<{ now: number; rows: RowsByTable }> {
  const now = clock()
  refuseBehind(now)
  const ahead = await countAhead(db, now)
  const rows: RowsByTable = {}
  if (Object.keys(ahead).length === 0) return { now, rows }
  // This comes first, so that nothing more is dated ahead.
  const changed = await db.write(INSTANCE, async tx => {
    const count = await store.putBack(tx, INSTANCE_TABLE, { limit: now, now }, { id: 1 })
    for (const { id } of await accounts.list(tx)) {
      await accessLog.record(tx.of(id), {
        ...accessLog.COMMAND_LINE,
        action: 'clock.repair',
        targetType: 'account',
        targetId: id,
        details: { now: toIso(now), rows: ahead },
      })
    }
    return count
  })
  if (changed > 0) rows[INSTANCE_TABLE] = changed
  for (const table of tables) {
    if (table === INSTANCE_TABLE) continue
    // Each read and write takes the clock anew, so that what a server writes meanwhile is not ahead.
    const batches = inBatches(db, INSTANCE, ROWS_PER_WRITE, (tx, last: store.Key | undefined, size) =>
      store.listAhead(tx, table, clock(), last, size),
    )
    let count = 0
    for await (const batch of batches) {
      count += await db.write(INSTANCE, async tx => {
        let changed = 0
        for (const key of batch) changed += await store.putBack(tx, table, { limit: tx.clock(), now }, key)
        return changed
      })
    }
    if (count > 0) rows[table] = count
  }
  // This may change when tickets were admitted, or which changes were deleted by their age, so doors copy their lists again.
  if ([INSTANCE_TABLE, 'check_ins', 'door_changes'].some(table => rows[table] !== undefined)) {
    await db.write(INSTANCE, tx => renewEpoch(tx, tx.clock()))
  }
  return { now, rows }
}
