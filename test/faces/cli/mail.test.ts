import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { SECOND } from '#base/time.ts'
import { findHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { testMail } from '#machinery/mail/test-mail.ts'
import { openDatabase } from '#test/support/engine.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { organization } from '#test/support/organization.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { assertRefused, commandLine } from './turnout.ts'

const NOW = '2026-11-21T12:00:00.000Z'
const FROM = ['--mail-from', 'Tickets <tickets@example.org>']

test('mail test sends one mail and prints what the server said', async t => {
  const { turnout } = commandLine(t)
  const { url, port, received } = await startMailServer(t)
  const { code, out, err } = await turnout('mail', 'test', 'ada@example.org', '--smtp-url', url, ...FROM)
  assert.deepEqual([code, err], [0, ''])
  assert.match(
    out,
    /^127\.0\.0\.1 took a mail from tickets@example\.org to ada@example\.org, and said: 250 Taken\n/,
  )
  assert.deepEqual(received[0]?.to, ['ada@example.org'])
  assert.equal(received[0]?.parsed.subject, 'A test mail')
  const json = await turnout('mail', 'test', 'bob@example.org', '--smtp-url', url, ...FROM, '--json')
  const { message_id, ...rest } = JSON.parse(json.out)
  assert.deepEqual(rest, {
    ...{ server: '127.0.0.1', port, from: 'tickets@example.org', to: 'bob@example.org' },
    answer: '250 Taken',
  })
  assert.equal(received[1]?.parsed.messageId, message_id)
})

test('mail test takes the server and the sender from the environment', async t => {
  const { turnout } = commandLine(t)
  const { url, received } = await startMailServer(t)
  process.env.TURNOUT_SMTP_URL = url
  process.env.TURNOUT_MAIL_FROM = 'tickets@example.org'
  t.after(() => {
    delete process.env.TURNOUT_SMTP_URL
    delete process.env.TURNOUT_MAIL_FROM
  })
  assert.equal((await turnout('mail', 'test', 'ada@example.org')).code, 0)
  assert.equal(received.length, 1)
})

/** Starts a server that sends nothing but the first line, if any. */
async function startMute(t: TestContext, greeting = '') {
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.end(greeting)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as { port: number }).port
}

const TLS: SMTPServerOptions = { ...selfSigned, disabledCommands: [] }

const troubles: [string, (t: TestContext) => Promise<string>, RegExp][] = [
  [
    'a name that nobody knows',
    async () => 'smtp://mail.turnout.invalid:587',
    /There is no server mail\.turnout\.invalid: check the name in --smtp-url/,
  ],
  [
    'a port where nobody listens',
    async t => {
      const { url, stop } = await startMailServer(t)
      await stop()
      return url
    },
    /Nothing answers at port \d+ of 127\.0\.0\.1: check the port .* ECONNREFUSED/,
  ],
  [
    'a certificate that nobody trusts',
    async t => {
      const { port } = await startMailServer(t, { ...TLS, secure: true })
      return `smtps://127.0.0.1:${port}`
    },
    /certificate of 127\.0\.0\.1 is not trusted, so nothing was sent\. .* NODE_EXTRA_CA_CERTS\. It said: /,
  ],
  [
    'TLS where there is none',
    async t => `smtps://127.0.0.1:${(await startMailServer(t)).port}`,
    /does not speak TLS from the start: use smtp:\/\/ in --smtp-url/,
  ],
  [
    'a sign-in that is refused',
    async t => {
      const { port } = await startMailServer(t, {
        ...{ authOptional: false, allowInsecureAuth: true },
        onAuth: (_, __, done) => done(new Error('Invalid username or password')),
      })
      return `smtp://ada:hunter2@127.0.0.1:${port}`
    },
    /does not take the user ada with its password: check both in --smtp-url.* It said: 535 Invalid username/,
  ],
  [
    'a sign-in that is wanted',
    async t => (await startMailServer(t, { authOptional: false })).url,
    /wants a user and a password: put them into --smtp-url.* It said: 530 /,
  ],
  [
    'a sender that is refused',
    async t => {
      const { url, script } = await startMailServer(t)
      script.from = () => ({ code: 553, message: 'Not your address' })
      return url
    },
    /does not take mail from tickets@example\.org: set --mail-from .* It said: 553 Not your address\./,
  ],
  [
    'a recipient that is refused',
    async t => {
      const { url, script } = await startMailServer(t)
      script.to = () => ({ code: 554, message: 'Relay access denied' })
      return url
    },
    /does not take a mail to ada@example\.org\. Check the address; if relaying is denied.* It said: 554 Relay/,
  ],
  [
    'a server that is not for mail',
    async t => `smtp://127.0.0.1:${await startMute(t, 'HTTP/1.1 400 Bad Request\r\n\r\n')}`,
    /takes no mail now, or broke off: .* It said: .*HTTP\/1\.1 400/,
  ],
  [
    'a server that breaks off',
    async t => `smtp://127.0.0.1:${await startMute(t)}`,
    /takes no mail now, or broke off: try again later/,
  ],
]
for (const [what, open, sentence] of troubles) {
  test(`mail test tells what to mend about ${what}, in one line without the password`, async t => {
    const { turnout } = commandLine(t)
    const outcome = await turnout('mail', 'test', 'ada@example.org', '--smtp-url', await open(t), ...FROM)
    assertRefused(outcome, sentence)
    assert.doesNotMatch(outcome.err, /hunter2/)
  })
}

