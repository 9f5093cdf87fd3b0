import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DAY, MINUTE } from '#base/time.ts'
import { findHold, setHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { makeDkimKey, readDkimKey, recordText } from '#machinery/mail/dkim.ts'
import { readSigner } from '#machinery/mail/dkim-file.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { testMail } from '#machinery/mail/test-mail.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { diskFolder } from '#test/support/folder.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ServerOptions } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually } from '#test/support/webhooks.ts'

const FROM = { mailFrom: 'tickets@mail.example.org' }

async function start(t: TestContext, options: ServerOptions = {}) {
  const server = await startDashboard(t, undefined, options)
  const operator = await server.member('owner')
  const path = `/manage/a/${server.accountId}/system`
  const logged = async () =>
    (await server.db.read(server.accountId, tx => accessLog.list(tx, 100)))
      .filter(({ action }) => action.startsWith('system.'))
      .map(({ action, actor }) => [action, actor])
  return { ...server, operator, path, logged, who: `user:${operator.user.id}` }
}

/** Starts with a mail server, and with a domain whose records a test sets. */
async function startWithMail(
  t: TestContext,
  textLookup = async (_: string): Promise<string[][]> => [],
  more: object = {},
) {
  const mailServer = await startMailServer(t)
  const settings = { ...FROM, smtpUrl: mailServer.url, ...more }
  const started = await start(t, { settings, tuning: { textLookup } })
  return { ...started, mailServer }
}

test('without a server for mail the page says so, how many wait and what to do, and offers no test', async t => {
  const { operator, path, db, accountId } = await start(t)
  await db.write(accountId, tx =>
    queue(tx, testMail, { cause: 'c', recipient: 'ada@example.org', language: 'en' }),
  )
  const page = await operator.open(path)
  assert.match(page.text, /Nothing is mailed: no server for mail is set up/)
  assert.match(page.text, /TURNOUT_SMTP_URL=/)
  assert.match(page.text, /Waiting1/)
  assert.doesNotMatch(page.text, /Send a test mail/)
})

test('a sandbox shows mails and sends none', async t => {
  const { app, operator, path } = await start(t, { settings: { showMail: true } })
  assert.match((await operator.open(path)).text, /This is a sandbox: mails are shown, and sent to nobody/)
  const pressed = await (await operator.open(path)).press('Send a test mail')
  assert.match(pressed.messages.join(), /A test mail is on its way/)
  await onceSettled({ app }, 'mails', 'the end', async () =>
    /was taken by the server.*Shown here, and sent to nobody/.test((await operator.open(path)).text),
  )
})

test('an operator sends a test mail to themselves, in their language, and sees what the server said', async t => {
  const { app, operator, path, mailServer, logged, who } = await startWithMail(t)
  const page = await operator.open(path)
  assert.match(page.text, /Server127\.0\.0\.1, port \d+Fromtickets@mail\.example\.org/)
  await page.press('Send a test mail')
  const text = await onceSettled({ app }, 'mails', 'what the server said', async () => {
    const { text } = await operator.open(path)
    return /was taken by the server/.test(text) && text
  })
  assert.match(text, /What was said: 250 Taken/)
  assert.deepEqual(mailServer.received[0]?.to, ['owner@example.org'])
  assert.deepEqual(await logged(), [['system.mail_test', who]])
  assert.doesNotMatch(text, /Nothing yet/)
})

test('trouble with the server for mail is told with since when, its words and what to mend', async t => {
  const { app, operator, path, mailServer, clock } = await startWithMail(t)
  mailServer.script.from = () => ({ code: 553, message: '<b>Who</b> are you' })
  await (await operator.open(path)).press('Send a test mail')
  const text = await onceSettled({ app }, 'mails', 'the trouble', async () => {
    const { text } = await operator.open(path)
    return /No mail goes out since/.test(text) && text
  })
  assert.match(text, /No mail goes out since 21 Nov 2026.*does not take mail from this sender/)
  assert.match(text, /What was said: 553 <b>Who<\/b> are you/)
  assert.match(text, /The test mail of .* waits/)
  delete mailServer.script.from
  clock.advance(MINUTE)
  await onceSettled(
    { app },
    'mails',
    'the end of it',
    async () => !/No mail goes out/.test((await operator.open(path)).text),
  )
})

test('a hold is told of, and let go by an operator who has read what that means', async t => {
  const { app, operator, path, db, clock, mailServer, logged, who, accountId } = await startWithMail(t)
  await db.write(INSTANCE, tx => setHold(tx, clock()))
  await db.write(accountId, tx =>
    queue(tx, testMail, { cause: 'c', recipient: 'ada@example.org', language: 'en' }),
  )
  const page = await operator.open(path)
  assert.match(page.text, /Nothing is mailed since 21 Nov 2026.* this database may be a copy of another/)
  const confirmation = await page.follow('Mail again…')
  assert.match(confirmation.text, /no other server runs on this data.*Mails that wait go out at once: 1/)
  assert.equal(mailServer.received.length, 0)
  const done = await confirmation.press('There is no other: mail again')
  assert.match(done.messages.join(), /Mail goes out again/)
  await onceSettled({ app }, 'mails', 'the mail', () => mailServer.received.length === 1)
  assert.equal(await db.read(INSTANCE, findHold), null)
  assert.deepEqual(await logged(), [['system.mail_resume', who]])
  assert.doesNotMatch((await operator.open(path)).text, /may be a copy/)
})

test('whoever is no operator lets nothing go and sends no test mail', async t => {
  const { member, path, db, clock, mailServer } = await startWithMail(t)
  await db.write(INSTANCE, tx => setHold(tx, clock()))
  const reader = await member('owner', { email: 'second@example.org' })
  assert.equal((await reader.open(`${path}/mail/resume`)).status, 403)
  for (const what of ['resume', 'test']) {
    assert.equal((await reader.post(`${path}/mail/${what}`)).status, 403, what)
  }
  assert.notEqual(await db.read(INSTANCE, findHold), null)
  assert.equal(mailServer.received.length, 0)
})

const domains: [string, Record<string, string[][] | string>, RegExp[]][] = [
  [
    'has both',
    {
      'mail.example.org': [['google-site'], ['v=spf1 include:', '_spf.example.net -all']],
      '_dmarc.mail.example.org': [['v=DMARC1; p=reject']],
    },
    [/mail\.example\.org says who may send/, /says what becomes of forged mails/],
  ],
  [
    'has the DMARC of the organization above',
    { 'mail.example.org': [['v=spf1 -all']], '_dmarc.example.org': [['v=DMARC1; p=none']] },
    [/says who may send/, /says what becomes/],
  ],
  [
    'has neither',
    {},
    [
      /does not say who may send in its name, so many/,
      /does not say what becomes of forged.*_dmarc\.mail\.example/,
    ],
  ],
  [
    'has too many',
    {
      'mail.example.org': [['v=spf1 -all'], ['v=spf1 a -all']],
      '_dmarc.mail.example.org': [['v=DMARC1'], ['v=DMARC1; p=none']],
    },
    [/several records that begin with “v=spf1”/, /several records that begin with “v=DMARC1”/],
  ],
  [
    'is not to be looked up',
    { '*': 'ESERVFAIL' },
    [/SPFCould not be looked up/, /DMARCCould not be looked up/],
  ],
]
for (const [what, records, sentences] of domains) {
  test(`the page says what a sender lacks whose domain ${what}`, async t => {
    const lookups: string[] = []
    const lookup = async (name: string) => {
      lookups.push(name)
      const found = records[name] ?? records['*'] ?? 'ENOTFOUND'
      if (typeof found === 'string') throw Object.assign(new Error(found), { code: found })
      return found
    }
    const { operator, path, clock } = await startWithMail(t, lookup)
    const text = await eventually('the look-up', async () => {
      const { text } = await operator.open(path)
      return !/Being looked up/.test(text) && text
    })
    for (const sentence of sentences) assert.match(text, sentence)
    const before = lookups.length
    await operator.open(path)
    assert.equal(lookups.length, before, 'it is kept for some minutes')
    clock.advance(5 * MINUTE)
    await operator.open(path)
    await eventually('another look-up', () => lookups.length === 2 * before)
  })
}

test('the page says whether mails are signed, and whether the domain has the record of that key', async t => {
  const file = join(diskFolder(t), 'dkim.pem')
  writeFileSync(file, await makeDkimKey())
  const { dkim } = readSigner(FROM.mailFrom, { dkimKey: file, dkimSelector: 'door' })
  const other = readDkimKey(await makeDkimKey(), { domain: 'mail.example.org', selector: 'door' })
  assert.ok(dkim)
  let found: string[] | undefined = []
  const lookup = async (name: string) => {
    if (found === undefined) throw Object.assign(new Error('busy'), { code: 'ESERVFAIL' })
    return name === 'door._domainkey.mail.example.org' ? found.map(text => [text]) : []
  }
  const { operator, path, clock, mailServer, app } = await startWithMail(t, lookup, {
    ...{ dkimKey: file, dkimSelector: 'door' },
  })
  for (const [records, sentence] of [
    [[], /Mails are signed, but door\._domainkey\.mail\.example\.org has no record/],
    [[recordText(dkim)], /Mails are signed, and door\._domainkey\.mail\.example\.org has the key/],
    [[recordText(other)], /has the record of another key, so each signature is wrong/],
    [[recordText(dkim), recordText(other)], /has the record of another key/],
    [['v=DKIM1; p='], /has the record of another key/],
    [undefined, /Their record could not be looked up now/],
  ] as const) {
    found = records === undefined ? undefined : [...records]
    clock.advance(5 * MINUTE)
    await eventually(String(sentence), async () => sentence.test((await operator.open(path)).text))
  }
  await (await operator.open(path)).press('Send a test mail')
  await onceSettled({ app }, 'mails', 'the mail', () => mailServer.received.length === 1)
  assert.match(mailServer.received[0]?.raw ?? '', /^DKIM-Signature: v=1; .*d=mail\.example\.org/s)
})

test('without a key the page says that mails are not signed here', async t => {
  const { operator, path } = await startWithMail(t)
  assert.match((await operator.open(path)).text, /DKIMMails are not signed here/)
})

test('a name server that never answers keeps no page waiting, and is given up', async t => {
  const { operator, path } = await startWithMail(t, () => new Promise(() => undefined))
  const { text } = await operator.open(path)
  assert.match(text, /SPFBeing looked up…DMARCBeing looked up…/)
  await eventually('the end of it', async () => /SPFCould not be/.test((await operator.open(path)).text))
})

test('the page speaks Spanish', async t => {
  const { member, path, db, clock } = await startWithMail(t)
  await db.write(INSTANCE, tx => setHold(tx, clock()))
  const reader = await member('owner', { email: 'otra@example.org', language: 'es' })
  await db.write(INSTANCE, tx => tx.run('UPDATE users SET operator = 1', []))
  const { text } = await reader.open(path)
  assert.match(text, /No se envía ningún correo desde.*los pagos están en pausa.*Enviar un correo de prueba/)
})

test('the overview needs somebody where mail is held, in trouble, waits for a server or has reached nobody', async t => {
  const { app, operator, member, db, clock, accountId, mailServer } = await startWithMail(t)
  const overview = `/manage/a/${accountId}`
  const manager = await member('manager')
  const door = await member('door')
  const needs = async (reader: typeof operator) => (await reader.open(overview)).text
  assert.doesNotMatch(await needs(operator), /Nothing is mailed|mail goes|reached nobody/)
  await db.write(INSTANCE, tx => setHold(tx, clock()))
  assert.match(await needs(operator), /Nothing is mailed since 21 Nov 2026/)
  const page = await manager.open(overview)
  assert.match(
    page.text,
    /Nothing is mailed since 21 Nov 2026.*nobody can pay by card.*until whoever runs this server says/,
  )
  assert.doesNotMatch(page.html, /\/system/)
  assert.doesNotMatch(await needs(door), /mailed/)
  await db.write(INSTANCE, tx => setHold(tx, null))
  mailServer.script.to = () => ({ code: 550, message: 'No such user' })
  const add = (recipient: string) =>
    db.write(accountId, tx => queue(tx, testMail, { cause: 'c', recipient, language: 'en' }))
  await add('no@example.org')
  await onceSettled({ app }, 'mails', 'the failure', async () =>
    /1 mail reached nobody/.test(await needs(manager)),
  )
  assert.match(await needs(operator), /1 mail reached nobody/)
  assert.doesNotMatch(await needs(door), /reached nobody/)
  mailServer.script.to = () => ({ code: 421, message: 'Go away' })
  await add('ada@example.org')
  await onceSettled({ app }, 'mails', 'the trouble', async () =>
    /No mail goes out since/.test(await needs(operator)),
  )
  assert.doesNotMatch(await needs(manager), /goes out/)
  clock.advance(8 * DAY)
  assert.doesNotMatch(await needs(manager), /reached nobody/)
})

test('the overview says to an operator that mails wait for a server for mail, once some do', async t => {
  const { operator, db, accountId } = await start(t)
  const overview = `/manage/a/${accountId}`
  assert.doesNotMatch((await operator.open(overview)).text, /Mails wait for a server/)
  await db.write(accountId, tx =>
    queue(tx, testMail, { cause: 'c', recipient: 'ada@example.org', language: 'en' }),
  )
  assert.match((await operator.open(overview)).text, /Mails wait for a server for mail/)
})
