import { Connection as PostgresConnection } from '#machinery/db/postgres/connection.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { WriteAheadLog } from '#machinery/db/sqlite/wal.ts'

// A server loads this module before the program. KILL_AT says where it kills itself, as `before SQL`, `after SQL`, `committed` or
// `synced`, where SQL is how a statement begins and the last two are those of the write that makes an order, verifies it, or sends an
// abstract, or carries out a statement that begins with KILL_OF. With KILL_NUMBER it is that run of the statement, the first by
// default.
// COMMIT_AFTER is a fault of the server: the statement that begins so is the last one of its transaction, and what follows is
// another.

const { KILL_AT = '', KILL_OF, KILL_NUMBER = '1', COMMIT_AFTER } = process.env
const [, when, statement = ''] = /^(before|after) (.*)$/.exec(KILL_AT) ?? []
/** Whether the transaction that is open, or what waits for its sync, has made or verified an order. */
let hasOrder = false
let isUnsynced = false

/** These statements make an order, verify it, and send an abstract. */
const MAKES = [
  ...['INSERT INTO orders', 'UPDATE orders SET verified_at', 'INSERT INTO abstracts'],
  ...(KILL_OF === undefined ? [] : [KILL_OF]),
]

let runs = 0

/** Whether a statement is the one at which the server dies. */
function isFatal(of: 'before' | 'after', sql: string): boolean {
  if (when !== of || !sql.startsWith(statement)) return false
  runs++
  return runs === Number(KILL_NUMBER)
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
  // Nothing may happen afterwards: the signal arrives when it arrives.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const { prototype } = Connection
const run = prototype.run
prototype.run = function (this: Connection, sql, params) {
  if (isFatal('before', sql)) die()
  const changed = run.call(this, sql, params)
  if (MAKES.some(each => sql.startsWith(each))) hasOrder = true
  if (isFatal('after', sql)) {
    if (sql.startsWith(COMMIT_AFTER ?? '\0')) commit(this)
    die()
  }
  if (sql === 'COMMIT' && hasOrder) {
    if (KILL_AT === 'committed') die()
    isUnsynced = true
    hasOrder = false
  }
  return changed
}

function commit(connection: Connection): void {
  run.call(connection, 'RELEASE write')
  run.call(connection, 'COMMIT')
}

const sync = WriteAheadLog.prototype.sync
WriteAheadLog.prototype.sync = async function (this: WriteAheadLog) {
  const isOfOrder = isUnsynced
  await sync.call(this)
  if (isOfOrder && KILL_AT === 'synced') die()
}

// PostgreSQL answers a COMMIT only when it is on the disk, so there `synced` is `committed`. Other connections commit meanwhile.
const ofOrders = new WeakSet<PostgresConnection>()
const query = PostgresConnection.prototype.query
PostgresConnection.prototype.query = async function (this: PostgresConnection, sql, params) {
  if (isFatal('before', sql)) die()
  const result = await query.call(this, sql, params)
  if (MAKES.some(each => sql.startsWith(each))) ofOrders.add(this)
  if (isFatal('after', sql)) {
    if (sql.startsWith(COMMIT_AFTER ?? '\0')) await query.call(this, 'COMMIT')
    die()
  }
  if (sql === 'COMMIT' && ofOrders.has(this)) {
    if (KILL_AT === 'committed' || KILL_AT === 'synced') die()
    ofOrders.delete(this)
  }
  return result
} as typeof query
