import assert from 'node:assert/strict'
import * as jobs from '#product/administration/jobs/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'
import type { startWithOrganization } from '../server.ts'
import { onceSettled } from '../settled.ts'
import { bringBeside } from './beside-run.ts'

type Started = Awaited<ReturnType<typeof startWithOrganization>>

/** A table with a line of each fate, checked, imported, read and erased; and a job whose batch is stopped. */
export async function importGuests({ app, db, applied, eventId, types }: Started): Promise<void> {
  const { account_id: accountId } = applied
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  const lines = ['r1,Ada,a@b.c,', 'r1,Ada,a@b.c,', 'r2,Bob,,', 'r3,Ada,a@b.c,100', 'r4,Cyd,c@b.c,']
  const table = await readTable(Buffer.from(`Reference,Name,Email,Quantity\n${lines.join('\n')}\n`))
  const { id, input } = await imports.upload(db, actor, eventId, table)
  const choice = {
    columns: input.columns as string[],
    registrationTypeId: types.Standard as string,
    by: 'cli',
  }
  const ended = (job: string) =>
    onceSettled({ app }, 'jobs', 'the end of the job', async () => {
      const { state, outcome } = await db.read(accountId, tx => jobs.get(tx, job))
      assert.notEqual(state, 'failed')
      return state === 'done' && outcome
    })
  await db.write(accountId, tx => imports.check(tx, id, choice))
  await ended(id)
  const begun = await db.write(accountId, tx => imports.start(tx, id, 'cli'))
  assert.equal((await ended(begun.id))?.added, 2)
  await db.read(accountId, async tx => {
    await imports.listLines(tx, id, { limit: 2 })
    await imports.listLines(tx, id, { limit: 2, after: 1, fate: 'wrong' })
    await imports.countLines(tx, id)
    const page = { limit: 1 }
    const [first] = await jobs.list(tx, page)
    await jobs.list(tx, { ...page, after: first?.position })
    await jobs.list(tx, { ...page, after: first?.position }, eventId)
    await jobs.list(tx, page, eventId)
  })
  const below = { ...choice, columns: ['none', 'name', 'email'], headerLine: 2 }
  await db.write(accountId, tx => imports.check(tx, id, below))
  await ended(id)
  await erasePerson(db, actor, 'a@b.c')
  await db.write(accountId, async tx => {
    const job = { kind: 'guests.check', eventId, input: {}, total: null, by: 'cli' }
    const { id: other } = await jobs.prepare(tx, job)
    await jobs.restart(tx, other, job)
    const claimed = await jobs.claim(tx, other, null)
    await jobs.release(tx, other, claimed?.job.lease ?? 0)
    await jobs.fail(tx, other, null, 'internal_error')
    await jobs.stop(tx, other)
  })
  await bringBeside(db, { accountId, eventId: applied.events.autumn?.id as string })
}
