import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { openLog } from '#base/log.ts'
import { Problem } from '#base/problem.ts'
import { DAY } from '#base/time.ts'
import { type Database, DatabaseUnavailable, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { JobRunner } from '#product/administration/jobs/runner.ts'
import * as users from '#product/administration/users/rules.ts'
import type { Member } from '#product/administration/users/schemas.ts'
import { addUser } from '#test/product/administration/users/people.ts'
import { countedLines, counting } from '#test/support/counting-job.ts'
import { organization } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { eventually } from '#test/support/webhooks.ts'

async function start(t: TestContext) {
  const server = await startWithOrganization(t)
  const { account_id: other } = await server.apply(organization({ email: 'bob@example.org', events: [] }))
  const { db, clock } = server
  const log: Record<string, unknown>[] = []
  const runners: JobRunner[] = []
  const run = (kinds: readonly JobKind[], database: Database = db) => {
    const logger = openLog('info', { write: line => log.push(JSON.parse(line)) })
    const runner = new JobRunner({ db: database, clock, log: logger, kinds })
    runner.start()
    t.after(() => runner.stop())
    runners.push(runner)
    return runner
  }
  /** Returns a job that has ended, once no runner has anything to do. */
  const ended = async (accountId: string, id: string) => {
    for (const runner of runners) await runner.settled()
    const job = await read(db, accountId, id)
    assert.ok(hasEnded(job), `the job is ${job.state}`)
    return job
  }
  return { ...server, accountId: server.applied.account_id, other, run, ended, jobLog: log }
}

// A server would fail jobs of kinds that it does not know. It is closed, so that only the runners of the test work.
async function startAlone(t: TestContext) {
  const server = await start(t)
  await server.app.close()
  return server
}

const count = (db: Database, accountId: string, total = 30, kind = 'test.count') =>
  db.write(accountId, tx => jobs.start(tx, { kind, eventId: null, input: { a: 1 }, total, by: 'user:1' }))

const read = (db: Database, accountId: string, id: string) => db.read(accountId, tx => jobs.get(tx, id))

const hasEnded = ({ state }: { state: string }) => ['done', 'failed', 'stopped'].includes(state)

const upTo = (total: number) => Array.from({ length: total }, (_, line) => line)

test('a job is done in batches to its end, by the actor who started it, and says how far it is', async t => {
  const { db, accountId, run, ended } = await startAlone(t)
  const begun = await count(db, accountId)
  assert.deepEqual([begun.state, begun.done, begun.total, begun.outcome], ['waiting', 0, 30, null])
  const steps: unknown[] = []
  const watched: JobKind = {
    name: counting.name,
    run: async (tx, job, actor) => {
      steps.push([job.position, job.done, job.input, actor])
      return counting.run(tx, job, actor)
    },
  }
  run([watched])
  const job = await ended(accountId, begun.id)
  assert.deepEqual([job.state, job.done, job.outcome], ['done', 30, { lines: 30 }])
  assert.deepEqual(await countedLines(db, begun.id), upTo(30))
  const actor = { accountId, who: 'user:1', requestId: null, address: null }
  assert.deepEqual(steps.slice(0, 2), [
    [null, 0, { a: 1 }, actor],
    ['3', 3, { a: 1 }, actor],
  ])
})

test('accounts have their batches in turn, and the jobs of one account come one after the other', async t => {
  const { db, accountId, other, run, ended } = await startAlone(t)
  const long = await count(db, accountId)
  const second = await count(db, accountId)
  const others = await count(db, other, 6)
  run([counting])
  for (const [account, { id }] of [
    [accountId, long],
    [accountId, second],
    [other, others],
  ] as const)
    assert.equal((await ended(account, id)).state, 'done')
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ target_type: string }>(
      "SELECT target_type FROM access_log WHERE action = 'test.count' ORDER BY created_at, id",
    ),
  )
  const order = rows.map(({ target_type }) => target_type)
  assert.ok(order.lastIndexOf(others.id) < 15, 'the short job of another account waited for a long one')
  assert.ok(order.lastIndexOf(long.id) < order.indexOf(second.id))
})

