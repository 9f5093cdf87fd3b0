import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { WriteTx } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import * as cancellations from '#product/selling/event-cancellation/rules.ts'
import { readOutbox, readSold } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startWithOrganizer } from '#test/support/people/organizer.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

const BY = 'user:ada'

/** Starts a job over three unpaid registrations, and one of each kind that cannot be cancelled. Only the test works on it. */
async function start(t: TestContext) {
  const server = await startWithOrganizer(
    t,
    organization({
      event: {
        registrations: [
          registration('paid', { amount_total: 5000 }),
          registration('gone', { status: 'cancelled' }),
          registration('failed', { status: 'failed' }),
        ],
      },
    }),
  )
  const { client, eventId, types, write, read, applied } = server
  await subscribeToAll(server.db, server.accountId)
  const made: string[] = []
  for (const quantity of [1, 2, 3]) {
    made.push(
      (await client.post('/registrations', newRegistration({ eventId, types }, { quantity }))).body.id,
    )
  }
  await server.app.close()
  const kept = Object.values(applied.events['spring-meeting']?.registrations ?? {})
  const ids = [made[0], ...kept, UNKNOWN_ID, ...made.slice(1)] as string[]
  const job = await write(tx => cancellations.start(tx, eventId, { ids, notified: 'heard', by: BY }))
  /** Does one batch, as the runner does. */
  const batch = async (also?: (tx: WriteTx) => Promise<void>) => {
    await write(async tx => {
      const claimed = await jobs.claim(tx, job.id, lease)
      assert.ok(claimed !== undefined)
      const actor = { accountId: tx.accountId, who: claimed.by, requestId: null, address: null }
      const step = await cancellations.cancelGuests.run(tx, claimed.job, actor)
      await also?.(tx)
      await jobs.advance(tx, claimed.job, step)
      lease = step.finished ? null : claimed.job.lease
    })
    return read(tx => jobs.get(tx, job.id))
  }
  let lease: number | null = null
  return { ...server, made, ids, job, batch }
}

test('a job cancels each by the rule of the API, and says of the others why they stay', async t => {
  const { batch, db, types, read, accountId } = await start(t)
  let job = await batch()
  while (job.state === 'running') job = await batch()
  assert.deepEqual([job.state, job.done, job.total], ['done', 7, 7])
  assert.deepEqual(job.outcome, {
    ...{ cancelled: 3, tickets: 6 },
    ...{ already_cancelled: 1, refund_required: 1, not_cancellable: 1 },
  })
  assert.equal(await readSold(db, types.Standard), 1)
  const cancelled = (await readOutbox(db)).filter(({ type }) => type === 'registration.cancelled')
  assert.equal(cancelled.length, 3)
  const log = await read(tx =>
    tx.all<{ actor: string; details: string }>(
      "SELECT actor, details FROM access_log WHERE action = 'registration.cancel' AND account_id = $1",
      [accountId],
    ),
  )
  assert.equal(log.length, 7)
  assert.ok(log.every(({ actor, details }) => actor === BY && JSON.parse(details).job_id !== undefined))
})

test('a batch that is undone cancels nothing, and is done again without a second webhook', async t => {
  const { batch, db, made, read } = await start(t)
  const crash = async () => {
    throw new Error('crash')
  }
  await assert.rejects(batch(crash), { message: 'crash' })
  const status = () => read(tx => registrations.get(tx, made[0] as string))
  assert.equal((await status()).status, 'confirmed')
  let job = await batch()
  while (job.state === 'running') job = await batch()
  assert.equal((await status()).status, 'cancelled')
  const cancelled = (await readOutbox(db)).filter(({ type }) => type === 'registration.cancelled')
  assert.equal(new Set(cancelled.map(({ data }) => data.object.id)).size, cancelled.length)
  assert.equal(cancelled.length, 3)
})

test('what a job keeps says nothing of a person', async t => {
  const { job } = await start(t)
  assert.deepEqual(Object.keys(job.input), ['ids', 'notified'])
})
