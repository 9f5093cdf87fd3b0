import { recordedWrite, type WriteEntry } from '../access-log/recorded-write.ts'
import type { WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { flash } from '../web/flash.ts'
import { actorOf, type Levels, type Services } from './asked.ts'
import type { Declaration } from './declaration.ts'
import { type Destination, goTo } from './destination.ts'
import type { PageAt } from './page.ts'

interface ButtonDeclaration<AtLevel extends 'account' | 'event', Result> extends Declaration {
  /** @throws Problem */
  act: (tx: WriteTx, asked: Levels[AtLevel], body: URLSearchParams) => Promise<Result>
  entry: (asked: Levels[AtLevel], body: URLSearchParams) => WriteEntry<Result>
  next: (result: Result, asked: Levels[AtLevel], services: Services, body: URLSearchParams) => Destination
  /** Where a refusal is told. */
  back: (asked: Levels[AtLevel], body: URLSearchParams) => string
}

/** A button that does one thing at once, in one recorded write, and leads on; a refusal is told where it came from. */
export function button<const AtLevel extends 'account' | 'event', Result>(
  level: AtLevel,
  page: ButtonDeclaration<AtLevel, Result>,
): PageAt<AtLevel> {
  const { act, entry, next, back, ...declaration } = page
  return {
    ...declaration,
    level,
    post: async (services, context, asked) => {
      const { body } = context.state
      try {
        const work = (tx: WriteTx) => act(tx, asked, body)
        const result = await recordedWrite(services.db, actorOf(asked), work, entry(asked, body))
        goTo(services, context, next(result, asked, services, body))
      } catch (error) {
        if (!(error instanceof Problem) || error.code === 'not_found' || error.code === 'internal_error')
          throw error
        context.state.problem = error
        const told = { code: error.code, details: error.details ?? {}, message: error.message }
        goTo(services, context, { path: back(asked, body), flash: flash('refused', told, { tone: 'bad' }) })
      }
    },
  } as PageAt<AtLevel>
}
