import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openLog } from '#base/log.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { setHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import { MailLoop } from '#machinery/mail/loop.ts'
import { type NewEmail, queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { Email, Lane } from '#machinery/mail/schemas.ts'
import { Smtp } from '#machinery/mail/smtp.ts'
import { readSender, readSmtpUrl } from '#machinery/mail/smtp-settings.ts'
import { type MailScript, startMailServer } from '#test/support/mail-server.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { eventually } from '#test/support/webhooks.ts'

/** Makes a kind of mail whose text is that of its row, unless the test takes that away. */
function kindOf(lane: Lane, text: () => string | undefined = () => 'well'): MailKind {
  return {
    name: 'webhook_failing',
    lane,
    isOfEvent: false,
    placeholders: ['address'],
    async read() {
      const address = text()
      if (address === undefined) return undefined
      const values = { address, organizer: 'Elm Hall', since: 'then' }
      return { from: 'Elm Hall', replyTo: 'elm@example.org', values, secrets: ['s3cret'] }
    },
  }
}

async function start(
  t: TestContext,
  { rate = 1_000, text }: { rate?: number; text?: () => string | undefined } = {},
) {
  const server = await startWithOrganization(t)
  const { db, clock, applied } = server
  const mailServer = await startMailServer(t)
  const logged: Record<string, unknown>[] = []
  const log = openLog('info', { write: line => logged.push(JSON.parse(line)) })
  const kind = kindOf('others', text)
  const loops: MailLoop[] = []
  const accountId = applied.account_id
  const open = () => {
    const smtp = new Smtp(readSmtpUrl(mailServer.url), readSender('Turnout <tickets@example.org>'))
    const kinds = [kind]
    const server = { baseUrl: 'https://tickets.example.org', secret: 's' }
    const loop = new MailLoop({ db, clock, log, smtp, kinds, server, rate })
    loop.start()
    loops.push(loop)
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= loop.stop()
      return stopped
    }
    t.after(stop)
    return { loop, stop }
  }
  const add = (recipient: string, { lane, ...rest }: Partial<NewEmail> & { lane?: Lane } = {}) =>
    db.write(accountId, tx =>
      queue(tx, lane === undefined ? kind : kindOf(lane), {
        ...{ cause: 'c', recipient, language: 'en', ...rest },
      }),
    )
  const list = () => db.read(accountId, tx => emails.list(tx, {}, { limit: 200 }))
  const find = async (recipient: string) => {
    const found = (await list()).find(email => email.recipient === recipient)
    return found as Email
  }
  /** Waits for what becomes of it, once nothing is due. */
  const until = async (recipient: string, is: (email: Email) => boolean) => {
    for (const loop of loops) await loop.settled()
    const email = await find(recipient)
    assert.ok(is(email), `the fate of the mail to ${recipient}: ${JSON.stringify(email)}`)
    return email
  }
  const ended = (recipient: string) => until(recipient, ({ status }) => status !== 'waiting')
  return { ...server, ...mailServer, accountId, logged, open, add, list, find, until, ended }
}

const recipientsOf = ({ received }: { received: { to: string[] }[] }) => received.map(({ to }) => to[0])

test('a mail is sent after its commit, as both texts, from the organizer, and kept as it was sent without its secrets', async t => {
  const { add, open, received, find, clock } = await start(t, { text: () => 'https://h.example/s3cret' })
  await open().loop.settled()
  await add('ada@example.org', { details: { token: 's3cret' } })
  // Nobody looks for it: its commit has woken the loop.
  await eventually('the mail', async () => (await find('ada@example.org')).status === 'sent')
  const sent = await find('ada@example.org')
  assert.equal(sent.attempts, 1)
  assert.equal(sent.sent_at, clock())
  assert.match(sent.answer ?? '', /^250 Taken/)
  assert.equal(sent.subject, 'A webhook has failed for a day')
  assert.doesNotMatch(sent.body ?? '', /s3cret/)
  const [mail] = received
  assert.deepEqual(mail?.to, ['ada@example.org'])
  assert.equal(mail?.from, 'tickets@example.org')
  const { parsed, raw } = mail
  assert.equal(parsed.from?.text, '"Elm Hall" <tickets@example.org>')
  assert.equal(parsed.replyTo?.text, 'elm@example.org')
  assert.equal(parsed.messageId, `<${sent.id}@example.org>`)
  assert.equal(parsed.headers.get('auto-submitted'), 'auto-generated')
  assert.match(parsed.text ?? '', /The webhook https:\/\/h\.example\/s3cret of Elm Hall/)
  assert.match(String(parsed.html), /The webhook https:\/\/h\.example\/s3cret of Elm Hall/)
  assert.ok(raw.split('\r\n').every(line => line.length <= 998))
})

test('of one cause, nobody gets a mail twice', async t => {
  const { add, open, received, list } = await start(t)
  await add('ada@example.org')
  await add('ADA@example.org')
  await add('ada@example.org', { cause: 'another' })
  await open().loop.settled()
  assert.ok((await list()).every(({ status }) => status === 'sent'))
  assert.equal(received.length, 2)
})

