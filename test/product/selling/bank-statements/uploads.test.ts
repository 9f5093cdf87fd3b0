import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { matchLines } from '#product/selling/bank-statements/matching.ts'
import * as uploads from '#product/selling/bank-statements/uploads.ts'
import { csvOf, mapping, matchBatch, openBanked } from '#test/support/bank-statements.ts'

const TODAY = '11-21'

test('which column is what is asked once, and again for a file with others', async t => {
  const { db, accountId, actor, send } = await openBanked(t)
  const file = [{ day: TODAY, amount: '50.00', text: 'a' }]
  const first = await send(file)
  assert.deepEqual([first.isReady, first.input.mapping.amount], [false, 'Amount'], 'the guess is shown first')
  const read = await uploads.choose(db, actor, first.job.id, mapping)
  assert.deepEqual([read.isReady, read.input.counts?.unmatched], [true, 1])
  const second = await send([{ day: TODAY, amount: '51.00', text: 'b' }])
  assert.equal(second.isReady, true)
  const other = await send(Buffer.from(`When,Sum,Purpose\n2026-${TODAY},5.00,c\n`))
  assert.equal(other.isReady, false)
  assert.deepEqual(other.input.unfit, ['Date', 'Amount', 'Number', 'Name', 'Text'])
  await assert.rejects(uploads.choose(db, actor, other.job.id, mapping), { param: 'mapping' })
  await assert.rejects(
    db.write(accountId, tx => uploads.start(tx, other.job.id, 'cli')),
    { code: 'invalid_transition', details: { reason: 'statement_not_read' } },
  )
})

test('dates that can be read in two ways are asked about, whatever was said before', async t => {
  const { db, actor, read, send } = await openBanked(t)
  await read([{ day: TODAY, amount: '50.00', text: 'a' }])
  const doubtful = await send(Buffer.from('Date,Amount,Name,Text,Number\n03/04/2026,7.00,L,x,1\n'))
  assert.equal(doubtful.isReady, false)
  await assert.rejects(uploads.choose(db, actor, doubtful.job.id, mapping), { param: 'mapping.order' })
  const chosen = await uploads.choose(db, actor, doubtful.job.id, { ...mapping, order: 'dmy' })
  assert.equal(chosen.isReady, true)
})

test('what is no statement is refused, and leaves nothing', async t => {
  const { db, accountId, send } = await openBanked(t)
  for (const bytes of [Buffer.from(''), Buffer.from('PK\u0003\u0004zip'), Buffer.from('Date,Amount\n')])
    await assert.rejects(send(bytes), { code: 'invalid_parameter', param: 'file' })
  assert.deepEqual(await db.read(accountId, tx => uploads.listLatest(tx, 10)), [])
})

test('nothing is matched before somebody has said so, and then as things stand', async t => {
  const { orderByTransfer, read, start, finish, stateOf, moved, bring } = await openBanked(t)
  const { id, text } = await orderByTransfer({ Standard: 1 })
  const { job, input } = await read([{ day: TODAY, amount: '50.00', text }])
  assert.deepEqual([input.counts?.matched, input.counts?.sums], [1, { EUR: 5000 }])
  assert.equal(await stateOf(id), 'payment')
  // Meanwhile another file brings it.
  await bring([{ day: TODAY, amount: '50.00', text, name: 'Somebody else' }])
  await start(job.id)
  assert.equal((await finish(job.id))?.unmatched, 1)
  assert.deepEqual(await moved(id), ['payment 5000'])
  assert.equal((await start(job.id)).state, 'done', 'a second start begins nothing')
})

test('two uploads of one file at once settle each line once', async t => {
  const { db, accountId, orderByTransfer, read, start, moved, owed, linesOf } = await openBanked(t)
  const made = [await orderByTransfer({ Standard: 1 }), await orderByTransfer({ Standard: 1 })]
  const file = made.map(({ text }) => ({ day: TODAY, amount: '50.00', text }))
  const [one, other] = await Promise.all([read(file), read(file)])
  await Promise.all([start(one?.job.id ?? ''), start(other?.job.id ?? '')])
  for (let ended = 0; ended < 2; ) {
    const batches = [one, other].map(upload => matchBatch(db, accountId, upload?.job.id ?? ''))
    ended = (await Promise.all(batches)).filter(Boolean).length
  }
  for (const { id } of made) assert.deepEqual([await moved(id), await owed(id)], [['payment 5000'], []])
  assert.equal((await linesOf('matched')).length, 2)
})

