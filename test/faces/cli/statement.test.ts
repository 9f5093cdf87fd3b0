import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sourceOf } from '#machinery/tables/lines.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as uploads from '#product/selling/bank-statements/uploads.ts'
import { type Booked, csvOf, mapping } from '#test/support/bank-statements.ts'
import { sellByTransfer } from '#test/support/banked.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { assertRefused, commandLine } from './turnout.ts'

const COLUMNS = [
  ...['--column', 'date=Date', '--column', 'amount=Amount', '--column', 'counterparty=Name'],
  ...['--column', 'text=Text', '--column', 'bank_id=Number'],
]

/** Starts with an event that is sold by transfer, and the statements of its bank. */
async function start(t: TestContext) {
  const cli = commandLine(t)
  const event = {
    ...{ status: 'published', starts_at: '2027-02-01T09:00:00Z', ends_at: '2027-02-02T18:00:00Z' },
    registration_types: [{ name: 'Standard', price: 5000, capacity: 10 }],
  }
  const applied = await cli.json('apply', cli.write('organization.json', organization({ event })))
  const accountId = applied.account_id as string
  const { id: eventId, registration_types: types } = applied.events['spring-meeting']
  const db = await openTestDatabase(t, { data: cli.data, clock: cli.clock })
  const sale = await sellByTransfer({ db, clock: cli.clock, accountId, eventId, types })
  const today = new Date(cli.clock()).toISOString().slice(5, 10)
  const fileOf = (booked: readonly Booked[], name = 'bank.csv') =>
    cli.write(name, Buffer.from(csvOf(booked.map(line => ({ day: today, ...line })))))
  return {
    ...{ ...cli, ...sale, db, accountId, today, fileOf },
    on: (...argv: string[]) => cli.turnout('statement', ...argv, '--data', cli.data),
    statement: (...argv: string[]) => cli.json('statement', ...argv),
    paid: async (id: string) => (await cli.json('payments', 'show', id)).received,
  }
}

test('a file of a bank pays its orders by one command, and the same file again changes nothing', async t => {
  const { order, fileOf, on, statement, json, paid } = await start(t)
  const { id, payment } = await order({ Standard: 1 })
  const file = fileOf([
    { amount: '50.00', text: `ticket ${payment.reference}` },
    { amount: '12.00', text: 'rent' },
    { amount: 'twelve', text: 'rent' },
  ])
  assertRefused(
    await on('import', file),
    /^error: The file has the columns Date, Amount, Name, Text, Number\. Say which.* --guess for --column date=Date /,
  )
  assert.deepEqual((await statement('list', '--files')).data, [], 'nothing is kept of what cannot be read')
  const first = await statement('import', file, ...COLUMNS)
  assert.deepEqual([first.name, first.lines, first.counts.matched], ['bank.csv', 3, 1])
  assert.deepEqual(first.outcome, { confirmed: 1, kept: 0, returned: 0, unmatched: 1, ignored: 0 })
  assert.deepEqual([first.wrong.length, first.wrong[0].line], [1, 4])
  assert.equal((await json('order', 'show', id)).status, 'confirmed')
  // The chosen columns are kept for the next file.
  const { out } = await on('import', file)
  assert.match(out, /^bank\.csv: 3 lines, 2 known before, 0 left out, 1 unreadable\.\nline 4: amount /)
  assert.match(out, /\n0 paid an order, 0 a part of one, 0 are owed back,\n0 wait for you/)
  assert.equal(await paid(payment.id), 5000)
  const { data } = await json('log', 'list')
  const matches = data.filter((entry: { action: string }) => entry.action === 'statement_line.match')
  assert.deepEqual(
    matches.map((entry: { actor: string }) => entry.actor),
    ['cli'],
  )
})

test('a file that is only read matches nothing before it is started, and another account has none of it', async t => {
  const { order, fileOf, on, statement, json, paid } = await start(t)
  const { payment } = await order({ Standard: 1 })
  const file = fileOf([{ amount: '50.00', text: payment.reference as string }])
  const read = await statement('import', file, '--guess', '--only-read')
  assert.deepEqual([read.outcome, read.counts.matched, await paid(payment.id)], [null, 1, null])
  const { id: other } = await json('account', 'create', '--name', 'O', '--email', 'other@example.org')
  assertRefused(await on('start', read.id, '--account', other), /./)
  const done = await statement('start', read.id, '--account', 'ada@example.org')
  assert.deepEqual([done.outcome.confirmed, await paid(payment.id)], [1, 5000])
  const files = await statement('list', '--files', '--account', 'ada@example.org')
  assert.equal(files.data[0].state, 'done')
})

