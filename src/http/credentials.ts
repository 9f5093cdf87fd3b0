import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../problem.ts'

const BEARER = /^bearer +(\S+) *$/i

/**
 * The API key of a request, from `Authorization: Bearer` or `X-API-Key` (specification section 5.1).
 *
 * @throws Problem missing_api_key, ambiguous_credentials when both carry different keys
 */
export function readCredentials(headers: IncomingHttpHeaders): string {
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1]
  const header = headers['x-api-key']?.toString().trim() || undefined
  if (bearer !== undefined && header !== undefined && bearer !== header)
    throw new Problem('ambiguous_credentials')
  const key = bearer ?? header
  if (key === undefined) throw new Problem('missing_api_key')
  return key
}
