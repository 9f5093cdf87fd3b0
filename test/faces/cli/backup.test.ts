import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ofSqlite } from '#test/support/engine.ts'
import { organization, registration } from '#test/support/organization.ts'
import { withRows } from '#test/support/rows.ts'
import { commandLine } from './turnout.ts'

test('backup, restore and check say what they did, and as JSON', ofSqlite, async t => {
  const { turnout, json, write, folder, data } = commandLine(t)
  const file = write('organization.json', organization({ event: { registrations: [registration('one')] } }))
  const { account_id: account } = await json('apply', file)
  const exported = await json('export', '--account', account)
  const first = join(folder, 'first.db')
  const output = await turnout('backup', first, '--data', data)
  assert.deepEqual([output.code, output.err], [0, ''])
  assert.match(output.out, /^Backed up .*turnout\.db to .*first\.db, \d+ bytes\.\n$/)
  const second = join(folder, 'second.db')
  const { size, ...rest } = await json('backup', second)
  assert.ok(size > 4096)
  assert.deepEqual(rest, { file: second })

  const restored = join(folder, 'restored')
  const { code, out } = await turnout('restore', first, '--data', restored)
  assert.equal(code, 0)
  assert.match(out, /^Restored .*first\.db to .*restored\/turnout\.db\. "turnout check" .*\n$/)
  const again = await turnout('restore', second, '--data', join(folder, 'again'), '--json')
  assert.deepEqual(JSON.parse(again.out), { database: join(folder, 'again', 'turnout.db'), version: 2 })
  const other = await turnout('export', '--account', account, '--data', restored)
  assert.deepEqual(JSON.parse(other.out), exported)

  assert.deepEqual(await json('check'), { ok: true, errors: [] })
  const checked = await turnout('check', '--data', restored)
  assert.deepEqual([checked.code, checked.err], [0, ''])
  assert.match(checked.out, /^.*turnout\.db is whole\.\n$/)
})

test(
  'a backup without secrets says so, and what is restored of it says in words what it lacks',
  ofSqlite,
  async t => {
    const { turnout, json, write, folder, data } = commandLine(t)
    const file = write(
      'organization.json',
      organization({
        event: { registrations: [registration('one'), registration('two')] },
        webhooks: [{ url: 'https://example.org/hook', types: ['registration.created'] }],
      }),
    )
    const { account_id: account } = await json('apply', file)
    const { key } = await json(
      'key',
      'create',
      '--account',
      account,
      '--name',
      'K',
      '--scopes',
      'events:read',
    )
    await json('device', 'add', '--event', 'spring-meeting', '--name', 'Door')
    const exported = await json('export', '--account', account)
    const copy = join(folder, 'copy.db')
    const output = await turnout('backup', copy, '--without-secrets', '--data', data)
    assert.match(output.out, /^Backed up .*turnout\.db without its secrets to .*copy\.db, \d+ bytes\.\n$/)
    const restored = join(folder, 'restored')
    const { code, out, err } = await turnout('restore', copy, '--data', restored)
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /This copy was made without secrets, so these are new or missing:\n- Links to orders/)
    assert.match(out, /- \d+ tickets have new codes: what was printed or sent before admits nobody here/)
    assert.match(out, /- 1 webhook endpoint is disabled and has a new secret/)
    assert.match(out, /- 1 API key is revoked/)
    assert.match(out, /- 1 door is revoked/)
    assert.doesNotMatch(out, /Stripe|person|people/)
    const again = JSON.parse((await turnout('restore', copy, '--data', join(folder, 'again'), '--json')).out)
    assert.deepEqual([again.renewed.api_keys, again.renewed.webhooks, again.renewed.stripe], [1, 1, 0])
    const checked = await turnout('check', '--data', restored)
    assert.deepEqual([checked.code, checked.err], [0, ''])
    // The copy has everything else, except that the endpoint is disabled.
    const other = JSON.parse((await turnout('export', '--account', account, '--data', restored)).out)
    assert.deepEqual({ ...other, webhooks: [] }, { ...exported, webhooks: [] })
    const keys = JSON.parse(
      (await turnout('key', 'list', '--account', account, '--data', restored, '--json')).out,
    )
    assert.ok(keys.data.every((each: { revoked_at: string | null }) => each.revoked_at !== null))
    assert.ok(key.startsWith('svc_'))
  },
)

test('a refusal is one sentence on stderr, exit code 1, and makes nothing', ofSqlite, async t => {
  const { turnout, write, folder, data } = commandLine(t)
  const file = write('organization.json', organization())
  const text = write('text.db', 'a letter')
  for (const argv of [
    ['backup', join(folder, 'new.db')],
    ['check'],
    ['restore', join(folder, 'missing.db')],
    ['restore', text],
  ]) {
    const { code, out, err } = await turnout(...argv, '--data', data)
    assert.deepEqual([code, out], [1, ''], argv[0])
    assert.match(err, /^error: [^\n]+\.\n$/)
    assert.deepEqual(readdirSync(folder).sort(), ['organization.json', 'text.db'])
  }
  await turnout('apply', file, '--data', data)
  const { code, err } = await turnout('backup', text, '--data', data)
  assert.deepEqual(
    [code, err],
    [1, `error: ${text} already exists. Choose another name; nothing is ever overwritten.\n`],
  )
})

test('check says a line for each damage, then what to do, and exits with 1', async t => {
  const { turnout, write, data } = commandLine(t)
  await turnout('apply', write('organization.json', organization()), '--data', data)
  await withRows(data, rows => rows.run('UPDATE registration_types SET sold = 2'))
  const lines = [
    'registration type Standard says 2 sold, and 0 are',
    'registration type Free says 2 sold, and 0 are',
  ]
  const { code, out, err } = await turnout('check', '--data', data)
  assert.equal(code, 1)
  assert.deepEqual(out.trimEnd().split('\n').sort(), lines.toSorted())
  assert.match(err, /^error: \S+\/\S+ has 2 faults\. Keep a copy of .* restore the last backup [^\n]*\n$/)
  const document = await turnout('check', '--data', data, '--json')
  assert.equal(document.code, 1)
  const { ok, errors } = JSON.parse(document.out)
  assert.equal(ok, false)
  assert.deepEqual(errors.sort(), lines.toSorted())
})
