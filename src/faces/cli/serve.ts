import type { Command } from 'commander'
import type { Logger } from 'pino'
import sonicBoom from 'sonic-boom'
import { renderANSI } from 'uqr'
import { type App, startApp } from '#app/app.ts'
import { type Config, logLevels, readConfig } from '#base/config.ts'
import { openLog } from '#base/log.ts'
import { Refusal } from '#base/refusal.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { discardStagedFiles } from '#machinery/files/staged-file.ts'
import { breakOffUnframed } from '#machinery/http/breaking-off.ts'
import { FollowedClock } from '#machinery/ops/followed-clock.ts'
import { giveBackWhenIdle } from '#machinery/ops/start-memory.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as links from '#product/administration/users/links.ts'
import { withDatabase } from './database.ts'
import { explainFirstSteps } from './first-steps.ts'
import { dataFlag, flag, insecureWebhooksFlag, jsonFlag } from './flags.ts'
import type { Terminal } from './terminal.ts'

export interface ServerFlags {
  trustProxy?: string
  json?: boolean
}

/** Adds the flags that `serve` and `sandbox` share. */
export function addServerFlags(command: Command): Command {
  return command
    .addOption(flag('--host <address>', 'the address to listen on; default 127.0.0.1'))
    .addOption(flag('--port <number>', 'the port; 0 picks a free one; default 8080'))
    .addOption(flag('--base-url <url>', 'the address that clients use, such as https://tickets.example.org'))
    .addOption(flag('--behind-proxy', 'allow other addresses than 127.0.0.1, behind a proxy with TLS'))
    .addOption(
      flag('--trust-proxy <ranges>', 'addresses or ranges of proxies whose X-Forwarded-For is believed'),
    )
    .addOption(
      flag(
        '--tls-cert <file>',
        'serve https: the certificate and its chain, PEM; read again when it changes',
      ),
    )
    .addOption(flag('--tls-key <file>', 'the private key of the certificate, PEM without a passphrase'))
    .addOption(insecureWebhooksFlag())
    .addOption(
      flag(
        '--smtp-url <url>',
        'the server that sends mail, such as smtp://user:password@mail.example.org:587',
      ),
    )
    .addOption(flag('--mail-from <address>', 'whom mail comes from, such as tickets@example.org'))
    .addOption(flag('--dkim-key <file>', 'the key that signs mails, PEM, as "turnout mail dkim" makes it'))
    .addOption(flag('--dkim-selector <name>', 'what tells that key from others of the domain of --mail-from'))
    .addOption(flag('--mail-rate <number>', 'mails a minute at most').default('120'))
    .addOption(
      flag(
        '--font-dir <dir>',
        'fonts for PDFs in Chinese, Japanese, Korean and other scripts; default /usr/share/fonts/opentype/noto',
      ),
    )
    .addOption(
      flag('--order-rate <number>', 'orders a minute from one address at most; 0 is no limit').default('30'),
    )
    .addOption(
      flag('--files-limit <GiB>', 'room for all files beside abstracts; those of an event have 2').default(
        '10',
      ),
    )
    .addOption(flag('--access-log-days <number>', 'days to keep the access log').default('365'))
}

export function addServe(program: Command, terminal: Terminal): void {
  addServerFlags(program.command('serve'))
    .description('run the server')
    .addOption(dataFlag())
    .addOption(
      flag('--test-payments', 'take payments by a processor that moves no money, to rehearse a sale'),
    )
    .addOption(
      flag(
        '--local-ca',
        'serve https by a certificate of its own, which phones install from /trust; on every address and port 8443 by default',
      ),
    )
    .addOption(flag('--trust-port <number>', 'the port of http://…/trust, without TLS; default 8080'))
    .addOption(
      flag(
        '--door-only',
        'only admit: a copy at the door that mails, sells, sends and ends nothing by itself',
      ),
    )
    .addOption(flag('--metrics-port <number>', 'serve /metrics for Prometheus on this port, without a key'))
    .addOption(flag('--metrics-host <address>', 'the address to serve metrics on; default 127.0.0.1'))
    .addOption(flag('--backup-dir <dir>', 'the folder for backups; without it, none are made'))
    .addOption(
      flag('--backup-every <cron>', 'when to back up, in the time zone of the machine; default "0 3 * * *"'),
    )
    .addOption(flag('--backup-keep <number>', 'how many backups to keep; default 7'))
    .addOption(flag('--log-level <level>', `one of ${logLevels.join(', ')}`).default('info'))
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout serve --data /var/lib/turnout --port 8080')
    .action(async (flags: ServerFlags) => {
      const config = readConfig(toSettings(flags))
      const app = await startFor(terminal, config)
      // The signals are handled before the command says that it listens, because a reader of that line may stop it at once.
      const stopped = untilStopped()
      try {
        // An operator who wants only warnings gets no messages, except the link without which nobody could begin.
        const isVerbose = config.logLevel === 'info' || config.logLevel === 'debug'
        const setup = app.isEmpty ? await makeSetupLink(terminal, config, app) : undefined
        terminal.out(flags.json ? `${JSON.stringify(placesOf(app, setup))}\n` : describePlaces(app))
        if (app.trust !== undefined && isVerbose) terminal.err(tellTrust(app.trust))
        if (setup !== undefined) terminal.err(explainFirstSteps(config, setup))
        const endWaiting = giveBackWhenIdle()
        await stopped
        endWaiting()
      } finally {
        await app.close()
      }
    })
}

