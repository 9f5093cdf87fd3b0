import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { DAY } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { damageOf, engineEnv, openTestDatabase } from '#test/support/engine.ts'
import { argumentsFor } from '#test/support/program.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { begin, openCall } from '#test/support/submissions.ts'
import { eventually } from '#test/support/webhooks.ts'

async function prepare(t: TestContext) {
  const { data, accountId, eventId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const place = { db, accountId, eventId, clock: Date.now }
  await openCall(place)
  return { data, db, accountId, eventId, place }
}

/** Makes a draft, and processes that send it. */
async function prepareDraft(t: TestContext) {
  const at = await prepare(t)
  const { data, accountId, eventId } = at
  const { submission } = await begin(at.place)
  const send = async (env: Record<string, string> = {}) => {
    const imports = ['test/support/killed-server.ts'] as const
    const program = argumentsFor('test/support/sending-process.ts', imports)
    const args = [...program, data, accountId, eventId, submission.id]
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...engineEnv(['--data', data]), ...env },
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      said += text
    })
    const [, signal] = await once(child, 'close')
    return { said, signal }
  }
  return { ...at, send }
}

/** Reads what there is of an abstract: nothing but its draft, or all of it. */
function readSent(db: Database) {
  return db.read(INSTANCE, async tx => {
    const count = async (sql: string) =>
      Number((await tx.one<{ n: number }>(`SELECT count(*) AS n ${sql}`))?.n)
    return {
      abstracts: await count('FROM abstracts'),
      versions: await count('FROM abstract_revisions'),
      linked: await count('FROM submissions WHERE abstract_id IS NOT NULL'),
      drafts: await count('FROM submissions WHERE draft IS NOT NULL'),
      mails: await count("FROM emails WHERE kind = 'abstract_received'"),
    }
  })
}

const DRAFT = { abstracts: 0, versions: 0, linked: 0, drafts: 1, mails: 0 }
const ALL = { abstracts: 1, versions: 1, linked: 1, drafts: 0, mails: 1 }
const BOUND = { timeout: 120_000 }

const steps: [when: string, killAt: string, left: object][] = [
  ['before the abstract is written', 'before INSERT INTO abstracts', DRAFT],
  ['once the abstract is there, and no version of it', 'after INSERT INTO abstracts', DRAFT],
  ['once its version is there, and nobody has sent it', 'after INSERT INTO abstract_revisions', DRAFT],
  ['once it is known who has sent it', 'after UPDATE submissions SET abstract_id', DRAFT],
  ['once the mail is there, and the draft too', 'after INSERT INTO emails', DRAFT],
  ['after the commit', 'committed', ALL],
  ['after the commit is on the disk, and before the answer', 'synced', ALL],
]

for (const [when, killAt, left] of steps) {
  test(
    `a process that is killed ${when} leaves the draft or all of the abstract, which is sent once`,
    BOUND,
    async t => {
      const { data, db, send } = await prepareDraft(t)
      assert.deepEqual(await send({ KILL_AT: killAt }), { said: '', signal: 'SIGKILL' })
      assert.deepEqual(await readSent(db), left)
      assert.deepEqual(await damageOf(data), [])
      assert.deepEqual(await send(), { said: 'sent\n', signal: null })
      assert.deepEqual(await readSent(db), ALL)
      assert.deepEqual(await damageOf(data), [])
    },
  )
}

test(
  'a process that committed an abstract before all of it is written would leave a part that is found',
  BOUND,
  async t => {
    const { data, db, send } = await prepareDraft(t)
    const COMMIT_AFTER = 'INSERT INTO abstracts'
    assert.equal((await send({ KILL_AT: `after ${COMMIT_AFTER}`, COMMIT_AFTER })).signal, 'SIGKILL')
    assert.deepEqual(await readSent(db), { ...DRAFT, abstracts: 1 })
    assert.equal((await damageOf(data)).length, 1)
    await send()
    // The same abstract would be there twice.
    assert.equal((await readSent(db)).abstracts, 2)
  },
)

const PEOPLE = 600

/** Makes many drafts, and gives them more time, of which a job tells their people. */
async function prepareTelling(t: TestContext) {
  const at = await prepare(t)
  const { db, accountId, eventId, place } = at
  for (let n = 0; n < PEOPLE; n++) await begin(place, { email: `lin${n}@example.org` })
  await openCall(place, { closes_at: Date.now() + 30 * DAY })
  const [row] = await db.read(accountId, tx =>
    tx.all<{ id: string }>("SELECT id FROM jobs WHERE kind = 'calls.tell' AND event_id = $1", [eventId]),
  )
  const job = () => db.read(accountId, tx => jobs.get(tx, row?.id as string))
  const told = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ recipient: string }>("SELECT recipient FROM emails WHERE kind = 'abstract_extended'"),
    )
  return { ...at, job, told }
}

async function assertToldOnce({ told, job }: Awaited<ReturnType<typeof prepareTelling>>): Promise<void> {
  await eventually('the end', async () => (await job()).state === 'done', 60_000)
  const recipients = (await told()).map(({ recipient }) => recipient)
  assert.deepEqual([recipients.length, new Set(recipients).size], [PEOPLE, PEOPLE])
}

test('of more time everybody is told once, however often the server that tells is killed', BOUND, async t => {
  const at = await prepareTelling(t)
  const { data, job, told } = at
  for (let round = 0; round < 3; round++) {
    const before = (await told()).length
    const server = await startJobs(t, data, round * jobs.LEASE)
    await eventually('some of it', async () => (await told()).length > before + 40, 30_000)
    await setTimeout(Math.random() * 10)
    server.kill()
    await server.ended
    const { done } = await job()
    assert.ok(done < PEOPLE, 'it was finished before the process was killed')
    assert.equal((await told()).length, done)
  }
  await startJobs(t, data, 4 * jobs.LEASE)
  await assertToldOnce(at)
  assert.deepEqual(await damageOf(data), [])
})

test('even a server that kept how far it is apart from the mails would tell nobody twice', BOUND, async t => {
  const at = await prepareTelling(t)
  await (await startJobs(t, at.data, 0, 'apart')).ended
  assert.equal((await at.job()).done, 0)
  assert.ok((await at.told()).length > 0)
  await startJobs(t, at.data, 2 * jobs.LEASE)
  await assertToldOnce(at)
})

test('a server whose mails had a cause of their own each time would tell some twice', BOUND, async t => {
  const at = await prepareTelling(t)
  await (await startJobs(t, at.data, 0, 'causeless')).ended
  await startJobs(t, at.data, 2 * jobs.LEASE)
  await eventually('the end', async () => (await at.job()).state === 'done', 60_000)
  assert.ok((await at.told()).length > PEOPLE)
})

test('a server that kept how far it is before the mails would tell some never', BOUND, async t => {
  const at = await prepareTelling(t)
  await (await startJobs(t, at.data, 0, 'lost')).ended
  await startJobs(t, at.data, 2 * jobs.LEASE)
  await eventually('the end', async () => (await at.job()).state === 'done', 60_000)
  assert.ok((await at.told()).length < PEOPLE)
})
