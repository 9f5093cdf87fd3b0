import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, commandLine } from '#test/faces/cli/turnout.ts'
import { organization } from '#test/support/organization.ts'

const MODES = [[], ['--dry-run'], ['--in-batches']]

test('an e-mail that no account has, with the slugs of one, makes no second organizer', async t => {
  const { turnout, write, data, json } = commandLine(t)
  const autumn = { slug: 'autumn', title: 'Autumn Meeting' }
  await json('apply', write('ada.json', organization({ events: [autumn] })))
  const before = await json('export')
  const typo = write('typo.json', organization({ email: 'adda@example.org', event: { title: 'Other' } }))
  for (const flags of MODES) {
    assertRefused(
      await turnout('apply', typo, '--data', data, ...flags),
      /^error: account\.email is of no account, and ada@example\.org has the event spring-meeting: this would make a second organizer\. Take that e-mail, change it with "turnout account update", or add --new-account\.\n$/,
    )
  }
  assert.equal((await json('account', 'list')).data.length, 1)
  assert.deepEqual(await json('export'), before)

  // Two organizers may have events of one name.
  assert.equal((await json('apply', typo, '--dry-run', '--new-account')).account_id, null)
  const { created } = await json('apply', typo, '--new-account')
  assert.equal(created, 4)
  assert.equal((await json('account', 'list')).data.length, 2)
  assert.deepEqual(await json('export', '--account', 'ada@example.org'), before)
  // From then on it is known, as every e-mail is in any case.
  assert.equal((await json('apply', typo)).created, 0)
  assert.equal(
    (await json('apply', write('case.json', organization({ email: 'ADA@example.org' })))).created,
    0,
  )
})

test('who has no event of the file is no reason to ask', async t => {
  const { json, write, data, turnout } = commandLine(t)
  const empty = { account: { name: 'Bob', email: 'bob@example.org' } }
  await json('apply', write('one.json', organization()))
  await json('apply', write('two.json', empty))
  await json(
    'apply',
    write('three.json', { ...organization({ email: 'eve@example.org', event: { slug: 'other' } }) }),
  )
  assert.equal((await json('account', 'list')).data.length, 3)
  const { err } = await turnout(
    'apply',
    write('four.json', { ...organization({ email: 'x@example.org' }) }),
    '--data',
    data,
  )
  assert.match(err, /ada@example\.org has the event spring-meeting/)
})
