import { CronTime } from 'cron'
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { isLoopbackHost } from '#machinery/http/client-address.ts'
import { faultsOf, says, tell } from './faults.ts'
import { oneOf, yesOrNo } from './fields.ts'
import { Refusal } from './refusal.ts'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/** Accepts a number, or the text of a flag. */
function wholeNumber(
  kind: 'port' | 'days' | 'backups' | 'mails' | 'orders' | 'gibibytes',
  min: number,
  max: number,
) {
  return v.pipe(
    v.custom<string | number>(isWhole, says(kind)),
    v.transform(Number),
    v.minValue(min, says('atLeast', { min })),
    v.maxValue(max, says('atMost', { max })),
  )
}

function isWhole(value: unknown): boolean {
  return typeof value === 'string' ? /^\d+$/.test(value) : Number.isInteger(value)
}

const port = wholeNumber('port', 0, 65_535)
const days = wholeNumber('days', 1, 36_500)
const mailRate = wholeNumber('mails', 1, 100_000)
const orderRate = wholeNumber('orders', 0, 100_000)
const filesLimit = wholeNumber('gibibytes', 0, 1_000_000)
const backupsKept = wholeNumber('backups', 1, 10_000)

const cronLine = v.pipe(
  v.string(says('string')),
  v.maxLength(200, says('cronLine')),
  v.check(isCronLine, says('cronTime')),
)

/** The address has no slash at its end. */
export const baseUrl = v.pipe(
  v.string(says('string')),
  v.check(isBaseUrl, says('baseUrl', { example: 'https://tickets.example.org' })),
  v.transform(withoutVersion),
)

const stripeApi = v.pipe(
  v.string(says('string')),
  v.check(isOrigin, says('baseUrl', { example: 'http://127.0.0.1:12111' })),
)

const proxies = v.array(
  v.pipe(v.string(says('string')), v.check(isRange, says('addressRanges', { example: '10.0.0.0/8' }))),
  says('array'),
)

function named(kind: 'file' | 'folder' | 'host' | 'address') {
  return v.pipe(v.string(says('string')), v.nonEmpty(says(kind)))
}

export const configSchema = v.object(
  {
    data: named('folder'),
    /** The address of a PostgreSQL database, or the file that has it. */
    databaseUrl: v.optional(named('address')),
    host: v.optional(named('host')),
    port: v.optional(port),
    baseUrl: v.optional(baseUrl),
    behindProxy: v.optional(yesOrNo, false),
    trustProxy: v.optional(proxies, []),
    tlsCert: v.optional(named('file')),
    tlsKey: v.optional(named('file')),
    /** The server uses https with a certificate of its own CA, for a network without DNS names of its own. */
    localCa: v.optional(yesOrNo, false),
    /** The port where phones get that CA, without TLS. */
    trustPort: v.optional(port),
    /** The server admits people and starts nothing else: `app/door-only.ts`. */
    doorOnly: v.optional(yesOrNo, false),
    metricsHost: v.optional(named('host')),
    metricsPort: v.optional(port),
    allowInsecureWebhooks: v.optional(yesOrNo, false),
    accessLogDays: v.optional(days, 365),
    /** The folder of fonts for letters that the carried ones lack, such as those of Chinese. */
    fontDir: v.optional(named('folder')),
    backupDir: v.optional(named('folder')),
    backupEvery: v.optional(cronLine),
    backupKeep: v.optional(backupsKept),
    smtpUrl: v.optional(named('address')),
    mailFrom: v.optional(named('address')),
    /** The file of the key that signs mails, and what tells it from others of the domain. */
    dkimKey: v.optional(named('file')),
    dkimSelector: v.optional(v.string(says('string'))),
    mailRate: v.optional(mailRate, 120),
    orderRate: v.optional(orderRate, 30),
    /** The room of all files beside abstracts, in GiB. */
    filesLimit: v.optional(filesLimit, 10),
    /** Turnout's own test processor takes payments, and no money moves. */
    testPayments: v.optional(yesOrNo, false),
    /** The address that replaces Stripe's, for rehearsals. */
    stripeApi: v.optional(stripeApi),
    /** A sandbox shows the mails that no mail server sends. */
    showMail: v.optional(yesOrNo, false),
    logLevel: v.optional(oneOf(logLevels), 'info'),
  },
  says('required'),
)

type Given = v.InferOutput<typeof configSchema>

export type Config = Readonly<Given & { host: string; port: number }>

const TRUST_PORT = 8080

/**
 * Turns flags and environment, already merged, into the one config of a server.
 *
 * @throws Refusal
 */
