import type { Config } from '#base/config.ts'
import { Refusal } from '#base/refusal.ts'
import { API_PATH } from '#faces/api/route.ts'
import { TRUST_PATH } from '#faces/trust/face.tsx'
import type { OpenedDatabase } from '#machinery/db/engine.ts'
import { type Instance, readInstance } from '#machinery/db/instance.ts'
import { engineOf } from '#machinery/db/open.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { CertificateWatch } from '#machinery/http/certificate.ts'
import type { HttpServer } from '#machinery/http/server.ts'
import { ClockWatch } from '#machinery/ops/clock-watch.ts'
import { Health, type HealthService } from '#machinery/ops/health.ts'
import type { Metrics } from '#machinery/ops/metrics.ts'
import type { MetricsPort } from '#machinery/ops/metrics-port.ts'
import { IS_COPY, markEnd, markStart } from '#machinery/ops/run-mark.ts'
import { ScheduledBackups } from '#machinery/ops/scheduled-backups.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { countFailing, countPending } from '#product/administration/webhooks/deliveries.ts'
import { IS_BOX, NO_PAYMENTS } from './door-only.ts'
import { examineServer } from './examine-server.ts'
import { mountFaces } from './faces.ts'
import { prepareFonts } from './fonts.ts'
import { Leading } from './leading.ts'
import { Mailing } from './mail.ts'
import type { AppOptions } from './options.ts'
import { meterPayments, Payments } from './payments.ts'
import { openPorts, type Ports, type TrustPort } from './ports.ts'
import { type RecurringName, type RecurringParts, Schedule } from './schedule.ts'
import { LINGER, stepAside } from './step-aside.ts'
import { System } from './system.ts'
import { serveTrust } from './trust.ts'
import type { WorkOptions } from './work.ts'

export type { AppOptions } from './options.ts'

export interface App {
  /** The address of the API, with its version: `http://127.0.0.1:8080/v1`. */
  url: string
  /** The address that people use: `http://127.0.0.1:8080`. */
  siteUrl: string
  /** The address of the metrics, or undefined without a port of their own. */
  metricsUrl: string | undefined
  /** The address where phones get the server's own CA, or undefined without `--local-ca`. */
  trust: { url: string; fingerprint: string; notices: readonly string[] } | undefined
  /** Tells whether there was no account yet when the server started. */
  isEmpty: boolean
  /**
   * Stops accepting connections, finishes the requests in flight and closes the database. Where other servers have the database too,
   * this one first goes on answering for some seconds.
   */
  close(): Promise<void>
  /** For tests: does the named work that is due by the clock, and all that follows from it, and waits for it. */
  settled(...names: RecurringName[]): Promise<void>
}

/** The parts of a server: its options, and everything that it has started so far. */
interface Server {
  readonly config: Config
  readonly options: AppOptions
  readonly running: Running
}

interface Running extends RecurringParts {
  http?: HttpServer
  trust?: HttpServer
  monitor?: MetricsPort
  database?: OpenedDatabase
  markEnd?: () => Promise<void>
  payments?: Payments
  leading?: Leading
  schedule?: Schedule
  health?: Health
  system?: System
}