test('two readings of one file by other columns leave the lines of one', async t => {
  const { db, accountId, actor, send } = await openBanked(t)
  const file = Array.from({ length: 120 }, (_, at) => ({
    day: TODAY,
    amount: '1.00',
    text: `t${at}`,
    name: 'n',
  }))
  const { job } = await send(file)
  const both = await Promise.allSettled([
    uploads.choose(db, actor, job.id, mapping),
    uploads.choose(db, actor, job.id, { ...mapping, counterparty: [] }),
  ])
  assert.ok(both.some(({ status }) => status === 'fulfilled'))
  const rows = await db.read(INSTANCE, tx => tx.all("SELECT key FROM statement_lines WHERE state = 'read'"))
  const { input } = await db.read(accountId, tx => uploads.get(tx, job.id))
  assert.deepEqual([rows.length, input.counts?.unmatched], [120, 120])
})

test('a batch that breaks off leaves nothing of itself, and the rest is done after it', async t => {
  const { db, accountId, orderByTransfer, read, start, finish, stateOf, moved, damage } = await openBanked(t)
  const made = [await orderByTransfer({ Standard: 1 }), await orderByTransfer({ Student: 1 })]
  const file = made.map(({ text, payment }) => ({ day: TODAY, amount: String(payment.amount / 100), text }))
  const { job } = await read(file)
  await start(job.id)
  const broken = db.write(accountId, async tx => {
    const claimed = await jobs.claim(tx, job.id, null)
    const actor = { accountId, who: 'cli', requestId: null, address: null }
    await matchLines.run(tx, (claimed as NonNullable<typeof claimed>).job, actor)
    throw new Error('killed')
  })
  await assert.rejects(broken, /killed/)
  for (const { id } of made) assert.deepEqual([await stateOf(id), await moved(id)], ['payment', []])
  assert.equal((await finish(job.id))?.confirmed, 2)
  assert.deepEqual(await Promise.all(made.map(({ id }) => moved(id))), [['payment 5000'], ['payment 2000']])
  assert.deepEqual(await damage(), [])
})

test('what people wrote stays text: formulas, markup and endless cells', async t => {
  const { orderByTransfer, bring, stateOf, linesOf } = await openBanked(t)
  const { id, text } = await orderByTransfer({ Standard: 1 })
  const formula = '=HYPERLINK("https://evil.invalid","x")'
  await bring([
    { day: TODAY, amount: '50.00', text, name: formula },
    { day: TODAY, amount: '=50+1', text: `${text} ` },
    { day: TODAY, amount: '9.00', text: 'RF18'.repeat(900), name: '<b>' },
  ])
  assert.equal(await stateOf(id), 'confirmed')
  assert.equal((await linesOf('matched'))[0]?.counterparty, formula)
  assert.equal((await linesOf('unmatched')).length, 1, 'an amount that is none is a wrong line')
})

test('a file and its lines go after a week without a decision; what is unmatched forgets people after 90 days, and is known still', async t => {
  const { db, clock, send, read, bring, orderByTransfer, linesOf } = await openBanked(t)
  const rows = (table: string) => db.read(INSTANCE, tx => tx.all(`SELECT 1 FROM ${table}`))
  const { text } = await orderByTransfer({ Standard: 1 })
  const file = [
    { day: TODAY, amount: '50.00', text },
    { day: TODAY, amount: '3.00', text: 'From Zoe', name: 'Zoe' },
  ]
  await bring(file)
  assert.deepEqual(await rows('statement_files'), [], 'the file is gone once its lines are matched')
  await read([{ day: TODAY, amount: '4.00', text: 'read only' }])
  await send(csvOf([{ day: TODAY, amount: '5.00', text: 'not even read' }]))
  clock.advance(6 * DAY)
  await cleanUp(db, clock, 365)
  assert.equal((await rows('statement_files')).length, 2)
  clock.advance(2 * DAY)
  await cleanUp(db, clock, 365)
  assert.deepEqual(await rows('statement_files'), [])
  assert.deepEqual([(await linesOf('unmatched')).length, (await rows('statement_lines')).length], [1, 2])
  clock.advance(90 * DAY)
  await cleanUp(db, clock, 365)
  const [old] = await linesOf('ignored')
  assert.deepEqual([old?.text, old?.counterparty, old?.is_erased], ['', '', true])
  assert.equal((await linesOf('matched'))[0]?.counterparty, 'Lin', 'what was matched is bookkeeping')
  const again = await read(file)
  assert.equal(again.input.counts?.known, 2)
})
