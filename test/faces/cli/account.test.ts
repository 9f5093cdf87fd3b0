import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { organization } from '#test/support/organization.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { assertRefused, commandLine } from './turnout.ts'

/** Makes the accounts of Ada and Bob. */
async function withAccounts(t: TestContext) {
  const cli = commandLine(t)
  const create = (name: string, email: string) =>
    cli.json('account', 'create', '--name', name, '--email', email, '--timezone', 'Europe/Madrid')
  const ada = await create('Ada', 'ada@example.org')
  cli.clock.advance(1_000)
  const bob = await create('Bob', 'bob@example.org')
  const list = async () => (await cli.json('account', 'list')).data
  const update = (...argv: string[]) => cli.turnout('account', 'update', ...argv, '--data', cli.data)
  /** Returns Ada's access log, newest first. */
  const entries = async () =>
    (await cli.json('log', 'list', '--account', ada.id)).data
      .filter(({ action }: { action: string }) => action === 'account.update')
      .map(({ actor, target_type, target_id, details }: Record<string, unknown>) => [
        ...[actor, target_type, target_id, details],
      ])
  return { ...cli, ada, bob, list, update, entries }
}

test('account update changes the e-mail or the name, and nothing else', async t => {
  const { ada, bob, json, list, update, entries } = await withAccounts(t)
  const email = ' Ada@MÜNCHEN.example '
  const moved = await json('account', 'update', '--account', 'ada@example.org', '--email', email)
  assert.deepEqual(moved, { ...ada, email: 'Ada@MÜNCHEN.example' })
  const named = await update('--account', 'ada@xn--mnchen-3ya.example', '--name', ' Ada Events ')
  assert.deepEqual(named, {
    ...{ code: 0, err: '' },
    out: `Updated account ${ada.id}: Ada Events, Ada@MÜNCHEN.example.\n`,
  })
  assert.deepEqual(await list(), [{ ...moved, name: 'Ada Events' }, bob])
  const both = ['--email', 'eve@example.org', '--name', 'Eve']
  const last = await json('account', 'update', '--account', ada.id, ...both)
  assert.deepEqual(last, { ...ada, email: 'eve@example.org', name: 'Eve' })
  // The log has the names of the fields, and nobody's address.
  const [newest, middle, oldest] = ['email,name', 'name', 'email'].map(fields => [
    ...['cli', 'account', ada.id, { fields: fields.split(',') }],
  ])
  assert.deepEqual(await entries(), [newest, middle, oldest])
})

test('an e-mail of another account is refused in words, in any of its forms, and nothing is changed', async t => {
  const { list, update, entries, bob, json } = await withAccounts(t)
  const before = await list()
  for (const email of ['bob@example.org', 'BOB@Example.org'])
    assertRefused(
      await update('--account', 'ada@example.org', '--email', email, '--name', 'Bob too'),
      new RegExp(`^error: There is already an account with the e-mail ${email}\\.\\n$`),
    )
  assert.deepEqual([await list(), await entries()], [before, []])
  // The account may change the case of its own e-mail.
  const own = ['--account', bob.id, '--email', 'Bob@example.org']
  assert.equal((await json('account', 'update', ...own)).email, 'Bob@example.org')
})

test('account update that changes nothing leaves no entry; one without a field is wrong usage', async t => {
  const { ada, json, list, update, entries, turnout, data } = await withAccounts(t)
  const before = await list()
  const same = ['--account', ada.id, '--email', 'ada@example.org', '--name', 'Ada']
  assert.deepEqual(await json('account', 'update', ...same), ada)
  const nothing = await update('--account', ada.id)
  assert.deepEqual([nothing.code, nothing.out], [2, ''])
  assert.equal(nothing.err, 'error: say what to change: --email, --name or --forget-after-days\n')
  assertRefused(await update('--account', ada.id, '--email', 'nobody'), /--email must be an e-mail/)
  assertRefused(await update('--account', ada.id, '--name', ' '), /--name must not be white space alone/)
  assertRefused(await update('--account', UNKNOWN_ID, '--name', 'x'), /There is no account/)
  assertRefused(await update('--name', 'x'), /There are 2 accounts\. Add --account/)
  assertRefused(
    await turnout('account', 'update', '--name', 'x', '--data', `${data}-2`),
    /There is no database/,
  )
  assert.equal(existsSync(`${data}-2`), false)
  assert.deepEqual([await list(), await entries()], [before, []])
})

test('with the new e-mail the same file is of the same account again', async t => {
  const { json, write, turnout, data } = commandLine(t)
  await json('apply', write('old.json', organization()))
  const email = 'ada@new.example'
  const file = write('new.json', organization({ email }))
  assertRefused(await turnout('apply', file, '--data', data), /"turnout account update"/)
  await json('account', 'update', '--email', email)
  assert.equal((await json('apply', file)).created, 0)
  assert.equal((await json('account', 'list')).data.length, 1)
})

test('account update sets after how many days guests are forgotten, and off ends it', async t => {
  const { ada, json, update, entries } = await withAccounts(t)
  const of = ['--account', ada.id, '--forget-after-days']
  assert.deepEqual(await update(...of, '365'), {
    ...{ code: 0, err: '' },
    out: `Updated account ${ada.id}: ${ada.name}, ${ada.email}.\nGuests are forgotten 365 days after the end of an event. Owners are mailed a week before the first time.\n`,
  })
  for (const days of ['29', '3651', '30.5', 'never', '', '-1'])
    assertRefused(await update(...of, days), /^error: --forget-after-days /)
  assert.deepEqual(await json('account', 'update', ...of, 'off'), { ...ada, forget_after_days: null })
  assert.equal((await entries()).length, 2)
})
