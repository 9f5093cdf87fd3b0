import * as v from 'valibot'
import { makeFault, says } from '#base/faults.ts'

/** The most sites of an organizer that may show its pages in a frame. */
export const MAX_ORIGINS = 10
/** The most characters of one, as a browser sends it. */
const MAX_ORIGIN = 300

/**
 * Returns the origin that a text names as browsers write it: `https://www.example.org`. It is undefined for anything that is more
 * or less than an origin. A policy takes it as it is, so it has only letters, digits, dots, hyphens and a port.
 */
export function readOrigin(text: string): string | undefined {
  const given = text.trim()
  if (given.length > MAX_ORIGIN || !/^https:\/\/[^\s/?#@*\\]+\/?$/i.test(given)) return undefined
  if (!URL.canParse(given)) return undefined
  const { origin, hostname } = new URL(given)
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(hostname) && !/^[\d.]+$/.test(hostname) ? origin : undefined
}

const ORIGIN = { example: 'https://www.example.org' } as const

const origin = v.pipe(
  v.string(says('string')),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const read = readOrigin(dataset.value)
    if (read !== undefined) return read
    addIssue({ message: JSON.stringify(makeFault('origin', ORIGIN)) })
    return NEVER
  }),
)

/** The origins that may show pages in a frame, each once. */
export const originsSchema = v.pipe(
  v.array(origin, says('array')),
  v.transform(origins => [...new Set(origins)]),
  v.maxLength(MAX_ORIGINS, says('list', { min: 0, max: MAX_ORIGINS })),
)

/** Reads what is stored of an account. */
export function presentOrigins(stored: string | null): readonly string[] {
  return stored === null ? [] : (JSON.parse(stored) as string[])
}

/** Returns what is stored of origins. Without any, nothing is. */
export function storeOrigins(origins: readonly string[]): string | null {
  return origins.length === 0 ? null : JSON.stringify(origins)
}

/** The most characters of the address of a page to go back to. */
const MAX_BACK = 2_000

/**
 * Returns the address of a page that leads back to an organizer's own site, if it is a page of one of these origins. Nobody else
 * can have a link of theirs shown.
 */
export function readBack(address: string | null, origins: readonly string[]): string | undefined {
  if (address === null || address.length > MAX_BACK || !URL.canParse(address)) return undefined
  const { protocol, origin: from, username, password, href } = new URL(address)
  if (protocol !== 'https:' || username !== '' || password !== '') return undefined
  return origins.includes(from) ? href : undefined
}
