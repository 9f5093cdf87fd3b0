import { randomUUID } from 'node:crypto'
import { Connection } from '#machinery/db/postgres/connection.ts'
import { StripeProcessor } from '#product/selling/payments/stripe/processor.ts'

// A server loads this module before the program, and is broken then: with BROKEN=unlocked its writes take no lock, and each third
// takes its time after its instant; with BROKEN=early they are answered before they are committed; with BROKEN=leaders it believes
// that it leads; and with BROKEN=keys it asks for a refund by a new key each time.

const { BROKEN } = process.env

let writes = 0
const query = Connection.prototype.query
Connection.prototype.query = function (this: Connection, sql, params) {
  if (BROKEN === 'unlocked' && sql.includes('UPDATE instance SET write_number')) {
    return query.call(this, 'SELECT latest_write_at, write_number FROM instance')
  }
  if (BROKEN === 'unlocked' && sql.startsWith('UPDATE instance SET latest_write_at')) {
    return query.call(this, writes++ % 3 === 0 ? 'SELECT pg_sleep(0.1)' : 'SELECT 1')
  }
  if (BROKEN === 'early' && sql === 'COMMIT') {
    for (const late of ['SELECT pg_sleep(0.05)', sql]) query.call(this, late, params).catch(() => undefined)
    return Promise.resolve({ command: 'COMMIT', rows: [], rowCount: null }) as never
  }
  if (BROKEN === 'leaders' && sql.includes('pg_try_advisory_lock')) {
    return query.call(this, 'SELECT 1 AS leads')
  }
  return query.call(this, sql, params)
} as typeof query

const refund = StripeProcessor.prototype.refund
StripeProcessor.prototype.refund = function (this: StripeProcessor, accountId, call) {
  return refund.call(this, accountId, BROKEN === 'keys' ? { ...call, key: randomUUID() } : call)
}
