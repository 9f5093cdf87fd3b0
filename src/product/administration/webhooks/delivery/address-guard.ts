import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '#base/public-address.ts'
import { nameLookup } from './name-lookup.ts'

/** Reports that nothing may be sent to the address of an endpoint. The message reveals no internal detail. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
  readonly code = 'ERR_ADDRESS_REFUSED'

  constructor() {
    super('The address of the endpoint is not on the public internet.')
  }
}

/**
 * Returns the host of a URL if it is an address, or undefined if it is a name. WHATWG has already turned decimal, octal and hex
 * forms into four plain numbers.
 */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? undefined : host
}

/**
 * Wraps `lookup` so that it fails unless every address of a name is public. The socket connects to the very addresses that were
 * checked, so a name cannot point elsewhere between the two.
 */
export function guardLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = found as LookupAddress[]
      if (error !== null) callback(error, '', 4)
      else if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
        callback(new AddressRefused(), '', 4)
      } else if (options.all) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4)
    })
  }
}

/** How long registration waits for a name to be resolved, in milliseconds. A machine without internet must not hang. */
const REGISTRATION_LOOKUP = 2_000

const LIFTED = 'in a sandbox --allow-insecure-webhooks lifts that, here and on the server'

/**
 * Returns the fault of an endpoint's URL at registration, as the end of a sentence. A name that cannot be resolved just now is
 * accepted, because each attempt checks again.
 */
export async function findUrlFault(
  text: string,
  allowInsecure: boolean,
  lookup: LookupFunction = nameLookup(),
): Promise<string | undefined> {
  const url = new URL(text)
  if (allowInsecure) return undefined
  if (url.protocol !== 'https:') return `must be an https address; ${LIFTED}`
  const literal = literalAddress(url)
  const addresses = literal === undefined ? await resolve(url.hostname, lookup) : [literal]
  return addresses.every(isPublicAddress) ? undefined : `must be an address on the public internet; ${LIFTED}`
}

async function resolve(hostname: string, lookup: LookupFunction): Promise<string[]> {
  // RFC 6761, section 6.3: these names stand for this machine, whether or not a resolver knows them.
  if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1']
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string[]>(done => {
    timer = setTimeout(() => done([]), REGISTRATION_LOOKUP)
  })
  const found = new Promise<string[]>(done => {
    lookup(hostname, { all: true }, (error, addresses) =>
      done(error === null ? (addresses as LookupAddress[]).map(({ address }) => address) : []),
    )
  })
  try {
    return await Promise.race([found, timeout])
  } finally {
    clearTimeout(timer)
  }
}
