import type { Reader } from '#machinery/db/batches.ts'
import { answerStreamed, REPORT, readerFor, type Streamed } from '#machinery/http/streamed.ts'
import type { Declaration } from './declaration.ts'
import type { PageAt } from './page.ts'
import type { Levels, Services } from './page-request.ts'

interface DownloadDeclaration<AtLevel extends 'account' | 'event'> extends Declaration {
  /** Begins the file. An error that it throws becomes a page. A later failure breaks the connection. @throws Problem */
  open: (reader: Reader, request: Levels[AtLevel], services: Services) => Promise<Streamed>
}

/** Declares a page that answers with a file, which is made while it is sent. */
export function download<const AtLevel extends 'account' | 'event'>(
  level: AtLevel,
  { open, ...declaration }: DownloadDeclaration<AtLevel>,
): PageAt<AtLevel> {
  return {
    ...declaration,
    level,
    isFile: true,
    get: async (services, context, request) => {
      context.state.holding.keep('answer', REPORT)
      const file = await open(readerFor(services.db, context.res), request, services)
      answerStreamed(context, file, services.log)
    },
  }
}
