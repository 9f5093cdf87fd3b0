import { Refusal } from '#base/refusal.ts'
import type { Clock } from '#base/time.ts'
import { makeFolders } from '#machinery/files/make-folders.ts'
import { reasonOf } from '#machinery/files/system-error.ts'
import type { Engine, OpenedDatabase, ServerOptions } from '../engine.ts'
import { beat } from '../heartbeat.ts'
import { INSTANCE } from '../port.ts'
import type { PostgresAddress } from './address.ts'
import { Connection, type SessionLimits } from './connection.ts'
import { PostgresDatabase } from './database.ts'
import { declareMetrics } from './metrics.ts'
import { isServedStatement } from './node-session.ts'
import { explainConnecting, refuseFarClock, refuseTransactionPool, refuseUnfitDatabase } from './opening.ts'
import { OriginWatch } from './origin.ts'
import { receive } from './receive.ts'
import { hasTables, makeReady, refuseUnfitSchema } from './schema.ts'
import type { SessionOptions } from './session.ts'

/** How long a server waits for a lock and for a database that is away, in milliseconds. */
const SERVER_PATIENCE = 5_000
/** How long a command waits for the running server, in milliseconds. */
const COMMAND_PATIENCE = 30_000
/** After this time without an answer, a server takes its connection for lost. */
const SERVER_ANSWER = 15_000

const READERS = 3
/** A server has a session for its writes and one that shows that it runs, beside those of its reads. */
const SERVER_SESSIONS = READERS + 2
/** A command has one that writes and one that reads. */
const COMMAND_SESSIONS = 2

const SERVER_LIMITS: SessionLimits = { lock: SERVER_PATIENCE, answer: SERVER_ANSWER }
const COMMAND_LIMITS: SessionLimits = { lock: COMMAND_PATIENCE, answer: 0 }
const COMMAND = { limits: COMMAND_LIMITS, patience: COMMAND_PATIENCE, readers: 1, isServer: false }

/**
 * Returns the engine of a PostgreSQL database.
 *
 * @param folder where a server keeps what it needs beside the database
 */
export function postgresAt(address: PostgresAddress, folder: string): Engine {
  const { place } = address
  return {
    place,
    rescue: 'the database by pg_dump, then restore the last backup into a new database',
    exists: () => withConnection(address, connection => hasTables(connection, place)),
    isServed: () => withConnection(address, isServed),
    refuseStray: () => undefined,
    openForServer: options => {
      makeFolder(folder)
      return openForServer(address, options)
    },
    openForCommand: clock => openForCommand(address, clock),
    backUp: refuseBackUp,
    restore: async () => {
      throw new Refusal(
        `"turnout restore" makes the database of a data folder, and ${place} is PostgreSQL: restore it by pg_restore or your provider's tools, or move a data folder to it by "turnout copy".`,
      )
    },
    receive: fill =>
      withConnection(address, async connection => {
        await prepare(connection, place, Date.now)
        return receive(connection, place, fill)
      }),
    look: work => look(address, work),
    inspect: findMore => inspect(address, findMore),
  }
}

/** Only its owner may look inside, because files wait there that people send. @throws Refusal */
function makeFolder(folder: string): void {
  try {
    makeFolders(folder)
  } catch (error) {
    throw new Refusal(
      `The folder ${folder} cannot be made: ${reasonOf(error)}. Choose another with --data, for what a server keeps beside its database.`,
    )
  }
}

async function refuseBackUp(): Promise<never> {
  throw new Refusal(
    'A PostgreSQL database is backed up by its own tools, while servers run: pg_dump for a copy, pg_basebackup or pgBackRest for recovery to any second.',
  )
}

/** Runs `work` on a connection of its own. @throws Refusal */
async function withConnection<T>(
  { url, place }: PostgresAddress,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let connection: Connection | undefined
  try {
    connection = await Connection.open(url, COMMAND_LIMITS)
    return await work(connection)
  } catch (error) {
    throw explainConnecting(place, error)
  } finally {
    await connection?.close()
  }
}

async function isServed(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ served: number }>(isServedStatement)
  return rows[0]?.served === 1
}

