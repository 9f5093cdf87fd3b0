import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { composeLetter } from '#machinery/mail/letter.tsx'
import { type OutgoingMail, Smtp, type SmtpTuning } from '#machinery/mail/smtp.ts'
import { readSender, readSmtpUrl, type SmtpOptions } from '#machinery/mail/smtp-settings.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { selfSigned } from '#test/support/self-signed.ts'

const CLEARTEXT = 'hunter2 100%@home'

function mailOf(changes: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    ...{ from: 'Elm Hall', replyTo: 'elm@example.org', subject: 'Welcome', text: 'Hello', html: '<p>Hello' },
    ...{ attachments: [], unsubscribe: undefined, messageId: '<1@example.org>', to: 'ada@example.org' },
    date: new Date(0),
    ...changes,
  }
}

function open(t: TestContext, options: SmtpOptions, tuning?: SmtpTuning): Smtp {
  const smtp = new Smtp(options, readSender('Tickets <tickets@example.org>'), tuning)
  t.after(() => smtp.close())
  return smtp
}

/** Makes a client as if the server were on another machine. */
function starttls(port: number, auth?: SmtpOptions['auth']): SmtpOptions {
  const options = { ...readSmtpUrl(`smtp://127.0.0.1:${port}`), requireTLS: true, ignoreTLS: false }
  return auth === undefined ? options : { ...options, auth }
}

const TLS: SMTPServerOptions = { ...selfSigned, disabledCommands: [] }

for (const [how, secure] of [
  ['by STARTTLS', false],
  ['from the first byte', true],
] as const) {
  const optionsOf = (port: number): SmtpOptions =>
    secure
      ? readSmtpUrl(`smtps://ada:hunter2@127.0.0.1:${port}`)
      : starttls(port, { user: 'ada', pass: 'hunter2' })

  test(`a mail goes out encrypted ${how}, after a sign-in that is encrypted too`, async t => {
    const seen: unknown[] = []
    const { port, received } = await startMailServer(t, {
      ...{ ...TLS, secure, authOptional: false },
      onAuth: ({ username, password }, session, done) => {
        seen.push([session.secure, username, password])
        done(null, { user: username })
      },
    })
    const { state } = await open(t, optionsOf(port), { ca: selfSigned.cert }).send(mailOf())
    assert.equal(state, 'sent')
    assert.deepEqual(seen, [[true, 'ada', 'hunter2']])
    assert.equal(received.length, 1)
  })

  test(`a certificate that nobody trusts is refused ${how}, and so is that of another host`, async t => {
    let attempts = 0
    const { port, received } = await startMailServer(t, {
      ...{ ...TLS, secure },
      onAuth: (_, __, done) => {
        attempts++
        done(null, { user: 'ada' })
      },
    })
    const options = optionsOf(port)
    const untrusted = await open(t, options).send(mailOf())
    const other = await open(t, { ...options, host: 'localhost' }, { ca: selfSigned.cert }).send(mailOf())
    for (const outcome of [untrusted, other]) {
      assert.equal(outcome.state === 'unavailable' && outcome.trouble, 'certificate', outcome.answer)
    }
    assert.deepEqual([attempts, received.length], [0, 0])
  })
}

/** Returns the answer of a server to each line. The server hangs if there is none. */
type Script = (line: string, socket: Socket) => string | undefined

const EHLO = '250-mail.example.org\r\n250 AUTH PLAIN LOGIN\r\n'

/** Plays a server line by line, and keeps what it has received. */
async function play(t: TestContext, script: Script) {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    let rest = ''
    let isBody = false
    const say = (line: string) => {
      const answer = script(line, socket)
      if (answer !== undefined) socket.write(answer)
      if (line === 'DATA' && answer?.startsWith('354')) isBody = true
    }
    socket.on('error', () => undefined)
    socket.on('data', chunk => {
      rest += chunk.toString()
      const lines = rest.split('\r\n')
      rest = lines.pop() as string
      for (const line of lines) {
        if (isBody && line !== '.') continue
        isBody = false
        received.push(line)
        say(line.startsWith('EHLO') ? 'EHLO' : line)
      }
    })
    say('')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as { port: number }).port, received }
}

