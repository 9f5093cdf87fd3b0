import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import proxyAddr from 'proxy-addr'

/**
 * Returns a function that finds the address of a request. It believes X-Forwarded-For only as far as trusted proxies wrote it.
 */
export function clientAddressFinder(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isProxy = proxyFinder(trustedProxies)
  return request => {
    const direct = request.socket.remoteAddress ?? ''
    if (trustedProxies.length === 0) return plain(direct)
    const claimed = proxyAddr(request, isProxy)
    return plain(isIP(claimed ?? '') === 0 ? direct : claimed)
  }
}

/** Returns a function that recognizes trusted proxies. Many clients may be behind each of them. */
export function proxyFinder(trustedProxies: readonly string[]): (address: string) => boolean {
  const trust = proxyAddr.compile([...trustedProxies])
  return address => trust(address, 0)
}

function plain(address: string): string {
  switch (isIP(address)) {
    case 0:
      return 'unknown'
    case 4:
      // An IPv4 address has only one spelling.
      return address
    default:
      return ipaddr.process(address).toString()
  }
}

/**
 * Returns the key by which a client is counted: an IPv4 address itself, or the /64 of an IPv6 address, which one host has as a
 * whole.
 */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

/**
 * Returns the /48 of an IPv6 address, the most that providers give to one customer (RFC 6177, section 2). A customer with a /48
 * has 65,536 groups. Returns undefined if the group is all there is.
 */
export function addressNetwork(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 3).join(':')}::/48` : undefined
}

/** Both functions, for code that counts by them. */
export const places = { groupOf: addressGroup, networkOf: addressNetwork }

/** Returns the networks by which a client is counted, the narrowest first: its group, and for an IPv6 address its /48. */
export function networksOf(address: string): string[] {
  const network = addressNetwork(address)
  return [addressGroup(address), ...(network === undefined ? [] : [network])]
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

/** Returns whether nobody but this machine reaches what listens there. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}
