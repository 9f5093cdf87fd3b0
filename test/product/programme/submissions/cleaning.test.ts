import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { damageOf } from '#test/support/engine.ts'
import { insertFile, readFiles } from '#test/support/files.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { begin, draftOf, openCall, saveIn, send } from '#test/support/submissions.ts'

/** The call ends 14 days from now. */
async function start(t: TestContext) {
  const server = await startWithOrganization(t)
  const { db, clock } = server
  const at = { ...server, accountId: server.applied.account_id }
  await openCall(at)
  const end = clock() + 14 * DAY
  const cleanAt = async (instant: number) => {
    clock.advance(instant - clock())
    await cleanUp(db, clock, 365)
  }
  const emails = async () => {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ email: string }>('SELECT s.email FROM submitters s ORDER BY s.email'),
    )
    return rows.map(({ email }) => email.split('@')[0])
  }
  const drafts = async () => {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<{ email: string }>(
        `SELECT s.email FROM submissions b JOIN submitters s ON s.id = b.submitter_id
         WHERE b.draft IS NOT NULL ORDER BY s.email`,
      ),
    )
    return rows.map(({ email }) => email.split('@')[0])
  }
  const add = (name: string) => begin(at, { email: `${name}@example.org` })
  const confirm = (id: string) => db.write(at.accountId, tx => submissions.confirm(tx, id))
  return { ...at, end, cleanAt, emails, drafts, add, confirm }
}

test('what was never sent goes 90 days after the end of its call, and after 7 days if nobody has confirmed the e-mail', async t => {
  const { db, accountId, clock, end, cleanAt, emails, drafts, add, confirm, ...at } = await start(t)
  const { submitter } = await add('confirmed')
  await confirm(submitter.id)
  await add('unconfirmed')
  const { submission } = await add('sent')
  await send({ ...at, db, accountId, clock }, submission.id)
  await db.write(accountId, tx => saveIn(tx, submission.id, draftOf('New'), { begunAt: clock() }))
  await cleanAt(end + 7 * DAY)
  assert.deepEqual(await drafts(), ['confirmed', 'sent', 'unconfirmed'])
  await cleanAt(end + 7 * DAY + 1)
  assert.deepEqual(await drafts(), ['confirmed', 'sent'])
  assert.deepEqual(await emails(), ['confirmed', 'sent'])
  await cleanAt(end + 90 * DAY)
  assert.deepEqual(await drafts(), ['confirmed', 'sent'])
  await cleanAt(end + 90 * DAY + 1)
  assert.deepEqual(await drafts(), ['sent'])
  assert.deepEqual(await emails(), ['sent'])
  assert.equal((await at.client.get('/abstracts')).body.data.length, 1)
})

test('the files of what was never sent go with it, at once, and those of what was sent stay', async t => {
  const { data, db, accountId, eventId, end, cleanAt, add, ...at } = await start(t)
  const { submission: unsent } = await add('unsent')
  const { submission: sent } = await add('sent')
  await send({ ...at, db, accountId, eventId }, sent.id)
  const kept = await db.write(accountId, async tx => {
    const replacedAt = await tx.now()
    await insertFile(tx, eventId, { submissionId: unsent.id })
    await insertFile(tx, eventId, { submissionId: unsent.id, replacedAt })
    return insertFile(tx, eventId, { submissionId: sent.id })
  })
  await cleanAt(end + 7 * DAY + 1)
  const { files, pieces } = await readFiles(db)
  assert.deepEqual([files.map(({ id }) => id), pieces], [[kept], [0]])
  assert.deepEqual(await damageOf(data), [])
})

test('nothing goes while a call is open, of whoever has longer, or of a call that was extended meanwhile', async t => {
  const { db, accountId, end, cleanAt, emails, add, ...at } = await start(t)
  const { submitter } = await add('late')
  await add('plain')
  const until = end + 30 * DAY
  await db.write(accountId, tx =>
    tx.run('UPDATE submitters SET late_until = $2 WHERE id = $1', [submitter.id, until]),
  )
  await cleanAt(end - 1)
  assert.deepEqual(await emails(), ['late', 'plain'])
  await cleanAt(end + 8 * DAY)
  assert.deepEqual(await emails(), ['late'])
  await cleanAt(until + 7 * DAY + 1)
  assert.deepEqual(await emails(), [])
  await openCall({ ...at, db, accountId })
  await add('next')
  await cleanAt(at.clock() + 13 * DAY)
  assert.deepEqual(await emails(), ['next'])
})

test('whoever has taken back all that was begun goes 7 days after the end of the call', async t => {
  const { db, accountId, end, cleanAt, emails, add, confirm } = await start(t)
  const { submission, submitter } = await add('gone')
  await confirm(submitter.id)
  await db.write(accountId, tx => sending.withdraw(tx, submission.id))
  await cleanAt(end + 7 * DAY)
  assert.deepEqual(await emails(), ['gone'])
  await cleanAt(end + 7 * DAY + 1)
  assert.deepEqual(await emails(), [])
})

test('each write of the cleaning takes at most fifty drafts', async t => {
  const { db, clock, end, drafts, add } = await start(t)
  for (let at = 0; at < 120; at++) await add(`p${at}`)
  clock.advance(end + 8 * DAY - clock())
  const steps: number[] = []
  const watched = wrapDatabase(db, {
    write: async (owner, work, options) => {
      const before = (await drafts()).length
      const result = await db.write(owner, work, options)
      steps.push(before - (await drafts()).length)
      return result
    },
  })
  await cleanUp(watched, clock, 365)
  assert.deepEqual(
    steps.filter(count => count > 0),
    [50, 50, 20],
  )
})
