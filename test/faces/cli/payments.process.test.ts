import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { argumentsFor } from '#test/support/program.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'
import { assertRefused, commandLine } from './turnout.ts'

const KEY = 'rk_test_organizer1234'

async function start(t: TestContext) {
  const line = commandLine(t)
  const standIn = await StripeStandIn.start()
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: 'acct_organizer' })
  process.env.TURNOUT_STRIPE_API = standIn.origin
  t.after(() => {
    delete process.env.TURNOUT_STRIPE_API
  })
  await line.json('account', 'create', '--name', 'Ada Events', '--email', 'ada@example.org')
  const connect = (key: string, ...flags: string[]) =>
    line.turnout(
      'payments',
      'connect',
      '--key-file',
      line.write('key.txt', `${key}\n`),
      '--data',
      line.data,
      ...flags,
    )
  return { ...line, standIn, connect }
}

test('Stripe is connected by a key in a file, shown by its last four characters, and disconnected', async t => {
  const { connect, turnout, json, data } = await start(t)
  assert.deepEqual(await json('payments', 'status'), { stripe: null, transfer: null })
  const connected = await connect(KEY, '--test-payments')
  assert.equal(connected.err, '')
  assert.match(
    connected.out,
    /^Connected Stripe: acct_organizer, test mode, key …1234, asked every minute\.\n$/,
  )
  const { stripe } = await json('payments', 'status')
  assert.deepEqual([stripe.account, stripe.is_live, stripe.last_four], ['acct_organizer', false, '1234'])
  assert.doesNotMatch(JSON.stringify(stripe), new RegExp(KEY))
  const shown = await turnout('payments', 'status', '--data', data)
  assert.match(shown.out, /^Stripe: acct_organizer, test mode/)
  const gone = await turnout('payments', 'disconnect', '--test-payments', '--data', data)
  assert.match(gone.out, /^Disconnected Stripe\./)
  assertRefused(await turnout('payments', 'disconnect', '--test-payments', '--data', data), /no such/)
})

test('a key that is not restricted, of test mode, unknown or without a permission is refused in a sentence without it', async t => {
  const { connect, standIn, json } = await start(t)
  const refused = async (key: string, sentence: RegExp) => {
    const outcome = await connect(key, '--test-payments')
    assertRefused(outcome, sentence)
    assert.ok(!outcome.err.includes(key))
  }
  await refused('sk_live_organizer1234', /restricted key/)
  await refused('hello', /no restricted key/)
  await refused('rk_test_nobodysentthis', /does not know this key/)
  await standIn.addKey('rk_test_weak12345', { account: 'acct_organizer', permissions: ['event_read'] })
  await refused(
    'rk_test_weak12345',
    /lacks permissions.*Checkout Sessions: Write.*Charges and Refunds: Write/,
  )
  await standIn.down()
  await refused(KEY, /did not answer/)
  delete process.env.TURNOUT_STRIPE_API
  assertRefused(await connect(KEY), /test key/)
  assert.equal((await json('payments', 'status')).stripe, null)
})

test('another base address for Stripe is for rehearsals alone', async t => {
  const { connect } = await start(t)
  assertRefused(await connect(KEY), /TURNOUT_STRIPE_API is for rehearsals alone/)
})

test('a bank account is kept, its IBAN printed as banks do; one with a wrong digit is refused', async t => {
  const { json, turnout, data } = await start(t)
  const bank = (iban: string) => ['payments', 'bank', '--holder', 'Ada Events', '--iban', iban]
  const kept = await json(...bank('de89370400440532013000'))
  assert.equal(kept.account, 'DE89 3704 0044 0532 0130 00')
  assert.equal((await json('payments', 'status')).transfer.account, 'DE89 3704 0044 0532 0130 00')
  assertRefused(await turnout(...bank('DE89 3704 0044 0532 0130 01'), '--data', data), /no IBAN/)
  assert.equal((await json(...bank('123-456 789'))).account, '123-456 789')
})

test('a key comes by stdin too, and never by an argument', async t => {
  const { data, json } = await start(t)
  const command = [...argumentsFor('src/main.ts'), 'payments', 'connect', '--data', data]
  const { status, stderr } = spawnSync(process.execPath, command, {
    input: 'sk_live_onstdin12345\n',
    encoding: 'utf8',
    timeout: 30_000,
    env: { ...process.env, TURNOUT_STRIPE_API: '' },
  })
  assert.equal(status, 1)
  assert.match(stderr, /restricted key/)
  assert.doesNotMatch(stderr, /onstdin/)
  assert.equal((await json('payments', 'status')).stripe, null)
})
