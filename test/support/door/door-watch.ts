import type { TestContext } from 'node:test'
import type { Database, InstanceWriteTx, Owner, WriteTx } from '#machinery/db/port.ts'
import { EngineDatabase } from '#test/support/engine-classes.ts'
import { setTriggers, type Trigger } from '#test/support/triggers.ts'

/** A ticket that doors see otherwise by a write. */
export interface SeenAtDoors {
  ticket: string
  /** The name of the step. */
  by: string
  /** Whether the write has noted it, in its own transaction. */
  isNoted: boolean
}

/** Returns what a door shows of a registration: its state, its buyer, whether something is owed, and its type. */
const shown = (row: string) =>
  `CASE ${row}.status WHEN 'refunded' THEN 'cancelled' ELSE ${row}.status END || '/' || ${row}.buyer_name || '/'
   || (${row}.amount_total > 0) || '/' || ${row}.registration_type_id`

const trigger = (name: string, on: string, when: string, ticket: string): Trigger => ({
  name: `at_doors_${name}`,
  on: `AFTER ${on}`,
  when,
  body: `INSERT INTO at_doors SELECT a.id, '${name}' FROM attendees a WHERE ${ticket}`,
})

const atDoors = { name: 'at_doors', columns: 'id TEXT NOT NULL, by TEXT NOT NULL' }

/** Have the database note which tickets a door shows otherwise, and give each new event a door. */
const watching: Trigger[] = [
  {
    name: 'at_doors_of_event',
    on: 'AFTER INSERT ON events',
    body: `INSERT INTO devices (id, account_id, event_id, name, search, unlisted, created_at, updated_at)
      VALUES (NEW.id, NEW.account_id, NEW.id, 'Main door', 1, 1, NEW.created_at, NEW.created_at)`,
  },
  trigger('sold', 'INSERT ON attendees', 'true', 'a.id = NEW.id'),
  trigger(
    'amended',
    'UPDATE ON attendees',
    'OLD.name IS DISTINCT FROM NEW.name OR OLD.seat IS DISTINCT FROM NEW.seat',
    'a.id = NEW.id',
  ),
  trigger('voided', 'UPDATE ON attendees', 'OLD.voided <> NEW.voided', 'a.id = NEW.id'),
  trigger(
    'settled',
    'UPDATE ON registrations',
    `${shown('OLD')} <> ${shown('NEW')}`,
    'a.registration_id = NEW.id',
  ),
  trigger('admitted', 'INSERT ON check_ins', 'true', 'a.id = NEW.attendee_id'),
  trigger('changed', 'UPDATE ON check_ins', 'true', 'a.id = NEW.attendee_id'),
  trigger('undone', 'DELETE ON check_ins', 'true', 'a.id = OLD.attendee_id'),
]

const SEEN = `SELECT DISTINCT t.id AS ticket, t.by, CASE WHEN EXISTS (
    SELECT 1 FROM door_changes c WHERE c.event_id = r.event_id AND c.attendee_id IN (a.id, '')
      AND c.number = (SELECT write_number FROM instance)) THEN 1 ELSE 0 END AS is_noted
  FROM at_doors t JOIN attendees a ON a.id = t.id JOIN registrations r ON r.id = a.registration_id`

/** From now on looks at each write of any database of this process, and asks the rows what the doors of each event see of it. */
export function watchDoors(t: Pick<TestContext, 'mock'>): SeenAtDoors[] {
  const seen: SeenAtDoors[] = []
  const { prototype } = EngineDatabase
  const { write } = prototype
  type Work = (tx: WriteTx & InstanceWriteTx) => Promise<unknown>
  t.mock.method(prototype, 'write', function (this: EngineDatabase, owner: Owner, work: Work) {
    return write.call(this, owner, async tx => {
      await setTriggers(tx, atDoors, watching)
      const result = await work(tx as WriteTx & InstanceWriteTx)
      const rows = await tx.all<Omit<SeenAtDoors, 'isNoted'> & { is_noted: 0 | 1 }>(SEEN)
      await tx.run('DELETE FROM at_doors')
      seen.push(...rows.map(({ ticket, by, is_noted }) => ({ ticket, by, isNoted: is_noted === 1 })))
      return result
    })
  } as Database['write'])
  return seen
}