test('an import that was cut off, while it read or while it matched, goes on when it is done again', async t => {
  const { db, accountId, clock, order, fileOf, statement, paid, today } = await start(t)
  const made = [await order({ Standard: 1 }), await order({ Standard: 1 })]
  const booked = made.map(({ payment }) => ({
    ...{ day: today, amount: '50.00', text: payment.reference as string },
  }))
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  const { job } = await uploads.upload(db, actor, sourceOf(csvOf(booked)), 'bank.csv')
  const cutAt = [
    async () => undefined,
    () => uploads.choose(db, actor, job.id, mapping),
    async () => {
      await db.write(accountId, tx => uploads.start(tx, job.id, 'cli'))
      await db.write(accountId, tx => jobs.claim(tx, job.id, null))
      clock.advance(jobs.LEASE + 1)
    },
  ]
  for (const cut of cutAt) await cut()
  const done = await statement('import', fileOf(booked), ...COLUMNS)
  assert.deepEqual([done.id, done.outcome.confirmed], [job.id, 2])
  for (const { payment } of made) assert.equal(await paid(payment.id), 5000)
})

test('lines are listed, matched by hand, left out, taken up again and undone, with what is refused in one sentence', async t => {
  const { order, fileOf, on, statement, paid } = await start(t)
  const { payment } = await order({ Standard: 1 })
  await statement(
    ...['import', fileOf([{ amount: '20.00', text: 'for \u001b[31mLin' }, { amount: '-3.00' }])],
    ...COLUMNS,
  )
  const [line] = (await statement('list')).data
  assert.deepEqual([line.amount, line.reason], [2000, 'no_reference'])
  assert.match((await on('list')).out, /^LINE .*\n.* 20\.00 EUR +Lin +for \[31mLin +no_reference/)
  assert.equal((await statement('ignore', line.id)).state, 'ignored')
  assert.equal((await statement('restore', line.id)).state, 'unmatched')
  assertRefused(await on('match', line.id, UNKNOWN_ID), /There is no|not found|does not exist/i)
  assert.equal((await statement('match', line.id, payment.id)).outcome, 'kept')
  assertRefused(await on('match', line.id, payment.id), /It is matched already/)
  assert.equal(await paid(payment.id), 2000)
  assert.equal((await statement('undo', line.id)).state, 'unmatched')
  const [out] = (await statement('list', '--state', 'ignored')).data
  assertRefused(await on('match', out.id, payment.id), /money that went out/)
  assertRefused(await on('paid-back', line.id, UNKNOWN_ID), /./)
})

test('a line whose money was noted as paid is matched only when that is said', async t => {
  const { order, fileOf, on, statement, json } = await start(t)
  const { payment } = await order({ Standard: 1 })
  await json('payments', 'paid', payment.id)
  await statement('import', fileOf([{ amount: '50.00', text: payment.reference as string }]), ...COLUMNS)
  const [line] = (await statement('list')).data
  assert.equal(line.reason, 'marked')
  assertRefused(await on('match', line.id, payment.id), /noted as paid\. If it is not, add --anyway/)
  assert.equal((await statement('match', line.id, payment.id, '--anyway')).outcome, 'returned')
})

test('columns, dates and files that cannot be are refused and leave nothing', async t => {
  const { write, on, statement } = await start(t)
  const open = write('open.csv', 'Date,Amount\n03/04/2026,7.00\n')
  const columns = ['--column', 'date=Date', '--column', 'amount=Amount']
  assertRefused(
    await on('import', open, ...columns),
    /dates can be read in two ways\. Add --date-order dmy or/,
  )
  for (const [argv, sentence] of [
    [['--column', 'date=When', '--column', 'amount=Amount'], /./],
    [['--column', 'date=Date', '--column', 'date=Amount'], /--column date is one column/],
    [['--column', 'date=Date'], /./],
    [['--date-order', 'dmy'], /go with --column/],
    [[...columns, '--date-order', 'ymd'], /--date-order/],
  ] as const)
    assertRefused(await on('import', open, ...argv), sentence)
  const wrongUsage = await on('import', open, '--column', 'day=Date')
  assert.equal(wrongUsage.code, 2)
  assertRefused(await on('import', `${open}.none`), /There is no file/)
  assertRefused(await on('import', write('x.csv', Buffer.from('PK\u0003\u0004zip'))), /./)
  assert.deepEqual((await statement('list', '--files')).data, [])
})
