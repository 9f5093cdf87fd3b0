import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import {
  type DkimKey,
  isOfKey,
  makeDkimKey,
  readDkimKey,
  recordName,
  recordText,
  zoneLine,
} from '#machinery/mail/dkim.ts'
import { type OutgoingMail, Smtp } from '#machinery/mail/smtp.ts'
import { readSmtpUrl } from '#machinery/mail/smtp-settings.ts'
import { startMailServer } from '#test/support/mail-server.ts'

const AT = { domain: 'example.org', selector: 'turnout' }
const pem = await makeDkimKey()

const MAIL: OutgoingMail = {
  ...{ to: 'ada@example.org', from: 'Elm Hall – Søren', messageId: '<a@example.org>', date: new Date(0) },
  ...{
    subject: 'Tus entradas: “Fiesta” 🎉',
    text: `Hola\n.\n\n${'x'.repeat(3_000)} \n\n\n`,
    html: '<p>Hola  ñ</p>\n',
  },
  replyTo: 'desk@example.org',
  unsubscribe: 'https://example.org/u?a=1',
  attachments: [
    {
      filename: 'a.bin',
      content: Buffer.from([0, 1, 2, 13, 10, 46, 13, 10]),
      contentType: 'application/pdf',
    },
  ],
}

async function start(t: TestContext, dkim?: DkimKey) {
  const mailServer = await startMailServer(t)
  const smtp = new Smtp(readSmtpUrl(mailServer.url), {
    name: 'Tickets',
    address: 'tickets@example.org',
    dkim,
  })
  t.after(() => smtp.close())
  return { ...mailServer, smtp }
}

/** Verifies a mail as its recipient would, by a library that had no part in its signature. */
async function verify(raw: string, records: Record<string, string>) {
  const resolver = async (name: string) => {
    const text = records[name]
    if (text === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    return [[text]]
  }
  const { results } = await dkimVerify(Buffer.from(raw, 'latin1'), { resolver })
  return results.map(({ status, signingDomain, selector }) => [status.result, signingDomain, selector])
}

test('another library finds the signature of a mail right, and wrong once a byte of it or the record is another', async t => {
  const key = readDkimKey(pem, AT)
  const { smtp, received } = await start(t, key)
  assert.equal((await smtp.send(MAIL)).state, 'sent')
  const raw = received[0]?.raw as string
  const records = { [recordName(key)]: recordText(key) }
  assert.deepEqual(await verify(raw, records), [['pass', 'example.org', 'turnout']])
  for (const [was, is] of [
    ['Hola', 'Hole'],
    ['To: ada@', 'To: bob@'],
    ['/u?a=1', '/u?a=2'],
    [
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'List-Unsubscribe-Post: List-Unsubscribe=Two-Click',
    ],
    ['Reply-To: desk@', 'Reply-To: dusk@'],
    ['Auto-Submitted: auto-generated', 'Auto-Submitted: no'],
  ] as const) {
    const changed = raw.replace(was, is)
    assert.notEqual(changed, raw, was)
    assert.notEqual((await verify(changed, records))[0]?.[0], 'pass', was)
  }
  const other = readDkimKey(await makeDkimKey(), AT)
  assert.equal((await verify(raw, { [recordName(other)]: recordText(other) }))[0]?.[0], 'fail')
  assert.notEqual((await verify(raw, {}))[0]?.[0], 'pass')
  const signed = /;\s*h=([^;]+);/.exec(raw.replace(/\r\n\s+/g, ''))?.[1]?.split(':') ?? []
  for (const name of [
    'from',
    'to',
    'subject',
    'date',
    'message-id',
    'list-unsubscribe',
    'list-unsubscribe-post',
  ])
    assert.ok(signed.includes(name), name)
})

test('without a key no mail is signed, and its content is the same', async t => {
  const key = readDkimKey(pem, AT)
  const [plain, signed] = [await start(t), await start(t, key)]
  await plain.smtp.send(MAIL)
  await signed.smtp.send(MAIL)
  assert.doesNotMatch(plain.received[0]?.raw ?? '', /DKIM-Signature/i)
  const withoutSignature = (signed.received[0]?.raw ?? '').replace(
    /^DKIM-Signature:.*\r\n([ \t].*\r\n)*/m,
    '',
  )
  const boundary = /--_NmP-[\w-]+/g
  assert.equal(withoutSignature.replace(boundary, ''), (plain.received[0]?.raw ?? '').replace(boundary, ''))
})

test('a signed mail of which the server got only a part is not one that it may have', async t => {
  const server = createServer(socket => {
    let isData = false
    socket.on('error', () => undefined)
    socket.write('220 mail\r\n')
    socket.on('data', chunk => {
      if (isData) socket.destroy()
      else if (/^DATA/m.test(chunk.toString('latin1'))) {
        isData = true
        socket.write('354 Go on\r\n')
      } else socket.write('250 Yes\r\n')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const sender = { name: '', address: 'tickets@example.org', dkim: readDkimKey(pem, AT) }
  const smtp = new Smtp(readSmtpUrl(`smtp://127.0.0.1:${port}`), sender)
  t.after(() => smtp.close())
  const large = { filename: 'a.bin', content: Buffer.alloc(8_000_000), contentType: 'application/pdf' }
  const outcome = await smtp.send({ ...MAIL, attachments: [large] })
  assert.equal(outcome.state === 'unavailable' && outcome.mayHaveIt, false, outcome.answer)
})

test('a record is that of a key however its spaces and other tags stand, and a withdrawn one is not', () => {
  const key = readDkimKey(pem, AT)
  const text = recordText(key)
  assert.ok(isOfKey(text, key))
  assert.ok(isOfKey(`v=DKIM1;t=s; p = ${key.publicKey.slice(0, 50)} ${key.publicKey.slice(50)}`, key))
  for (const other of [
    'v=DKIM1; k=rsa; p=',
    `v=DKIM1; p=${key.publicKey.slice(1)}`,
    `v=DKIM1; n=${key.publicKey}`,
  ])
    assert.ok(!isOfKey(other, key), other)
  const strings = [...zoneLine(key).matchAll(/"([^"]*)"/g)].map(([, one]) => one ?? '')
  assert.equal(strings.join(''), text)
  assert.ok(strings.length > 1 && strings.every(one => one.length <= 255))
})

test('a key that cannot sign, and a selector that is no name, are refused without a word of the key', () => {
  const make = (bits: number) =>
    generateKeyPairSync('rsa', { modulusLength: bits })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
  const ed25519 = generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const publicPem = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString()
  for (const wrong of ['', 'nothing', ed25519, make(512), publicPem])
    assert.throws(() => readDkimKey(wrong, AT), {
      name: 'Refusal',
      message: /^--dkim-key must have (a private|an RSA) key/,
    })
  for (const selector of ['', 'a b', '-a', 'a..b', 'ä', 'x;p=', 'a\r\nb', 'x'.repeat(64)])
    assert.throws(
      () => readDkimKey(pem, { ...AT, selector }),
      /^Refusal: --dkim-selector must be a part of a name/,
    )
  assert.equal(readDkimKey(pem, { ...AT, selector: 'March.2026' }).selector, 'march.2026')
})
