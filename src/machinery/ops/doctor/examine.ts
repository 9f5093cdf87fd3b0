import { existsSync } from 'node:fs'
import type { Config } from '#base/config.ts'
import type { Clock } from '#base/time.ts'
import { version } from '#base/version.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { readCertificate } from '#machinery/http/certificate.ts'
import { isLoopbackHost } from '#machinery/http/client-address.ts'
import { readSigner } from '#machinery/mail/dkim-file.ts'
import { readSmtpUrl } from '#machinery/mail/smtp-settings.ts'
import { type BackupsPatient, lookAtBackups } from './backups.ts'
import { type AddressPatient, lookAtAddress } from './base-address.ts'
import { lookAtEnd } from './certificate.ts'
import { type ClockPatient, lookAtClock } from './clock.ts'
import { type DiskPatient, lookAtDisk } from './disk.ts'
import { type Finding, finding } from './finding.ts'
import { lookAtMail, type MailPatient } from './mail.ts'
import { lookAtRights } from './rights.ts'

/** What is examined: the settings of a server, its database, and the machine. */
export interface Patient {
  config: Config
  clock: Clock
  /** It is undefined if the database cannot be read. What needs it is left out then. */
  reader: Reader | undefined
  /** The name of the engine with its version. */
  engine: string
  isServed: boolean
  backups: BackupsPatient['backups']
  /** Looks that know features. */
  more: readonly (() => Promise<Finding[]>)[]
  /** For tests: what the machine says of itself. */
  machine?: Partial<Pick<DiskPatient, 'diskSpace' | 'fileSystem' | 'timeSync'>> &
    Pick<ClockPatient, 'isSynchronized'> &
    Pick<MailPatient, 'textLookup'>
}

/**
 * Looks at what goes wrong in real life, and changes nothing. A look that fails says so and hinders no other.
 *
 * @returns the findings in a fixed order, at least one of each look
 */
export async function examine(patient: Patient): Promise<Finding[]> {
  const { config, clock, reader, engine, isServed, backups, more, machine = {} } = patient
  const { data, databaseUrl, baseUrl, tlsCert, tlsKey, dkimKey, doorOnly } = config
  const isOfPostgres = databaseUrl !== undefined
  // Beside PostgreSQL, the first server makes the folder.
  const hasFolder = !isOfPostgres || existsSync(data)
  const looks: Readonly<Record<string, () => Promise<Finding[]>>> = {
    versions: async () => [lookAtVersions(engine)],
    clock: async () =>
      reader === undefined ? [] : lookAtClock({ reader, clock, isSynchronized: machine.isSynchronized }),
    disk: async () => (hasFolder ? lookAtDisk({ data, hasDatabase: !isOfPostgres, ...machine }) : []),
    rights: async () =>
      hasFolder
        ? lookAtRights({ data, secretFiles: [tlsKey, dkimKey].filter(file => file !== undefined) })
        : [],
    backups: async () => (reader === undefined ? [] : lookAtBackups({ data, clock, isOfPostgres, backups })),
    certificate: async () => {
      // Whoever connects sees it too.
      if (tlsCert === undefined || tlsKey === undefined || (isServed && baseUrl?.startsWith('https:')))
        return []
      return [lookAtEnd((await readCertificate({ cert: tlsCert, key: tlsKey })).validTo, clock)]
    },
    address: () => lookAtAddress(addressOf(config, isServed, clock)),
    mail: async () => (doorOnly ? [] : lookAtMail({ reader, ...mailOf(config), ...machine })),
    ...Object.fromEntries(more.map((look, at) => [`more ${at}`, look])),
  }
  const found = await Promise.all(
    Object.values(looks).map(look => look().catch(error => [failed(error as Error)])),
  )
  return found.flat()
}

function lookAtVersions(engine: string): Finding {
  const node = process.version.replace('v', '')
  return finding('ok', 'versions', ({ texts }) => texts.doctor.versions(version, node, engine))
}

function addressOf(config: Config, isServed: boolean, clock: Clock): AddressPatient {
  const { baseUrl, behindProxy, host, localCa } = config
  const isForOthers = behindProxy || !isLoopbackHost(host)
  return { baseUrl, isForOthers, isServed, isOwnCertificate: localCa, clock }
}

function mailOf(config: Config): Pick<MailPatient, 'through' | 'isShown'> {
  const { smtpUrl, mailFrom, showMail: isShown } = config
  if (smtpUrl === undefined || mailFrom === undefined) return { through: undefined, isShown }
  return { through: { options: readSmtpUrl(smtpUrl), sender: readSigner(mailFrom, config) }, isShown }
}

/** The program's own sentences, and the system's, are in English. */
function failed(error: Error): Finding {
  return finding('error', 'look_failed', () => error.message)
}
