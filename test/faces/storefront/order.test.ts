import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { orderUrl, ticketUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'

async function start(t: TestContext, changes: Record<string, unknown> = {}, page: EventChanges = {}) {
  const server = await startDashboard(
    t,
    organization({
      event: {
        starts_at: '2026-12-01T09:00:00Z',
        ends_at: '2026-12-02T18:00:00Z',
        registration_types: [
          { name: 'Guest', price: 0, capacity: 5 },
          { name: 'Workshop', price: 0, capacity: 3 },
          { name: 'Standard', price: 5000, capacity: 10 },
        ],
        ...changes,
      },
    }),
  )
  const { db, accountId, eventId, visitor, types, clock } = server
  await db.write(accountId, async tx => {
    await accounts.update(tx, { slug: 'ada' })
    await events.update(tx, eventId, page)
  })
  const path = '/ada/spring-meeting/'
  const formPath = (quantities: Record<string, number>) =>
    `${path}register?${Object.entries(quantities)
      .map(([name, n]) => `q.${types[name]}=${n}`)
      .join('&')}`
  /** Fills the form in, looks at the review, and sends the order. */
  const register = async (
    quantities: Record<string, number> = { Guest: 1 },
    { name = 'Grace', email = 'grace@example.org', language = 'en' } = {},
  ) => {
    const browser = visitor(language)
    const form = await browser.open(formPath(quantities))
    clock.advance(SECOND)
    const review = await form.fill({ 'Your name': name, 'Your e-mail': email }).press('Continue')
    return { browser, form, review }
  }
  const listed = () => db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 50 }))
  const mails = async () =>
    (await db.read(accountId, tx => emails.list(tx, {}, { limit: 50 }))).map(
      mail => `${mail.kind} ${mail.recipient}`,
    )
  return { ...server, path, formPath, register, listed, mails }
}

/** Returns what the form of a page would send. */
function fieldsOf({ document }: ReadPage): Record<string, string> {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('main form input')]
  return Object.fromEntries(inputs.map(({ name, value }) => [name, value]))
}

test('from the page of an event to the tickets: quantities, a form, a review, and the order’s page', async t => {
  const { visitor, path, listed, mails, clock, client } = await start(t, {}, { terms: 'Be **kind**.' })
  const browser = visitor()
  const event = await browser.open(path)
  const form = await event.fill({ 'How many of Guest': '2' }).press('Register')
  assert.equal(form.heading, 'Register for Spring Meeting')
  clock.advance(SECOND)
  const refused = await form.fill({ 'Your name': 'Grace', 'Your e-mail': 'nobody' }).press('Continue')
  assert.equal(refused.status, 422)
  assert.match(refused.text, /I accept the terms/)
  const review = await refused
    .fill({
      'Your e-mail': 'grace@example.org',
      'Name on the ticket: Guest, ticket 2 of 2': 'Bob',
      'E-mail, if not yours: Guest, ticket 2 of 2': 'bob@example.org',
      'I accept the terms': true,
    })
    .press('Continue')
  assert.equal(review.heading, 'Is this right?')
  assert.match(review.text, /2 × Guest/)
  assert.match(review.text, /Be kind\./)
  assert.deepEqual(await listed(), [])
  const order = await review.press('Register')
  const [made] = await listed()
  assert.equal(order.heading, `Order ${made?.reference}`)
  assert.match(order.path, /^\/orders\/[\w-]{46}$/)
  assert.equal(made?.status, 'confirmed')
  assert.equal(made.terms, 'Be **kind**.')
  assert.match(order.text, /Grace[\s\S]*Bob/)
  assert.match(
    order.text,
    /Another person waits for a ticket[\s\S]*bob@example\.org[\s\S]*We have not mailed them yet/,
  )
  assert.deepEqual(await mails(), ['order_confirmed grace@example.org'])
  const { body } = await client.get('/registrations')
  assert.deepEqual(
    body.data.map((one: { source: string; quantity: number }) => [one.source, one.quantity]),
    [['checkout', 2]],
  )
})

