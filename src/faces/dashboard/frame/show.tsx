import type { VNode } from 'preact'
import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { answerLongPage, answerPage } from '#machinery/web/answer-page.ts'
import type { Context } from './context.ts'
import type { Declaration } from './declaration.ts'
import { Layout } from './layout.tsx'
import type { PageAt, View } from './page.ts'
import { type Level, type Levels, type ReadTxAt, readAt, type Services } from './page-request.ts'

/** Answers with a view, in the layout of its level. */
export async function answerView<AtLevel extends Level>(
  context: Context,
  page: { level: AtLevel; path: string },
  request: Levels[AtLevel],
  view: View,
): Promise<void> {
  await answerPage(
    context,
    view.status ?? 200,
    <Layout level={page.level} path={page.path} request={request} view={view} />,
  )
}

interface ShownPage<AtLevel extends Level, Loaded> extends Declaration {
  /** Reads what the page shows, in one snapshot. @throws Problem */
  load?: (tx: ReadTxAt<AtLevel>, request: Levels[AtLevel], services: Services) => Promise<Loaded>
  /** Reads what is too long for one snapshot. */
  prepare?: (services: Services, request: Levels[AtLevel]) => Promise<Loaded>
  view: (loaded: Loaded, request: Levels[AtLevel]) => View
}

/** Declares a page that only reads. */
export function showPage<const AtLevel extends Level, Loaded>(
  level: AtLevel,
  page: ShownPage<AtLevel, Loaded>,
): PageAt<AtLevel> {
  const { load, prepare, view, ...declaration } = page
  return {
    ...declaration,
    level,
    get: async (services, context, request) => {
      const loaded = await (prepare === undefined
        ? load === undefined
          ? (undefined as Loaded)
          : readAt<AtLevel, Loaded>(services.db, request, tx => load(tx, request, services))
        : prepare(services, request))
      await answerView(context, { level, path: page.path }, request, view(loaded, request))
    },
  }
}

interface LongPage<AtLevel extends Level, Loaded> extends Declaration {
  /** @throws Problem */
  load: (tx: ReadTxAt<AtLevel>, request: Levels[AtLevel]) => Promise<Loaded>
  /** Its table has a `RowsThatFollow`. */
  view: (loaded: Loaded, request: Levels[AtLevel]) => View
  rows: (reader: Reader, request: Levels[AtLevel]) => AsyncIterable<readonly VNode[]>
  /** Returns the bytes that reading the rows keeps in memory. */
  keeps: (loaded: Loaded) => number
}

/** Declares a page that only reads, and that is too long for memory. It is written while it is read. */
export function longPage<const AtLevel extends Level, Loaded>(
  level: AtLevel,
  page: LongPage<AtLevel, Loaded>,
): PageAt<AtLevel> {
  const { load, view, rows, keeps, ...declaration } = page
  return {
    ...declaration,
    level,
    get: async ({ db, log }, context, request) => {
      const { holding, requestId } = context.state
      const loaded = await readAt<AtLevel, Loaded>(db, request, tx => load(tx, request))
      holding.keep('answer', keeps(loaded))
      // The page reads nothing more for a client that has gone.
      const read: Reader['read'] = (owner, work) => {
        if (context.res.destroyed) throw new Problem('unavailable')
        return db.read(owner, work)
      }
      const document = (
        <Layout level={level} path={page.path} request={request} view={view(loaded, request)} />
      )
      answerLongPage(context, document, rows({ read }, request), error => {
        if (!context.res.destroyed) log.error({ err: error, request_id: requestId }, 'a page broke off')
      })
    },
  }
}
