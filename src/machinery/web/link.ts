/** What people may link to. */
const ALLOWED = new Set(['http:', 'https:', 'mailto:'])

/**
 * The address of a link that people wrote: as it stands, or undefined where a click would do more than go there, such as
 * `javascript:`, which preact would let through.
 */
export function safeLink(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return ALLOWED.has(protocol) ? href : undefined
}

export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}

/** A path with parameters: `path('/manage/e/{event}', { event })`. */
export function fillPath(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${pattern} lacks its ${name}.`)
    return encodeURIComponent(value)
  })
}

/** A path with a query, of what is not undefined and not empty; behind the query that it has already. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  if (given.length === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