export function readConfig(settings: Readonly<Record<string, unknown>>): Config {
  const result = v.safeParse(configSchema, settings, { abortEarly: true })
  if (!result.success) {
    const [{ path, fault }] = faultsOf(result.issues)
    const setting = String(path) === 'stripeApi' ? 'TURNOUT_STRIPE_API' : `--${toFlag(String(path))}`
    throw new Refusal(tell(setting, fault))
  }
  const config = withDefaults(result.output)
  if (!isLoopbackHost(config.host) && !config.behindProxy && !isSecure(config)) {
    throw new Refusal(
      `--host ${config.host} would receive API keys unencrypted from the network. Give it --tls-cert and --tls-key, or --local-ca, or put a proxy with TLS in front and add --behind-proxy, or keep to 127.0.0.1.`,
    )
  }
  if (config.backupDir === undefined && (config.backupEvery ?? config.backupKeep) !== undefined) {
    const setting = config.backupEvery === undefined ? '--backup-keep' : '--backup-every'
    throw new Refusal(`${setting} needs --backup-dir, the folder for the backups.`)
  }
  if ((config.smtpUrl === undefined) !== (config.mailFrom === undefined)) {
    const [given, missing] =
      config.smtpUrl === undefined ? ['--mail-from', '--smtp-url'] : ['--smtp-url', '--mail-from']
    throw new Refusal(`${given} needs ${missing} as well.`)
  }
  refuseDkim(config)
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    const [given, missing] = config.tlsKey === undefined ? ['cert', 'key'] : ['key', 'cert']
    throw new Refusal(`--tls-${given} needs --tls-${missing} as well.`)
  }
  refuseLocalCa(config)
  refuseBesidePostgres(config)
  if (config.stripeApi !== undefined && !config.testPayments) {
    throw new Refusal('TURNOUT_STRIPE_API is for rehearsals alone: it needs --test-payments.')
  }
  if (config.metricsHost !== undefined && config.metricsPort === undefined) {
    throw new Refusal('--metrics-host needs --metrics-port, the port of the metrics.')
  }
  if (config.metricsPort === config.port && config.port !== 0) {
    throw new Refusal('--metrics-port must differ from --port.')
  }
  return Object.freeze(config)
}

/**
 * Applies the defaults. With a local CA, phones connect from other machines, and they look for the page that makes them trust the
 * server at the port where people expect a page.
 */
function withDefaults(given: Given): Config {
  const { localCa, doorOnly } = given
  const host = given.host ?? (localCa ? '0.0.0.0' : '127.0.0.1')
  const port = given.port ?? (localCa ? 8443 : 8080)
  const trustPort = given.trustPort ?? (localCa ? TRUST_PORT : undefined)
  // The settings of mail and payments came with the settings of the server that this box helps.
  const none = {
    ...{ smtpUrl: undefined, mailFrom: undefined, dkimKey: undefined, dkimSelector: undefined },
    ...{ testPayments: false, stripeApi: undefined },
  }
  return { ...given, ...(doorOnly ? none : {}), host, port, trustPort }
}

function isSecure({ tlsCert, localCa }: Config): boolean {
  return tlsCert !== undefined || localCa
}

function refuseDkim({ dkimKey, dkimSelector, mailFrom }: Config): void {
  if ((dkimKey === undefined) !== (dkimSelector === undefined)) {
    const [given, missing] = dkimKey === undefined ? ['selector', 'key'] : ['key', 'selector']
    throw new Refusal(`--dkim-${given} needs --dkim-${missing} as well.`)
  }
  if (dkimKey !== undefined && mailFrom === undefined)
    throw new Refusal('--dkim-key needs --mail-from, whose domain it signs for.')
}

function refuseLocalCa({ localCa, tlsCert, baseUrl, port, trustPort, metricsPort }: Config): void {
  if (!localCa) {
    if (trustPort !== undefined) throw new Refusal('--trust-port needs --local-ca, whose page it serves.')
    return
  }
  if (tlsCert !== undefined) {
    throw new Refusal('--local-ca makes a certificate, and --tls-cert names one: give one of them.')
  }
  if (baseUrl !== undefined && !baseUrl.startsWith('https:')) {
    throw new Refusal('--base-url must begin with https: where there is --local-ca.')
  }
  if (trustPort !== 0 && (trustPort === port || trustPort === metricsPort)) {
    throw new Refusal(
      `--trust-port must differ from ${trustPort === port ? '--port' : '--metrics-port'}: without TLS, it needs one of its own.`,
    )
  }
}

/** Refuses what needs the database to be one file, or to be one machine's. */
function refuseBesidePostgres({ databaseUrl, localCa, doorOnly, backupDir }: Config): void {
  if (databaseUrl === undefined) return
  if (doorOnly) {
    throw new Refusal(
      '--door-only admits from a copy in a data folder: leave --database-url out, and fill the folder by "turnout copy".',
    )
  }
  if (localCa) {
    throw new Refusal(
      '--local-ca makes a certificate for one machine: with --database-url, give --tls-cert and --tls-key, or put a proxy with TLS in front and add --behind-proxy.',
    )
  }
  if (backupDir !== undefined) {
    throw new Refusal(
      '--backup-dir copies the database file, and --database-url names PostgreSQL: back it up by its own tools, such as pg_basebackup or pgBackRest.',
    )
  }
}

/** Returns the flag of a setting, or of an item in it. */
function toFlag(path: string): string {
  return path.replace(/\..*/, '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** Returns whether the line has a next date. The thirtieth of February has none. */
function isCronLine(text: string): boolean {
  try {
    new CronTime(text).sendAt()
    return true
  } catch {
    return false
  }
}

function isOrigin(text: string): boolean {
  return isBaseUrl(text) && new URL(text).pathname === '/'
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  // Everybody can read the address in the API description.
  const hasSecret = url.username !== '' || url.password !== ''
  const hasEnd = url.search !== '' || url.hash !== ''
  // An address below that of the API is a mistake, and so is a slash too many.
  const isSlip = /\/v1\/(?!v1\/?$).|\/V1(\/|$)|\/\//.test(url.pathname)
  return /^https?:$/.test(url.protocol) && !hasEnd && !hasSecret && !isSlip
}

/** Removes the version of the API, which old settings have at the end of the address. */
function withoutVersion(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/(\/v1)?\/?$/, '')
}

function isRange(text: string): boolean {
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)
}
