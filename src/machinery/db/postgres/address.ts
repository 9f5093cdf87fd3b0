import { readFileSync } from 'node:fs'
import { Refusal } from '#base/refusal.ts'
import { reasonOf } from '#machinery/files/system-error.ts'

/** The address of a PostgreSQL database. Its text has a password, so it is never printed: `place` is. */
export interface PostgresAddress {
  readonly url: string
  /** What may be shown: `postgresql://db.example.org:5432/turnout`. */
  readonly place: string
}

const EXAMPLE = 'postgresql://turnout:password@db.example.org/turnout'

/**
 * Reads the value of `--database-url`: an address, or the name of the file that has it, so that no password stands in the list of
 * processes. Another machine is reached by TLS, and its certificate is verified, unless the address itself says `sslmode=disable`.
 *
 * @throws Refusal, which does not quote the value
 */
export function readPostgresAddress(value: string): PostgresAddress {
  const text = /^postgres(ql)?:/i.test(value) ? value : readAddressFile(value)
  if (!URL.canParse(text)) throw new Refusal(`--database-url must be an address such as ${EXAMPLE}.`)
  const url = new URL(text)
  const database = decode(url.pathname.slice(1))
  if (
    !/^postgres(ql)?:$/.test(url.protocol) ||
    database === '' ||
    database.includes('/') ||
    url.hash !== ''
  ) {
    throw new Refusal(
      `--database-url must be an address such as ${EXAMPLE}, with the name of a database at its end.`,
    )
  }
  decode(url.username)
  decode(url.password)
  const host = url.searchParams.get('host') ?? decode(url.hostname)
  if (!isLocal(host) && !url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'verify-full')
  const shown = host === '' ? 'localhost' : host
  const port = url.port === '' ? '5432' : url.port
  return { url: url.href, place: `postgresql://${shown}:${port}/${database}` }
}

function readAddressFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Refusal(
      `--database-url must be an address such as ${EXAMPLE}, or a file that has one, and no such file can be read: ${reasonOf(error)}.`,
    )
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Refusal('--database-url has a % that must be written as %25.')
  }
}

/** Returns whether the network between here and there is this machine's own. */
function isLocal(host: string): boolean {
  if (host === '' || host === 'localhost' || host.startsWith('/')) return true
  return /^127\.\d+\.\d+\.\d+$/.test(host) || host === '[::1]'
}
