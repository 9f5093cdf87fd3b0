import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as uses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import { roles } from '#product/administration/users/roles.ts'
import { assertRefused, commandLine } from '#test/faces/cli/turnout.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { CHEAP_HASH, ORIGIN } from './people.ts'

const NEWCOMER = { name: 'Grace', passwordHash: CHEAP_HASH, language: 'en' } as const
const INVITE = ['user', 'invite', '--email', 'grace@example.org', '--role']

/** Starts on a data folder that a server has made, and that has nothing in it. */
async function start(t: Parameters<typeof commandLine>[0]) {
  const cli = commandLine(t)
  const db = await openTestDatabase(t, { data: cli.data, clock: cli.clock })
  const on = (...argv: string[]) => cli.turnout(...argv, '--data', cli.data)
  const bring = (email = 'ada@example.org') =>
    cli.json('apply', cli.write('organization.json', organization({ email })), '--new-account')
  /** Looks at a printed link. */
  const look = (url: string) =>
    db.read(INSTANCE, tx => links.look(tx, url.split('/').at(-1) as string, cli.clock()))
  const accept = async (accountId: string, url: string) =>
    db.write(accountId, tx => uses.accept(tx, url.split('/').at(-1) as string, NEWCOMER, ORIGIN))
  return { ...cli, db, on, bring, look, accept }
}

test('user invite prints the set-up link where there is no account, and each voids those before it', async t => {
  const { on, json, look } = await start(t)
  const { code, out, err } = await on('user', 'invite')
  assert.deepEqual([code, err], [0, ''])
  const [, url = ''] =
    /^There is no account yet: .* works once, within an hour, .*\n(http:\/\/127\.0\.0\.1:8080\/manage\/setup\/[\w-]{43})\n$/.exec(
      out,
    ) ?? []
  assert.deepEqual((await look(url))?.kind, 'setup')
  const second = await json(...INVITE, 'owner', '--base-url', 'https://tickets.example.org/v1/')
  assert.match(second.url, /^https:\/\/tickets\.example\.org\/manage\/setup\/[\w-]{43}$/)
  assert.deepEqual([(await look(url))?.kind, (await look(second.url))?.status], [undefined, 'open'])
})

test('user invite prints the link of an invitation once, and the access log has it without the e-mail', async t => {
  const { on, json, look, bring } = await start(t)
  const { account_id, events } = await bring()
  const eventId = events['spring-meeting'].id
  const { out } = await on(...INVITE, 'door', '--event', 'spring-meeting', eventId)
  const [, url = ''] = /^Invited grace@example\.org as door\. .* 7 days, .*\n(http\S+)\n$/.exec(out) ?? []
  const seen = await look(url)
  assert.ok(seen?.kind === 'invitation')
  assert.deepEqual([seen.email, seen.account.id], ['grace@example.org', account_id])
  assert.deepEqual(seen.part, { role: 'door', event_ids: [eventId] })
  const { url: second, ...invitation } = await json(...INVITE, 'manager')
  assert.match(second, /^http:\/\/127\.0\.0\.1:8080\/manage\/join\/[\w-]{43}$/)
  assert.deepEqual(
    [invitation.email, invitation.role, invitation.event_ids],
    ['grace@example.org', 'manager', null],
  )
  assert.equal(await look(url), undefined)
  const { data: log } = await json('log', 'list')
  assert.deepEqual(
    [log[0].action, log[0].target_id, log[0].actor],
    ['invitation.create', invitation.id, 'cli'],
  )
  assert.doesNotMatch(JSON.stringify(log), /grace|manage\//)
})

test('user invite offers every role, and its help names them in the order of the list', async t => {
  const { turnout, json, look, bring } = await start(t)
  await bring()
  const { out } = await turnout('user', 'invite', '--help')
  assert.match(out.replace(/\s+/g, ' '), /may do: owner, manager, finance, door, chair, reviewer/)
  for (const role of roles) {
    const seen = await look((await json(...INVITE, role)).url)
    assert.deepEqual(seen?.kind === 'invitation' && seen.part, { role, event_ids: null })
  }
})

test('user invite refuses what a rule refuses, in one line, and what is missing as wrong usage', async t => {
  const { on, bring } = await start(t)
  await bring()
  for (const argv of [
    ['user', 'invite'],
    ['user', 'invite', '--email', 'grace@example.org'],
  ]) {
    const { code, out, err } = await on(...argv)
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /^error: required option '--(email <address>|role <role>)' not specified\n$/)
  }
  assertRefused(
    await on(...INVITE, 'boss'),
    /--role must be one of owner, manager, finance, door, chair, reviewer\./,
  )
  assertRefused(await on(...INVITE, 'owner', '--event', 'spring-meeting'), /An owner has all events\./)
  assertRefused(
    await on(...INVITE, 'door', '--event', 'autumn'),
    /There is no event autumn in this account\./,
  )
  assertRefused(await on(...INVITE, 'door', '--base-url', 'ftp://x'), /--base-url must be an http/)
})

