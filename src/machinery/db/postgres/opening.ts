import { Refusal } from '#base/refusal.ts'
import { MINUTE, toIso } from '#base/time.ts'
import type { ServerOptions } from '../engine.ts'
import { DatabaseUnavailable } from '../port.ts'
import { type Connection, SESSION_TIMEOUT } from './connection.ts'
import { sqlStateOf } from './faults.ts'

/** The oldest major version with all that the statements need. */
const OLDEST = 15

/**
 * Refuses a server or a database in which the program could not keep its promises.
 *
 * @param place of the database, in sentences
 * @returns the version of the server, such as 15.4
 * @throws Refusal
 */
export async function refuseUnfitDatabase(connection: Connection, place: string): Promise<string> {
  const { rows } = await connection.query<Found>(
    `SELECT CAST(current_setting('server_version_num') AS BIGINT) AS version,
       current_setting('server_version') AS name,
       pg_encoding_to_char(encoding) AS encoding, datcollate AS collation, pg_is_in_recovery() AS standby,
       current_schema() IS NOT NULL AND has_schema_privilege(current_schema(), 'CREATE') AS may_create,
       has_database_privilege(current_database(), 'TEMPORARY') AS may_stage
     FROM pg_database WHERE datname = current_database()`,
  )
  const found = rows[0]
  if (found === undefined) throw new Refusal(`${place} does not say what it is.`)
  const why = whyUnfit(found)
  if (why !== undefined) throw new Refusal(`${place} ${why}`)
  return found.name.split(' ', 1)[0] ?? ''
}

interface Found {
  version: number
  name: string
  encoding: string
  collation: string
  standby: number
  may_create: number
  may_stage: number
}

function whyUnfit({
  version,
  encoding,
  collation,
  standby,
  may_create,
  may_stage,
}: Found): string | undefined {
  if (version < OLDEST * 10_000) {
    return `is PostgreSQL ${Math.floor(version / 10_000)}, and Turnout needs ${OLDEST} or newer.`
  }
  if (encoding !== 'UTF8' || collation !== 'C') {
    return `has the encoding ${encoding} and the collation ${collation}, and Turnout needs UTF8 and C. Make it anew: CREATE DATABASE turnout TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'.`
  }
  if (standby) return 'is a standby, which can only be read. Name the primary with --database-url.'
  if (!may_create) {
    return 'lets this user make no tables in its schema. Let the user own the database: ALTER DATABASE … OWNER TO …'
  }
  if (!may_stage) {
    return 'lets this user make no temporary tables: GRANT TEMPORARY ON DATABASE … TO …'
  }
  return undefined
}

/** How far the clocks may be apart at the start, in milliseconds. */
const FAR = MINUTE

/** Refuses a machine whose clock is far from the database's, which is followed from here on. @throws Refusal */
export async function refuseFarClock(
  connection: Connection,
  place: string,
  { own, ask }: NonNullable<ServerOptions['follow']>,
): Promise<void> {
  const onInstant = ask()
  const { rows } = await connection.query<{ now: number }>(
    'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS now',
  )
  const there = rows[0]?.now ?? own()
  if (Math.abs(onInstant(there)) > FAR) {
    throw new Refusal(
      `The clock says ${toIso(own())} here, and ${toIso(there)} at ${place}: more than a minute apart. Set both by NTP, then start again.`,
    )
  }
}

/**
 * Refuses a pooler that gives each transaction any session: locks and temporary tables would be those of others.
 *
 * @throws Refusal
 */
export async function refuseTransactionPool(
  one: Connection,
  other: Connection,
  place: string,
): Promise<void> {
  const mark = `${process.pid}-${performance.now()}`
  await one.query("SELECT set_config('turnout.session', $1, false)", [mark])
  await other.query('BEGIN')
  const { rows } = await other.query<{ seen: string | null }>(
    "SELECT current_setting('turnout.session', true) AS seen",
  )
  await other.query('ROLLBACK')
  const own = await one.query<{ seen: string | null }>(
    "SELECT current_setting('turnout.session', true) AS seen",
  )
  if (rows[0]?.seen !== mark && own.rows[0]?.seen === mark) return
  throw new Refusal(
    `${place} is behind a pooler that shares sessions between transactions. Set pool_mode = session in PgBouncer, or name PostgreSQL itself.`,
  )
}

/**
 * Turns an error at connecting into a sentence for the person who runs the program. Other errors stay as they are.
 *
 * @param place of the database, without a password
 */
export function explainConnecting(place: string, error: unknown): unknown {
  if (error instanceof Refusal) return error
  const cause = error instanceof DatabaseUnavailable ? (error.cause ?? error) : error
  const code = sqlStateOf(cause) ?? (cause as NodeJS.ErrnoException).code ?? ''
  const { message } = cause as Error
  const sentence = SENTENCES.find(([pattern]) => pattern.test(code) || pattern.test(message))?.[1]
  return sentence === undefined ? error : new Refusal(`${place} ${sentence}`, { cause })
}

const NO_SESSION = new RegExp(`^${SESSION_TIMEOUT}$`)

const SENTENCES: readonly [RegExp, string][] = [
  [
    /^28P01$|password must be a string|authentication failed/,
    'does not take the user with its password: check both in --database-url, where % is written as %25 and @ as %40.',
  ],
  [
    /^28000$/,
    'does not let this user in from here: check the user in --database-url, and the lines of pg_hba.conf.',
  ],
  [
    /^3D000$|^no such database|^database .* does not exist/,
    "is not there: make it by CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'.",
  ],
  [/^42501$/, 'lets this user not do what Turnout needs: let the user own the database.'],
  [
    /^53300$|^no more connections allowed/,
    'has no connection left: Turnout needs 8 for each node. Raise max_connections, or the limit of the user.',
  ],
  [/^57P03$/, 'is starting up or shutting down. Try again shortly.'],
  [
    /^query_wait_timeout$|^server login has been failing|^pgbouncer cannot connect/,
    'is a pooler that does not reach PostgreSQL: check the host and the port in its settings, and that PostgreSQL runs there.',
  ],
  [
    /^08P01$/,
    'is behind a pooler that does not take what Turnout asks of a session. Name PostgreSQL itself.',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'cannot be found: check the name of the machine in --database-url.'],
  [
    /^ECONNREFUSED$|^ENOENT$/,
    'does not answer: check the machine and the port in --database-url, and that PostgreSQL runs there.',
  ],
  [
    NO_SESSION,
    'takes the connection and gives no session for it: a pooler has none left. Give it 8 for each server, by default_pool_size in PgBouncer.',
  ],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$|timeout expired/,
    'does not answer: check the machine and the port in --database-url, and whether a firewall is between.',
  ],
  [
    /does not support SSL/,
    'has no TLS, and the password would be read on the way. Set ssl = on in postgresql.conf, or add ?sslmode=disable to --database-url on a network that nobody else can read.',
  ],
  [
    /CERT|SIGNED|ALTNAME|certificate/i,
    'has a certificate that is not trusted: use the name that it is for, and name the file of your certificate authority by ?sslrootcert=FILE in --database-url.',
  ],
  [
    /^ECONNRESET$|terminated unexpectedly/,
    'closed the connection before it was made. Check that PostgreSQL answers at that port.',
  ],
]
