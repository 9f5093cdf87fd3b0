import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as moving from '#product/guests/imports/moving.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { startWithImports } from './imports.ts'

/** Starts a server with one type, and does what a member does with a file of another shop. */
export async function startMoving(t: TestContext) {
  const at = await startWithImports(t, {
    registration_types: [{ name: 'Standard', price: 0, capacity: 100 }],
  })
  const { db, accountId, actor, eventId } = at
  const check = async (file: Buffer) =>
    at.ended((await imports.upload(db, actor, eventId, await readTable(file))).id)
  const makeTypes = async (id: string, capacities: readonly number[]) =>
    at.ended((await db.write(accountId, tx => moving.makeTypes(tx, actor, id, capacities))).id)
  const begin = (id: string) => db.write(accountId, tx => moving.start(tx, actor, id))
  return {
    ...at,
    check,
    makeTypes,
    begin,
    missing: (id: string) => db.read(accountId, async tx => moving.missingTypes(await imports.get(tx, id))),
    /** Checks a file, makes its types, and imports it. */
    move: async (file: Buffer) => {
      const { id } = await check(file)
      await makeTypes(
        id,
        Array.from({ length: 10 }, () => 50),
      )
      const { outcome } = await at.ended((await begin(id)).id)
      return { id, outcome }
    },
    /** Returns what was made of each line, the oldest registration first. */
    guests: async () => {
      const rows = await db.read(INSTANCE, tx =>
        tx.all<Record<string, string | number | null>>(
          `SELECT r.reference, t.name AS type, r.buyer_name, r.buyer_email, a.name, a.email, a.seat, r.note, r.language, r.answers,
             c.checked_in_at
           FROM registrations r JOIN registration_types t ON t.id = r.registration_type_id
           JOIN attendees a ON a.registration_id = r.id LEFT JOIN check_ins c ON c.attendee_id = a.id
           ORDER BY r.number, a.position`,
        ),
      )
      return rows
    },
    types: async () =>
      db.read(INSTANCE, tx =>
        tx.all('SELECT name, price, capacity, sold, active FROM registration_types ORDER BY name'),
      ),
  }
}
