import { setImmediate as nextTurn } from 'node:timers/promises'
import { countWithin, type Reader } from '#machinery/db/batches.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReportRow } from './columns.ts'
import * as store from './store.ts'

/** One read takes at most this many, so that it keeps the event loop for a few milliseconds at most. */
const MAX_REGISTRATIONS = 100
const MAX_TICKETS = 200

/**
 * One piece of the report has about this many bytes. Texts of more than 128 KiB stay in memory until the engine collects all of
 * its garbage. With larger pieces, a report of a million rows takes three times the memory.
 */
const PIECE = 96 * 1024
/**
 * A row without its answers has about this size. Each column of an answer adds the second size besides its key, which every row
 * of JSON repeats.
 */
const ROW_SIZE = 500
const ANSWER_COLUMN_SIZE = 20

type Answers = Record<string, string>
const NO_ANSWERS: Answers = {}

/**
 * Yields the rows of the report in small pieces, because a registration with many tickets and long answers has megabytes of them.
 * The event loop turns between two pieces.
 */
export async function* readRows(
  reader: Reader,
  extent: store.Extent,
  answerKeys: ReadonlySet<string>,
): AsyncGenerator<ReportRow[]> {
  let rowSize = ROW_SIZE
  for (const key of answerKeys) rowSize += ANSWER_COLUMN_SIZE + Buffer.byteLength(key)
  let piece: ReportRow[] = []
  let size = 0
  for await (const { registrations, tickets } of readBatches(reader, extent)) {
    let at = 0
    for (const registration of registrations) {
      const answers = await answersOf(reader, extent, registration)
      // An organization file may bring old registrations while the report runs, and these are left out. A registration that was
      // amended since the report began is included, but without answers that have no column.
      const isLater = registration.number > extent.lastNumber
      for (; tickets[at]?.registration_id === registration.id; at++) {
        if (isLater) continue
        const ticket = tickets[at] as store.ReportedTicketRow
        const own = await answersOfTicket(reader, extent, ticket)
        piece.push({ registration, ticket, answers: own === NO_ANSWERS ? answers : { ...answers, ...own } })
        size += rowSize + registration.answers_size + ticket.answers_size
        if (size < PIECE) continue
        yield piece
        piece = []
        size = 0
        await nextTurn()
      }
    }
    if (piece.length > 0) yield piece
    piece = []
    size = 0
    await nextTurn()
  }
}

interface Batch {
  registrations: readonly store.ReportedRegistrationRow[]
  /** The tickets, in the same order. */
  tickets: readonly store.ReportedTicketRow[]
}

/** Reads registrations with their tickets, each batch in a snapshot of its own. */
async function* readBatches(reader: Reader, extent: store.Extent): AsyncGenerator<Batch> {
  let after: Position | undefined
  let size = MAX_REGISTRATIONS
  for (;;) {
    const { found, batch, tickets } = await reader.read(extent.accountId, async tx => {
      const found = await store.listRegistrations(tx, extent, after, size)
      const batch = found.slice(
        0,
        countWithin(found, ({ quantity }) => quantity, MAX_TICKETS),
      )
      const [first] = batch
      const last = batch.at(-1)
      const tickets = first && last ? await store.listTickets(tx, extent, first, last) : []
      return { found, batch, tickets }
    })
    if (batch.length > 0) yield { registrations: batch, tickets }
    if (found.length < size && batch.length === found.length) return
    after = batch.at(-1)
    size = Math.min(MAX_REGISTRATIONS, 2 * batch.length)
  }
}

/** Reads the answers of one registration at a time if they are long, because these did not come with their batch. */
async function answersOf(
  reader: Reader,
  extent: store.Extent,
  { id, answers }: store.AnsweredRow,
): Promise<Answers> {
  return parse(answers ?? (await reader.read(extent.accountId, tx => store.readAnswers(tx, id))))
}

async function answersOfTicket(
  reader: Reader,
  extent: store.Extent,
  { id, answers }: store.ReportedTicketRow,
): Promise<Answers> {
  return parse(answers ?? (await reader.read(extent.accountId, tx => store.readTicketAnswers(tx, id))))
}

function parse(text: string): Answers {
  return text === '{}' ? NO_ANSWERS : (JSON.parse(text) as Answers)
}
