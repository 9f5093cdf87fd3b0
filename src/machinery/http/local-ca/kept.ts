import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { Refusal } from '#base/refusal.ts'
import { DAY, toIso } from '#base/time.ts'
import { StagedFile } from '#machinery/files/staged-file.ts'
import { reasonOf } from '#machinery/files/system-error.ts'
import { type Certificate, checkPair } from '../certificate.ts'
import { makeCertificates } from './certificates.ts'
import { everyName, type MachineNames } from './machine-names.ts'

/**
 * The file in the data folder with the certificate of the server, that of its CA, and the server's key. With one file, none of
 * them is there without the others.
 */
const FILE = 'local-ca.pem'
/** How long before its end the certificate is announced as ending. People need time to prepare their phones. */
const NEAR = 30 * DAY
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g

/** A server's own CA, in the form in which its phones get it. */
export interface LocalCa {
  files: { cert: string; key: string }
  certificate: Certificate
  /** The DER of the CA. */
  der: Buffer
  /** The SHA-256 of `der`, in pairs: `3A:0F:…`. */
  fingerprint: string
  /** The name of the CA, as a phone lists it. */
  name: string
  /** The address or DNS name by which phones reach the server. */
  main: string
  /**
   * The place where phones reach the server without TLS. It is an address, because a browser may have learnt to ask a name by
   * https alone.
   */
  plain: string
  /** The sentences for the person who started the server. */
  notices: readonly string[]
  /** Returns whether the certificate is for this address or name. */
  covers: (name: string) => boolean
  /** Writes a new CA to its place, durably. @throws Refusal */
  keep: () => void
}

/**
 * Reads the CA of a data folder. Makes one if there is none, if it has ended, or if it is for none of the addresses that the
 * machine has now. Nothing is written before `keep`.
 *
 * @param now milliseconds
 * @throws Refusal
 */
export function openLocalCa(folder: string, names: MachineNames, now: number): LocalCa {
  const path = join(folder, FILE)
  const kept = read(path)
  const why = kept === undefined ? undefined : unfitness(describe(path, kept), names, now)
  if (kept !== undefined && why === undefined) return finish(path, kept, names, now, [])
  const { cert, ca, key } = makeCertificates(everyName(names), now)
  const notices =
    why === undefined
      ? []
      : [
          `A new certificate was made, as ${why}. Install it on every phone; the former one can be removed there.`,
        ]
  return finish(path, cert + ca + key, names, now, notices, true)
}

interface Described {
  own: X509Certificate
  ca: X509Certificate
  certificate: Certificate
}

function finish(
  path: string,
  text: string,
  names: MachineNames,
  now: number,
  notices: readonly string[],
  isNew = false,
): LocalCa {
  const { own, ca, certificate } = describe(path, text)
  const main = mainOf(own, names)
  const left = names.addresses.filter(address => !isFor(own, address))
  return {
    files: { cert: path, key: path },
    certificate,
    der: ca.raw,
    fingerprint: createHash('sha256')
      .update(ca.raw)
      .digest('hex')
      .toUpperCase()
      .replace(/..(?=.)/g, '$&:'),
    name: ca.subject.replace(/^CN=/, ''),
    main,
    plain: isIP(main) === 0 ? (names.addresses[0] ?? main) : main,
    notices: [
      ...notices,
      ...left.map(address => describeUncovered(address, main)),
      ...(certificate.validTo - now < NEAR ? [tellEnd(path, certificate.validTo)] : []),
    ],
    covers: name => isFor(own, name),
    keep: () => {
      if (isNew) write(path, text)
    },
  }
}

/** Returns the name that people give to phones. The certificate names it, and a new one names all. */
function mainOf(own: X509Certificate, { wanted, addresses, others }: MachineNames): string {
  return wanted ?? addresses.find(address => isFor(own, address)) ?? (others[0] as string)
}

/** Returns why the phones that trust the CA could not use it, in words, or undefined if they can. */
function unfitness({ own, certificate }: Described, names: MachineNames, now: number): string | undefined {
  const { wanted, addresses } = names
  if (now >= certificate.validTo) return `the former one ended on ${toIso(certificate.validTo).slice(0, 10)}`
  if (wanted !== undefined) return isFor(own, wanted) ? undefined : `the former one is not for ${wanted}`
  if (addresses.length === 0 || addresses.some(address => isFor(own, address))) return undefined
  return `this machine has other addresses now (${addresses.join(', ')})`
}

/** Returns the sentence about an address that the certificate does not name, found while the server runs or as it starts. */
export function describeUncovered(address: string, main: string): string {
  return `${address} is an address of this machine, and the certificate is not for it: phones reach it without a warning at ${main} alone. Give this machine a fixed address in the router.`
}

function tellEnd(path: string, validTo: number): string {
  return `The certificate ends on ${toIso(validTo).slice(0, 10)}. To have a new one sooner, delete ${path} and start again; then every phone has to install it.`
}

function isFor(own: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? own.checkHost(name, { subject: 'never' }) : own.checkIP(name)) !== undefined
}

function describe(path: string, text: string): Described {
  const refuse = () =>
    new Refusal(`${path} is damaged. Delete it to have a new one made, which every phone has to install.`)
  const [cert, ca] = text.match(CERTIFICATE) ?? []
  if (cert === undefined || ca === undefined) throw refuse()
  try {
    const bytes = Buffer.from(text)
    const certificate = checkPair({ cert: path, key: path }, bytes, bytes)
    return { own: new X509Certificate(cert), ca: new X509Certificate(ca), certificate }
  } catch {
    throw refuse()
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Refusal(`${path} cannot be read: ${reasonOf(error)}. Check its rights, or delete it.`)
  }
}

function write(path: string, text: string): void {
  const file = new StagedFile(path)
  try {
    writeFileSync(file.path, text)
    file.place({ replace: true })
  } finally {
    file.discard()
  }
}
