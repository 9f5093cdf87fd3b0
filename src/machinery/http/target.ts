/** The target of a request: its path, and its query as it was sent, without the question mark. */
export interface Target {
  path: string
  query: string
}

const VISIBLE = /^[\x21-\x7e]*$/
const SCHEME = /^https?:\/\//i

/**
 * Parses the target of a request: a path, or the http URL of one, whose host decides nothing, or `*` for OPTIONS alone (RFC 9112,
 * section 3.2). The path stays as it was sent, so it has only one spelling.
 *
 * @returns undefined if it is none of these
 */
export function parseTarget(method: string, target: string): Target | undefined {
  // A fragment is never sent.
  if (!VISIBLE.test(target) || target.includes('#')) return undefined
  if (target.startsWith('/')) return split(target)
  if (target === '*') return method === 'OPTIONS' ? { path: target, query: '' } : undefined
  const scheme = SCHEME.exec(target)?.[0]
  if (scheme === undefined) return undefined
  const rest = target.slice(scheme.length)
  const [authority = ''] = rest.split(/[/?]/, 1)
  // RFC 9110, section 4.2: a host must be there, and a user name is an error.
  if (authority === '' || /[@\\]/.test(authority) || !URL.canParse(scheme + authority)) return undefined
  const { path, query } = split(rest.slice(authority.length))
  return { path: path === '' ? '/' : path, query }
}

function split(target: string): Target {
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}