async function openForServer(
  address: PostgresAddress,
  { clock, follow, meter }: ServerOptions,
): Promise<OpenedDatabase> {
  const { place } = address
  const spare: Connection[] = []
  let engine = ''
  let observe: ((writes: number) => void) | undefined
  const db = openDatabase(address, clock, {
    ...{ limits: SERVER_LIMITS, patience: SERVER_PATIENCE, spare, readers: READERS, isServer: true, follow },
    onGroup: writes => observe?.(writes),
  })
  observe = meter && declareMetrics(meter, () => db.queuedWrites)
  try {
    const one = await connectAll(address, SERVER_LIMITS, SERVER_SESSIONS, spare)
    if (follow !== undefined) await refuseFarClock(one, place, follow)
    engine = await prepare(one, place, clock)
    await db.start()
  } catch (error) {
    await db.close()
    throw explainConnecting(place, error)
  }
  return {
    db,
    engine,
    hasOwnMark: true,
    lead: leader => db.lead(leader),
    hasOthers: () => db.hasOthers(),
    probe: async () => {
      await db.write(INSTANCE, beat)
    },
    backUp: refuseBackUp,
    size: async () => {
      const row = await db.read(INSTANCE, tx =>
        tx.one<{ size: number }>('SELECT pg_database_size(current_database()) AS size'),
      )
      return { data: row?.size ?? 0, log: 0 }
    },
    close: () => db.close(),
  }
}

async function openForCommand(address: PostgresAddress, clock: Clock): Promise<PostgresDatabase> {
  const spare: Connection[] = []
  const db = openDatabase(address, clock, { ...COMMAND, spare })
  try {
    const one = await connectAll(address, COMMAND_LIMITS, COMMAND_SESSIONS, spare)
    await prepare(one, address.place, clock)
    return db
  } catch (error) {
    await db.close()
    throw explainConnecting(address.place, error)
  }
}

/**
 * Makes all connections that a program will need, so that it is refused at once where there is no room for them.
 *
 * @param spare gets them
 * @returns the first of them
 * @throws Refusal if a pooler stands between that shares sessions; or an error of the client, as it comes
 */
async function connectAll(
  { url, place }: PostgresAddress,
  limits: SessionLimits,
  count: number,
  spare: Connection[],
): Promise<Connection> {
  const opened = await Promise.allSettled(Array.from({ length: count }, () => Connection.open(url, limits)))
  for (const each of opened) if (each.status === 'fulfilled') spare.push(each.value)
  const failed = opened.find(each => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const [one, other] = spare as [Connection, Connection]
  await refuseTransactionPool(one, other, place)
  return one
}

/**
 * Looks whether the database is fit, and makes its tables if it has none.
 *
 * @returns the name of the server with its version
 * @throws Refusal
 */
async function prepare(connection: Connection, place: string, clock: Clock): Promise<string> {
  const version = await refuseUnfitDatabase(connection, place)
  await makeReady(connection, place, clock)
  return `PostgreSQL ${version}`
}

interface Opening extends Pick<SessionOptions, 'limits' | 'patience' | 'spare'> {
  readers: number
  isServer: boolean
  follow?: ServerOptions['follow']
  onGroup?: (writes: number) => void
}

function openDatabase(
  { url }: PostgresAddress,
  clock: Clock,
  { limits, patience, spare, ...rest }: Opening,
): PostgresDatabase {
  const watch = rest.isServer ? new OriginWatch(clock) : undefined
  const inspect = async (connection: Connection) => watch?.look(connection)
  return new PostgresDatabase({ clock, session: { url, limits, patience, spare, inspect }, ...rest })
}

function inspect(address: PostgresAddress, findMore: Parameters<Engine['inspect']>[0]): Promise<string[]> {
  return look(address, findMore)
}

async function look<T>(
  address: PostgresAddress,
  work: (db: PostgresDatabase, engine: string) => Promise<T>,
): Promise<T> {
  const spare: Connection[] = []
  const db = openDatabase(address, Date.now, { ...COMMAND, spare })
  try {
    let engine: string
    try {
      const one = await connectAll(address, COMMAND_LIMITS, COMMAND_SESSIONS, spare)
      await refuseUnfitSchema(one, address.place)
      engine = `PostgreSQL ${await refuseUnfitDatabase(one, address.place)}`
    } catch (error) {
      throw explainConnecting(address.place, error)
    }
    return await work(db, engine)
  } finally {
    await db.close()
  }
}
