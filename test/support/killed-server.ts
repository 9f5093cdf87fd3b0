import { Connection } from '../../src/db/sqlite/connection.ts'
import { WriteAheadLog } from '../../src/db/sqlite/wal.ts'

// Loaded before a server: KILL_AT says where it kills itself, as `before SQL`, `after SQL`, `committed` or `synced`, where SQL is how
// a statement begins and the last two are those of the write that makes an order. COMMIT_AFTER is a fault that the server has: the
// statement that begins so is the last one of its transaction, and what follows is another.

const { KILL_AT = '', COMMIT_AFTER } = process.env
const [, when, statement = ''] = /^(before|after) (.*)$/.exec(KILL_AT) ?? []
/** Whether the transaction that is open, or what waits for its sync, has made an order. */
let hasOrder = false
let isUnsynced = false

function die(): void {
  process.kill(process.pid, 'SIGKILL')
  // Nothing that comes after may happen: the signal arrives when it arrives.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const { prototype } = Connection
const run = prototype.run
prototype.run = function (this: Connection, sql, params) {
  if (when === 'before' && sql.startsWith(statement)) die()
  const changed = run.call(this, sql, params)
  if (sql.startsWith('INSERT INTO orders')) hasOrder = true
  if (when === 'after' && sql.startsWith(statement)) {
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