test('the form, the review and the waitlist say of which day they are, as dates of a series have the same name', async t => {
  const { visitor, path, register } = await start(t, {
    registration_types: [
      { name: 'Guest', price: 0, capacity: 5 },
      { name: 'Full', price: 0, capacity: 0 },
    ],
  })
  const { form, review } = await register()
  const day = /1 – 2 Dec 2026, 1 Dec, 10:00 – 2 Dec, 19:00 CET/
  assert.match(form.text, day)
  assert.match(review.text, day)
  const waiting = await (await visitor().open(path)).follow('Join the waitlist: Full')
  assert.match(waiting.text, /Wait for Full\s*Spring Meeting/)
  assert.match(waiting.text, day)
})

test('the button pressed twice, the page loaded again and the way back make one order', async t => {
  const { register, listed } = await start(t)
  const { review } = await register()
  const first = await review.press('Register')
  const second = await review.press('Register')
  assert.equal(second.path, first.path)
  assert.equal((await listed()).length, 1)
})

test('what is sold out between form and review is told, and nothing of what was typed is lost', async t => {
  const { register, listed } = await start(t)
  const slow = await register({ Workshop: 2 })
  const other = await register({ Workshop: 2 }, { name: 'Eve', email: 'eve@example.org' })
  await other.review.press('Register')
  const refused = await slow.review.press('Register')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Workshop/)
  assert.equal(refused.field('Your name').value, 'Grace')
  assert.equal((await listed()).length, 1)
})

test('terms that change between the review and the button are shown before anything is taken', async t => {
  const { register, listed, db, accountId, eventId } = await start(t)
  const { review } = await register()
  await db.write(accountId, tx => events.update(tx, eventId, { visibility: 'public' }))
  await db.write(accountId, async tx => tx.run("UPDATE events SET currency = 'USD' WHERE id = $1", [eventId]))
  const again = await review.press('Register')
  assert.equal(again.status, 409)
  assert.deepEqual(await listed(), [])
  await again.press('Register')
  assert.equal((await listed()).length, 1)
})

test('a form that is filled in by a program, tampered with, or of another event takes nothing', async t => {
  const { register, listed, visitor, path, types, formPath, clock } = await start(t)
  const { review, browser } = await register()
  const sent = fieldsOf(review)
  const order = `${path}register/order`
  const tampered: [Record<string, string>, number][] = [
    [{ website: 'https://spam.example' }, 422],
    [{ 'form.shown': 'x' }, 422],
    [{ 'form.shown': '' }, 422],
    [{ 'form.seen': 'x' }, 409],
    [{ 'form.id': '1; DROP TABLE orders' }, 422],
    [{ [`q.${types.Guest}`]: '-1' }, 422],
    [{ [`q.${types.Guest}`]: '999999999' }, 422],
    [{ [`q.${types.Standard}`]: '1' }, 409],
    [{ 'q.0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f': '1' }, 404],
    [{ 'buyer.name': '' }, 422],
    [{ 'buyer.name': 'x'.repeat(201) }, 422],
    [{ 'buyer.email': 'a@b.c\r\nBcc: all@example.org' }, 422],
  ]
  for (const [change, status] of tampered) {
    const answer = await browser.post(order, { ...sent, ...change })
    assert.equal(answer.status, status, JSON.stringify(change))
  }
  // No person is as quick as this.
  const quick = await (await visitor().open(formPath({ Guest: 1 })))
    .fill({ 'Your name': 'Bot', 'Your e-mail': 'bot@example.org' })
    .press('Continue')
  assert.equal((await quick.press('Register')).status, 422)
  assert.deepEqual(await listed(), [])
  for (const missing of ['/ada/nowhere/register', '/nobody/spring-meeting/register'])
    assert.equal((await visitor().post(`${missing}/order`, sent)).status, 404)
  const foreign = await visitor().post(order, sent, { 'sec-fetch-site': 'cross-site' })
  assert.equal(foreign.status, 403)
  clock.advance(SECOND)
  assert.deepEqual(await listed(), [])
})