test('a job that is to begin later is left alone until its instant, and holds up no other', async t => {
  const { db, clock, accountId, run, ended } = await startAlone(t)
  const notBefore = clock() + DAY
  const later = await db.write(accountId, tx =>
    jobs.start(tx, { kind: 'test.count', eventId: null, input: {}, total: 6, by: 'user:1', notBefore }),
  )
  assert.equal(later.not_before, new Date(notBefore).toISOString())
  const other = await count(db, accountId, 6)
  const runner = run([counting])
  assert.equal((await ended(accountId, other.id)).state, 'done')
  clock.advance(DAY - 1)
  await runner.settled()
  assert.equal((await read(db, accountId, later.id)).state, 'waiting')
  assert.deepEqual(await countedLines(db, later.id), [])
  const claimed = await db.write(accountId, tx => jobs.claim(tx, later.id, null))
  assert.equal(claimed, undefined)
  clock.advance(1)
  assert.equal((await ended(accountId, later.id)).state, 'done')
  assert.deepEqual(await countedLines(db, later.id), upTo(6))
})

test('a job that is to begin later can be stopped, or restarted at once', async t => {
  const { db, clock, accountId, run, ended } = await startAlone(t)
  const notBefore = clock() + DAY
  const make = () =>
    db.write(accountId, tx =>
      jobs.start(tx, { kind: 'test.count', eventId: null, input: {}, total: 6, by: 'user:1', notBefore }),
    )
  const [stopped, restarted] = [await make(), await make()]
  await db.write(accountId, tx => jobs.stop(tx, stopped.id))
  await db.write(accountId, tx => jobs.restart(tx, restarted.id, { input: {}, by: 'user:1' }))
  const runner = run([counting])
  assert.equal((await ended(accountId, restarted.id)).not_before, null)
  clock.advance(2 * DAY)
  await runner.settled()
  assert.equal((await read(db, accountId, stopped.id)).state, 'stopped')
  assert.deepEqual(await countedLines(db, stopped.id), [])
})

test('two runners at once do no line twice', async t => {
  const { db, accountId, other, run, ended } = await startAlone(t)
  const made = [await count(db, accountId, 90), await count(db, other, 90)]
  run([counting])
  run([counting])
  assert.equal((await ended(accountId, made[0]?.id as string)).done, 90)
  assert.equal((await ended(other, made[1]?.id as string)).done, 90)
  for (const { id } of made) assert.deepEqual(await countedLines(db, id), upTo(90))
})

test('a job that is stopped has no further batch, and one that has ended stays as it is', async t => {
  const { db, accountId, run, ended } = await startAlone(t)
  const { id } = await count(db, accountId, 3_000)
  const runner = run([counting])
  await eventually('some of it', async () => (await read(db, accountId, id)).done > 9)
  const stopped = await db.write(accountId, tx => jobs.stop(tx, id))
  assert.equal(stopped.state, 'stopped')
  const next = await count(db, accountId, 6)
  await ended(accountId, next.id)
  await runner.stop()
  assert.deepEqual(await read(db, accountId, id), stopped)
  assert.deepEqual(await countedLines(db, id), upTo(stopped.done))
  const again = await db.write(accountId, tx => jobs.stop(tx, next.id))
  assert.equal(again.state, 'done')
})

test('a batch whose job is stopped, or begun anew, undoes itself', async t => {
  const { db, accountId } = await startAlone(t)
  const { id } = await count(db, accountId)
  const batch = (interrupt: (tx: Parameters<typeof jobs.stop>[0]) => Promise<unknown>) =>
    db.write(accountId, async tx => {
      const claimed = await jobs.claim(tx, id, null)
      assert.ok(claimed)
      const actor = { accountId, who: 'user:1', requestId: null, address: null }
      const step = await counting.run(tx, claimed.job, actor)
      await interrupt(tx)
      await jobs.advance(tx, claimed.job, step)
    })
  await assert.rejects(
    batch(tx => jobs.stop(tx, id)),
    jobs.LeaseLost,
  )
  const anew = { input: {}, by: 'user:2' }
  await assert.rejects(
    batch(tx => jobs.restart(tx, id, anew)),
    jobs.LeaseLost,
  )
  assert.deepEqual(await countedLines(db, id), [])
  assert.deepEqual((await read(db, accountId, id)).state, 'waiting')
})

