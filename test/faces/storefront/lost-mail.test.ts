import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR, MINUTE, SECOND } from '#base/time.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { verify } from '#product/selling/orders/verification.ts'
import { type Sale, startSale } from '#test/support/people/sale.ts'
import { startTicketMail } from '#test/support/ticket-mail.ts'

const GRACE = 'grace@example.org'

async function start(t: TestContext, options: Parameters<typeof startSale>[3] = undefined) {
  const sale = await startSale(t, {}, {}, options)
  const { db, clock, visitor, path } = sale
  const mail = await startTicketMail(t, db, clock)
  /** Asks for the tickets of an address, from the page of the event. */
  const ask = async (email: string, language = 'en') => {
    const event = await visitor(language).open(path)
    const form = await event.follow(language === 'en' ? 'Send my tickets again' : 'Enviarme otra vez')
    clock.advance(2 * SECOND)
    const [label, button] =
      language === 'en'
        ? ['Your e-mail', 'Send my tickets again']
        : ['Tu correo electrónico', 'Enviarme otra vez mis entradas']
    return form.fill({ [label as string]: email }).press(button as string)
  }
  return { ...sale, mail, ask }
}

const queued = ({ db, accountId }: Sale) =>
  db.read(accountId, async tx =>
    (await emails.list(tx, {}, { limit: 100 }))
      .filter(({ kind }) => kind === 'tickets_again')
      .map(({ recipient, status }) => `${recipient} ${status}`),
  )

test('who has lost the mail asks on the page of the event, and gets all their orders of it with their tickets', async t => {
  const server = await start(t)
  const { take, mail, ask, pathOf } = server
  const one = await take({ Guest: ['Grace Hopper'] }, { email: GRACE })
  const two = await take({ Guest: ['Alan Turing', 'Kurt Gödel'] }, { email: 'Grace@Example.org' })
  await take({ Guest: ['Somebody Else'] }, { email: 'else@example.org' })
  await mail.take()
  const done = await ask('GRACE@example.org')
  assert.equal(done.status, 200)
  assert.equal(done.heading, 'Look into your mail')
  const [again, ...others] = await mail.take()
  assert.deepEqual([again?.to, others], [['GRACE@example.org'], []])
  assert.equal(again?.parsed.subject, 'Your tickets for Spring Meeting, once more')
  const text = again?.parsed.text ?? ''
  for (const expected of [one.reference, two.reference, 'Grace Hopper', 'Alan Turing', 'Kurt Gödel'])
    assert.ok(text.includes(expected), expected)
  assert.ok(!text.includes('Somebody Else'))
  assert.equal(text.match(/\/orders\/[\w-]{46}/g)?.length, 2)
  assert.equal(text.match(/\/tickets\/[\w-]{46}/g)?.length, 3)
  const files = again?.parsed.attachments
    .map(({ filename }) => filename)
    .filter(name => name?.endsWith('.pdf'))
  assert.deepEqual(files?.sort(), [`${one.reference}.pdf`, `${two.reference}.pdf`].sort())
  // The kept text of the mail has none of its secrets.
  const kept = await server.db.read(server.accountId, async tx =>
    JSON.stringify(await emails.list(tx, {}, { limit: 9 })),
  )
  assert.ok(!kept.includes(pathOf(one).slice(8)))
})

test('a holder who was sent their ticket gets it again, and nothing of the order', async t => {
  const { db, accountId, take, mail, ask } = await start(t)
  const order = await take({ Guest: ['Grace Hopper', 'Bob'] }, { email: GRACE })
  await db.write(accountId, async tx => {
    const { registrations } = await orders.getDetails(tx, order.id)
    const ticket = registrations[0]?.attendees[1]?.id as string
    await tx.run(
      `UPDATE attendees SET email = 'bob@example.org' WHERE id = $2 AND registration_id IN
         (SELECT id FROM registrations WHERE account_id = $1)`,
      [accountId, ticket],
    )
    await verify(tx, order.id, 'buyer')
  })
  await mail.take()
  await ask('bob@example.org')
  const [again, ...others] = await mail.take()
  assert.deepEqual([again?.to, others], [['bob@example.org'], []])
  const text = again?.parsed.text ?? ''
  assert.match(text, /Hello Bob,/)
  assert.equal(text.match(/\/tickets\/[\w-]{46}/g)?.length, 1)
  assert.ok(!/\/orders\/|Grace Hopper/.test(text))
})

