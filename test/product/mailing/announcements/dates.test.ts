import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { countReach, findReach, listSentWith, sendToDates } from '#product/mailing/announcements/dates.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import type { Audience } from '#product/mailing/announcements/schemas.ts'
import { sendAnnouncement } from '#product/mailing/announcements/send.ts'
import { guest, organizationOfDates } from '#test/support/series-dates.ts'
import { startWithOrganization } from '#test/support/server.ts'

const TO_ALL = { group: 'confirmed', types: [], dates: 'all' } as const
const MANY = 70

async function start(t: TestContext) {
  const file = organizationOfDates()
  const many = (prefix: string) => Array.from({ length: MANY }, (_, n) => guest(`${prefix}${n}`))
  const [own, , january] = file.events as { registrations: object[] }[]
  Object.assign(own as object, { registrations: [...many('g'), guest('ada')] })
  Object.assign(january as object, { registrations: [...many('h'), guest('ada')] })
  const server = await startWithOrganization(t, file as never)
  await server.app.close()
  const { db, applied, eventId } = server
  const accountId = applied.account_id
  const reachOf = (audience: Audience, seen: string[] | null = null) =>
    db.read(accountId, tx => findReach(tx, eventId, audience, seen))
  const draft = () =>
    db.write(accountId, tx =>
      announcements.create(tx, eventId, { subject: 'S', body: 'B', audience: TO_ALL }, 'user:ada'),
    )
  const send = async () => {
    const { id } = await draft()
    const reach = await reachOf(TO_ALL)
    const counted = await countReach(db, accountId, reach)
    return db.write(accountId, tx => sendToDates(tx, id, reach, counted, { language: 'en', by: 'user:ada' }))
  }
  const mailed = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ event_id: string; recipient: string }>('SELECT event_id, recipient FROM emails ORDER BY id'),
    )
  const batch = async (jobId: string, also?: (tx: WriteTx) => Promise<void>) => {
    await db.write(accountId, async tx => {
      await tx.run('UPDATE jobs SET lease_until = NULL WHERE id = $1', [jobId])
      const claimed = await jobs.claim(tx, jobId, null)
      assert.ok(claimed !== undefined)
      const actor = { accountId, who: claimed.by, requestId: null, address: null }
      const step = await sendAnnouncement.run(tx, claimed.job, actor)
      await also?.(tx)
      await jobs.advance(tx, claimed.job, step)
    })
    return db.read(accountId, tx => jobs.get(tx, jobId))
  }
  return { ...server, accountId, reachOf, draft, send, mailed, batch }
}

test('the dates reached are published ones of the same series and account, and the date itself', async t => {
  const { reachOf, applied, eventId, apply } = await start(t)
  const other = organizationOfDates()
  Object.assign(other.account, { email: 'other@example.org' })
  await apply(other as never)
  const idOf = (slug: string) => applied.events[slug]?.id as string
  const ids = async (dates: Audience['dates'], seen: string[] | null = null) =>
    (await reachOf({ ...TO_ALL, ...(dates && { dates }) }, seen)).dates.map(each => each.eventId)
  assert.deepEqual(await ids('this'), [eventId])
  assert.deepEqual(await ids('later'), [eventId, idOf('january'), idOf('march'), idOf('empty')])
  const all = [eventId, idOf('earlier'), idOf('january'), idOf('march'), idOf('empty')]
  assert.deepEqual(await ids('all'), all)
  assert.deepEqual(await ids('all', [eventId, idOf('march')]), [eventId, idOf('march')])
})

test('each date has its own announcement and job in one write, undone together, and none twice', async t => {
  const { draft, reachOf, db, accountId, send, applied } = await start(t)
  const { id } = await draft()
  const reach = await reachOf(TO_ALL)
  const counted = await countReach(db, accountId, reach)
  assert.deepEqual(
    counted.each.map(({ recipients }) => recipients),
    [MANY + 1, 1, MANY + 1, 2, 0],
  )
  const how = { language: 'en', by: 'user:ada' } as const
  const crash = db.write(accountId, async tx => {
    await sendToDates(tx, id, reach, counted, how)
    throw new Error('crash')
  })
  await assert.rejects(crash, { message: 'crash' })
  const rows = () =>
    db.read(INSTANCE, tx => tx.all<{ id: string }>('SELECT id FROM announcements ORDER BY id'))
  assert.equal((await rows()).length, 1)
  const sent = await db.write(accountId, tx => sendToDates(tx, id, reach, counted, how))
  assert.equal(sent.length, 4, 'a date where nobody gets it has none')
  await assert.rejects(
    db.write(accountId, tx => sendToDates(tx, id, reach, counted, how)),
    { code: 'announcement_sent' },
  )
  assert.equal((await rows()).length, 4)
  const again = await send()
  const january = applied.events.january?.id as string
  for (const of of [...again])
    assert.equal((await db.read(accountId, tx => listSentWith(tx, of, null))).length, 3)
  const seen = await db.read(accountId, tx => listSentWith(tx, again[0] as never, [january]))
  assert.deepEqual(
    seen.map(({ event_id }) => event_id),
    [january],
  )
})

test('killed halfway, each date goes on where it was: each guest of a date has one mail, and nobody who is none', async t => {
  const { send, batch, mailed, db, accountId } = await start(t)
  const sent = await send()
  const crash = async () => {
    throw new Error('crash')
  }
  for (const { job_id } of sent.slice(0, 3)) {
    await batch(job_id as string)
    const before = (await mailed()).length
    if ((await db.read(accountId, tx => jobs.get(tx, job_id as string))).state === 'running')
      await assert.rejects(batch(job_id as string, crash), { message: 'crash' })
    assert.equal((await mailed()).length, before)
  }
  await db.write(accountId, tx => tx.run("UPDATE jobs SET state = 'failed', lease_until = NULL"))
  for (const { id, event_id, job_id } of sent) {
    await db.write(accountId, tx => announcements.resume(tx, event_id, id, 'user:bob'))
    let job = await batch(job_id as string)
    while (job.state === 'running') job = await batch(job_id as string)
    assert.equal(job.state, 'done')
  }
  const all = (await mailed()).map(({ event_id, recipient }) => `${event_id} ${recipient}`)
  assert.equal(all.length, 2 * (MANY + 1) + 1 + 2)
  assert.equal(new Set(all).size, all.length)
  assert.equal(all.filter(each => each.endsWith(' ada@example.org')).length, 3)
  assert.ok(!all.some(each => /(can|dra|wal|lon)@/.test(each)))
})