test('a claim holds others off until its lease ends, and not for longer than a lease, whatever a clock said', async t => {
  const { db, accountId, clock } = await startAlone(t)
  const { id } = await count(db, accountId)
  const claim = (lease: number | null) => db.write(accountId, tx => jobs.claim(tx, id, lease))
  const free = () => db.read(INSTANCE, tx => jobs.findFree(tx, '', clock()))
  const first = await claim(null)
  assert.equal(first?.job.lease, clock() + jobs.LEASE)
  assert.equal(await claim(null), undefined)
  assert.equal(await free(), undefined)
  assert.ok(await claim(first.job.lease), 'its own server goes on')
  clock.advance(jobs.LEASE - 1)
  assert.equal(await claim(null), undefined)
  clock.advance(1)
  assert.deepEqual(await free(), { id, accountId })
  assert.ok(await claim(null))
  // The lease was given by a clock that was ten years ahead and has been put right.
  clock.advance(3650 * DAY)
  assert.ok(await claim(null))
  clock.advance(-3650 * DAY)
  assert.ok(await claim(null))
})

test('a runner that stops ends its batch and gives its job to any other at once', async t => {
  const { db, accountId, run, ended } = await startAlone(t)
  const { id } = await count(db, accountId, 300)
  const first = run([counting])
  await eventually('some of it', async () => (await read(db, accountId, id)).done > 0)
  await first.stop()
  const { done } = await read(db, accountId, id)
  assert.ok(done < 300)
  assert.deepEqual(await countedLines(db, id), upTo(done))
  run([counting])
  assert.equal((await ended(accountId, id)).done, 300)
  assert.deepEqual(await countedLines(db, id), upTo(300))
})

test('a batch that is refused or breaks ends its job with a code and none of what people wrote', async t => {
  const { db, accountId, run, jobLog, ended } = await startAlone(t)
  const broken = (name: string, error: Error): JobKind => ({
    name,
    run: async (tx, job, actor) => {
      await counting.run(tx, job, actor)
      throw error
    },
  })
  const refused = await count(db, accountId, 9, 'refused')
  const wrong = await count(db, accountId, 9, 'wrong')
  const unknown = await count(db, accountId, 9, 'unknown')
  const after = await count(db, accountId, 9)
  run([
    broken('refused', new Problem('sold_out', { message: 'Grace has no place.' })),
    broken('wrong', new Error('Grace')),
    counting,
  ])
  const codes = []
  for (const { id } of [refused, wrong, unknown]) {
    const { state, outcome, done } = await ended(accountId, id)
    codes.push([state, outcome, done])
    assert.deepEqual(await countedLines(db, id), [])
  }
  assert.deepEqual(codes, [
    ['failed', { code: 'sold_out' }, 0],
    ['failed', { code: 'internal_error' }, 0],
    ['failed', { code: 'internal_error' }, 0],
  ])
  assert.equal((await ended(accountId, after.id)).state, 'done')
  assert.deepEqual(
    jobLog.filter(({ level }) => level === 'error' || level === 50).map(({ job_id }) => job_id),
    [wrong.id, unknown.id],
  )
})

const losses: [why: string, lose: (tx: WriteTx, member: Member) => Promise<unknown>][] = [
  ['was removed', (tx, { id }) => users.removeMember(tx, id)],
  ['has a lower role', (tx, { id }) => users.changeMember(tx, id, { role: 'finance', event_ids: null })],
  ['has other events alone', (tx, { id }) => users.changeMember(tx, id, { role: 'manager', event_ids: [] })],
]

for (const [why, lose] of losses) {
  test(`a job whose starter ${why} has no further batch, says why, and keeps what was done`, async t => {
    const { db, accountId, eventId, run, ended } = await startAlone(t)
    const { user, member } = await addUser(db, accountId, 'manager@example.org', 'manager')
    const permitted: JobKind = { ...counting, permission: 'guests.edit' }
    const job = { kind: counting.name, eventId, input: {}, total: 3_000 }
    const { id } = await db.write(accountId, tx => jobs.start(tx, { ...job, by: `user:${user.id}` }))
    run([permitted])
    await eventually('some of it', async () => (await read(db, accountId, id)).done > 9)
    await db.write(accountId, tx => lose(tx, member))
    const lost = await ended(accountId, id)
    assert.deepEqual([lost.state, lost.outcome], ['failed', { lines: lost.done, code: 'no_longer_allowed' }])
    assert.deepEqual(await countedLines(db, id), upTo(lost.done))
    assert.ok(lost.done < 3_000)
    // The command line is no member.
    const own = await db.write(accountId, tx => jobs.start(tx, { ...job, total: 9, by: 'cli' }))
    assert.equal((await ended(accountId, own.id)).state, 'done')
  })
}

