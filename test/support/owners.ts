import type { TestContext } from 'node:test'
import { INSTANCE, type InstanceWriteTx, type Owner, type WriteTx } from '#machinery/db/port.ts'
import { schemaSql } from '#machinery/db/schema.ts'
import { EngineDatabase } from '#test/support/engine-classes.ts'
import { setTriggers, type Trigger } from '#test/support/triggers.ts'

/** Describes a write that was done: the account that it named, and the accounts whose rows it has changed. */
export interface SeenWrite {
  owner: Owner
  accounts: string[]
}

/** Says for the tables without a column for it how a row is traced to its account. */
const accountOf: Readonly<Record<string, string>> = {
  accounts: 'row.id',
  ticket_keys: '(SELECT account_id FROM events WHERE id = row.event_id)',
  attendees: '(SELECT account_id FROM registrations WHERE id = row.registration_id)',
  registration_words: '(SELECT id FROM accounts WHERE number = row.account_number)',
  member_events: '(SELECT account_id FROM members WHERE id = row.member_id)',
  registration_type_pools: '(SELECT account_id FROM capacity_pools WHERE id = row.pool_id)',
  import_lines: '(SELECT account_id FROM jobs WHERE id = row.job_id)',
  // People may be members of several accounts, and are of the instance.
  users: 'NULL',
  recovery_codes: 'NULL',
  sessions: 'NULL',
  webhook_attempts: '(SELECT account_id FROM webhook_deliveries WHERE id = row.delivery_id)',
}

const touched = { name: 'touched', columns: 'account_id TEXT NOT NULL' }

/** Have the database note whose each row is that is inserted, updated or deleted. */
const watching = [...schemaSql.matchAll(/^CREATE TABLE (\w+)([^;]*)/gm)].flatMap(
  ([, table = '', columns = '']): Trigger[] => {
    if (table === 'instance') return []
    const account = /^ +account_id /m.test(columns) ? 'row.account_id' : accountOf[table]
    if (account === undefined) throw new Error(`Nobody knows whose a row of ${table} is: name it here.`)
    const triggers = [
      ['INSERT', 'NEW'],
      ['UPDATE', 'OLD'],
      ['UPDATE', 'NEW'],
      ['DELETE', 'OLD'],
    ]
    return triggers.map(([event, row]) => ({
      name: `touched_${table}_${event}_${row}`,
      on: `BEFORE ${event} ON ${table}`,
      body: `INSERT INTO touched SELECT id FROM (SELECT ${account.replaceAll('row.', `${row}.`)} AS id) AS whose
        WHERE id IS NOT NULL`,
    }))
  },
)

type Work = (tx: WriteTx & InstanceWriteTx) => Promise<unknown>

/** From now on notes every write of any database of this process, and asks the rows whose they are. */
export function watchOwners(t: TestContext): SeenWrite[] {
  const seen: SeenWrite[] = []
  const { write } = EngineDatabase.prototype
  t.mock.method(EngineDatabase.prototype, 'write', function (this: EngineDatabase, owner: Owner, work: Work) {
    return write.call(this, owner, async tx => {
      await setTriggers(tx, touched, watching)
      const result = await work(tx as WriteTx & InstanceWriteTx)
      const rows = await tx.all<{ account_id: string }>('SELECT DISTINCT account_id FROM touched')
      await tx.run('DELETE FROM touched')
      seen.push({ owner, accounts: rows.map(row => row.account_id) })
      return result
    })
  })
  return seen
}

/** The writes that are not of this account: they name another, or have changed a row of another than they name. */
export function findStrays(seen: readonly SeenWrite[], accountId: string): SeenWrite[] {
  const isOwn = ({ owner, accounts }: SeenWrite) =>
    owner === INSTANCE
      ? accounts.length === 0
      : owner === accountId && accounts.every(account => account === owner)
  return seen.filter(write => !isOwn(write))
}
