import { MINUTE } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { type Abstract, readAuthors } from '#product/programme/abstracts/schemas.ts'
import * as rooms from './rooms.ts'
import {
  kindIdOf,
  MAX_SLOTS,
  type PlacedAbstract,
  type Plan,
  type PlannedAbstract,
  type Session,
  type Timetable,
} from './schemas.ts'
import * as sessions from './sessions.ts'
import * as store from './slot-store.ts'

/** Reads the whole programme of an event, with the times of each slot. */
export async function readTimetable(tx: ReadTx, eventId: string): Promise<Timetable> {
  const rows = await store.listOfEvent(tx, eventId, MAX_SLOTS)
  return { rooms: await rooms.list(tx, eventId), sessions: await timeAll(tx, eventId, rows, toPlaced) }
}

/** Reads the same without people. */
export async function readPlan(tx: ReadTx, eventId: string): Promise<Plan> {
  const rows = await store.listPlanned(tx, eventId, MAX_SLOTS)
  return { rooms: await rooms.list(tx, eventId), sessions: await timeAll(tx, eventId, rows, toPlanned) }
}

async function timeAll<Row extends store.SlotRow, Placed>(
  tx: ReadTx,
  eventId: string,
  rows: readonly Row[],
  toAbstract: (row: Row) => Placed,
) {
  const of = new Map<string, Row[]>()
  for (const row of rows) {
    const some = of.get(row.session_id)
    if (some === undefined) of.set(row.session_id, [row])
    else some.push(row)
  }
  return (await sessions.list(tx, eventId)).map(session =>
    timed(session, of.get(session.id) ?? [], toAbstract),
  )
}

/**
 * Gives each slot its time: one begins when that before it ends, from the beginning of the session on. Minutes are real ones, so
 * a session goes on over midnight and over a change of the clocks. Slots without minutes last as long as the session.
 */
function timed<Row extends store.SlotRow, Placed>(
  session: Session,
  rows: readonly Row[],
  toAbstract: (row: Row) => Placed,
) {
  let at = session.starts_at
  const slots = rows.map(row => {
    const from = row.minutes === 0 ? session.starts_at : at
    const to = row.minutes === 0 ? session.ends_at : at + row.minutes * MINUTE
    if (row.minutes > 0) at = to
    const { id, session_id, minutes, title } = row
    return { id, session_id, minutes, title, from, to, abstract: toAbstract(row) }
  })
  return { ...session, slots }
}

function toPlanned(row: store.PlannedSlotRow): PlannedAbstract | null {
  const { abstract_id: id, name, status, withdrawn_at, ...kinds } = row
  if (id === null || name === null || status === null) return null
  return { id, title: name, status, kind_id: kindIdOf(kinds), isWithdrawn: withdrawn_at !== null }
}

function toPlaced(row: store.FullSlotRow): PlacedAbstract | null {
  if (row.abstract_id === null) return null
  const {
    abstract_id: id,
    code,
    name,
    status,
    topic_id,
    withdrawn_at,
    ...rest
  } = row as store.SlotRow & store.AbstractPart
  return {
    ...{ id: id as string, code, title: name, status, topic_id },
    ...{ kind_id: kindIdOf(rest), isWithdrawn: withdrawn_at !== null },
    isUnconfirmed: rest.confirm_by !== null && rest.confirmed_at === null,
    unavailable: rest.unavailable === null ? [] : (JSON.parse(rest.unavailable) as string[]),
    authors: readAuthors(rest),
    contact: JSON.parse(rest.contact) as Abstract['contact'],
  }
}
