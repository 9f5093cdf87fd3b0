/** The protocols to which people may link. */
const ALLOWED = new Set(['http:', 'https:', 'mailto:'])

/**
 * Returns the address of a link that people wrote. It is undefined if a click would do more than go there, such as `javascript:`,
 * which preact would let through.
 */
export function safeLink(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return ALLOWED.has(protocol) ? href : undefined
}

export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}

/** Fills in the parameters of a path: `path('/manage/e/{event}', { event })`. */
export function fillPath(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${pattern} lacks its ${name}.`)
    return encodeURIComponent(value)
  })
}

/** Adds a query to a path, behind one that it already has. Values that are undefined or empty are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  if (given.length === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