/**
 * Each start makes a new link, and voids the earlier ones. Where several servers may run, each has printed its own, and all are good
 * until one of them is used.
 *
 * @returns undefined if another server or a command has made an account meanwhile
 */
async function makeSetupLink(
  terminal: Terminal,
  config: Config,
  { siteUrl }: App,
): Promise<string | undefined> {
  const voidsEarlier = config.databaseUrl === undefined
  const link = await withDatabase(config, terminal.clock, db =>
    db.write(INSTANCE, async tx => {
      const isEmpty = (await accounts.list(tx)).length === 0
      return isEmpty ? links.makeSetup(tx, { voidsEarlier }) : undefined
    }),
  )
  return link && links.linkUrl(siteUrl, 'setup', link.token)
}

function placesOf({ url, siteUrl, metricsUrl, trust }: App, setup: string | undefined): object {
  return {
    base_url: url,
    manage_url: setup ?? siteUrl + links.DASHBOARD_PATH,
    ...(metricsUrl === undefined ? {} : { metrics_url: metricsUrl }),
    ...(trust === undefined ? {} : { trust_url: trust.url, ca_sha256: trust.fingerprint }),
  }
}

function describePlaces({ url, siteUrl, metricsUrl, trust }: App): string {
  const lines = [
    `listening on ${url}`,
    ...(metricsUrl === undefined ? [] : [`metrics on ${metricsUrl}`]),
    ...(trust === undefined
      ? []
      : [
          `people open ${siteUrl}`,
          `phones install its certificate from ${trust.url}`,
          `whose SHA-256 is ${trust.fingerprint}`,
        ]),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns the notices about the CA. At a terminal, it also shows the CA's address as a QR code for a phone. */
function tellTrust({ url, notices }: NonNullable<App['trust']>): string {
  const notes = notices.map(each => `note: ${each}\n`).join('')
  return process.stderr.isTTY ? `${notes}\n${renderANSI(url)}\n\n` : notes
}

const DISK_FAILED = 'The disk has failed, so no write can be promised any more. Check it, then start again.'

/** Starts the server for a person at a terminal. The process ends at once if the disk fails or the files are lost. */
export function startFor(terminal: Terminal, config: Config): Promise<App> {
  const log = openLogOnStderr(config.logLevel)
  process.on('exit', breakOffUnframed)
  const { clock: own } = terminal
  const followed = config.databaseUrl === undefined ? undefined : new FollowedClock(own)
  return startApp(config, {
    clock: followed?.now ?? own,
    followed,
    log,
    onFailure: error => {
      const isLost = error instanceof Refusal
      log.fatal({ err: error }, isLost ? 'the data folder was lost' : 'the disk has failed')
      const sentence = isLost ? error.message : DISK_FAILED
      terminal.err(`error: ${sentence}\n`)
      process.exit(1)
    },
  })
}

export function toSettings(flags: ServerFlags): Record<string, unknown> {
  const { trustProxy, ...rest } = flags
  const stripeApi = process.env.TURNOUT_STRIPE_API
  return {
    ...rest,
    ...(stripeApi === undefined || stripeApi === '' ? {} : { stripeApi }),
    ...(trustProxy === undefined ? {} : { trustProxy: trustProxy.split(',').map(range => range.trim()) }),
  }
}

/** At most this many bytes wait to be written to the log. If the log stands still, further lines are dropped. */
const MAX_LOG_WAITING = 1024 * 1024

/** Opens a log that writes JSON lines to stderr, because stdout carries only the output. */
function openLogOnStderr(level: string): Logger {
  // Pino's own destination would try for ever to write to a full disk at the end of the process.
  const stderr = new sonicBoom.SonicBoom({ fd: 2, sync: false, maxLength: MAX_LOG_WAITING })
  let broken = false
  stderr.on('error', () => {
    broken = true
  })
  const lines = new GatheredLines(stderr)
  process.on('exit', () => {
    if (!broken) lines.flushSync()
  })
  return openLog(level, lines)
}

/** Lines wait for others for at most this many milliseconds. */
const LINES_GATHERED = 10

/**
 * Hands lines on together. Each write to the file wakes a thread, which takes the event loop some 15 µs: that was a tenth of a read
 * with its line. Nothing waits when the process ends.
 */
class GatheredLines {
  readonly #stream: sonicBoom.SonicBoom
  #lines = ''

  constructor(stream: sonicBoom.SonicBoom) {
    this.#stream = stream
  }

  write(line: string): void {
    if (this.#lines === '') setTimeout(() => this.#handOn(), LINES_GATHERED).unref()
    this.#lines += line
  }

  /** Writes all lines at once. Pino calls this after a fatal error. */
  flushSync(): void {
    this.#handOn()
    this.#stream.flushSync()
  }

  #handOn(): void {
    if (this.#lines === '') return
    const lines = this.#lines
    this.#lines = ''
    this.#stream.write(lines)
  }
}

/** Resolves at the first SIGTERM, SIGINT or SIGHUP. The second signal ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    let isStopping = false
    const stop = (signal: NodeJS.Signals, number: number) => {
      if (isStopping) {
        discardStagedFiles()
        breakOffUnframed()
        // An exit would wait for the thread of a backup to end, so the signal itself ends the process. The first process of a
        // container does not get such a signal, so the exit follows.
        process.removeAllListeners(signal)
        process.kill(process.pid, signal)
        process.exit(128 + number)
      }
      isStopping = true
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    // The system sends this signal when the window of the terminal is closed.
    process.on('SIGHUP', stop)
  })
}