test('an address that orders more than 30 times a minute is told to wait, and may again a minute later', async t => {
  const { register, listed, clock } = await start(t, {
    registration_types: [{ name: 'Guest', price: 0, capacity: 500 }],
  })
  const { review, browser } = await register()
  const sent = fieldsOf(review)
  const order = (n: number) =>
    browser.post('/ada/spring-meeting/register/order', {
      ...sent,
      'form.id': `0197a0b4-3c5e-7d21-9f10-${String(n).padStart(12, '0')}`,
    })
  const answers: ReadPage[] = []
  for (let n = 0; n < 32; n++) answers.push(await order(n))
  assert.deepEqual(answers.map(({ status }) => status).slice(29), [200, 429, 429])
  assert.match(answers[31]?.text ?? '', /Wait a minute/)
  assert.equal((await listed()).length, 30)
  clock.advance(MINUTE)
  assert.equal((await order(31)).status, 200)
})

test('drafts, private events and events that are over take no orders', async t => {
  const { db, accountId, eventId, formPath, visitor, register, clock, client } = await start(t)
  const { review } = await register()
  const show = async (visibility: string) => {
    await db.write(accountId, tx =>
      tx.run('UPDATE events SET visibility = $2 WHERE id = $1', [eventId, visibility]),
    )
    // The server sees what others commit a moment later, or when it commits something itself.
    await client.post('/check-ins', { attendee_id: UNKNOWN_ID })
  }
  await show('private')
  assert.equal((await visitor().open(formPath({ Guest: 1 }))).status, 404)
  assert.equal((await review.press('Register')).status, 404)
  await show('unlisted')
  clock.set('2026-12-03T00:00:00.000Z')
  const over = await visitor().open(formPath({ Guest: 1 }))
  assert.deepEqual([over.status, /not on sale|sells no tickets/.test(over.text)], [409, true])
})

test('whoever has an order’s link sees its tickets, changes names until they are locked, and cancels until the date', async t => {
  const { register, db, accountId, mails, clock, eventId } = await start(
    t,
    {},
    { cancel_until: Date.parse('2026-11-30T00:00:00Z'), names_locked_at: Date.parse('2026-11-29T00:00:00Z') },
  )
  const { review, browser } = await register({ Guest: 2 })
  const order = await review.press('Register')
  const names = await order.follow('Change names')
  const renamed = await names
    .fill({
      'Name on the ticket: Guest, ticket 2 of 2': 'Zoë Ωmega',
      'E-mail, if not yours: Guest, ticket 2 of 2': 'zoe@example.org',
    })
    .press('Save')
  assert.match(renamed.text, /It is saved\.[\s\S]*Zoë Ωmega/)
  // Nobody has confirmed the order by the link in its mail.
  assert.deepEqual(await mails(), ['order_confirmed grace@example.org'])
  const log = await db.read(INSTANCE, tx =>
    tx.all<{ actor: string; action: string; details: string }>(
      "SELECT actor, action, details FROM access_log WHERE target_type = 'order'",
    ),
  )
  assert.equal(log.length, 1)
  assert.match(log[0]?.actor ?? '', /^order:/)
  assert.doesNotMatch(log[0]?.details ?? '', /Zoë|zoe/)
  await renamed.press('Send that mail again')
  assert.equal((await mails()).filter(mail => mail.startsWith('order_confirmed')).length, 2)
  clock.set('2026-11-29T00:00:00.000Z')
  const late = await names.press('Save')
  assert.deepEqual([late.status, /too late/.test(late.text)], [409, true])
  const confirmation = await (await browser.open(order.path)).follow('Cancel the order…')
  assert.match(confirmation.text, /2 tickets become void/)
  const cancelled = await confirmation.press('Cancel the order')
  assert.match(cancelled.text, /Cancelled/)
  assert.ok(!/<svg/.test(cancelled.html))
  const sold = await db.read(INSTANCE, tx =>
    tx.one<{ sold: number }>("SELECT sold FROM registration_types WHERE event_id = $1 AND name = 'Guest'", [
      eventId,
    ]),
  )
  assert.equal(sold?.sold, 0)
  assert.ok(accountId)
})

