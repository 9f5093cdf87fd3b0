import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { Logger } from 'pino'
import { Refusal } from '#base/refusal.ts'
import { type Clock, toIso } from '#base/time.ts'
import { reasonOf } from '#machinery/files/system-error.ts'

const MAX_FILE_BYTES = 1024 * 1024

export interface CertificateFiles {
  /** PEM. The server's own certificate comes first, then its chain. */
  cert: string
  /** PEM, without a passphrase. */
  key: string
}

export interface Certificate {
  cert: Buffer
  key: Buffer
  /** Both dates are in milliseconds. */
  validFrom: number
  validTo: number
}

/** Returns the options of a TLS server. The version is never less than TLS 1.2, whatever the command line of Node says. */
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
    // `stat` follows symbolic links. Opening a pipe would wait for its writer.
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

/** Checks a certificate with its key. @throws Refusal */
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
}

/**
 * Looks at the files of a certificate, through symbolic links, and reports a new pair. A pair that cannot be used, because its
 * files are just being replaced, leaves the old one in use. The next look tries it again.
 */
export class CertificateWatch {
  readonly #options: CertificateWatchOptions
  #current: Certificate
  #looking: Promise<void> | undefined
  /** The last warnings about the files and about the dates. Each is logged once. */
  #failure: string | undefined
  #dates: string | undefined

  constructor(options: CertificateWatchOptions) {
    this.#options = options
    this.#current = options.current
    this.#warnOfDates()
  }

  get current(): Certificate {
    return this.#current
  }

  /** Looks now, unless a look is already under way. It never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
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
    }
    this.#warnOfDates()
  }

  /**
   * Logs a warning about the dates. The service goes on, because a client decides itself about the dates, and a clock may be
   * wrong.
   */
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
