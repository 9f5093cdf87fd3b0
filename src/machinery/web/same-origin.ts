import type { IncomingMessage } from 'node:http'
import { Problem } from '#base/problem.ts'
import type { Stage } from '#machinery/http/face.ts'

const SAFE = new Set(['GET', 'HEAD'])

/**
 * Refuses requests that another site makes a browser send. On https and on this machine, every browser says where a request comes
 * from. Over http in a private network, only `Origin` does (as CrossOriginProtection of Go's net/http).
 *
 * @throws Problem cross_site
 */
export const refuseOtherSites: Stage = (context, next) => {
  if (!SAFE.has(context.method) && !isOfThisSite(context.req)) throw new Problem('cross_site')
  return next()
}

function isOfThisSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host } = headers
  if (origin === undefined || host === undefined) return false
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