test('mail test refuses what is no address before anything is asked', async t => {
  const { turnout } = commandLine(t)
  const url = ['--smtp-url', 'smtp://127.0.0.1:1']
  assertRefused(
    await turnout('mail', 'test', 'ada', ...url, ...FROM),
    /The address must be an e-mail address/,
  )
  const broken = ['--smtp-url', 'smtp://ada:hunter2%@mail.example.org']
  const outcome = await turnout('mail', 'test', 'ada@example.org', ...broken, ...FROM)
  assertRefused(outcome, /--smtp-url has a %/)
  assert.doesNotMatch(outcome.err, /hunter2/)
  assertRefused(
    await turnout('mail', 'test', 'ada@example.org', ...url, '--mail-from', 'nobody'),
    /--mail-from must be an address/,
  )
  assert.equal((await turnout('mail', 'test', 'ada@example.org')).code, 2)
})

async function withMails(t: TestContext) {
  const line = commandLine(t)
  const { json, write, data, clock } = line
  const db = () => openDatabase(data, clock)
  const ids: string[] = []
  for (const email of ['ada@example.org', 'bob@example.org']) {
    const { account: first, ...rest } = organization()
    const account = { ...first, email }
    const { account_id } = await json('apply', write('o.json', { ...rest, account }), '--new-account')
    ids.push(account_id)
  }
  const [ada = '', bob = ''] = ids
  const add = async (accountId: string, recipient: string) => {
    clock.advance(SECOND)
    const opened = await db()
    await opened.write(accountId, tx => queue(tx, testMail, { cause: recipient, recipient, language: 'en' }))
    await opened.close()
  }
  await add(ada, 'grace@example.org')
  await add(bob, 'grace@example.org')
  await add(ada, 'wes@example.org')
  return { ...line, ada, bob, db }
}

test('mail list shows mails newest first, of one account, to one e-mail, of one status', async t => {
  const { json, turnout, data, ada, bob } = await withMails(t)
  const list = async (...flags: string[]) =>
    (await json('mail', 'list', ...flags)).data.map((row: { recipient: string; account_id: string }) => [
      row.recipient,
      row.account_id,
    ])
  const [wes, ofBob, ofAda] = [
    ['wes@example.org', ada],
    ['grace@example.org', bob],
    ['grace@example.org', ada],
  ]
  assert.deepEqual(await list(), [wes, ofBob, ofAda])
  assert.deepEqual(await list('--limit', '1'), [wes])
  assert.deepEqual(await list('--account', ada), [wes, ofAda])
  assert.deepEqual(await list('--to', 'GRACE@example.org'), [ofBob, ofAda])
  assert.deepEqual(await list('--status', 'failed'), [])
  assert.equal((await list('--status', 'waiting')).length, 3)
  assertRefused(await turnout('mail', 'list', '--status', 'lost', '--data', data), /--status must be/)
  const { out } = await turnout('mail', 'list', '--data', data)
  assert.match(out, /^ID +KIND +TO +STATUS/)
})

test('mail show tells what became of a mail, mail retry sends one that failed again, and nobody finds another', async t => {
  const { json, turnout, data, ada, db, clock } = await withMails(t)
  const [{ id }] = (await json('mail', 'list', '--account', ada)).data
  const shown = await json('mail', 'show', id)
  assert.deepEqual(
    [shown.kind, shown.recipient, shown.status, shown.attempts, shown.next_attempt_at, shown.body],
    ['test', 'wes@example.org', 'waiting', 0, '2026-11-21T12:00:03.000Z', null],
  )
  const opened = await db()
  await opened.write(ada, tx =>
    tx.run(
      "UPDATE emails SET status = 'failed', attempts = 8, next_attempt_at = NULL, answer = $2 WHERE id = $1",
      [id, '550 No such user'],
    ),
  )
  await opened.close()
  const { out } = await turnout('mail', 'show', id, '--data', data)
  assert.match(out, /^test to wes@example\.org: failed\nMade .* tried 8 times\. Last: 550 No such user\n/)
  const retried = await json('mail', 'retry', id)
  assert.deepEqual([retried.status, retried.attempts], ['waiting', 0])
  assert.equal(Date.parse(retried.next_attempt_at), clock())
  const log = await json('log', 'list', '--account', ada)
  assert.deepEqual([log.data[0].action, log.data[0].target_id], ['email.retry', id])
  const unknown = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'
  for (const command of ['show', 'retry']) {
    assertRefused(await turnout('mail', command, unknown, '--data', data), /There is no mail 0197/)
  }
})

