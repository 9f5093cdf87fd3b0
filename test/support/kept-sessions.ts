import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { Client, ClientConfig, QueryConfig } from 'pg'
import { clusterUrl } from './postgres-cluster.ts'
import { THREAD } from './postgres-thread.ts'

// To begin a session takes PostgreSQL a hundred times as long as a statement, and its first statements take it long too. A test
// begins and ends half a dozen. So this process keeps those that were ended, as a pooler does that gives a session to one client at
// a time, and begins the next on the same database with one of them, as if it were new.

let RealClient: typeof Client

/** The sessions that nobody has, by the addresses of their databases. */
const kept = new Map<string, Client[]>()
/** The most of a database. */
const MOST = 8

/** Makes the next sessions of the databases of tests such as are kept. */
export function keepSessions(): void {
  const pg = createRequire(import.meta.url)('pg') as { Client: unknown }
  RealClient = pg.Client as typeof Client
  pg.Client = class {
    constructor(config: ClientConfig) {
      const isOfTests = config.connectionString?.startsWith(`${clusterUrl()}/turnout_`)
      // biome-ignore lint/correctness/noConstructorReturn: it stands for the class of the package.
      return (isOfTests ? new KeptClient(config) : new RealClient(config)) as object
    }
  }
}

/** What the program uses of a client. */
class KeptClient extends EventEmitter {
  readonly #config: ClientConfig
  #client: Client | undefined
  readonly #onError = (error: Error) => this.emit('error', error)
  readonly #onEnd = () => this.emit('end')

  constructor(config: ClientConfig) {
    super()
    this.#config = config
  }

  get connection() {
    return partsOf(this.#client as Client).connection
  }

  async connect(): Promise<void> {
    const client = (await takeKept(this.#config)) ?? new RealClient(this.#config)
    client.on('error', this.#onError)
    client.on('end', this.#onEnd)
    this.#client = client
    if (partsOf(client).connection._connecting !== true) await client.connect()
  }

  query(config: QueryConfig | string) {
    return (this.#client as Client).query(config as QueryConfig)
  }

  async end(): Promise<void> {
    const client = this.#client
    if (client === undefined) return
    client.off('error', this.#onError)
    client.off('end', this.#onEnd)
    await keep(this.#config.connectionString ?? '', client)
    this.emit('end')
  }
}

async function takeKept({ connectionString = '', application_name }: ClientConfig) {
  for (;;) {
    const client = kept.get(connectionString)?.pop()
    if (client === undefined) return undefined
    client.removeAllListeners()
    client.on('error', () => undefined)
    partsOf(client).ref()
    // Another process may have ended it.
    const isThere = await client.query(`SET application_name = '${application_name}'`).then(
      () => true,
      () => false,
    )
    if (isThere) return client
  }
}

/** Has a session forget all that was done in it. One that cannot ends. */
async function keep(url: string, client: Client): Promise<void> {
  const others = kept.get(url) ?? []
  kept.set(url, others)
  client.on('error', () => undefined)
  try {
    if (others.length >= MOST) throw new Error('There are enough.')
    const statements = ['ROLLBACK', 'DISCARD ALL', `SET application_name = '${THREAD}'`]
    await Promise.all(statements.map(text => client.query(text)))
  } catch {
    await client.end().catch(() => undefined)
    return
  }
  const { connection } = partsOf(client)
  connection.parsedStatements = {}
  connection.submittedNamedStatements = {}
  const drop = () => {
    const at = others.indexOf(client)
    if (at >= 0) others.splice(at, 1)
  }
  client.on('error', drop)
  client.on('end', drop)
  partsOf(client).unref()
  others.push(client)
}

/** The parts of a client that its types leave out. */
function partsOf(client: Client) {
  return client as unknown as {
    ref(): void
    unref(): void
    connection: {
      _connecting?: boolean
      parsedStatements: Record<string, string>
      submittedNamedStatements: Record<string, string>
    }
  }
}