/** All is well. */
function agree(line: string): string {
  if (line === '') return '220 mail.example.org\r\n'
  if (line === 'EHLO') return EHLO
  if (line.startsWith('AUTH')) return '235 Welcome\r\n'
  return line === 'DATA' ? '354 Go ahead\r\n' : '250 Well\r\n'
}

test('a server without STARTTLS gets nothing, not even the sign-in', async t => {
  for (const answer of ['502 What is that\r\n', '454 Not now\r\n']) {
    const { port, received } = await play(t, line => (line === 'STARTTLS' ? answer : agree(line)))
    const outcome = await open(t, starttls(port, { user: 'ada', pass: 'hunter2' })).send(mailOf())
    assert.equal(outcome.state === 'unavailable' && outcome.trouble, 'no_tls', outcome.answer)
    assert.deepEqual(
      received.filter(line => !/^(EHLO|STARTTLS|QUIT)/.test(line)),
      [],
    )
  }
})

test('a sign-in that is refused is told in the words of the server, without the password that it repeats', async t => {
  const pass = CLEARTEXT
  const { port } = await play(t, line =>
    line.startsWith('AUTH') ? `535 No: ${line} (${pass})\r\n` : agree(line),
  )
  const options = { ...readSmtpUrl(`smtp://127.0.0.1:${port}`), auth: { user: 'ada', pass } }
  const outcome = await open(t, options).send(mailOf())
  assert.equal(outcome.state === 'unavailable' && outcome.trouble, 'sign_in')
  assert.equal(outcome.answer, '535 No: AUTH PLAIN … (…)')
})

const urls: [string, Partial<SmtpOptions>][] = [
  ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, secure: false, requireTLS: true }],
  ['smtps://mail.example.org', { port: 465, secure: true, requireTLS: false }],
  ['smtp://mail.example.org:2525/', { port: 2525, requireTLS: true }],
  [
    'smtp://tickets%40example.org:hunter2%20100%25%40home@mail.example.org',
    { auth: { user: 'tickets@example.org', pass: CLEARTEXT } },
  ],
  ['smtp://ada@mail.example.org', { auth: { user: 'ada', pass: '' } }],
  ['smtp://[2001:db8::25]:25', { host: '2001:db8::25', port: 25, requireTLS: true }],
  ['smtp://[::1]', { host: '::1', requireTLS: false, ignoreTLS: true }],
  ['smtp://127.0.0.1', { requireTLS: false, ignoreTLS: true }],
  ['smtp://10.0.0.7?tls=none', { requireTLS: false, ignoreTLS: true }],
  // The connection is encrypted from the first byte on, whatever else the address asks for.
  ['smtps://10.0.0.7?tls=none', { secure: true }],
  ['smtp://müller.example', { host: 'xn--mller-kva.example' }],
]
for (const [url, expected] of urls) {
  test(`${url} is a server for mail`, () => {
    const options = readSmtpUrl(url)
    assert.deepEqual({ ...options, ...expected }, options)
    assert.equal(options.requireTLS && options.ignoreTLS, false)
  })
}

for (const url of [
  'mail.example.org',
  'https://ada:hunter2@mail.example.org',
  'smtp://ada:hunter2@',
  'smtp://ada:hunter2%@mail.example.org',
  'smtp://ada:hunter2@mail.example.org/inbox',
  'smtp://ada:hunter2@mail.example.org?tls=maybe',
  'smtp://ada:hunter2@mail.example.org?host=evil',
  'smtp://ada:hunter2#1@mail.example.org',
  'smtp://ada:hunter2@mail.example.org:123456',
]) {
  test(`${url} is refused, and not repeated`, () => {
    assert.throws(
      () => readSmtpUrl(url),
      ({ name, message }: Error) =>
        /--smtp-url/.test(message) && !/hunter2/.test(message) && name !== 'TypeError',
    )
  })
}

test('a sender is an address, with or without a name, and nothing that ends a line', () => {
  assert.deepEqual(readSender('tickets@example.org'), { name: '', address: 'tickets@example.org' })
  assert.deepEqual(readSender('"Elm, Hall" <tickets@example.org>'), {
    name: 'Elm, Hall',
    address: 'tickets@example.org',
  })
  for (const wrong of [
    '',
    'tickets',
    'a@b\r\nBcc: c@d',
    'Elm\r\nBcc: c@d <a@b.example>',
    'a@b, c@d',
    '<a@b',
  ]) {
    assert.throws(() => readSender(wrong), /--mail-from/, wrong)
  }
})

