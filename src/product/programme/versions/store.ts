import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { PublicState } from './schemas.ts'

export interface VersionRow {
  number: number
  /** A JSON object, by `frozenSchema`. */
  content: string
  created_at: number
}

const SELECT = 'SELECT v.number, v.content, v.created_at FROM programme_versions v'

export function find(tx: ReadTx, eventId: string, number: number): Promise<VersionRow | undefined> {
  return tx.one(`${SELECT} WHERE v.account_id = $1 AND v.event_id = $2 AND v.number = $3`, [
    tx.accountId,
    eventId,
    number,
  ])
}

/** Finds the newest version of an event, public or not. */
export function findNewest(tx: ReadTx, eventId: string): Promise<VersionRow | undefined> {
  return tx.one(`${SELECT} WHERE v.account_id = $1 AND v.event_id = $2 ORDER BY v.number DESC LIMIT 1`, [
    tx.accountId,
    eventId,
  ])
}

export function findState(tx: ReadTx, eventId: string): Promise<PublicState | undefined> {
  return tx.one(
    'SELECT p.published, p.texts_from FROM programmes p WHERE p.account_id = $1 AND p.event_id = $2',
    [tx.accountId, eventId],
  )
}

export function insert(
  tx: WriteTx,
  eventId: string,
  { number, content, by }: Pick<VersionRow, 'number' | 'content'> & { by: string },
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO programme_versions (event_id, number, account_id, content, published_by, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [eventId, number, tx.accountId, content, by, now],
  )
}

export function putState(
  tx: WriteTx,
  eventId: string,
  { published, texts_from }: PublicState,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO programmes (event_id, account_id, texts_from, published, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (event_id) DO UPDATE SET texts_from = excluded.texts_from, published = excluded.published,
       updated_at = excluded.updated_at`,
    [eventId, tx.accountId, texts_from, published, now],
  )
}

/** @returns a JSON array of objects */
export async function findVerdicts(tx: ReadTx, eventId: string): Promise<string | undefined> {
  const row = await tx.one<{ verdicts: string }>(
    'SELECT p.verdicts FROM programmes p WHERE p.account_id = $1 AND p.event_id = $2',
    [tx.accountId, eventId],
  )
  return row?.verdicts
}

export function putVerdicts(tx: WriteTx, eventId: string, verdicts: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO programmes (event_id, account_id, verdicts, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (event_id) DO UPDATE SET verdicts = excluded.verdicts, updated_at = excluded.updated_at`,
    [eventId, tx.accountId, verdicts, now],
  )
}

/** Lists the events of whose people chairs have said something. */
export async function listWithVerdicts(tx: ReadTx): Promise<string[]> {
  const rows = await tx.all<{ event_id: string }>(
    "SELECT p.event_id FROM programmes p WHERE p.account_id = $1 AND p.verdicts <> '[]'",
    [tx.accountId],
  )
  return rows.map(({ event_id }) => event_id)
}

export interface NamedSession {
  id: string
  title: string
  about: string | null
  /** A JSON array of objects. */
  chairs: string
}

/** Lists what the sessions of an event are called. */
export function listSessions(tx: ReadTx, eventId: string): Promise<NamedSession[]> {
  return tx.all(
    'SELECT p.id, p.title, p.about, p.chairs FROM programme_sessions p WHERE p.account_id = $1 AND p.event_id = $2',
    [tx.accountId, eventId],
  )
}

export function listRooms(tx: ReadTx, eventId: string): Promise<{ id: string; name: string }[]> {
  return tx.all('SELECT r.id, r.name FROM rooms r WHERE r.account_id = $1 AND r.event_id = $2', [
    tx.accountId,
    eventId,
  ])
}

/** Lists the texts of the slots of an event that have no abstract, such as a welcome. */
export function listTexts(tx: ReadTx, eventId: string): Promise<{ id: string; title: string }[]> {
  return tx.all(
    `SELECT s.id, s.title FROM slots s WHERE s.account_id = $1 AND s.event_id = $2 AND s.title IS NOT NULL`,
    [tx.accountId, eventId],
  )
}