test('where withdrawal is not excluded the page of an order leads to it: it is asked first, done by a button alone, and told by mail', async t => {
  const { register, mails, visitor, formPath, clock } = await start(t, {}, { withdrawal_excluded: false })
  const { review } = await register({ Guest: 2 })
  const order = await review.press('Register')
  const confirmation = await order.follow('Withdraw from contract here')
  assert.match(confirmation.text, /Grace may withdraw from order .* until .*, without giving a reason\./)
  assert.match(confirmation.text, /We confirm it by mail to grace@example\.org\./)
  assert.ok(!(await mails()).some(mail => mail.startsWith('order_withdrawn')))
  const done = await confirmation.press('Confirm withdrawal')
  assert.match(done.text, /Your registration is cancelled/)
  assert.doesNotMatch(done.text, /Withdraw from contract/)
  assert.ok((await mails()).includes('order_withdrawn grace@example.org'))
  const again = await confirmation.press('Confirm withdrawal')
  assert.equal(again.status, 409)
  const form = await visitor('es').open(formPath({ Guest: 1 }))
  clock.advance(SECOND)
  const typed = { 'Tu nombre': 'Grace', 'Tu correo electrónico': 'grace@example.org' }
  const spanish = await (await form.fill(typed).press('Continuar')).press('Inscribirme')
  const preguntado = await spanish.follow('Desistir del contrato aquí')
  assert.match((await preguntado.press('Confirmar el desistimiento')).text, /Tu inscripción está cancelada/)
})

test('where withdrawal is excluded the page of an order does not speak of it, and nobody withdraws by its address', async t => {
  const { register, visitor } = await start(t)
  const { review } = await register({ Guest: 1 })
  const order = await review.press('Register')
  assert.doesNotMatch(order.text, /contract/)
  const sent = await visitor().post(`${order.path}/withdraw`, {})
  assert.equal(sent.status, 409)
  assert.match((await visitor().open(order.path)).text, /You are in/)
})

test('a holder sees their ticket without the others and the order; renewed links lead to both anew, the old ones nowhere', async t => {
  const { register, db, accountId, listed, visitor } = await start(t)
  const { review } = await register({ Guest: 2 })
  const page = await review.press('Register')
  const [order] = await listed()
  const details = await db.read(accountId, tx => orders.getDetails(tx, order?.id as string))
  const secret = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const server = { baseUrl: '', secret: secret?.cursor_secret as string }
  const [first] = details.registrations[0]?.attendees ?? []
  const own = ticketUrl(server, details, first?.id as string)
  const ticket = await visitor().open(own)
  assert.equal(ticket.status, 200)
  assert.doesNotMatch(ticket.html, new RegExp(`${order?.reference}|/orders/|grace@example`))
  assert.equal(orderUrl(server, details), page.path)
  await db.write(accountId, tx => orders.renewLinks(tx, details.id))
  for (const old of [own, page.path]) assert.equal((await visitor().open(old)).status, 404)
  const renewed = await db.read(accountId, tx => orders.get(tx, details.id))
  assert.equal((await visitor().open(orderUrl(server, renewed))).status, 200)
})

test('the online link is shown to a holder for as long as their own ticket admits them', async t => {
  const { register, db, accountId, listed, visitor } = await start(
    t,
    {},
    { online_url: 'https://meet.example/room' },
  )
  const { review } = await register({ Guest: 1, Workshop: 1 })
  await review.press('Register')
  const [order] = await listed()
  const read = () => db.read(accountId, tx => orders.getDetails(tx, order?.id as string))
  const secret = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const server = { baseUrl: '', secret: secret?.cursor_secret as string }
  const [first, second] = (await read()).registrations
  await db.write(accountId, tx => registrations.cancel(tx, first?.id as string))
  const details = await read()
  assert.equal(details.status, 'confirmed')
  const pageOf = async (line: typeof first) =>
    (await visitor().open(ticketUrl(server, details, line?.attendees[0]?.id as string))).html
  assert.match(await pageOf(second), /meet\.example/)
  assert.doesNotMatch(await pageOf(first), /meet\.example/)
})

