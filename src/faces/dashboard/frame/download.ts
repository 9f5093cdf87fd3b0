import type { Reader } from '../db/batches.ts'
import { answerStreamed, REPORT, readerFor, type Streamed } from '../http/streamed.ts'
import type { Levels, Services } from './asked.ts'
import type { Declaration } from './declaration.ts'
import type { PageAt } from './page.ts'

interface DownloadDeclaration<AtLevel extends 'account' | 'event'> extends Declaration {
  /** Begins the file. What it throws is a page; a failure while it is sent breaks the connection. @throws Problem */
  open: (reader: Reader, asked: Levels[AtLevel], services: Services) => Promise<Streamed>
}

/** A file that is made while it is sent. */
export function download<const AtLevel extends 'account' | 'event'>(
  level: AtLevel,
  { open, ...declaration }: DownloadDeclaration<AtLevel>,
): PageAt<AtLevel> {
  return {
    ...declaration,
    level,
    isFile: true,
    get: async (services, context, asked) => {
      context.state.holding.keep('answer', REPORT)
      const file = await open(readerFor(services.db, context.res), asked, services)
      answerStreamed(context, file, services.log)
    },
  }
}
