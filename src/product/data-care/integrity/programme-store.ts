import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { readInList } from '#machinery/db/in-list.ts'
import { INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'
import { type Id, type Rule, rule } from './store.ts'

/**
 * Lists the rules of what must not be found in programmes, with the sentence for each. An abstract that was withdrawn may stand in one:
 * chairs are warned of it, and visitors read that it was withdrawn.
 */
export const programmeRules: readonly Rule<never>[] = [
  rule<Id>(
    'SELECT p.id FROM programme_sessions p JOIN rooms r ON r.id = p.room_id WHERE r.event_id <> p.event_id',
    ({ id }) => `session ${id} is in a room of another event`,
  ),
  rule<Id>(
    'SELECT s.id FROM slots s JOIN programme_sessions p ON p.id = s.session_id WHERE p.event_id <> s.event_id',
    ({ id }) => `slot ${id} is in a session of another event`,
  ),
  rule<Id>(
    `SELECT s.id FROM slots s JOIN abstracts b ON b.id = s.abstract_id
     WHERE b.event_id <> s.event_id OR b.account_id <> s.account_id`,
    ({ id }) => `slot ${id} has an abstract of another event`,
  ),
  rule<Id & { abstract_id: string }>(
    `SELECT s.session_id AS id, s.abstract_id FROM slots s WHERE s.abstract_id IS NOT NULL
     GROUP BY s.session_id, s.abstract_id HAVING count(*) > 1`,
    ({ id, abstract_id }) => `session ${id} has abstract ${abstract_id} twice`,
  ),
  rule<Id & { count: number; newest: number }>(
    `SELECT v.event_id AS id, count(*) AS count, max(v.number) AS newest FROM programme_versions v
     GROUP BY v.event_id HAVING count(*) <> max(v.number)`,
    ({ id, count, newest }) =>
      `event ${id} has ${count} versions of its programme, of which the newest is ${newest}`,
  ),
]

export interface VersionRow {
  event_id: string
  number: number
  /** A JSON object. */
  content: string
}

/** One batch has this many rows, each of up to some hundred kilobytes. */
const BATCH = 20

/** Reads the versions of programmes, those of an event one after the other. */
export function walkVersions(reader: Reader): AsyncGenerator<VersionRow[]> {
  return inBatches(reader, INSTANCE, BATCH, (tx, last: VersionRow | undefined, size) =>
    tx.all(
      `SELECT v.event_id, v.number, v.content FROM programme_versions v
       WHERE (v.event_id, v.number) > ($1, $2) ORDER BY v.event_id, v.number LIMIT $3`,
      [last?.event_id ?? '', last?.number ?? 0, size],
    ),
  )
}

/** Finds which of these abstracts are of an event. */
export async function findOfEvent(
  tx: InstanceReadTx,
  eventId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await readInList<Id>(
    tx,
    ids,
    [eventId],
    list => `SELECT b.id FROM abstracts b WHERE b.event_id = $1 AND b.id IN ${list}`,
  )
  return new Set(rows.map(({ id }) => id))
}