test('user list shows the members, and user remove takes one away, but never the last owner', async t => {
  const { on, json, bring, accept } = await start(t)
  const { account_id } = await bring()
  await accept(account_id, (await json(...INVITE, 'owner')).url)
  const invited = await json(
    'user',
    'invite',
    '--email',
    'bob@example.org',
    '--role',
    'door',
    '--event',
    'spring-meeting',
  )
  await accept(account_id, invited.url)
  const { data } = await json('user', 'list')
  assert.deepEqual(
    data.map(({ user, role }: { user: { email: string }; role: string }) => [user.email, role]),
    [
      ['grace@example.org', 'owner'],
      ['bob@example.org', 'door'],
    ],
  )
  const { out } = await on('user', 'list')
  assert.match(
    out,
    /^EMAIL +NAME +ROLE +EVENTS +SINCE\ngrace@example\.org +Grace +owner +all +\S+\nbob@.* door +1 +\S+\n$/,
  )
  assertRefused(await on('user', 'remove', '--email', 'grace@example.org'), /must keep an owner/)
  assert.equal((await on('user', 'remove', '--email', 'BOB@example.org')).out, 'Removed bob@example.org.\n')
  for (const email of ['bob@example.org', 'nobody@example.org']) {
    assertRefused(await on('user', 'remove', '--email', email), /There is nobody with the e-mail \S+\.\n$/)
  }
  assert.equal((await json('user', 'list')).data.length, 1)
  const { data: log } = await json('log', 'list', '--limit', '1')
  assert.equal(log[0].action, 'member.remove')
})

test('user reset prints a link to choose a new password, which each account of the person has in its log', async t => {
  const { on, json, look, bring, accept, db } = await start(t)
  const { account_id } = await bring()
  const { user } = await accept(account_id, (await json(...INVITE, 'owner')).url)
  const { out } = await on('user', 'reset', '--email', 'Grace@example.org')
  const [url = ''] = /http\S+\/manage\/reset\/[\w-]{43}$/m.exec(out) ?? []
  const seen = await look(url)
  assert.ok(seen?.kind === 'reset')
  assert.equal(seen.user.id, user.id)
  const second = await json(
    'user',
    'reset',
    '--email',
    'grace@example.org',
    '--base-url',
    'https://a.example/b',
  )
  assert.match(second.url, /^https:\/\/a\.example\/b\/manage\/reset\//)
  assert.equal(await look(url), undefined)
  const { data: log } = await json('log', 'list', '--limit', '1')
  assert.deepEqual([log[0].action, log[0].actor, log[0].target_id], ['user.reset_link', 'cli', user.id])
  assertRefused(await on('user', 'reset', '--email', 'nobody@example.org'), /There is nobody with/)
  await db.write(INSTANCE, async tx => uses.reset(tx, second.url.split('/').at(-1), CHEAP_HASH, ORIGIN))
})
