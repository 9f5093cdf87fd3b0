import type { TestContext } from 'node:test'
import { type App, type AppOptions, startApp } from '#app/app.ts'
import type { RecurringName } from '#app/schedule.ts'
import { readConfig } from '#base/config.ts'
import { openLog } from '#base/log.ts'
import { engineOf } from '#machinery/db/open.ts'
import type { Database } from '#machinery/db/port.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes, type Scope } from '#product/administration/keys/scopes.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { offeringReleases } from '#product/selling/orders/offers.ts'
import { payableBy } from '#product/selling/payments/methods.ts'
import { dataFolder } from './blank-database.ts'
import { Client } from './client.ts'
import { type TestClock, testClock } from './clock.ts'
import { engineSettings } from './engine.ts'
import { organization } from './organization.ts'

export interface TestServer {
  app: App
  clock: TestClock
  data: string
  /** A second connection to the same file, as a command of the command line has one. */
  db: Database
  /** The lines of the request log. */
  log: Record<string, unknown>[]
  /** Brings the database to an organization file. */
  apply(file: unknown): Promise<Applied>
  /** Returns a client with a new key of the account. */
  clientOf(
    accountId: string,
    options?: { scopes?: Scope[]; rateLimit?: number; expiresAt?: number },
  ): Promise<Client>
  /** A client without a key. */
  anonymous: Client
}

/** Describes what `apply --json` prints once it was carried out: every id is there. */
export interface Applied {
  account_id: string
  created: number
  updated: number
  kept: number
  changes: string[]
  events: Record<string, { id: string; registration_types: Ids; registrations: Ids; abstracts: Ids }>
  webhooks: Record<string, { id: string; secret: string }>
}

type Ids = Record<string, string>

export interface ServerOptions {
  settings?: Record<string, unknown>
  data?: string
  /** The address of a database on PostgreSQL, instead of that of the folder. */
  databaseUrl?: string
  clock?: TestClock
  logLevel?: string
  /** The tuning of the webhooks, and what is done when the disk fails. Without the latter, the test fails then. */
  tuning?: Partial<Omit<AppOptions, 'clock' | 'log'>>
}

const EACH_SECOND: ReadonlySet<RecurringName> = new Set([
  ...(['clock', 'webhooks', 'mails', 'payments', 'stripe', 'jobs'] as const),
  // The backups follow a cron line of their own.
  'backups',
])

/** Starts a whole server on a real file and a real socket, with a clock that stands still. */
export async function startServer(
  t: Pick<TestContext, 'after'>,
  {
    settings = {},
    data = dataFolder(t),
    databaseUrl,
    clock = testClock(),
    logLevel = 'info',
    tuning = {},
  }: ServerOptions = {},
): Promise<TestServer> {
  const log: Record<string, unknown>[] = []
  const logger = openLog(logLevel, { write: line => log.push(JSON.parse(line)) })
  const onFailure = (error: unknown) => {
    throw error
  }
  // Both clocks stand still here, so a test that moves the one moves the other. Work that recurs seldom comes only when a test says
  // so, and not whenever the machine's minute ends.
  const recurs = (name: RecurringName) =>
    EACH_SECOND.has(name) || (name === 'cleaning' && tuning.cleaningAfter !== undefined)
  const aside = async () => undefined
  const options = { onFailure, monotonic: clock, recurs, aside, ...tuning, clock, log: logger }
  const place = databaseUrl === undefined ? engineSettings(data) : { data, databaseUrl }
  const app = await startApp(readConfig({ ...place, port: 0, ...settings }), options)
  const db = offeringReleases(await engineOf(place).openForCommand(clock), payableBy(new Map()))
  const clients: Client[] = []
  const newClient = (key?: string) => {
    const client = new Client(app.url, key)
    clients.push(client)
    return client
  }
  t.after(async () => {
    await Promise.all(clients.map(client => client.close()))
    await db.close()
    await app.close()
  })
  return {
    app,
    clock,
    data,
    db,
    log,
    apply: async file => (await applyOrganization(db, file, { clock })) as Applied,
    async clientOf(accountId, { scopes = allScopes, rateLimit = 0, expiresAt } = {}) {
      const input = { name: 'test', scopes, expiresAt: expiresAt ?? null, rateLimit }
      const { key } = await db.write(accountId, tx => keys.create(tx, input))
      return newClient(key)
    },
    anonymous: newClient(),
  }
}

/** Starts a server with one organization, and a client with every scope and no limit. */
export async function startWithOrganization(
  t: Pick<TestContext, 'after'>,
  file = organization(),
  options?: ServerOptions,
) {
  const server = await startServer(t, options)
  const applied = await server.apply(file)
  const client = await server.clientOf(applied.account_id)
  const event = applied.events['spring-meeting']
  if (event === undefined) throw new Error('The organization lacks its spring meeting.')
  return { ...server, applied, client, eventId: event.id, types: event.registration_types }
}