const steps: [string, string, boolean][] = [
  ['before it greets', '', false],
  ['at EHLO', 'EHLO', false],
  ['at the sign-in', 'AUTH', false],
  ['at the sender', 'MAIL', false],
  ['at the recipient', 'RCPT', false],
  ['at DATA', 'DATA', false],
  ['with the mail in its hands', '.', true],
]
const QUICK = { connecting: 200, silent: 200, total: 400 }
/** These limits are so long that nobody counts as silent, however busy the machine is. */
const AMPLE = { connecting: 10_000, silent: 10_000, total: 20_000 }
for (const [when, step, mayHaveIt] of steps) {
  test(`a server that hangs ${when} is given up, ${mayHaveIt ? 'and may have' : 'and has not got'} the mail`, async t => {
    const hangs = (line: string) => (step === '' ? line === '' : line.startsWith(step))
    const { port } = await play(t, line => (hangs(line) ? undefined : agree(line)))
    const options = { ...readSmtpUrl(`smtp://127.0.0.1:${port}`), auth: { user: 'ada', pass: 'x' } }
    const { answer, ...outcome } = await open(t, options, QUICK).send(mailOf())
    assert.deepEqual(outcome, { state: 'unavailable', mayHaveIt, trouble: 'silence' }, answer)
  })

  test(`a server that breaks off ${when} ${mayHaveIt ? 'may have' : 'has not got'} the mail`, async t => {
    const hangs = (line: string) => (step === '' ? line === '' : line.startsWith(step))
    const { port } = await play(t, (line, socket) => {
      if (!hangs(line)) return agree(line)
      socket.end()
    })
    const options = { ...readSmtpUrl(`smtp://127.0.0.1:${port}`), auth: { user: 'ada', pass: 'x' } }
    const { answer, ...outcome } = await open(t, options, AMPLE).send(mailOf())
    assert.deepEqual(outcome, { state: 'unavailable', mayHaveIt, trouble: 'server' }, answer)
  })
}

test('a server that never comes to the end of an answer is given up, whether it is slow or fast', async t => {
  const timers = new Set<NodeJS.Timeout>()
  t.after(() => {
    for (const timer of timers) clearInterval(timer)
  })
  const endless = (line: string, every: number) =>
    play(t, (command, socket) => {
      if (command !== 'EHLO') return agree(command)
      timers.add(setInterval(() => socket.write(line), every))
      return line
    })
  const slow = await endless('250-and\r\n', 20)
  const { answer, ...outcome } = await open(t, readSmtpUrl(`smtp://127.0.0.1:${slow.port}`), QUICK).send(
    mailOf(),
  )
  assert.deepEqual(outcome, { state: 'unavailable', mayHaveIt: false, trouble: 'silence' }, answer)
  const fast = await endless('250-and so on '.repeat(2000), 1)
  const flooded = await open(t, readSmtpUrl(`smtp://127.0.0.1:${fast.port}`)).send(mailOf())
  assert.equal(flooded.state, 'unavailable')
  assert.match(flooded.answer, /exceeds maximum/)
})

test('a long answer is kept in part, on one line', async t => {
  const { port } = await play(t, line =>
    line.startsWith('RCPT') ? `550-${'No '.repeat(400)}\r\n550 \u001b[2J🎟\r\n` : agree(line),
  )
  const outcome = await open(t, readSmtpUrl(`smtp://127.0.0.1:${port}`)).send(mailOf())
  assert.equal(outcome.state === 'refused' && outcome.isFinal, true)
  assert.ok(
    outcome.answer.length <= 500 && /^550-No No/.test(outcome.answer) && !/\p{Cc}/u.test(outcome.answer),
  )
})

