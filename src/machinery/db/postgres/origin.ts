import { randomBytes } from 'node:crypto'
import type { Clock } from '#base/time.ts'
import { DatabaseUnavailable } from '../port.ts'
import type { Connection } from './connection.ts'

/**
 * What tells a database from a copy of it: the cluster and the database in it, which a dump or a restored backup changes, and the
 * timeline, which a standby changes when it takes over.
 */
interface Origin {
  system_identifier: string
  database_oid: number
  timeline: string
}

const FIND = `SELECT CAST((SELECT system_identifier FROM pg_control_system()) AS TEXT) AS system_identifier,
    (SELECT CAST(oid AS BIGINT) FROM pg_database WHERE datname = current_database()) AS database_oid,
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline`

/** Looks at each new session of a server, before anything uses it. */
export class OriginWatch {
  readonly #clock: Clock
  #timeline: string | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Refuses a standby, and notes a database that is not the one that servers ran on before.
   *
   * @throws DatabaseUnavailable
   */
  async look(connection: Connection): Promise<void> {
    const { rows } = await connection.query<{ standby: number }>('SELECT pg_is_in_recovery() AS standby')
    if (rows[0]?.standby === 1) throw new DatabaseUnavailable('PostgreSQL: the server is a standby')
    const found = await connection.query<Origin>(FIND)
    const origin = found.rows[0] as Origin
    if (origin.timeline === this.#timeline) return
    await note(connection, origin, this.#clock())
    this.#timeline = origin.timeline
  }
}

/**
 * Notes the origin of the database. A copy is held, so that it does not send what the other sends, and whoever has seen numbers of
 * its commits begins anew. A standby that has taken over may lack the last commits of the one before: only the numbers begin anew.
 * The servers of all nodes may look at once.
 */
async function note(connection: Connection, origin: Origin, now: number): Promise<void> {
  const { system_identifier, database_oid, timeline } = origin
  await connection.query('BEGIN')
  try {
    const { rows } = await connection.query<Partial<Origin>>(
      'SELECT system_identifier, database_oid, timeline FROM turnout_engine WHERE id = 1 FOR UPDATE',
    )
    const known = rows[0] ?? {}
    const isNew = known.system_identifier === null
    const isCopy =
      !isNew && (known.system_identifier !== system_identifier || known.database_oid !== database_oid)
    const isSame = !isNew && !isCopy && known.timeline === timeline
    if (!isSame) {
      await connection.query(
        'UPDATE turnout_engine SET system_identifier = $1, database_oid = $2, timeline = $3 WHERE id = 1',
        [system_identifier, database_oid, timeline],
      )
      // One that was moved here from a file goes on in its epoch.
      await connection.query(
        `UPDATE instance SET epoch = $1, epoch_at = $2 WHERE id = 1${isNew ? " AND epoch = ''" : ''}`,
        [randomBytes(16).toString('hex'), isNew ? null : now],
      )
    }
    if (isCopy) {
      await connection.query('UPDATE instance SET held_at = coalesce(held_at, $1) WHERE id = 1', [now])
    }
    await connection.query('COMMIT')
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
