import { rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { DAY } from '#base/time.ts'
import { engineOf } from '#machinery/db/open.ts'
import type { Database } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { connectStripe } from '#product/selling/payments/connections.ts'
import { type Load, startLoad } from './cluster/load.ts'
import { temporaryFolder } from './folder.ts'
import { type ReceivedMail, startMailServer } from './mail-server.ts'
import { organization } from './organization.ts'
import { seller } from './people/organizer.ts'
import { type PostgresServer, type PostgresServerOptions, startPostgres } from './postgres-server.ts'
import { type ServerProcess, type Surroundings, startServerProcess } from './server-process.ts'
import { type StripeProcess, startStripeProcess } from './stripe/process.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const STRIPE = { account: 'acct_one', key: 'rk_test_organizer0001' }

/** How long a client waits after an answer, in milliseconds. */
const BREATH = 200

/** A PostgreSQL with an organization, and as many servers on it as a test starts. */
export interface Nodes {
  /** It is another one once a standby has taken over. */
  postgres: PostgresServer
  /** How it was made. */
  cluster: Pick<PostgresServerOptions, 'settings' | 'place'>
  /** The networks between PostgreSQL and those who have it: the organizer, and each server of the pair. */
  networks: readonly [organizer: TcpProxy, one: TcpProxy, other: TcpProxy]
  /** The servers of the pair. A test may put others in their places. */
  servers: ServerProcess[]
  /** What the organizer does without a server. */
  db: Database
  accountId: string
  /** A key for the API. */
  key: string
  stripe: StripeProcess | undefined
  /** The mails that arrived, if somebody orders. */
  mails: readonly ReceivedMail[]
  /** Starts a server of the pair, as it was started before unless it is told otherwise. */
  start(at: 0 | 1, surroundings?: Surroundings): Promise<ServerProcess>
  /** Returns which server of the pair leads. */
  findLeader(): 0 | 1 | undefined
  /** Sends requests to the pair until `stop` is called, and each again until it is answered. */
  load(buyers?: number, breath?: number): Load
  /** All loads so far. */
  loads: readonly Load[]
  /** Ends the loads with the test, also where it fails. */
  signal: AbortSignal
}

export interface NodesOptions extends PostgresServerOptions {
  /** Whether orders are paid and refunded at a stand-in for Stripe, and mails are sent. */
  sells?: boolean
  surroundings?: (at: 0 | 1) => Surroundings
}

/** Starts a PostgreSQL and two servers on it, each behind a network of its own. */
export async function startPair(t: Context, options: NodesOptions = {}): Promise<Nodes> {
  const nodes = await startNodes(t, options)
  for (const at of [0, 1] as const) await nodes.start(at, options.surroundings?.(at))
  return nodes
}

type Context = Pick<TestContext, 'after'>

export async function startNodes(t: Context, options: NodesOptions = {}): Promise<Nodes> {
  const postgres = await startPostgres(options)
  t.after(() => nodes.postgres.remove())
  const url = postgres.makeDatabase()
  const networks = [
    await startTcpProxy(t, postgres.port),
    await startTcpProxy(t, postgres.port),
    await startTcpProxy(t, postgres.port),
  ] as const
  const behind = (at: number) => {
    const { port } = networks[at] as TcpProxy
    return `${url.replace(/:\d+\//, `:${port}/`)}?application_name=server-${at}`
  }
  const engine = engineOf({ data: temporaryFolder(t), databaseUrl: behind(0) })
  const db = await engine.openForCommand(Date.now)
  t.after(() => db.close())
  const made = await makeOrganization(db)
  const selling = options.sells === true ? await startSelling(t, db, made.accountId) : undefined
  const servers: ServerProcess[] = []
  const given: Surroundings[] = []
  const loads: Load[] = []
  const over = new AbortController()
  t.after(() => over.abort())
  const nodes: Nodes = {
    cluster: options,
    ...{
      postgres,
      networks,
      servers,
      db,
      accountId: made.accountId,
      key: made.key,
      loads,
      signal: over.signal,
    },
    ...{ stripe: selling?.stripe, mails: selling?.mails ?? [] },
    start: async (at, surroundings = given[at] ?? {}) => {
      given[at] = surroundings
      const folder = temporaryFolder(t)
      const server = await startServerProcess(t, folder, {
        ...surroundings,
        flags: ['--order-rate', '0', ...(selling?.flags ?? [])],
        env: { ...selling?.env, ...surroundings.env, TURNOUT_DATABASE_URL: behind(at + 1) },
      })
      void server.ended.then(() => rmSync(folder, { recursive: true, force: true }))
      servers[at] = server
      return server
    },
    findLeader: () => {
      const name = nodes.postgres.psql(
        `SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE l.locktype = 'advisory' AND l.classid = 7472 AND l.objid = 3 AND l.granted`,
      )
      const at = ['server-1', 'server-2'].indexOf(name.trim())
      return at === -1 ? undefined : (at as 0 | 1)
    },
    load: (buyers = 0, breath = BREATH) => {
      const load = startLoad(nodes, { ...made, buyers, breath, name: `load${loads.length}` })
      loads.push(load)
      return load
    },
  }
  return nodes
}

/** Makes an organization that anybody can buy from today, with an event on these days. */
async function makeOrganization(db: Database) {
  const day = (days: number) => new Date(Date.now() + days * DAY).toISOString()
  const file = organization({
    event: {
      ...{ starts_at: day(-1), ends_at: day(3) },
      registration_types: ['Standard', 'Student'].map(name => ({ name, price: 5_000, capacity: 1_000_000 })),
    },
  })
  const applied = await applyOrganization(db, file, { clock: Date.now })
  const accountId = applied.account_id as string
  const event = applied.events['spring-meeting'] as {
    id: string
    registration_types: Record<string, string>
  }
  const { key } = await db.write(accountId, async tx => {
    await accounts.update(tx, seller)
    return keys.create(tx, { name: 'load', scopes: allScopes, expiresAt: null, rateLimit: 0 })
  })
  return { accountId, eventId: event.id, types: event.registration_types, key }
}

/** Starts what a server that sells has around it. */
async function startSelling(t: Context, db: Database, accountId: string) {
  const stripe = await startStripeProcess(t, '--key', STRIPE.key, '--account', STRIPE.account)
  const { url, received } = await startMailServer(t)
  const found = { secretKey: STRIPE.key, isLive: false, account: STRIPE.account, name: 'Ada' }
  await db.write(accountId, async tx => connectStripe(tx, { ...found, at: await tx.now() }))
  return {
    ...{ stripe, mails: received },
    flags: [
      ...['--test-payments', '--mail-rate', '100000'],
      ...['--smtp-url', url, '--mail-from', 'tickets@example.org'],
    ],
    env: { TURNOUT_STRIPE_API: stripe.origin },
  }
}

/** Returns the refunds that the stand-in has made, and the requests for one that it has got. */
export async function findRefunded({ stripe }: Pick<Nodes, 'stripe'>) {
  const remote = (stripe as StripeProcess).remote
  const { refunds } = await remote.books(STRIPE.account)
  const requests = await remote.requests({ method: 'POST', endpoint: '/v1/refunds' })
  return { refunds, requests }
}