test('a connection that the server has ended between two mails costs neither of them an attempt', async t => {
  let ended = 0
  const { port } = await play(t, (line, socket) => {
    if (line === '.') {
      setImmediate(() => {
        ended++
        socket.end()
      })
    }
    return agree(line)
  })
  const smtp = open(t, readSmtpUrl(`smtp://127.0.0.1:${port}`))
  for (let n = 1; n <= 4; n++) assert.equal((await smtp.send(mailOf())).state, 'sent')
  assert.equal(ended, 4)
})

test('nobody writes a header or a recipient by the end of a line', async t => {
  const { url, received } = await startMailServer(t)
  const smtp = open(t, readSmtpUrl(url))
  const evil = 'Elm\r\nBcc: eve@example.org\r\n\r\nBody'
  const content = { from: evil, replyTo: undefined, values: { name: evil } }
  const letter = composeLetter(content, { subject: 'To {name}', body: 'Hello' }, 'en')
  const sent = await smtp.send(
    mailOf({ ...letter, from: evil, replyTo: 'elm@example.org\r\nBcc: eve@example.org' }),
  )
  assert.equal(sent.state, 'sent')
  // The subject has not been made here.
  assert.equal((await smtp.send(mailOf({ subject: evil }))).state, 'sent')
  for (const { to, parsed, raw } of received) {
    assert.deepEqual(to, ['ada@example.org'])
    assert.equal(parsed.bcc, undefined)
    assert.doesNotMatch(raw.split('\r\n\r\n', 1)[0] as string, /^Bcc:/im)
  }
  for (const to of [
    'ada@example.org\r\nRCPT TO:<eve@example.org>',
    'ada@example.org>\r\nDATA',
    'ada@example.org> SIZE=1 <',
  ]) {
    const outcome = await smtp.send(mailOf({ to }))
    // The fault is of this mail alone: a server that was not asked stops no other.
    assert.equal(outcome.state === 'refused' && outcome.isFinal, true, `${to}: ${outcome.answer}`)
  }
  assert.equal(received.length, 2)
})

test('names and subjects of any script arrive as they were written', async t => {
  const { url, received } = await startMailServer(t)
  const smtp = open(t, readSmtpUrl(url))
  const texts = [
    'Café «Ñandú», "Ltd." <x>',
    'قاعة الدردار',
    'אולם',
    'ห้องโถง',
    '榆树大厅',
    '🎟️ Ada 👩‍💻',
    'x'.repeat(200),
  ]
  for (const text of texts) {
    assert.equal(
      (await smtp.send(mailOf({ from: text, subject: text, text, html: `<p>${text.slice(0, 5)}` }))).state,
      'sent',
    )
  }
  assert.deepEqual(
    received.map(({ parsed }) => [parsed.from?.value[0]?.name, parsed.subject, parsed.text?.trim()]),
    texts.map(text => [text, text, text]),
  )
  for (const { raw } of received) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is no ASCII
    assert.match(raw.split('\r\n\r\n', 1)[0] as string, /^[\x00-\x7f]*$/)
    assert.ok(raw.split('\r\n').every(line => line.length <= 998))
  }
})

test('a domain of any script is written as the name system has it', async t => {
  const { port, received } = await play(t, agree)
  const smtp = open(t, readSmtpUrl(`smtp://127.0.0.1:${port}`))
  assert.equal((await smtp.send(mailOf({ to: 'ada@müller.example' }))).state, 'sent')
  assert.ok(received.includes('RCPT TO:<ada@xn--mller-kva.example>'), received.join())
})

test('an address with letters of any script before the @ reaches a server that knows SMTPUTF8; another refuses this mail alone', async t => {
  const to = 'añá@example.org'
  const able = await startMailServer(t)
  assert.equal((await open(t, readSmtpUrl(able.url)).send(mailOf({ to }))).state, 'sent')
  assert.deepEqual(able.received[0]?.to, [to])
  const { port } = await play(t, line =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is no ASCII
    /^RCPT.*[^\x00-\x7f]/.test(line) ? '553 5.6.7 Not without SMTPUTF8\r\n' : agree(line),
  )
  const refused = await open(t, readSmtpUrl(`smtp://127.0.0.1:${port}`)).send(mailOf({ to }))
  assert.deepEqual(refused, { state: 'refused', isFinal: true, answer: '553 5.6.7 Not without SMTPUTF8' })
})