/**
 * Starts a server. This is the composition root: it connects all parts, for the command line and for the tests alike.
 *
 * @throws Refusal, which leaves nothing behind
 */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const running: Running = {}
  const server = { config, options, running }
  let stopped: Promise<void> | undefined
  const close = () => {
    stopped ??= stop(server)
    return stopped
  }
  try {
    if (config.doorOnly) await refuseNoData(config)
    prepareFonts(config, options.log)
    const mail = new Mailing({ config, ...options })
    // The ports come first, so that a port in use leaves no new database behind. Early clients wait for their answer.
    const ports = await openPorts(config, options.clock, options.log, running)
    const opened = await openData(server, ports.monitor?.metrics)
    ports.trust?.ca.keep()
    const payments = new Payments({
      ...{ config, clock: options.clock, log: options.log, db: opened.db },
      ...{ baseUrl: config.baseUrl ?? ports.url, secret: opened.instance.cursor_secret },
    })
    running.payments = payments
    const data = { ...opened, db: payments.db }
    const backups = prepareBackups(server, data)
    const site = mountFaces({
      ...{ config, clock: options.clock, log: options.log, memory: options.memory },
      ...{ backups, certificateEnds: () => running.certificateWatch?.current.validTo },
      diskSpace: options.diskSpace,
      ...{ url: ports.url, observe: ports.monitor?.metrics.observeRequest, ...data },
      system: describeSystem(server, data, backups),
      mail: mail.describe(config.baseUrl ?? ports.url, data.instance.cursor_secret),
      ...{ payments: config.doorOnly ? NO_PAYMENTS : payments.reconciler, stripe: payments.stripe },
      localCa: ports.trust?.ca,
    })
    const certificateWatch = watchCertificate(server, ports)
    ports.monitor?.serve(
      {
        connections: () => ports.http.open,
        attemptsInFlight: () => running.leading?.work.deliveries?.inFlight ?? 0,
        pendingDeliveries: () => data.db.read(INSTANCE, countPending),
        failingEndpoints: () => data.db.read(INSTANCE, tx => countFailing(tx, options.clock())),
        payments: meterPayments(data.db, options.clock),
        certificateExpiry: () => certificateWatch?.current.validTo,
      },
      data.health,
    )
    const isEmpty = (await data.db.read(INSTANCE, accounts.list)).length === 0
    ports.http.serve(site)
    running.watchAddresses =
      ports.trust && serveTrust(ports.trust, config.baseUrl ?? ports.url, config, options)
    const working = { ...data, mail, payments, url: ports.url, metrics: ports.monitor?.metrics }
    const settled = beginWork(server, working)
    return {
      url: ports.url + API_PATH,
      siteUrl: config.baseUrl ?? ports.url,
      metricsUrl: ports.monitor?.url,
      trust: ports.trust && describeTrust(ports.trust),
      isEmpty,
      close,
      settled,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Begins what the server does by itself, and what only one server of a database does. @returns what tests wait by */
function beginWork(
  { config, options, running }: Server,
  working: Omit<WorkOptions, 'config' | 'clock' | 'log' | 'feed'> & Pick<Data, 'database'>,
): App['settled'] {
  const feed = config.doorOnly ? undefined : working.payments.listen()
  const leading = new Leading({ config, ...options, ...working, feed })
  running.leading = leading
  const schedule = new Schedule(running, options)
  running.schedule = schedule
  schedule.start()
  const { lead } = working.database
  if (lead === undefined) leading.begin()
  else lead(leading)
  return async (...names) => {
    for (const name of names) await (schedule.has(name) ? schedule.settled([name]) : leading.settled(name))
  }
}

/** Refuses a folder without data. A server that made an empty database would stand in the way of the copy. @throws Refusal */
async function refuseNoData(config: Config): Promise<void> {
  if (await engineOf(config).exists()) return
  throw new Refusal(
    `--door-only needs a copy of the data of your server, and ${config.data} has none: "turnout restore FILE --data ${config.data}" first.`,
  )
}

/** Stops the parts from the top down: nothing new begins, work under way ends, and then the parts below it stop. */
async function stop({ running, options }: Server): Promise<void> {
  const { leading, http, trust, database } = running
  running.health?.stop()
  const isAside = leading && database && (await stepAside(database, options.aside))
  const looked = running.schedule?.stop()
  running.backups?.stop()
  running.system?.stop()
  // These stop together: a client that asks while a job ends its batch is told that the connection closes.
  await Promise.all([leading?.stopBackground(), http?.close(isAside ? LINGER : 0), trust?.close()])
  await leading?.end()
  await running.payments?.stop()
  // None of the parts above waits for a backup under way.
  await running.backups?.ended()
  await looked
  await running.clockWatch?.stop()
  // The metrics stop before the parts that they watch.
  await running.monitor?.close()
  await running.markEnd?.()
  await database?.close()
}

interface Data {
  db: Database
  database: OpenedDatabase
  clockWatch: ClockWatch
  instance: Instance
  health: HealthService
}

/** Claims the data folder, opens its database, and begins to watch the clock. @throws Refusal */
async function openData({ config, options, running }: Server, metrics: Metrics | undefined): Promise<Data> {
  const { clock, followed, log, onFailure, monotonic } = options
  const database = await engineOf(config).openForServer({
    clock,
    follow: followed,
    onFailure,
    meter: metrics?.database,
  })
  running.database = database
  const { db, probe } = database
  const clockWatch = new ClockWatch({ db, clock, log, monotonic })
  running.clockWatch = clockWatch
  await clockWatch.start()
  if (!database.hasOwnMark) {
    if (await markStart(db, config.data, clock())) log.warn(config.doorOnly ? IS_BOX : IS_COPY)
    running.markEnd = () => markEnd(db, config.data, log)
  }
  const instance = await db.read(INSTANCE, readInstance)
  const health = new Health({ probe, log })
  running.health = health
  return {
    db,
    database,
    clockWatch,
    instance,
    health: {
      isHealthy: () => health.isHealthy(),
      healthDetails: () => [...clockWatch.details(), ...(followed?.details() ?? [])],
    },
  }
}

/** Prepares the backups, if there is a folder for them. @throws Refusal if the backup folder cannot be used */
function prepareBackups(
  { config, options, running }: Server,
  { instance, database: { backUp } }: Data,
): ScheduledBackups | undefined {
  if (config.backupDir === undefined) return undefined
  const backups = new ScheduledBackups({
    backUp,
    folder: config.backupDir,
    every: config.backupEvery,
    keep: config.backupKeep,
    secret: instance.cursor_secret,
    clock: options.clock,
    log: options.log,
  })
  running.backups = backups
  return backups
}

/** Returns the state of the server for the page of operators. */
function describeSystem(
  { config, options, running }: Server,
  { database, clockWatch }: Data,
  backups: ScheduledBackups | undefined,
): System {
  const { clock, log } = options
  const certificateEnds = () => running.certificateWatch?.current.validTo
  const examine = () => examineServer({ config, options, backups, database })
  const parts = { place: config, clock, log, database, clockWatch, certificateEnds, backups, examine }
  running.system = new System(parts)
  return running.system
}

function describeTrust({ url, ca }: TrustPort): NonNullable<App['trust']> {
  return { url: url + TRUST_PATH, fingerprint: ca.fingerprint, notices: ca.notices }
}

function watchCertificate(
  { options, running }: Server,
  { http, secure }: Ports,
): CertificateWatch | undefined {
  if (secure === undefined) return undefined
  const watch = new CertificateWatch({
    files: secure.files,
    current: secure.certificate,
    clock: options.clock,
    log: options.log,
    onChange: renewed => http.useCertificate(renewed),
  })
  running.certificateWatch = watch
  return watch
}
