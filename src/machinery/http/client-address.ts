import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import proxyAddr from 'proxy-addr'

/** Finds the address that a request came from; X-Forwarded-For is believed only as far as trusted proxies wrote it. */
export function clientAddressFinder(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isProxy = proxyFinder(trustedProxies)
  return request => {
    const direct = request.socket.remoteAddress ?? ''
    if (trustedProxies.length === 0) return plain(direct)
    const claimed = proxyAddr(request, isProxy)
    return plain(isIP(claimed ?? '') === 0 ? direct : claimed)
  }
}

/** Tells the addresses of trusted proxies, behind each of which many clients are, from others. */
export function proxyFinder(trustedProxies: readonly string[]): (address: string) => boolean {
  const trust = proxyAddr.compile([...trustedProxies])
  return address => trust(address, 0)
}

function plain(address: string): string {
  switch (isIP(address)) {
    case 0:
      return 'unknown'
    case 4:
      // There is one way to write it.
      return address
    default:
      return ipaddr.process(address).toString()
  }
}

/** What clients are counted by: an IPv4 address itself, of an IPv6 address its /64, which one host has whole. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
