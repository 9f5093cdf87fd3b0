import assert from 'node:assert/strict'
import { erasePerson } from '../../src/erasure/erase.ts'
import * as imports from '../../src/imports/rules.ts'
import { readTable } from '../../src/imports/table.ts'
import * as jobs from '../../src/jobs/rules.ts'
import type { startWithOrganization } from './server.ts'
import { eventually } from './webhooks.ts'

type Started = Awaited<ReturnType<typeof startWithOrganization>>

/** A table with a line of each fate, checked, imported, read and erased; and a job whose batch is stopped. */
export async function importGuests({ db, applied, eventId, types }: Started): Promise<void> {
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
    eventually('the end of the job', async () => {
      const { state, outcome } = await db.read(tx => jobs.get(tx, accountId, job))
      assert.notEqual(state, 'failed')
      return state === 'done' && outcome
    })
  await db.write(accountId, tx => imports.check(tx, accountId, id, choice))
  await ended(id)
  const begun = await db.write(accountId, tx => imports.start(tx, accountId, id, 'cli'))
  assert.equal((await ended(begun.id))?.added, 2)
  await db.read(async tx => {
    await imports.listLines(tx, accountId, id, { limit: 2 })
    await imports.listLines(tx, accountId, id, { limit: 2, after: 1, fate: 'wrong' })
    await imports.countLines(tx, accountId, id)
    const page = { limit: 1 }
    const [first] = await jobs.list(tx, accountId, page)
    await jobs.list(tx, accountId, { ...page, after: first?.position })
    await jobs.list(tx, accountId, { ...page, after: first?.position }, eventId)
    await jobs.list(tx, accountId, page, eventId)
  })
  await erasePerson(db, actor, 'a@b.c')
  await db.write(accountId, async tx => {
    const job = { kind: 'guests.check', eventId, input: {}, total: null, by: 'cli' }
    const { id: other } = await jobs.prepare(tx, accountId, job)
    await jobs.restart(tx, accountId, other, job)
    const claimed = await jobs.claim(tx, accountId, other, null)
    await jobs.release(tx, accountId, other, claimed?.job.lease ?? 0)
    await jobs.fail(tx, accountId, other, null, 'internal_error')
    await jobs.stop(tx, accountId, other)
  })
}