test('a mail whose transaction is undone is not sent', async t => {
  const { open, received, db, accountId, add, ended } = await start(t)
  open()
  const undone = db.write(accountId, async tx => {
    await queue(tx, kindOf('others'), { cause: 'c', recipient: 'no@example.org', language: 'en' })
    throw new Error('undone')
  })
  await assert.rejects(undone)
  await add('ada@example.org')
  await ended('ada@example.org')
  assert.deepEqual(recipientsOf({ received }), ['ada@example.org'])
})

test('orders go before others, and those before announcements; each lane has its oldest first', async t => {
  const { add, open, received, clock } = await start(t)
  const order: [string, Lane][] = [
    ['a1', 'announcements'],
    ['o1', 'others'],
    ['a2', 'announcements'],
    ['b1', 'orders'],
    ['o2', 'others'],
    ['b2', 'orders'],
  ]
  for (const [name, lane] of order) {
    await add(`${name}@example.org`, { lane })
    clock.advance(1)
  }
  await open().loop.settled()
  const names = recipientsOf({ received }).map(address => address?.slice(0, 2))
  // Two are under way at a time.
  assert.deepEqual(
    [names.slice(0, 2), names.slice(2, 4), names.slice(4)].map(pair => pair.sort()),
    [
      ['b1', 'b2'],
      ['o1', 'o2'],
      ['a1', 'a2'],
    ],
  )
})

test('a minute has no more mails than it may', async t => {
  const { add, open, received, clock } = await start(t, { rate: 3 })
  const { loop } = open()
  for (let n = 0; n < 8; n++) await add(`${n}@example.org`)
  for (const most of [3, 6, 8]) {
    await loop.settled()
    assert.equal(received.length, most)
    clock.advance(MINUTE - SECOND)
    await loop.settled()
    assert.equal(received.length, most)
    clock.advance(2 * SECOND)
  }
})

test('a mail that a server puts off is tried again for two days, and then given up', async t => {
  const { add, open, script, clock, until, ended, received } = await start(t)
  script.to = () => ({ code: 450, message: 'Mailbox busy' })
  open()
  await add('ada@example.org')
  const begun = clock()
  for (let attempts = 1; attempts <= 8; attempts++) {
    const waiting = await until('ada@example.org', email => email.attempts === attempts)
    assert.equal(waiting.status, 'waiting')
    assert.match(waiting.answer ?? '', /Mailbox busy/)
    clock.advance((waiting.next_attempt_at as number) - clock())
  }
  const given = await ended('ada@example.org')
  assert.equal(given.status, 'failed')
  assert.ok(clock() - begun < 2 * DAY && clock() - begun > 1.5 * DAY)
  assert.equal(received.length, 0)
})

test('a mail that a server refuses fails alone, and can be sent again', async t => {
  const { add, open, script, ended, until, db, accountId, received } = await start(t)
  script.to = address => (address.startsWith('no') ? { code: 550, message: 'No such user' } : undefined)
  const { loop } = open()
  await add('no@example.org')
  await add('ada@example.org')
  const failed = await ended('no@example.org')
  assert.equal(failed.status, 'failed')
  assert.match(failed.answer ?? '', /No such user/)
  assert.equal((await ended('ada@example.org')).status, 'sent')
  assert.equal(loop.state.trouble, undefined)
  delete script.to
  await db.write(accountId, tx => emails.retry(tx, failed.id))
  await until('no@example.org', ({ status }) => status === 'sent')
  await assert.rejects(
    db.write(accountId, tx => emails.retry(tx, failed.id)),
    { code: 'email_ended' },
  )
  assert.equal(received.length, 2)
})

const troubles: [string, MailScript][] = [
  ['says 421', { to: () => ({ code: 421, message: 'Too many' }) }],
  ['refuses the sender', { from: () => ({ code: 550, message: 'Who are you' }) }],
  ['does not greet', { connect: () => ({ code: 554, message: 'Go away' }) }],
]
for (const [what, trouble] of troubles) {
  test(`while the server ${what}, all mails wait, none of them loses an attempt, and one goes ahead later`, async t => {
    const { add, open, script, clock, received, list, ended, logged } = await start(t)
    Object.assign(script, trouble)
    const { loop } = open()
    await add('ada@example.org')
    await add('bob@example.org')
    await loop.settled()
    assert.notEqual(loop.state.trouble, undefined)
    await add('cyd@example.org')
    await loop.settled()
    // None is claimed.
    assert.ok((await list()).every(({ next_attempt_at: at }) => (at ?? 0) <= clock()))
    assert.deepEqual(
      (await list()).map(({ status, attempts }) => [status, attempts]),
      [1, 2, 3].map(() => ['waiting', 0]),
    )
    assert.equal(logged.filter(({ msg }) => msg === 'mail waits for its server').length, 1)
    for (const name of Object.keys(trouble)) delete script[name as keyof MailScript]
    clock.advance(HOUR)
    for (const name of ['ada', 'bob', 'cyd']) await ended(`${name}@example.org`)
    assert.equal(received.length, 3)
    assert.equal(loop.state.trouble, undefined)
  })
}