test('guessing links is 404, and limited by address', async t => {
  const { visitor } = await start(t)
  const browser = visitor()
  const guess = (n: number) => browser.open(`/orders/${String(n).padStart(46, 'A')}`)
  const answers: number[] = []
  for (let n = 0; n < 125; n++) answers.push((await guess(n)).status)
  assert.ok(answers.slice(0, 100).every(status => status === 404))
  assert.ok(answers.slice(-3).every(status => status === 429))
})

test('one that has to be approved says so, and shows no code until it is', async t => {
  const { register, listed, db, accountId } = await start(t, { requires_approval: true })
  const { review, browser } = await register()
  const waiting = await review.press('Register')
  assert.match(waiting.text, /Waits for the organizer/)
  assert.doesNotMatch(waiting.html, /<svg|SVC1/)
  const [order] = await listed()
  await db.write(accountId, tx => orders.approve(tx, order?.id as string))
  const confirmed = await browser.open(waiting.path)
  assert.match(confirmed.text, /You are in/)
  assert.match(confirmed.html, /<svg/)
})

test('the whole way is in Spanish for whoever reads Spanish', async t => {
  const { visitor, formPath, clock, mails } = await start(t)
  const form = await visitor('es').open(formPath({ Guest: 1 }))
  clock.advance(SECOND)
  const review = await form
    .fill({ 'Tu nombre': 'Íñigo', 'Tu correo electrónico': 'inigo@example.org' })
    .press('Continuar')
  assert.equal(review.heading, '¿Está todo bien?')
  const order = await review.press('Inscribirme')
  assert.match(order.text, /Ya tienes tu plaza/)
  assert.deepEqual(await mails(), ['order_confirmed inigo@example.org'])
})

test('who waits for what is sold out is mailed when a place is free, once, and keeps the rank', async t => {
  const { visitor, path, register, clock, mails, client, db, types } = await start(t, {
    registration_types: [{ name: 'One', price: 0, capacity: 1 }],
  })
  const { review } = await register({ One: 1 }, { name: 'Ada', email: 'ada@example.org' })
  await review.press('Register')
  const browser = visitor()
  const join = async (email: string) => {
    const form = await (await browser.open(path)).follow('Join the waitlist: One')
    clock.advance(SECOND)
    return form.fill({ 'Your name': 'Wes', 'Your e-mail': email }).press('Join the waitlist')
  }
  const joined = await join('wes@example.org')
  assert.equal(joined.heading, 'You are on the waitlist')
  await join('zoe@example.org')
  // The same person again is the same entry, and keeps its rank.
  await join('WES@example.org')
  const waiting = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ email: string; notified_at: number | null }>(
        'SELECT email, notified_at FROM waitlist_entries ORDER BY created_at, id',
      ),
    )
  assert.deepEqual(
    (await waiting()).map(({ email }) => email),
    ['wes@example.org', 'zoe@example.org'],
  )
  const [registration] = (await client.get('/registrations')).body.data
  await client.post(`/registrations/${registration.id}/cancel`)
  assert.deepEqual(
    (await waiting()).map(({ notified_at }) => notified_at !== null),
    [true, false],
  )
  assert.equal(
    (await mails()).filter(mail => mail.startsWith('place_free')).join(),
    'place_free wes@example.org',
  )
  // There is room now: nobody waits for that.
  const late = await visitor().post(`${path}waitlist`, { type: types.One as string })
  assert.equal(late.status, 422)
})

