import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { flash } from '#machinery/web/flash.ts'
import { recordedWrite, type WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import type { Declaration } from './declaration.ts'
import { type Destination, goTo } from './destination.ts'
import type { PageAt } from './page.ts'
import { actorOf, type Levels, refuseDeleted, type Services } from './page-request.ts'

interface ButtonDeclaration<AtLevel extends 'account' | 'event', Result> extends Declaration {
  /** @throws Problem */
  act: (tx: WriteTx, request: Levels[AtLevel], body: URLSearchParams, services: Services) => Promise<Result>
  entry: (request: Levels[AtLevel], body: URLSearchParams) => WriteEntry<Result>
  next: (result: Result, request: Levels[AtLevel], services: Services, body: URLSearchParams) => Destination
  /** Returns the address that shows a refusal. */
  back: (request: Levels[AtLevel], body: URLSearchParams) => string
}

/**
 * Declares a button that does one thing at once, in one recorded write, and leads on. A refusal is shown where the button stands.
 */
export function button<const AtLevel extends 'account' | 'event', Result>(
  level: AtLevel,
  page: ButtonDeclaration<AtLevel, Result>,
): PageAt<AtLevel> {
  const { act, entry, next, back, ...declaration } = page
  return {
    ...declaration,
    level,
    post: async (services, context, request) => {
      const { body } = context.state
      try {
        const work = async (tx: WriteTx) => {
          await refuseDeleted(tx, request)
          return act(tx, request, body, services)
        }
        const result = await recordedWrite(services.db, actorOf(request), work, entry(request, body))
        goTo(services, context, next(result, request, services, body))
      } catch (error) {
        if (!(error instanceof Problem) || error.code === 'not_found' || error.code === 'internal_error')
          throw error
        context.state.problem = error
        const values = { code: error.code, details: error.details ?? {}, message: error.message }
        goTo(services, context, {
          path: back(request, body),
          flash: flash('refused', values, { tone: 'bad' }),
        })
      }
    },
  } as PageAt<AtLevel>
}