for (const [what, refuse] of [
  ['puts off', { code: 450, message: 'Too many, slow down' }],
  ['turns away', { code: 421, message: 'Too many, come back later' }],
] as const) {
  test(`200 mails to a server that ${what} all but fifty a minute arrive, each once`, async t => {
    const { open, script, clock, received, list, db, accountId } = await start(t)
    let [minute, taken] = [0, 0]
    script.to = () => {
      const now = Math.floor(clock() / MINUTE)
      if (now !== minute) [minute, taken] = [now, 0]
      return ++taken > 50 ? refuse : undefined
    }
    await db.write(accountId, async tx => {
      for (let n = 0; n < 200; n++) {
        const recipient = `${n}@example.org`
        await queue(tx, kindOf('others'), { cause: 'c', recipient, language: 'en' })
      }
    })
    const { loop } = open()
    const begun = clock()
    while (clock() - begun < 2 * DAY) {
      await loop.settled()
      if (received.length >= 200) break
      clock.advance(MINUTE)
    }
    assert.ok((await list()).every(({ status }) => status === 'sent'))
    assert.equal(new Set(recipientsOf({ received })).size, 200)
    assert.equal(received.length, 200)
  })
}

test('a server that is not there stops nothing else, and gets all once it is', async t => {
  const { add, open, stop, list, clock } = await start(t)
  await stop()
  const { loop } = open()
  await add('ada@example.org')
  await loop.settled()
  assert.notEqual(loop.state.trouble, undefined)
  clock.advance(3 * DAY)
  await loop.settled()
  const [waiting] = await list()
  // It was tried again.
  assert.equal(waiting?.next_attempt_at, clock())
  assert.deepEqual([waiting?.status, waiting?.attempts], ['waiting', 0])
})

test('what a server breaks off after it had the mail comes again under the same id, and stops others for a moment alone', async t => {
  const { add, open, script, received, ended, clock, until } = await start(t)
  let times = 0
  script.data = to => (to === 'ada@example.org' && times++ === 0 ? 'drop, taken' : undefined)
  open()
  await add('ada@example.org')
  await until('ada@example.org', ({ attempts }) => attempts === 1)
  await add('bob@example.org')
  clock.advance(10 * MINUTE)
  await ended('ada@example.org')
  await ended('bob@example.org')
  const ofAda = received.filter(({ to }) => to[0] === 'ada@example.org')
  assert.equal(ofAda.length, 2)
  assert.equal(new Set(ofAda.map(({ parsed }) => parsed.messageId)).size, 1)
})

test('a mail that was claimed by a server which is gone is sent once its claim is over, and not before', async t => {
  const { add, open, received, db, accountId, clock, list } = await start(t)
  await add('ada@example.org')
  const [email] = await list()
  await db.write(accountId, tx =>
    tx.run('UPDATE emails SET next_attempt_at = $2 WHERE id = $1', [
      email?.id as string,
      clock() + 10 * MINUTE,
    ]),
  )
  const { loop } = open()
  await add('bob@example.org')
  await loop.settled()
  assert.deepEqual(recipientsOf({ received }), ['bob@example.org'])
  clock.advance(10 * MINUTE)
  await loop.settled()
  assert.deepEqual(recipientsOf({ received }), ['bob@example.org', 'ada@example.org'])
})

test('what is not needed any more is withdrawn, unsent, and forgets its secret', async t => {
  let text: string | undefined
  const { add, open, received, ended, db } = await start(t, { text: () => text })
  open()
  await add('ada@example.org', { details: { token: 's3cret' } })
  const { status, answer } = await ended('ada@example.org')
  assert.deepEqual([status, answer], ['withdrawn', 'It was not needed any more.'])
  assert.equal(received.length, 0)
  const rows = await db.read(INSTANCE, tx => tx.all<{ details: string }>('SELECT details FROM emails'))
  assert.deepEqual(rows, [{ details: '{}' }])
  text = 'now'
})

test('a server that stops lets the mails under way end, and begins no other', async t => {
  const { add, open, script, received, list } = await start(t)
  let go = () => {}
  let begun = 0
  script.data = () => {
    begun++
    return new Promise(resolve => {
      const before = go
      go = () => {
        before()
        resolve(undefined)
      }
    })
  }
  const { stop } = open()
  for (const name of ['ada', 'bob', 'cyd']) await add(`${name}@example.org`)
  await eventually('two under way', () => begun === 2)
  const stopped = stop()
  go()
  await stopped
  assert.equal(received.length, 2)
  assert.deepEqual((await list()).map(({ status }) => status).sort(), ['sent', 'sent', 'waiting'])
})

test('a database that may be a copy mails nothing until somebody says that there is no other', async t => {
  const { add, open, received, db, clock } = await start(t)
  await db.write(INSTANCE, tx => setHold(tx, clock()))
  const { loop } = open()
  await add('ada@example.org')
  clock.advance(HOUR)
  await add('bob@example.org')
  await loop.settled()
  assert.equal(received.length, 0)
  await db.write(INSTANCE, tx => setHold(tx, null))
  await loop.settled()
  assert.equal(received.length, 2)
})
