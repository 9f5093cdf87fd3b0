import { CronTime } from 'cron'
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { isLoopback } from './http/client-address.ts'
import { Refusal } from './refusal.ts'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/** A flag's text, or a number. */
function wholeNumber(sentence: string, least: number, most: number) {
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))], sentence),
    v.integer(),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )
}

const port = wholeNumber('must be a port number, or 0 for a free one', 0, 65_535)
const days = wholeNumber('must be a number of days', 1, 36_500)
const backupsKept = wholeNumber('must be a number of backups', 1, 10_000)

const cronLine = v.pipe(
  v.string(),
  v.maxLength(200, 'must be a cron line such as "0 3 * * *"'),
  v.check(isCronLine, 'must be a cron line such as "0 3 * * *", which is every night at three'),
)

/** Without a slash at its end. */
const baseUrl = v.pipe(
  v.string(),
  v.check(
    isBaseUrl,
    'must be an http or https address such as https://tickets.example.org, without a password',
  ),
  v.transform(withoutVersion),
)

const proxies = v.array(
  v.pipe(v.string(), v.check(isRange, 'must be addresses or ranges such as 10.0.0.0/8')),
)

const file = v.pipe(v.string(), v.nonEmpty('must name a file'))

const configSchema = v.object({
  data: v.pipe(v.string(), v.nonEmpty('must name a folder')),
  host: v.optional(v.pipe(v.string(), v.nonEmpty('must name an address')), '127.0.0.1'),
  port: v.optional(port, 8080),
  baseUrl: v.optional(baseUrl),
  behindProxy: v.optional(v.boolean(), false),
  trustProxy: v.optional(proxies, []),
  tlsCert: v.optional(file),
  tlsKey: v.optional(file),
  metricsHost: v.optional(v.pipe(v.string(), v.nonEmpty('must name an address'))),
  metricsPort: v.optional(port),
  allowInsecureWebhooks: v.optional(v.boolean(), false),
  accessLogDays: v.optional(days, 365),
  backupDir: v.optional(v.pipe(v.string(), v.nonEmpty('must name a folder'))),
  backupEvery: v.optional(cronLine),
  backupKeep: v.optional(backupsKept),
  logLevel: v.optional(v.picklist(logLevels, `must be one of ${logLevels.join(', ')}`), 'info'),
})

export type Config = Readonly<v.InferOutput<typeof configSchema>>

/**
 * Turns flags and environment, already merged, into the one config of a server.
 *
 * @throws Refusal
 */
export function readConfig(settings: Readonly<Record<string, unknown>>): Config {
  const result = v.safeParse(configSchema, settings, { abortEarly: true })
  if (!result.success) {
    const [issue] = result.issues
    throw new Refusal(`--${toFlag(String(issue.path?.[0].key))} ${issue.message}.`)
  }
  const config = result.output
  if (!isLoopbackHost(config.host) && !config.behindProxy && config.tlsCert === undefined) {
    throw new Refusal(
      `--host ${config.host} would take API keys unencrypted from the network. Give it --tls-cert and --tls-key, or put a proxy with TLS in front and add --behind-proxy, or keep to 127.0.0.1.`,
    )
  }
  if (config.backupDir === undefined && (config.backupEvery ?? config.backupKeep) !== undefined) {
    const setting = config.backupEvery === undefined ? '--backup-keep' : '--backup-every'
    throw new Refusal(`${setting} needs --backup-dir, the folder that the backups go to.`)
  }
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    const [given, missing] = config.tlsKey === undefined ? ['cert', 'key'] : ['key', 'cert']
    throw new Refusal(`--tls-${given} needs --tls-${missing} beside it.`)
  }
  if (config.metricsHost !== undefined && config.metricsPort === undefined) {
    throw new Refusal('--metrics-host needs --metrics-port, the port that the metrics are read on.')
  }
  if (config.metricsPort === config.port && config.port !== 0) {
    throw new Refusal('--metrics-port must be another port than --port.')
  }
  return Object.freeze(config)
}

function toFlag(setting: string): string {
  return setting.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** One that names an instant to come: there is no thirtieth of February. */
function isCronLine(text: string): boolean {
  try {
    new CronTime(text).sendAt()
    return true
  } catch {
    return false
  }
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  // Everybody may read it in the description.
  const hasSecret = url.username !== '' || url.password !== ''
  const hasEnd = url.search !== '' || url.hash !== ''
  return /^https?:$/.test(url.protocol) && !hasEnd && !hasSecret
}

/** Before there was anything but the API, its version was part of the setting. */
function withoutVersion(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/(\/v1)?\/?$/, '')
}

function isRange(text: string): boolean {
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}
