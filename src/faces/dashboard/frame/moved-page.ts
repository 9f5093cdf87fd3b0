import type { Declaration } from './declaration.ts'
import { goTo } from './destination.ts'
import type { PageAt } from './page.ts'
import type { Level, Levels } from './page-request.ts'

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
      const { query } = request
      goTo(services, context, { path: query.size === 0 ? to(request) : `${to(request)}?${query}` })
    },
  }
}
