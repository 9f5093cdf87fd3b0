import { Connection } from '#machinery/db/postgres/connection.ts'

// A server loads this module before the program, and is broken then: with BROKEN=unlocked its writes take no lock, and with
// BROKEN=early they are answered before they are committed.

const { BROKEN } = process.env

const query = Connection.prototype.query
Connection.prototype.query = function (this: Connection, sql, params) {
  if (BROKEN === 'unlocked' && sql.includes('UPDATE instance SET write_number')) {
    return query.call(this, 'SELECT latest_write_at, write_number FROM instance')
  }
  if (BROKEN === 'early' && sql === 'COMMIT') {
    for (const late of ['SELECT pg_sleep(0.05)', sql]) query.call(this, late, params).catch(() => undefined)
    return Promise.resolve({ command: 'COMMIT', rows: [], rowCount: null }) as never
  }
  return query.call(this, sql, params)
} as typeof query
