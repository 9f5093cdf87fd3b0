import type { IncomingMessage } from 'node:http'
import { Problem } from '#base/problem.ts'
import { valuesOf } from '#machinery/http/sent-headers.ts'

const SCHEME = 'bearer '

/**
 * Returns the API key of a request, from `Authorization: Bearer` or `X-API-Key` (specification section 5.1).
 *
 * @throws Problem missing_api_key if neither header has a key; ambiguous_credentials if both carry different keys, or if one
 *   header is sent twice, because a proxy may have checked the other value
 */
export function readCredentials(request: IncomingMessage): string {
  const bearer = bearerOf(onlyOne(request, 'authorization') ?? '')
  const header = onlyOne(request, 'x-api-key')?.trim() || undefined
  if (bearer !== undefined && header !== undefined && bearer !== header)
    throw new Problem('ambiguous_credentials')
  const key = bearer ?? header
  if (key === undefined) throw new Problem('missing_api_key')
  return key
}

function onlyOne(request: IncomingMessage, name: string): string | undefined {
  const [value, ...others] = valuesOf(request, name)
  if (others.length > 0) {
    throw new Problem('ambiguous_credentials', {
      message: 'Authorization or X-API-Key is sent more than once.',
    })
  }
  return value
}

/**
 * Returns the token after the scheme and any spaces, or undefined for anything else. It reads each character only a few times.
 */
function bearerOf(authorization: string): string | undefined {
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined
  const token = authorization.slice(SCHEME.length).replace(/^ +/, '')
  return token === '' || /\s/.test(token) ? undefined : token
}
