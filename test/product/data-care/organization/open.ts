import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { dataFolder } from '#test/support/blank-database.ts'
import { testClock } from '#test/support/clock.ts'
import { openTestDatabase } from '#test/support/engine.ts'

/** Opens a database as a command does. */
export async function open(t: TestContext, folder = dataFolder(t)) {
  const clock = testClock()
  const db = await openTestDatabase(t, { data: folder, clock })
  const count = async (table: string) =>
    (await db.read(INSTANCE, tx => tx.one<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)))?.rows
  const apply = (file: unknown, options: { updateHistory?: boolean } = {}) =>
    applyOrganization(db, file, { clock, ...options })
  return { db, clock, folder, count, apply }
}

const TABLES = [
  'accounts',
  'events',
  'registration_types',
  'registrations',
  'attendees',
  'ticket_keys',
  'check_ins',
  'waitlist_entries',
  'abstracts',
  'webhook_endpoints',
  'access_log',
]

export async function assertEmpty({ count }: Awaited<ReturnType<typeof open>>) {
  for (const table of TABLES) assert.equal(await count(table), 0, table)
}
