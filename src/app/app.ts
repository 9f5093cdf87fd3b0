import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import * as accounts from '../accounts/rules.ts'
import { API_PATH } from '../api/route.ts'
import type { Config } from '../config.ts'
import type { OpenedDatabase } from '../db/engine.ts'
import { type Instance, readInstance } from '../db/instance.ts'
import { engineOf } from '../db/open.ts'
import type { Database } from '../db/port.ts'
import type { TextLookup } from '../emails/domain-watch.ts'
import { CertificateWatch } from '../http/certificate.ts'
import type { MemoryBudget } from '../http/memory-budget.ts'
import type { HttpServer } from '../http/server.ts'
import { ClockWatch } from '../ops/clock-watch.ts'
import { Health, type HealthService } from '../ops/health.ts'
import type { DiskSpace } from '../ops/instance-needs.ts'
import type { Metrics } from '../ops/metrics.ts'
import type { MetricsPort } from '../ops/metrics-port.ts'
import { IS_COPY, markEnd, markStart } from '../ops/run-mark.ts'
import { ScheduledBackups } from '../ops/scheduled-backups.ts'
import { Refusal } from '../refusal.ts'
import type { Clock } from '../time.ts'
import { TRUST_PATH } from '../trust/face.tsx'
import { countFailing, countPending } from '../webhooks/deliveries.ts'
import { IS_BOX, NO_PAYMENTS } from './door-only.ts'
import { mountFaces } from './faces.ts'
import { Mailing } from './mail.ts'
import { meterPayments, Payments } from './payments.ts'
import { openPorts, type Ports, type TrustPort } from './ports.ts'
import { System } from './system.ts'
import { serveTrust } from './trust.ts'
import { startWork, type Work } from './work.ts'

export interface App {
  /** The address of the API, with its version: `http://127.0.0.1:8080/v1`. */
  url: string
  /** The address that people use: `http://127.0.0.1:8080`. */
  siteUrl: string
  /** The address of the metrics; undefined without a port of their own. */
  metricsUrl: string | undefined
  /** Where phones get the server's own CA; undefined without `--local-ca`. */
  trust: { url: string; fingerprint: string; told: readonly string[] } | undefined
  /** Whether there was no account yet when it started. */
  isEmpty: boolean
  /** Stops accepting, finishes the requests in flight, closes the database. */
  close(): Promise<void>
}

export interface AppOptions {
  clock: Clock
  log: Logger
  /** Stops the process: the disk has failed and its state is unknown, or a Refusal says what was lost. */
  onFailure: (error: unknown) => void
  /** For tests: the deadline of a webhook attempt in milliseconds, the look-up of names, the source of the jitter. */
  webhookDeadline?: number
  webhookLookup?: LookupFunction
  random?: () => number
  /** How often the files of the certificate are checked, in milliseconds. */
  certificateInterval?: number
  /** How long after the start it first cleans up, in milliseconds. */
  cleaningAfter?: number
  /** Milliseconds of a clock that nobody sets, and how often it is compared with the clock. */
  monotonic?: Clock
  clockInterval?: number
  /** Limits on the memory of requests under way. */
  memory?: MemoryBudget
  /** For tests: what is free on the disk of a folder. */
  diskSpace?: (folder: string) => Promise<DiskSpace>
  /** For tests: the look-up of the texts of names. */
  textLookup?: TextLookup
}

/** The parts of a server: its options, and everything that has been started so far. */
interface Server {
  readonly config: Config
  readonly options: AppOptions
  readonly running: Running
}

interface Running extends Work {
  http?: HttpServer
  trust?: HttpServer
  stopTrust?: (() => void) | undefined
  monitor?: MetricsPort
  database?: OpenedDatabase
  markEnd?: () => Promise<void>
  clockWatch?: ClockWatch
  backups?: ScheduledBackups
  mail?: Mailing
  payments?: Payments
  certificateWatch?: CertificateWatch
  health?: Health
  system?: System
}

