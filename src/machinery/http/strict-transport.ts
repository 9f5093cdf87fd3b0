import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import { withoutBrackets } from '#base/url-host.ts'

/**
 * The header holds for one year, and for this host alone. Other names of the organizer's domain, and other servers, are not
 * Turnout's.
 */
const HEADERS = { 'Strict-Transport-Security': 'max-age=31536000' }
const NONE = {}

export interface TransportOptions {
  /** The address that people use, or undefined if nobody has set it. */
  baseUrl?: string | undefined
  /** The server has a certificate of its own CA. */
  localCa: boolean
  /** The settings say that a proxy with TLS is in front. */
  behindProxy: boolean
}

/**
 * Returns the headers by which a browser never again asks this host without TLS (RFC 6797), for an answer over TLS. There are
 * none if they could lock somebody out. That is so with a certificate that the phones of a network were made to trust, because it
 * may be replaced. It is so at a port of its own, because browsers keep the rule for the whole host and another site there may
 * have no TLS. And it is so for an address, which has no name.
 */
export function strictTransport({
  baseUrl,
  localCa,
  behindProxy,
}: TransportOptions): (request: IncomingMessage) => Readonly<Record<string, string>> {
  if (baseUrl === undefined || localCa) return () => NONE
  const { protocol, port, hostname } = new URL(baseUrl)
  const isName = isIP(withoutBrackets(hostname)) === 0
  if (protocol !== 'https:' || port !== '' || !isName) return () => NONE
  return request => (isEncrypted(request, behindProxy) ? HEADERS : NONE)
}

/**
 * Returns whether a request came over TLS. A proxy says how it was asked, or at least for whom it asks. Without either, the
 * answer goes out as the request came in.
 */
function isEncrypted({ socket, headers }: IncomingMessage, behindProxy: boolean): boolean {
  if (socket instanceof TLSSocket) return true
  const forwarded = headers['x-forwarded-proto']
  if (forwarded !== undefined) return String(forwarded).split(',')[0]?.trim().toLowerCase() === 'https'
  return behindProxy || headers['x-forwarded-for'] !== undefined
}