test('questions are asked of the order and of each ticket, and codes show what is hidden and take off what it costs', async t => {
  const { visitor, path, clock, db, accountId, eventId, client, types, listed } = await start(t, {
    payment_ways: 'door',
    registration_types: [
      { name: 'Guest', price: 0, capacity: 5 },
      { name: 'Standard', price: 5000, capacity: 10 },
      { name: 'Speaker', price: 5000, capacity: 10, hidden: true },
    ],
    questions: [
      {
        key: 'diet',
        label: 'What do you eat?',
        kind: 'one_of',
        choices: ['All', 'Vegan'],
        asked_for: 'ticket',
      },
      { key: 'how', label: 'How did you hear of us?', kind: 'text', required: true, asked_for: 'order' },
    ],
    codes: [
      { code: 'SPEAKERS', percent: 100, registration_types: ['Speaker'], max_tickets: 3 },
      { code: 'HALF', percent: 50 },
    ],
  })
  const event = await visitor().open(path)
  assert.doesNotMatch(event.text, /Speaker/)
  const unknown = await event.fill({ 'Code, if you have one': 'nothing' }).press('Use the code')
  assert.deepEqual([unknown.status, /no such code/.test(unknown.text)], [422, true])
  const offers = await event.fill({ 'Code, if you have one': ' speakers ' }).press('Use the code')
  assert.match(offers.text, /Speaker/)
  const form = await offers.fill({ 'How many of Speaker': '2' }).press('Register')
  clock.advance(SECOND)
  form.fill({ 'Your name': 'Grace', 'Your e-mail': 'grace@example.org' })
  const refused = await form.press('Continue')
  assert.equal(refused.status, 422)
  assert.match(refused.text, /How did you hear of us/)
  refused.fill({ 'How did you hear of us?': 'A friend' })
  const diets = [...refused.document.querySelectorAll<HTMLSelectElement>('main select')]
  ;(diets[1] as HTMLSelectElement).value = 'Vegan'
  const review = await refused.press('Continue')
  assert.match(review.text, /A friend[\s\S]*Vegan[\s\S]*SPEAKERS[\s\S]*Free/)
  const order = await review.press('Register')
  assert.match(order.text, /You are in/)
  const [registration] = (await client.get('/registrations')).body.data
  assert.deepEqual(
    [registration.answers, registration.amount_subtotal, registration.amount_total, registration.source],
    [{ how: 'A friend' }, 10_000, 0, 'checkout'],
  )
  assert.deepEqual(
    registration.attendees.map(({ answers }: { answers: object }) => answers),
    [{}, { diet: 'Vegan' }],
  )
  const used = () =>
    db.read(
      INSTANCE,
      async tx => (await tx.one<{ used: number }>("SELECT used FROM codes WHERE code = 'SPEAKERS'"))?.used,
    )
  assert.equal(await used(), 2)
  // One is left, and nobody gets two of it; a choice that is none of those is refused, and what costs something is not taken.
  const query = (quantities: string, code: string) => `${path}register?${quantities}&code=${code}`
  const two = await (await visitor().open(query(`q.${types.Speaker}=2`, 'SPEAKERS')))
    .fill({ 'Your name': 'Eve', 'Your e-mail': 'eve@example.org', 'How did you hear of us?': 'x' })
    .press('Continue')
  clock.advance(SECOND)
  assert.equal((await two.press('Register')).status, 409)
  const tampered = await visitor().post(`${path}register`, {
    ...fieldsOf(review),
    'form.id': '0197a0b4-3c5e-7d21-9f10-000000000001',
    [Object.keys(fieldsOf(review)).find(name => /^answer\.1\./.test(name)) as string]: 'Meat <b>',
  })
  assert.equal(tampered.status, 422)
  const half = await visitor().open(query(`q.${types.Standard}=1`, 'HALF'))
  assert.match(half.text, /€25\.00/)
  const hidden = await visitor().open(query(`q.${types.Speaker}=1`, 'HALF'))
  assert.equal(hidden.status, 404)
  assert.equal((await listed()).length, 1)
  await db.write(accountId, async tx => {
    for (const { id } of await orders.list(tx, { event_id: eventId }, { limit: 5 }))
      await orders.cancelByBuyer(tx, id, '2027-01-01T00:00:00Z')
  })
  assert.equal(await used(), 0)
})
