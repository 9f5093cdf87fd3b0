import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { explainFailure } from '#faces/cli/failure.ts'
import { DatabaseUnavailable } from '#machinery/db/port.ts'
import { BatchesStopped } from '#product/data-care/organization/batches.ts'
import { describeDuration } from '#product/data-care/organization/estimate.ts'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { organization, registration } from '#test/support/organization.ts'

function large(count: number) {
  return organization({
    event: {
      registration_types: [{ name: 'Standard', price: 0, capacity: 50_000 }],
      registrations: Array.from({ length: count }, (_, number) => registration(`moved-${number}`)),
    },
  })
}

test('apply says before it begins how long more than 20,000 new registrations take, in one write if no server runs', async t => {
  const { turnout, write, data, json } = commandLine(t)
  const few = await turnout('apply', write('few.json', large(1)), '--data', data, '--json')
  assert.deepEqual([few.code, few.err], [0, ''])
  const path = write('many.json', large(20_002))
  const dry = await turnout('apply', path, '--data', data, '--dry-run')
  assert.deepEqual([dry.code, dry.err], [0, ''])
  const { code, out, err } = await turnout('apply', path, '--data', data, '--json')
  assert.equal(code, 0)
  assert.match(
    err,
    /^Importing 20,001 registrations takes about \d+ (second|minute)s?, and longer on a slow disk\.\n$/,
  )
  const { account_id: account, created } = JSON.parse(out)
  assert.equal(created, 20_001)
  assert.equal((await json('log', 'list', '--account', account)).data.length, 2)

  const again = await turnout('apply', path, '--data', data)
  assert.deepEqual([again.code, again.err], [0, ''])
  assert.match(again.out, /^0 created, 0 updated, 20005 kept/)
})

test('apply --in-batches says what apply says, with --dry-run too', async t => {
  const one = commandLine(t)
  const other = commandLine(t)
  const path = one.write('organization.json', large(3))
  const dry = await one.turnout('apply', path, '--data', one.data, '--dry-run')
  assert.deepEqual(await one.turnout('apply', path, '--data', one.data, '--dry-run', '--in-batches'), dry)
  const atOnce = await one.turnout('apply', path, '--data', one.data)
  const parts = await other.turnout('apply', path, '--data', other.data, '--in-batches')
  const withoutId = (text: string) => text.replace(/account .*\.\n/, 'account\n')
  assert.deepEqual({ ...parts, out: withoutId(parts.out) }, { ...atOnce, out: withoutId(atOnce.out) })
  const { changes, kept } = await other.json('apply', path, '--in-batches')
  assert.deepEqual([changes, kept], [[], 6])
})

test('how long it takes is said in seconds, and past two minutes in minutes', () => {
  const durations = [0, 1_400, 1_600, 119_400, 119_600, 3_600_000].map(describeDuration)
  assert.deepEqual(durations, ['1 second', '1 second', '2 seconds', '119 seconds', '2 minutes', '60 minutes'])
})

test('apply says what stopped the batches, and how far they came', async t => {
  const { turnout, write, data } = commandLine(t)
  const oversold = write('oversold.json', large(50_001))
  const { code, err } = await turnout('apply', oversold, '--data', data, '--in-batches')
  assert.equal(code, 1)
  // Before the first batch there is nothing to say about batches.
  assert.match(
    err,
    /^error: events\.0\.registration_types\.0\.capacity is too small: [^\n]* brings 50001 tickets\.\n$/,
  )

  const far =
    '2,000 of 60,000 registrations, waiting entries, abstracts and people of calls were imported or completed, and stay.'
  const explain = (cause: Error) => explainFailure(new BatchesStopped(2_000, 60_000, cause))
  const refused = new Problem('invalid_parameter', { message: 'The capacity is too small.' })
  assert.equal(explain(refused), `The capacity is too small. ${far} Run the command again to go on.`)
  assert.equal(
    explain(new DatabaseUnavailable('SQLite: SQLITE_FULL')),
    `The database is busy, full or failing (SQLite: SQLITE_FULL). ${far} Run the command again to go on.`,
  )
})