test('what must come to its end goes on, whatever becomes of whoever started it', async t => {
  const { db, accountId, run, ended } = await startAlone(t)
  const { id } = await count(db, accountId, 9)
  run([counting])
  assert.equal((await ended(accountId, id)).state, 'done')
})

test('a database that is full for a moment fails no job', async t => {
  const { db, accountId, run, ended } = await startAlone(t)
  const { id } = await count(db, accountId, 9)
  let refusals = 1
  const full: Database = Object.create(db, {
    write: {
      value: async (...args: Parameters<Database['write']>) => {
        if (refusals-- > 0) throw new DatabaseUnavailable('full')
        return db.write(...args)
      },
    },
    read: { value: db.read.bind(db) },
    onCommit: { value: db.onCommit.bind(db) },
  })
  run([counting], full)
  assert.equal((await ended(accountId, id)).state, 'done')
  assert.deepEqual(await countedLines(db, id), upTo(9))
})

test('a job of another account is not found, listed, stopped or taken', async t => {
  const { db, accountId, other, eventId } = await startAlone(t)
  const { id } = await db.write(accountId, tx =>
    jobs.start(tx, { kind: 'test.count', eventId, input: {}, total: null, by: 'user:1' }),
  )
  const page = { limit: 10 }
  await assert.rejects(read(db, other, id), { code: 'not_found' })
  await assert.rejects(
    db.write(other, tx => jobs.stop(tx, id)),
    { code: 'not_found' },
  )
  assert.equal(await db.write(other, tx => jobs.claim(tx, id, null)), undefined)
  assert.deepEqual([...(await db.read(other, tx => jobs.list(tx, page)))], [])
  const found = [...(await db.read(accountId, tx => jobs.list(tx, page)))].map(({ resource }) => resource)
  assert.deepEqual(found, [await read(db, accountId, id)])
  assert.equal([...(await db.read(accountId, tx => jobs.list(tx, page, eventId)))].length, 1)
  assert.equal(found[0]?.state, 'waiting')
})

test('jobs go 30 days after they began, those that wait stay', async t => {
  const { db, accountId, clock, run, ended } = await startAlone(t)
  const old = await count(db, accountId, 9)
  const waiting = await count(db, accountId, 9, 'test.count')
  const runner = run([counting])
  await ended(accountId, old.id)
  await ended(accountId, waiting.id)
  await runner.stop()
  await db.write(accountId, tx => jobs.restart(tx, waiting.id, { input: {}, by: 'user:1' }))
  const left = async () => {
    await cleanUp(db, clock, 400)
    const rows = await db.read(accountId, tx => jobs.list(tx, { limit: 10 }))
    return [...rows].map(({ resource }) => resource.id)
  }
  clock.advance(30 * DAY)
  assert.deepEqual(await left(), [waiting.id, old.id])
  clock.advance(1)
  assert.deepEqual(await left(), [waiting.id])
})

test('a runner is settled once no job is left that it could do, of any account, and looks by itself for what is committed later', async t => {
  const { db, accountId, other, run } = await startAlone(t)
  const runner = run([counting])
  await runner.settled()
  const ids = [await count(db, accountId), await count(db, other)].map(({ id }) => id) as [string, string]
  await runner.settled()
  assert.deepEqual(
    [(await read(db, accountId, ids[0])).state, (await read(db, other, ids[1])).state],
    ['done', 'done'],
  )
  // Nobody asks it to.
  const { id } = await count(db, accountId)
  const job = await eventually('the end of the job', async () => {
    const found = await read(db, accountId, id)
    return hasEnded(found) && found
  })
  assert.equal(job.state, 'done')
  await runner.stop()
  await runner.settled()
})
