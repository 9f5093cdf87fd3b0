import { describeActor } from '#faces/dashboard/frame/actors.ts'
import { download } from '#faces/dashboard/frame/download.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import type { Question } from '#product/guests/questions/schemas.ts'
import { shown } from '#product/programme/decisions/narrowing.ts'
import type { Standing } from '#product/programme/decisions/standings.ts'
import { listAnswers } from '#product/programme/submissions/answers.ts'
import { readContents } from '#product/programme/submissions/contents.ts'
import { type Decisions, readDecisions } from './decision-read.ts'

const COLUMNS = [
  ...['code', 'title', 'topic', 'kind', 'language', 'status'],
  ...['reviews_done', 'reviews_wanted', 'mean', 'spread', 'adjusted_mean'],
  ...['recommend_accept', 'recommend_unsure', 'recommend_reject'],
  ...['proposal', 'proposed_kind', 'proposed_note', 'proposed_by'],
]
/** The rows of a piece. Their texts are read for the answers. */
const PIECE = 50

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
      chunks: toChunks(decisions, nameBy, answersIn(reader, request.account.id)),
    }
  },
})

/** Returns what gives the cells of the answers to some questions, by the ids of abstracts. */
function answersIn(reader: Reader, accountId: string) {
  return async (rows: readonly Standing[], questions: readonly Question[]) => {
    const ids = questions.length === 0 ? [] : rows.map(({ id }) => id)
    const contents = await readContents(reader, accountId, ids)
    return (id: string) => {
      const content = contents.get(id)
      const given = content === undefined ? [] : listAnswers(content, { questions: [...questions] })
      const answers = new Map(given.map(({ question, answer }) => [question.key, answer]))
      return questions.map(({ key }) => safeCell(answers.get(key) ?? ''))
    }
  }
}

async function* toChunks(
  { found, standings }: Decisions,
  nameBy: (by: string) => string,
  readAnswers: ReturnType<typeof answersIn>,
): AsyncGenerator<string> {
  const questions = standings.call?.questions ?? []
  yield BYTE_ORDER_MARK + toCsv([[...COLUMNS, ...questions.map(({ key }) => safeCell(`answer:${key}`))]])
  for (let at = 0; at < found.length; at += PIECE) {
    const rows = found.slice(at, at + PIECE)
    const answersOf = await readAnswers(rows, questions)
    yield toCsv(rows.map(row => [...cellsOf(row, standings.round?.wanted, nameBy), ...answersOf(row.id)]))
  }
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
