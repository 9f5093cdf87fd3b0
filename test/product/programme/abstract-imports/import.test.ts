import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as emails from '#machinery/mail/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as imports from '#product/programme/abstract-imports/rules.ts'
import { uploadTable } from '#test/support/abstract-imports.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { onceSettled } from '#test/support/settled.ts'
import { openCall } from '#test/support/submissions.ts'

const tableOf = (...lines: string[]) => ['title,text,topic,authors,email', ...lines].join('\n')
const line = (n: number, topic = 'Rooms') => `T${n},They fill.,${topic},Lin Mei,lin${n}@example.org`

async function start(t: TestContext) {
  const server = await startDashboard(t)
  const { db, accountId, eventId, client } = server
  await openCall(server, { topics: ['Rooms', 'Doors'] })
  const begin = (id: string, isMailed = false) =>
    db.write(accountId, tx => imports.start(tx, eventId, id, { by: 'cli', isMailed }))
  const settle = (id: string) =>
    onceSettled(server, 'jobs', 'the end of the job', () => db.read(accountId, tx => jobs.get(tx, id)))
  return {
    ...server,
    ...{ begin, settle },
    upload: (...lines: string[]) => uploadTable(server, tableOf(...lines)),
    get: (id: string) => db.read(accountId, tx => imports.get(tx, eventId, id)),
    titles: async () => {
      const { data } = (await client.get('/abstracts?limit=100')).body
      return data.map(({ title }: { title: string }) => title).sort()
    },
  }
}

test('a line that the call does not take any more is not added, and the others are', async t => {
  const at = await start(t)
  const { id } = await at.upload(line(1), line(2, 'Doors'), line(3))
  await openCall(at, { topics: ['Rooms'] })
  await at.begin(id)
  const { state, outcome } = await at.settle(id)
  assert.deepEqual([state, outcome], ['done', { added: 2, known: 0, wrong: 1 }])
  assert.deepEqual(await at.titles(), ['T1', 'T3'])
  assert.deepEqual((await at.get(id)).counts.wrong, 1)
})

test('of two uploads of the same file, which both found it new, each abstract is added once', async t => {
  const at = await start(t)
  const one = await at.upload(line(1), line(2))
  const other = await at.upload(line(1), line(2))
  await Promise.all([at.begin(one.id), at.begin(other.id)])
  const ended = [await at.settle(one.id), await at.settle(other.id)]
  const sum = (name: string) => ended.reduce((total, { outcome }) => total + Number(outcome?.[name]), 0)
  assert.deepEqual([sum('added'), sum('known')], [2, 2])
  assert.deepEqual(await at.titles(), ['T1', 'T2'])
})

test('what was stopped goes on with what is left, and starting what is done adds nothing', async t => {
  const at = await start(t)
  const all = Array.from({ length: 30 }, (_, n) => line(n))
  const { id } = await at.upload(...all)
  await at.begin(id)
  await at.db.write(at.accountId, tx => jobs.stop(tx, id))
  await at.settle(id)
  const { counts, job } = await at.get(id)
  assert.deepEqual([job.state, counts.new + counts.added], ['stopped', 30])
  await at.begin(id)
  assert.equal((await at.settle(id)).state, 'done')
  assert.equal((await at.titles()).length, 30)
  await at.begin(id)
  assert.equal((await at.settle(id)).state, 'done')
  assert.equal((await at.titles()).length, 30)
})

test('people are mailed once for each of their abstracts, and only if that was asked for', async t => {
  const at = await start(t)
  const mails = async () => {
    const all = await at.db.read(at.accountId, tx => emails.list(tx, {}, { limit: 100 }))
    return all.map(({ kind, recipient }) => `${kind} ${recipient}`).sort()
  }
  const silent = await at.upload(line(1))
  await at.begin(silent.id)
  await at.settle(silent.id)
  assert.deepEqual(await mails(), [])
  const told = await at.upload(line(1), line(2), line(3))
  await at.begin(told.id, true)
  await at.settle(told.id)
  assert.deepEqual(await mails(), ['abstract_added lin2@example.org', 'abstract_added lin3@example.org'])
})

test('an upload belongs to its event, and no table has more lines than an event takes abstracts', async t => {
  const at = await start(t)
  const { id } = await at.upload(line(1))
  await assert.rejects(
    at.db.read(at.accountId, tx => imports.get(tx, '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f', id)),
    { code: 'not_found' },
  )
  const many = Array.from({ length: 5_001 }, (_, n) => `T${n},x,Rooms,L,l@example.org`)
  await assert.rejects(at.upload(...many), { code: 'invalid_parameter', param: 'file' })
})