/**
 * The composition root: it puts all parts together, for the command line and for the tests alike.
 *
 * @throws Refusal, which leaves nothing behind
 */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const running: Running = {}
  const server = { config, options, running }
  let stopped: Promise<void> | undefined
  const close = () => {
    stopped ??= stop(running)
    return stopped
  }
  try {
    if (config.doorOnly) refuseNoData(config)
    const mail = new Mailing({ config, ...options })
    running.mail = mail
    // The ports come first: a port in use leaves no new database behind. Early clients wait for their answer.
    const ports = await openPorts(config, options.clock, options.log, running)
    const data = await openData(server, ports.monitor?.metrics)
    ports.trust?.ca.keep()
    const backups = prepareBackups(server, data)
    const payments = new Payments({
      ...{ config, clock: options.clock, log: options.log, db: data.db },
      ...{ baseUrl: config.baseUrl ?? ports.url, secret: data.instance.cursor_secret },
    })
    running.payments = payments
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
        attemptsInFlight: () => running.deliveries?.inFlight ?? 0,
        pendingDeliveries: () => data.db.read(countPending),
        failingEndpoints: () => data.db.read(tx => countFailing(tx, options.clock())),
        payments: meterPayments(data.db, options.clock),
        certificateExpiry: () => certificateWatch?.current.validTo,
      },
      data.health,
    )
    const isEmpty = (await data.db.read(accounts.list)).length === 0
    ports.http.serve(site)
    running.stopTrust = ports.trust && serveTrust(ports.trust, config.baseUrl ?? ports.url, config, options)
    backups?.start()
    const working = { ...data, mail, payments, url: ports.url, metrics: ports.monitor?.metrics }
    startWork({ config, ...options, ...working }, running)
    return {
      url: ports.url + API_PATH,
      siteUrl: config.baseUrl ?? ports.url,
      metricsUrl: ports.monitor?.url,
      trust: ports.trust && describeTrust(ports.trust),
      isEmpty,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** An empty one that it made would stand in the way of the copy. @throws Refusal */
function refuseNoData(config: Config): void {
  if (engineOf(config).exists()) return
  throw new Refusal(
    `--door-only needs a copy of the data of your server, and ${config.data} has none: "turnout restore FILE --data ${config.data}" first.`,
  )
}

/** Stops the parts from the top down: nothing new begins, work under way ends, and then the parts below it stop. */
async function stop(running: Running): Promise<void> {
  running.health?.stop()
  running.backups?.stop()
  running.stopTrust?.()
  running.system?.stop()
  // Together: whoever asks while a job ends its batch is told that the connection closes.
  await Promise.all([running.stopBackground?.(), running.http?.close(), running.trust?.close()])
  running.certificateWatch?.stop()
  await running.payments?.stop()
  await running.deliveries?.stop()
  await running.mail?.stop()
  // None of these waits for a backup under way.
  await running.backups?.ended()
  await running.clockWatch?.stop()
  // Before the parts that it watches.
  await running.monitor?.close()
  await running.markEnd?.()
  await running.database?.close()
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
  const { clock, log, onFailure, monotonic, clockInterval } = options
  const database = await engineOf(config).openForServer({ clock, onFailure, meter: metrics?.database })
  running.database = database
  const { db, probe } = database
  const clockWatch = new ClockWatch({ db, clock, log, monotonic, interval: clockInterval })
  running.clockWatch = clockWatch
  await clockWatch.start()
  if (await markStart(db, config.data, clock())) log.warn(config.doorOnly ? IS_BOX : IS_COPY)
  running.markEnd = () => markEnd(db, config.data, log)
  const instance = await db.read(readInstance)
  const health = new Health({ probe, log })
  running.health = health
  return {
    db,
    database,
    clockWatch,
    instance,
    health: { isHealthy: () => health.isHealthy(), healthDetails: () => clockWatch.details() },
  }
}

/** @throws Refusal when the backup folder cannot be used */
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

/** For the page of operators. */
function describeSystem(
  { config: { data }, options: { clock, log }, running }: Server,
  { database, clockWatch }: Data,
  backups: ScheduledBackups | undefined,
): System {
  const certificateEnds = () => running.certificateWatch?.current.validTo
  running.system = new System({ data, clock, log, database, clockWatch, certificateEnds, backups })
  return running.system
}

function describeTrust({ url, ca }: TrustPort): NonNullable<App['trust']> {
  return { url: url + TRUST_PATH, fingerprint: ca.fingerprint, told: ca.told }
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
    interval: options.certificateInterval,
  })
  running.certificateWatch = watch
  return watch
}
