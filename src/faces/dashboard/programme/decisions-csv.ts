import { describeActor } from '#faces/dashboard/frame/actors.ts'
import { download } from '#faces/dashboard/frame/download.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import { shown } from '#product/programme/decisions/narrowing.ts'
import type { Standing } from '#product/programme/decisions/standings.ts'
import { type Decisions, readDecisions } from './decision-read.ts'

const COLUMNS = [
  ...['code', 'title', 'topic', 'kind', 'language', 'status'],
  ...['reviews_done', 'reviews_wanted', 'mean', 'spread', 'adjusted_mean'],
  ...['recommend_accept', 'recommend_unsure', 'recommend_reject'],
  ...['proposal', 'proposed_kind', 'proposed_note', 'proposed_by'],
]
/** The rows of a piece. */
const PIECE = 200

/** Sends the table that the page is narrowed to, in its order. */
export const decisionsCsv = download('event', {
  path: '/e/{event}/decisions.csv',
  belongsTo: '/e/{event}/abstracts',
  permission: 'abstracts',
  open: async (reader, request) => {
    const decisions = await readDecisions(reader, request)
    const nameBy = (by: string) => describeActor(by, decisions.names, request.voice.texts)
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `decisions-${request.event.slug}.csv`,
      chunks: toChunks(decisions, nameBy),
    }
  },
})

async function* toChunks(
  { found, standings }: Decisions,
  nameBy: (by: string) => string,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([COLUMNS])
  for (let at = 0; at < found.length; at += PIECE)
    yield toCsv(found.slice(at, at + PIECE).map(row => cellsOf(row, standings.round?.wanted, nameBy)))
}

function cellsOf(row: Standing, wanted: number | undefined, nameBy: (by: string) => string): string[] {
  const { code, title, topic, kind, language, status, figures, proposal } = row
  const figure = (value: number | undefined) => (value === undefined ? '' : String(shown(value)))
  return [
    ...[code, title, topic, kind, language].map(text => safeCell(text ?? '')),
    status,
    ...(figures === undefined || wanted === undefined
      ? Array<string>(8).fill('')
      : [
          ...[figures.done, wanted, figures.mean, figures.spread, figures.adjusted].map(figure),
          ...[figures.recommended.accept, figures.recommended.unsure, figures.recommended.reject].map(String),
        ]),
    ...(proposal === undefined
      ? Array<string>(4).fill('')
      : [
          proposal.decision,
          ...[proposal.kind, proposal.note, nameBy(proposal.by)].map(text => safeCell(text ?? '')),
        ]),
  ]
}
