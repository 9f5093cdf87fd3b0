import type { Declaration } from './declaration.ts'
import { goTo } from './destination.ts'
import type { PageAt } from './page.ts'
import type { Level, Levels } from './page-request.ts'

/** The most characters of a query that goes along. A browser does not read headers without an end. */
const MAX_QUERY = 2_000

interface MovedPage<AtLevel extends Level> extends Declaration {
  /** Returns the address that the page has now. */
  to: (request: Levels[AtLevel]) => string
}

/** Declares an address that a page had before. It leads to the present one with its query, for those who may see the page. */
export function movedPage<const AtLevel extends Level>(
  level: AtLevel,
  { to, ...declaration }: MovedPage<AtLevel>,
): PageAt<AtLevel> {
  return {
    ...declaration,
    level,
    get: async (services, context, request) => {
      const query = String(request.query)
      const goesAlong = query !== '' && query.length <= MAX_QUERY
      goTo(services, context, { path: goesAlong ? `${to(request)}?${query}` : to(request) })
    },
  }
}
