import { setImmediate } from 'node:timers/promises'
import { toLocalIso } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import { readNext } from '#product/programme/publishing/publish.ts'
import type { Slot, TimedSession, Timetable } from '#product/programme/timetable/schemas.ts'
import { readTimetable } from '#product/programme/timetable/timetable.ts'
import type { Frozen } from '#product/programme/versions/schemas.ts'

const COLUMNS = [
  ...['begins', 'ends', 'room', 'session', 'chairs', 'number', 'code', 'title', 'presenters'],
  ...['authors', 'affiliations', 'contact_name', 'contact_email', 'status'],
]

/** A piece has this many rows. */
const PIECE = 100

/**
 * Returns the programme of an event as CSV, as it would be published now: a line for each abstract or text in a session. Times are
 * those of the event, with their offset.
 */
export async function readProgrammeCsv(
  tx: ReadTx,
  { id, timezone }: { id: string; timezone: string },
): Promise<AsyncGenerator<string>> {
  const timetable = await readTimetable(tx, id)
  const { numbers } = await readNext(tx, id, timetable)
  return toChunks(timetable, numbers, timezone)
}

async function* toChunks(
  { rooms, sessions }: Timetable,
  numbers: Frozen['numbers'],
  timezone: string,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([COLUMNS])
  const times = new Map<number, string>()
  // A slot begins when the one before it ends, so that most instants come twice.
  const timeOf = (instant: number) => {
    const known = times.get(instant) ?? toLocalIso(instant, timezone)
    times.set(instant, known)
    return known
  }
  const roomNames = new Map(rooms.map(({ id, name }) => [id, name]))
  let rows: string[][] = []
  for (const session of sessions) {
    const room = roomNames.get(session.room_id ?? '') ?? ''
    for (const slot of session.slots) {
      rows.push(rowOf(slot, session, { room, timeOf, numbers }).map(safeCell))
      if (rows.length < PIECE) continue
      yield toCsv(rows)
      rows = []
      await setImmediate()
    }
  }
  if (rows.length > 0) yield toCsv(rows)
}

function rowOf(
  { from, to, title, abstract }: Slot,
  session: TimedSession,
  {
    room,
    timeOf,
    numbers,
  }: { room: string; timeOf: (instant: number) => string; numbers: Frozen['numbers'] },
): string[] {
  const chairs = session.chairs.map(({ name }) => name).join('; ')
  const when = [timeOf(from), timeOf(to), room, session.title, chairs]
  if (abstract === null) return [...when, '', '', title ?? '', '', '', '', '', '', '']
  const { authors, contact, isWithdrawn } = abstract
  const affiliations = new Set(authors.flatMap(author => author.affiliations))
  return [
    ...when,
    ...[numbers[abstract.id] ?? '', abstract.code, abstract.title],
    authors.flatMap(({ name, presenting }) => (presenting ? name : [])).join('; '),
    authors.map(({ name }) => name).join('; '),
    [...affiliations].join('; '),
    ...[contact.name, contact.email, isWithdrawn ? 'withdrawn' : abstract.status],
  ]
}
