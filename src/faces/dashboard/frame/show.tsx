import type { VNode } from 'preact'
import type { Reader } from '../db/batches.ts'
import type { ReadTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { answerLongPage, answerPage } from '../web/answer-page.ts'
import type { Level, Levels, Services } from './asked.ts'
import type { Context } from './context.ts'
import type { Declaration } from './declaration.ts'
import { Layout } from './layout.tsx'
import type { PageAt, View } from './page.ts'

/** Answers with a view, in the layout of its level. */
export async function answerView<AtLevel extends Level>(
  context: Context,
  page: { level: AtLevel; path: string },
  asked: Levels[AtLevel],
  view: View,
): Promise<void> {
  await answerPage(
    context,
    view.status ?? 200,
    <Layout level={page.level} path={page.path} asked={asked} view={view} />,
  )
}

interface ShownPage<AtLevel extends Level, Loaded> extends Declaration {
  /** Reads what the page shows, in one snapshot. @throws Problem */
  load?: (tx: ReadTx, asked: Levels[AtLevel], services: Services) => Promise<Loaded>
  /** Reads what is too long for one snapshot. */
  prepare?: (services: Services, asked: Levels[AtLevel]) => Promise<Loaded>
  view: (loaded: Loaded, asked: Levels[AtLevel]) => View
}

/** A page that is read alone. */
export function showPage<const AtLevel extends Level, Loaded>(
  level: AtLevel,
  page: ShownPage<AtLevel, Loaded>,
): PageAt<AtLevel> {
  const { load, prepare, view, ...declaration } = page
  return {
    ...declaration,
    level,
    get: async (services, context, asked) => {
      const loaded = await (prepare === undefined
        ? load === undefined
          ? (undefined as Loaded)
          : services.db.read(tx => load(tx, asked, services))
        : prepare(services, asked))
      await answerView(context, { level, path: page.path }, asked, view(loaded, asked))
    },
  }
}

interface LongPage<AtLevel extends Level, Loaded> extends Declaration {
  /** @throws Problem */
  load: (tx: ReadTx, asked: Levels[AtLevel]) => Promise<Loaded>
  /** Has a `RowsThatFollow` in its table. */
  view: (loaded: Loaded, asked: Levels[AtLevel]) => View
  rows: (reader: Reader, asked: Levels[AtLevel]) => AsyncIterable<readonly VNode[]>
  /** Bytes that reading the rows keeps in memory. */
  keeps: (loaded: Loaded) => number
}

/** A page that is read alone, and too long to be in memory: it is written as it is read. */
export function longPage<const AtLevel extends Level, Loaded>(
  level: AtLevel,
  page: LongPage<AtLevel, Loaded>,
): PageAt<AtLevel> {
  const { load, view, rows, keeps, ...declaration } = page
  return {
    ...declaration,
    level,
    get: async ({ db, log }, context, asked) => {
      const { holding, requestId } = context.state
      const loaded = await db.read(tx => load(tx, asked))
      holding.keep('answer', keeps(loaded))
      // Nothing is read for a client that has gone.
      const read: Reader['read'] = work => {
        if (context.res.destroyed) throw new Problem('unavailable')
        return db.read(work)
      }
      const document = <Layout level={level} path={page.path} asked={asked} view={view(loaded, asked)} />
      answerLongPage(context, document, rows({ read }, asked), error => {
        if (!context.res.destroyed) log.error({ err: error, request_id: requestId }, 'a page broke off')
      })
    },
  }
}
