import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'

export interface SlotRow {
  id: string
  event_id: string
  session_id: string
  position: number
  minutes: number
  /** Either an abstract or a title. */
  abstract_id: string | null
  title: string | null
}

/** What a programme shows of an abstract, and by what it is warned of it. */
export interface AbstractPart {
  code: string
  name: string
  /** A JSON array. */
  authors: string
  /** A JSON object. */
  contact: string
  status: Abstract['status']
  topic_id: string | null
  kind_id: string | null
  decided_kind_id: string | null
  withdrawn_at: number | null
  /** Until when its authors are asked to confirm. */
  confirm_by: number | null
  confirmed_at: number | null
  /** A JSON array of dates. */
  unavailable: string | null
}

const ABSTRACT = `b.code, b.title AS name, b.authors, b.contact, b.status, b.topic_id, b.kind_id, b.decided_kind_id,
  b.withdrawn_at, b.confirm_by, b.confirmed_at, b.unavailable`
const SELECT =
  'SELECT s.id, s.event_id, s.session_id, s.position, s.minutes, s.abstract_id, s.title FROM slots s'
const WITH_ABSTRACT = SELECT.replace(
  ' FROM slots s',
  `, ${ABSTRACT} FROM slots s LEFT JOIN abstracts b ON b.id = s.abstract_id`,
)

/** A slot with its abstract, whose columns are null for a text. */
export type FullSlotRow = SlotRow & { [Name in keyof AbstractPart]: AbstractPart[Name] | null }

const PLAN = 'b.title AS name, b.status, b.kind_id, b.decided_kind_id, b.withdrawn_at'
const WITH_PLAN = WITH_ABSTRACT.replace(ABSTRACT, PLAN)

/** A slot with what its abstract is placed by, and without people. */
export type PlannedSlotRow = SlotRow &
  Pick<FullSlotRow, 'name' | 'status' | 'kind_id' | 'decided_kind_id' | 'withdrawn_at'>

/** Lists the slots of an event by their sessions, those of each in their order. */
export function listOfEvent(tx: ReadTx, eventId: string, limit: number): Promise<FullSlotRow[]> {
  return tx.all(
    `${WITH_ABSTRACT} WHERE s.account_id = $1 AND s.event_id = $2 ORDER BY s.session_id, s.position, s.id LIMIT $3`,
    [tx.accountId, eventId, limit],
  )
}

/** Lists the same slots without the people of their abstracts. */
export function listPlanned(tx: ReadTx, eventId: string, limit: number): Promise<PlannedSlotRow[]> {
  return tx.all(
    `${WITH_PLAN} WHERE s.account_id = $1 AND s.event_id = $2 ORDER BY s.session_id, s.position, s.id LIMIT $3`,
    [tx.accountId, eventId, limit],
  )
}

/** Lists the slots of a session in their order. */
export function listOfSession(tx: ReadTx, sessionId: string, limit: number): Promise<SlotRow[]> {
  return tx.all(
    `${SELECT} WHERE s.account_id = $1 AND s.session_id = $2 ORDER BY s.position, s.id LIMIT $3`,
    [tx.accountId, sessionId, limit],
  )
}

export function find(tx: ReadTx, id: string): Promise<FullSlotRow | undefined> {
  return tx.one(`${WITH_ABSTRACT} WHERE s.account_id = $1 AND s.id = $2`, [tx.accountId, id])
}

export async function count(tx: ReadTx, eventId: string): Promise<number> {
  const row = await tx.one<{ count: number }>(
    'SELECT count(*) AS count FROM slots s WHERE s.account_id = $1 AND s.event_id = $2',
    [tx.accountId, eventId],
  )
  return Number(row?.count)
}

export function insert(tx: WriteTx, row: SlotRow, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO slots (id, account_id, event_id, session_id, position, minutes, abstract_id, title, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      ...[row.id, tx.accountId, row.event_id, row.session_id, row.position, row.minutes, row.abstract_id],
      ...[row.title, now],
    ],
  )
}

export function change(
  tx: WriteTx,
  { id, session_id, position, minutes, title }: Omit<SlotRow, 'event_id' | 'abstract_id'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE slots SET session_id = $3, position = $4, minutes = $5, title = $6, updated_at = $7
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, session_id, position, minutes, title, now],
  )
}

/** Makes room for one slot before those from a position on. */
export function shift(tx: WriteTx, sessionId: string, from: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE slots SET position = position + 1, updated_at = $4
     WHERE account_id = $1 AND session_id = $2 AND position >= $3`,
    [tx.accountId, sessionId, from, now],
  )
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM slots WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

export function removeOfSession(tx: WriteTx, sessionId: string): Promise<number> {
  return tx.run('DELETE FROM slots WHERE account_id = $1 AND session_id = $2', [tx.accountId, sessionId])
}

/** An abstract that can be placed. */
export type PlaceableRow = Pick<
  AbstractPart,
  'code' | 'authors' | 'topic_id' | 'kind_id' | 'decided_kind_id'
> & {
  id: string
  event_id: string
  title: string
  /** How often it stands in the programme. */
  placed: number
}

const PLACEABLE = `SELECT b.id, b.event_id, b.code, b.title, b.authors, b.topic_id, b.kind_id, b.decided_kind_id,
  (SELECT count(*) FROM slots s WHERE s.abstract_id = b.id) AS placed FROM abstracts b`
const ACCEPTED = "b.status = 'accepted' AND b.withdrawn_at IS NULL"

/** Lists the accepted abstracts of an event, the oldest first. */
export function listPlaceable(tx: ReadTx, eventId: string, limit: number): Promise<PlaceableRow[]> {
  return tx.all(
    `${PLACEABLE} WHERE b.account_id = $1 AND b.event_id = $2 AND ${ACCEPTED} ORDER BY b.created_at, b.id LIMIT $3`,
    [tx.accountId, eventId, limit],
  )
}

export function findPlaceable(tx: ReadTx, id: string): Promise<PlaceableRow | undefined> {
  return tx.one(`${PLACEABLE} WHERE b.account_id = $1 AND b.id = $2 AND ${ACCEPTED}`, [tx.accountId, id])
}
