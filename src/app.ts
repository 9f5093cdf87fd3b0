import type { AddressInfo, LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { databasePath, makeDataFolder, openDatabaseForServer, serverLockPath } from './db/data-folder.ts'
import { readInstance } from './db/instance.ts'
import { lockForServer } from './db/server-lock.ts'
import { startHousekeeping } from './housekeeping.ts'
import { clientAddressFinder } from './http/client-address.ts'
import { Cursors } from './http/cursors.ts'
import { buildPipeline } from './http/pipeline.ts'
import { createHttpServer } from './http/server.ts'
import { publicRoutes } from './public-routes.ts'
import { routes } from './routes.ts'
import { ScheduledBackups } from './scheduled-backups.ts'
import type { Clock } from './time.ts'
import { DeliveryLoop } from './webhooks/delivery-loop.ts'
import { Sender } from './webhooks/sender.ts'

export interface App {
  /** Where the API answers, with its version: `http://127.0.0.1:8080/v1`. */
  url: string
  /** Stops accepting, finishes what is in flight, closes the database. */
  close(): Promise<void>
}

export interface AppOptions {
  clock: Clock
  log: Logger
  /** Stops the process: the disk has failed, and nobody knows what is on it. */
  onFailure: (error: unknown) => void
  /** For tests: the deadline of a webhook attempt in milliseconds, how names are looked up, what the jitter is drawn from. */
  webhookDeadline?: number
  webhookLookup?: LookupFunction
  random?: () => number
}

/**
 * The composition root: everything that runs is put together here, for the command line and for the tests alike.
 *
 * @throws DatabaseRefused; errors of listening, such as EADDRINUSE
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
    makeDataFolder(config.data)
    closers.push(lockForServer(serverLockPath(config.data)))
    const db = openDatabaseForServer(config.data, clock, onFailure)
    closers.push(() => db.close())

    const instance = await db.read(readInstance)
    if (instance.latest_write_at > clock()) {
      log.warn('the clock of this machine is behind the last write of the database: check it')
    }

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

    let url = ''
    const pipeline = buildPipeline(
      {
        db,
        clock,
        log,
        cursors: new Cursors(instance.cursor_secret),
        clientAddress: clientAddressFinder(config.trustProxy),
      },
      routes,
      publicRoutes(config.baseUrl, () => url),
    )
    const sender = new Sender({
      clock,
      allowInsecure: config.allowInsecureWebhooks,
      deadline: tuning.webhookDeadline,
      lookup: tuning.webhookLookup,
    })
    const deliveries = new DeliveryLoop({ db, clock, log, sender, random: tuning.random ?? Math.random })
    deliveries.start()
    closers.push(() => deliveries.stop())

    const http = createHttpServer(pipeline.listener, pipeline.rateLimitHeaders, log)
    await new Promise<void>((resolve, reject) => {
      http.server.once('error', reject)
      http.server.listen(config.port, config.host, resolve)
    })
    closers.push(() => http.close())
    backups?.start()
    closers.push(() => backups?.stop())
    closers.push(startHousekeeping(db, clock, config.accessLogDays, log))

    const { address, port, family } = http.server.address() as AddressInfo
    url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/v1`
    return { url, close }
  } catch (error) {
    await close()
    throw error
  }
}