test('whoever has no tickets is answered alike and gets no mail, and the same is written for both', async t => {
  const server = await start(t)
  const { take, mail, ask } = server
  await take({ Guest: ['Grace Hopper'] }, { email: GRACE })
  await mail.take()
  const ofBuyer = await ask(GRACE)
  const unknown = await ask('nobody@example.org')
  assert.equal(ofBuyer.status, unknown.status)
  assert.equal(
    ofBuyer.html.replaceAll(GRACE, 'X'),
    unknown.html.replaceAll('nobody@example.org', 'X'),
    'the answers differ',
  )
  assert.deepEqual((await queued(server)).map(each => each.split(' ')[0]).sort(), [
    GRACE,
    'nobody@example.org',
  ])
  assert.deepEqual(
    (await mail.take()).map(({ to }) => to[0]),
    [GRACE],
  )
  assert.deepEqual((await queued(server)).sort(), [`${GRACE} sent`, 'nobody@example.org withdrawn'])
  assert.match((await ask(GRACE, 'es')).heading, /^Mira tu correo$/)
  assert.match((await mail.take())[0]?.parsed.subject ?? '', /^Tus entradas para Spring Meeting, otra vez$/)
})

test('an address is mailed three times an hour, whatever its letters are, and is answered alike after that', async t => {
  const server = await start(t)
  const { take, mail, ask, clock } = server
  await take({ Guest: ['Grace Hopper'] }, { email: GRACE })
  await mail.take()
  for (const email of [GRACE, 'GRACE@example.org', 'Grace@EXAMPLE.org']) await ask(email)
  assert.equal((await mail.take()).length, 3)
  const fourth = await ask(GRACE)
  assert.equal(fourth.heading, 'Look into your mail')
  assert.equal((await mail.take()).length, 0)
  clock.advance(HOUR + MINUTE)
  await ask(GRACE)
  assert.equal((await mail.take()).length, 1)
})

test('the form is refused to programs and to what is no address, and nothing is written then', async t => {
  const server = await start(t)
  const { visitor, path, clock } = server
  const open = async () => (await visitor().open(path)).follow('Send my tickets again')
  const form = await open()
  clock.advance(2 * SECOND)
  const wrong = await form.fill({ 'Your e-mail': 'nobody' }).press('Send my tickets again')
  assert.equal(wrong.status, 422)
  assert.match(wrong.title, /^Error: Send my tickets again/)
  const early = await (await open()).fill({ 'Your e-mail': GRACE }).press('Send my tickets again')
  assert.equal(early.status, 422)
  const trapped = await open()
  clock.advance(2 * SECOND)
  ;(trapped.document.getElementById('website') as HTMLInputElement).value = 'https://spam.example'
  assert.equal((await trapped.fill({ 'Your e-mail': GRACE }).press('Send my tickets again')).status, 422)
  const foreign = await visitor().post(`${path}tickets`, { email: GRACE }, { 'sec-fetch-site': 'cross-site' })
  assert.equal(foreign.status, 403)
  assert.deepEqual(await queued(server), [])
})

test('who may not see an event, or of one that is over or cancelled, finds no such form', async t => {
  const { visitor, path, change, clock, db, accountId, eventId, client } = await start(t)
  await change({ visibility: 'private' })
  assert.equal((await visitor().open(`${path}tickets`)).status, 404)
  const guest = await visitor().open(`${path}?code=SPEAKERS`)
  const form = await guest.follow('Send my tickets again')
  clock.advance(2 * SECOND)
  const sent = await form.fill({ 'Your e-mail': GRACE }).press('Send my tickets again')
  assert.deepEqual([sent.status, sent.heading], [200, 'Look into your mail'])
  assert.equal((await sent.follow('To the event')).heading, 'Spring Meeting')
  await change({ visibility: 'public' })
  assert.equal((await visitor().open(`${path}tickets`)).status, 200)
  await db.write(accountId, tx =>
    tx.run("UPDATE events SET status = 'cancelled' WHERE id = $1 AND account_id = $2", [eventId, accountId]),
  )
  await client.post('/check-ins', { attendee_id: eventId })
  assert.equal((await visitor().open(`${path}tickets`)).status, 404)
  assert.ok(!(await visitor().open(path)).links().includes('Send my tickets again'))
})

test('one network has sixty such mails an hour sent at once, and the next ones wait for their turn', async t => {
  const server = await start(t)
  const { db, accountId, visitor, path, clock } = server
  const form = await (await visitor().open(path)).follow('Send my tickets again')
  const inputs = [...form.document.querySelectorAll<HTMLInputElement>('main form input')]
  const fields = Object.fromEntries(inputs.map(({ name, value }) => [name, value]))
  for (let n = 0; n < 65; n++) {
    clock.advance(2.1 * SECOND)
    const answer = await visitor().post(`${path}tickets`, { ...fields, email: `a${n}@example.org` })
    assert.equal(answer.heading, 'Look into your mail')
  }
  // A mail that is just being sent is claimed for minutes, and would look like one that waits.
  await server.mail.take()
  const all = await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 }))
  const later = all.filter(({ next_attempt_at: next }) => (next ?? 0) > clock())
  assert.equal(all.filter(({ kind }) => kind === 'tickets_again').length, 65)
  assert.deepEqual(
    later.map(({ recipient }) => recipient).sort(),
    [60, 61, 62, 63, 64].map(n => `a${n}@example.org`),
  )
})
