import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The part of IPv6 that is assigned to the public internet so far (RFC 4291, section 2.4, and the registry of IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns true for an address of the public internet. Private, loopback, link-local, multicast, carrier-grade NAT, documentation
 * and reserved ranges are not public. Neither are IPv6 addresses that carry an IPv4 one and so could reach anything: IPv4-mapped
 * and -compatible, NAT64, 6to4, Teredo. ipaddr.js keeps the registries of special addresses (RFC 6890) and calls the rest
 * unicast. For IPv6, only the assigned part of that rest counts.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}
