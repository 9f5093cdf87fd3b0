import type { IncomingMessage } from 'node:http'
import type { Stage } from '../http/face.ts'
import { Problem } from '../problem.ts'

const SAFE = new Set(['GET', 'HEAD'])

/**
 * Refuses what another site has a browser send. Every browser says where a request comes from on https and on this machine;
 * over http in a network of one's own, only `Origin` says so (as CrossOriginProtection of Go's net/http).
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
