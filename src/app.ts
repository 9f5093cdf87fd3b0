import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import { Cursors } from './api/cursors.ts'
import { publicRoutes } from './api/description/public-routes.ts'
import { buildPipeline } from './api/pipeline.ts'
import { routes } from './api/routes.ts'
import { cleanUp } from './cleaning.ts'
import type { Config } from './config.ts'
import { readInstance } from './db/instance.ts'
import { claimForServer, databasePath, openDatabaseForServer } from './db/sqlite/data-folder.ts'
import { CertificateWatch, readCertificate } from './http/certificate.ts'
import { clientAddressFinder, proxyFinder } from './http/client-address.ts'
import { listen } from './http/listening.ts'
import { MemoryBudget } from './http/memory-budget.ts'
import { createHttpServer } from './http/server.ts'
import { ClockWatch } from './ops/clock-watch.ts'
import { Health } from './ops/health.ts'
import { startHousekeeping } from './ops/housekeeping.ts'
import { openMetricsPort } from './ops/metrics-port.ts'
import { ScheduledBackups } from './ops/scheduled-backups.ts'
import type { Clock } from './time.ts'
import { countPending } from './webhooks/deliveries.ts'
import { DeliveryLoop } from './webhooks/delivery/loop.ts'
import { Sender } from './webhooks/delivery/sender.ts'

export interface App {
  /** Where the API answers, with its version: `http://127.0.0.1:8080/v1`. */
  url: string
  /** Where the metrics are read; undefined without a port of their own. */
  metricsUrl: string | undefined
  /** Stops accepting, finishes what is in flight, closes the database. */
  close(): Promise<void>
}

export interface AppOptions {
  clock: Clock
  log: Logger
  /** Stops the process: the disk has failed, and nobody knows what is on it, or a Refusal says what was lost. */
  onFailure: (error: unknown) => void
  /** For tests: the deadline of a webhook attempt in milliseconds, how names are looked up, what the jitter is drawn from. */
  webhookDeadline?: number
  webhookLookup?: LookupFunction
  random?: () => number
  /** How often the files of the certificate are looked at, in milliseconds. */
  certificateInterval?: number
  /** When it cleans up for the first time, in milliseconds. */
  cleaningAfter?: number
  /** Milliseconds of a clock that nobody sets, and how often it is compared with the clock. */
  monotonic?: Clock
  clockInterval?: number
  /** What the requests under way keep in memory. */
  memory?: MemoryBudget
}

/**
 * The composition root: everything that runs is put together here, for the command line and for the tests alike.
 *
 * @throws Refusal, which leaves nothing behind
 */
export async function startApp(
  config: Config,
  { clock, log, onFailure, ...tuning }: AppOptions,
): Promise<App> {
  const closers: (() => void | Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const { tlsCert, tlsKey, metricsPort } = config
    const files = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey }
    const certificate = files && (await readCertificate(files))
    const connections = { isProxy: proxyFinder(config.trustProxy) }
    const http = createHttpServer(log, { certificate, connections })
    closers.push(() => http.close())
    // Before anything is made: a port that is taken leaves no new database behind. Who asks already waits for the answer.
    const place = { host: config.host, port: config.port, hostFlag: '--host', portFlag: '--port' }
    const address = await listen(http.server, place)
    const monitor =
      metricsPort === undefined ? undefined : await openMetricsPort(config.metricsHost, metricsPort, log)
    const metrics = monitor?.metrics
    closers.push(() => monitor?.close())

    const claim = claimForServer(config.data)
    closers.push(claim)
    const db = openDatabaseForServer(config.data, clock, onFailure, metrics?.database, claim.keep)
    closers.push(() => db.close())
    // Sooner than what it looks at.
    closers.push(() => monitor?.close())

    const { monotonic, clockInterval } = tuning
    const clockWatch = new ClockWatch({ db, clock, log, monotonic, interval: clockInterval })
    closers.push(() => clockWatch.stop())
    await clockWatch.start()
    const instance = await db.read(readInstance)

    const backups =
      config.backupDir === undefined
        ? undefined
        : new ScheduledBackups({
            database: databasePath(config.data),
            folder: config.backupDir,
            every: config.backupEvery,
            keep: config.backupKeep,
            secret: instance.cursor_secret,
            clock,
            log,
          })
    // Last, so that nothing else waits for a backup that is under way.
    closers.push(() => backups?.ended())

    const url = `${certificate === undefined ? 'http' : 'https'}://${address}/v1`
    const health = new Health({ db, folder: config.data, log })
    const isHealthy = () => health.isHealthy()
    const healthDetails = () => clockWatch.details()
    const pipeline = buildPipeline(
      {
        db,
        clock,
        log,
        cursors: new Cursors(instance.cursor_secret),
        memory: tuning.memory ?? new MemoryBudget(),
        clientAddress: clientAddressFinder(config.trustProxy),
        isHealthy,
        healthDetails,
        observe: metrics?.observeRequest,
      },
      routes,
      publicRoutes(config.baseUrl, url),
    )
    const sender = new Sender({
      clock,
      allowInsecure: config.allowInsecureWebhooks,
      deadline: tuning.webhookDeadline,
      lookup: tuning.webhookLookup,
    })
    const deliveries = new DeliveryLoop({
      db,
      clock,
      log,
      sender,
      random: tuning.random ?? Math.random,
      observe: metrics?.observeAttempt,
    })
    deliveries.start()
    closers.push(() => deliveries.stop())

    const watch =
      files &&
      certificate &&
      new CertificateWatch({
        files,
        current: certificate,
        clock,
        log,
        onChange: renewed => http.useCertificate(renewed),
        interval: tuning.certificateInterval,
      })
    closers.push(() => watch?.stop())

    const parts = {
      load: () => db.load(),
      connections: () => http.open,
      attemptsInFlight: () => deliveries.inFlight,
      pendingDeliveries: () => db.read(countPending),
      certificateExpiry: () => watch?.current.validTo,
    }
    monitor?.serve(parts, { isHealthy, healthDetails })
    http.serve({ ...pipeline, observe: metrics?.observeRequest })
    closers.push(() => http.close())
    backups?.start()
    closers.push(() => backups?.stop())
    const { accessLogDays } = config
    const clean = (signal: AbortSignal) => cleanUp(db, clock, accessLogDays, signal)
    closers.push(startHousekeeping({ clean, log, firstAfter: tuning.cleaningAfter }))
    closers.push(() => health.stop())

    return { url, metricsUrl: monitor?.url, close }
  } catch (error) {
    await close()
    throw error
  }
}