test('mail hold keeps mails back and mail resume lets them go; both say so again without a change', async t => {
  const { json, turnout, data, db, clock } = await withMails(t)
  assert.deepEqual(await json('mail', 'resume'), { held_since: null, waiting: 3 })
  const since = new Date(clock()).toISOString()
  assert.notEqual(since, NOW)
  assert.deepEqual(await json('mail', 'hold'), { held_since: since })
  clock.advance(SECOND)
  assert.deepEqual(await json('mail', 'hold'), { held_since: since })
  const { out } = await turnout('mail', 'resume', '--data', data)
  assert.equal(out, `Held since ${since}: mail goes out again. Mails that wait: 3.\n`)
  const opened = await db()
  assert.equal(await opened.read(INSTANCE, findHold), null)
  await opened.close()
})

test('a server whose mail settings are wrong does not start, and leaves nothing behind', async t => {
  const { turnout, data } = commandLine(t)
  const serve = (...flags: string[]) => turnout('serve', '--data', data, '--port', '0', ...flags)
  const broken = await serve('--smtp-url', 'smtp://ada:hunter2@mail.example.org/inbox', ...FROM)
  assertRefused(broken, /--smtp-url must be an address/)
  assert.doesNotMatch(broken.err, /hunter2/)
  assertRefused(await serve('--smtp-url', 'smtp://127.0.0.1:1'), /--smtp-url needs --mail-from as well/)
  assertRefused(
    await serve('--smtp-url', 'smtp://127.0.0.1:1', '--mail-from', 'nobody'),
    /--mail-from must be/,
  )
  assert.equal(existsSync(data), false)
})

test('mail dkim makes a key once, that only its owner can read, and prints the record; serve and mail test sign with it', async t => {
  const { turnout, folder } = commandLine(t)
  const file = join(folder, 'dkim.pem')
  const dkim = (...more: string[]) => turnout('mail', 'dkim', ...FROM, '--dkim-key', file, ...more)
  const made = await dkim()
  assert.deepEqual([made.code, made.err], [0, ''])
  assert.match(made.out, /^Made .*dkim\.pem: keep it secret\.\n/)
  assert.match(made.out, /^turnout\._domainkey\.example\.org\. IN TXT "v=DKIM1; k=rsa; p=[^"]*" "[^"]*"$/m)
  assert.doesNotMatch(made.out, /PRIVATE/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const key = readFileSync(file, 'utf8')
  const again = JSON.parse((await dkim('--dkim-selector', 'Other', '--json')).out)
  assert.deepEqual(
    [again.made, again.domain, again.selector, again.name],
    [false, 'example.org', 'other', 'other._domainkey.example.org'],
  )
  assert.ok(made.out.includes(again.text), 'the record is that of the same key')
  assert.equal(readFileSync(file, 'utf8'), key)

  const { url, received } = await startMailServer(t)
  const named = ['--smtp-url', url, ...FROM, '--dkim-key', file]
  assert.equal((await turnout('mail', 'test', 'a@example.org', ...named, '--dkim-selector', 'door')).code, 0)
  assert.match(received[0]?.raw ?? '', /^DKIM-Signature: .*s=door/s)
})

test('a key for mails that is named by half, is none or cannot be read is refused in a sentence', async t => {
  const { turnout, folder } = commandLine(t)
  const file = join(folder, 'nothing.pem')
  const serve = (...more: string[]) => turnout('serve', '--data', folder, '--port', '0', ...more)
  const mail = ['--smtp-url', 'smtp://127.0.0.1:1', ...FROM]
  assertRefused(await serve(...mail, '--dkim-key', file), /--dkim-key needs --dkim-selector as well/)
  assertRefused(await serve(...mail, '--dkim-selector', 'a'), /--dkim-selector needs --dkim-key as well/)
  const both = ['--dkim-key', file, '--dkim-selector', 'a']
  assertRefused(await serve(...both), /--dkim-key needs --mail-from/)
  assertRefused(
    await serve(...mail, ...both),
    /nothing\.pem cannot be read \(ENOENT\): "turnout mail dkim" makes one/,
  )
  writeFileSync(file, 'hunter2')
  const refused = await serve(...mail, ...both)
  assertRefused(refused, /--dkim-key must have a private key/)
  assert.doesNotMatch(refused.err, /hunter2/)
  assertRefused(
    await turnout('mail', 'dkim', '--mail-from', 'nobody', '--dkim-key', join(folder, 'new.pem')),
    /--mail-from must be an address/,
  )
  const odd = ['--dkim-key', join(folder, 'new.pem'), '--dkim-selector', 'a b']
  assertRefused(await turnout('mail', 'dkim', ...FROM, ...odd), /--dkim-selector must be a part of a name/)
  assert.ok(!existsSync(join(folder, 'new.pem')), 'nothing is made for a sender or selector that is none')
})
