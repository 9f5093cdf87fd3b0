/** Returns the hostname of a URL as sockets and `isIP` take it: an IPv6 address stands in brackets there alone (RFC 3986, section 3.2.2). */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
