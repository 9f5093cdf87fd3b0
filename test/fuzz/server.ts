import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { abstract } from '#test/support/abstracts.ts'
import { readState } from '#test/support/observations.ts'
import type { Ids } from '#test/support/operations.ts'
import { organization, registration } from '#test/support/organization.ts'
import type { Applied } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

/**
 * Makes an organization with one of each thing that an operation names. The ticket is not of the registration, because that may be
 * cancelled.
 */
export function withEverything(email?: string) {
  return organization({
    ...(email === undefined ? {} : { email }),
    event: {
      registrations: [registration('first'), registration('second')],
      abstracts: [abstract('A-1')],
      registration_types: [{ name: 'Standard', price: 5000, capacity: 1_000_000 }],
    },
  })
}

export async function startWithEverything(t: TestContext) {
  const server = await startSubscribed(t, withEverything())
  const idsOf = async (applied: Applied): Promise<Ids> => {
    const event = applied.events['spring-meeting']
    assert.ok(event)
    const attendee = await server.db.read(INSTANCE, tx =>
      tx.one<{ id: string }>('SELECT id FROM attendees WHERE registration_id = $1', [
        event.registrations.second ?? '',
      ]),
    )
    const ids = {
      event: event.id,
      type: event.registration_types.Standard,
      registration: event.registrations.first,
      attendee: attendee?.id,
      abstract: event.abstracts['A-1'],
    }
    for (const [name, id] of Object.entries(ids)) assert.ok(id, name)
    return ids as Ids
  }
  return { ...server, ids: await idsOf(server.applied), idsOf }
}

/**
 * Checks the database and the log of a server after any requests: nothing is damaged, and nothing has failed.
 *
 * @param created how many of each were answered with 201, where every answer was read
 */
export async function assertSound(
  { db, log }: Awaited<ReturnType<typeof startWithEverything>>,
  created?: { registrations: number; checkIns: number },
): Promise<void> {
  const { registrations, checkIns } = await readState(db)
  if (created !== undefined) {
    assert.deepEqual({ registrations: registrations.length - 2, checkIns: checkIns.length }, created)
  }
  assert.deepEqual(await findDamage(db), [])
  assert.deepEqual(
    log.filter(({ level }) => Number(level) >= 50),
    [],
  )
}

/**
 * The seed of a run, printed so that a failure can be had again. It is the same in each run, so that what a change breaks is
 * seen with that change; `FUZZ_SEED` has another one.
 */
export function seedOf(t: TestContext): number {
  const seed = Number(process.env.FUZZ_SEED ?? 20_261_122)
  t.diagnostic(`FUZZ_SEED=${seed}`)
  return seed
}
