import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { Logger } from 'pino'
import { reasonOf } from '../files/system-error.ts'
import { Refusal } from '../refusal.ts'
import { type Clock, SECOND, toIso } from '../time.ts'

/** How often the files are looked at, in milliseconds. */
const CHECK_INTERVAL = 10 * SECOND
const MAX_FILE_BYTES = 1024 * 1024

export interface CertificateFiles {
  /** PEM, the server's own certificate first, then its chain. */
  cert: string
  /** PEM, without a passphrase. */
  key: string
}

export interface Certificate {
  cert: Buffer
  key: Buffer
  /** Milliseconds. */
  validFrom: number
  validTo: number
}

/** What a TLS server is set up with: never less than TLS 1.2, whatever the command line of Node says. */
export function secureOptions({ cert, key }: Certificate): SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2' }
}

/**
 * Reads a certificate with its key, and checks that a server can use them.
 *
 * @throws Refusal
 */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const { cert, key } = await readPair(files)
  return checkPair(files, cert, key)
}

async function readPair(files: CertificateFiles): Promise<{ cert: Buffer; key: Buffer }> {
  return { cert: await readPem('--tls-cert', files.cert), key: await readPem('--tls-key', files.key) }
}

async function readPem(flag: string, path: string): Promise<Buffer> {
  try {
    // Through symbolic links; and opening a pipe would wait for its writer.
    const found = await stat(path)
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    if (!found.isFile() || found.size > MAX_FILE_BYTES) throw new Error('it is no PEM file')
    return await readFile(path)
  } catch (error) {
    throw new Refusal(
      `${flag} ${path} cannot be read: ${reasonOf(error)}. Name a PEM file that this user may read.`,
    )
  }
}

/** @throws Refusal */
export function checkPair(files: CertificateFiles, cert: Buffer, key: Buffer): Certificate {
  let own: X509Certificate
  try {
    if (!cert.includes('-----BEGIN ')) throw new Error()
    own = new X509Certificate(cert)
  } catch {
    throw new Refusal(`--tls-cert ${files.cert} holds no certificate in PEM form.`)
  }
  let isOfKey: boolean
  try {
    isOfKey = own.checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new Refusal(
      key.includes('ENCRYPTED')
        ? `--tls-key ${files.key} is encrypted. Give a key without a passphrase: "openssl pkey -in FILE -out NEW" takes it away.`
        : `--tls-key ${files.key} holds no private key in PEM form.`,
    )
  }
  if (!isOfKey) {
    throw new Refusal(
      `--tls-key ${files.key} does not match the first certificate in ${files.cert}. Give the key that the certificate was made for.`,
    )
  }
  const certificate = {
    cert,
    key,
    validFrom: Date.parse(own.validFrom),
    validTo: Date.parse(own.validTo),
  }
  try {
    createSecureContext(secureOptions(certificate))
  } catch (error) {
    throw new Refusal(
      `--tls-cert ${files.cert} cannot be used (${(error as Error).message}). Give the server's certificate with its chain, all of them in PEM form.`,
    )
  }
  return certificate
}

export interface CertificateWatchOptions {
  files: CertificateFiles
  current: Certificate
  clock: Clock
  log: Logger
  onChange: (certificate: Certificate) => void
  /** Milliseconds. */
  interval?: number | undefined
}

/**
 * Looks again and again at the files of a certificate, through symbolic links, and reports a new pair. One that cannot be
 * used, as its files are just being replaced, leaves the old one in use and is tried again.
 */
export class CertificateWatch {
  readonly #options: CertificateWatchOptions
  readonly #timer: NodeJS.Timeout
  #current: Certificate
  #checking = false
  /** What was last said of the files, and of the dates: each is said once. */
  #failure: string | undefined
  #dates: string | undefined

  constructor(options: CertificateWatchOptions) {
    this.#options = options
    this.#current = options.current
    this.#warnOfDates()
    this.#timer = setInterval(() => void this.#check(), options.interval ?? CHECK_INTERVAL).unref()
  }

  get current(): Certificate {
    return this.#current
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    if (this.#checking) return
    this.#checking = true
    const { files, log, onChange } = this.#options
    try {
      const { cert, key } = await readPair(files)
      if (!cert.equals(this.#current.cert) || !key.equals(this.#current.key)) {
        const found = checkPair(files, cert, key)
        onChange(found)
        this.#current = found
        log.info({ valid_to: toIso(found.validTo) }, 'a new certificate is in use')
      }
      this.#failure = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#failure) log.warn({ reason: message }, 'the old certificate stays in use')
      this.#failure = message
    } finally {
      this.#checking = false
    }
    this.#warnOfDates()
  }

  /** A client decides itself what it thinks of the dates, and a clock may be wrong: the service goes on. */
  #warnOfDates(): void {
    const { validFrom, validTo } = this.#current
    const now = this.#options.clock()
    const warning =
      now >= validTo
        ? `the certificate has expired at ${toIso(validTo)}`
        : now < validFrom
          ? `the certificate is valid only from ${toIso(validFrom)}`
          : undefined
    if (warning !== undefined && warning !== this.#dates) this.#options.log.warn(warning)
    this.#dates = warning
  }
}
