import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import { ticketUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { EngineTransaction } from '#test/support/engine-classes.ts'
import { changed, fresh, hiddenOf, PATH, startSale } from '#test/support/people/order-forms.ts'
import { readSchema } from '#test/support/schema-tables.ts'
import { recordStatements } from '#test/support/statements.ts'

/** Starts a sale with an order, and returns the links to it and to its ticket. */
async function startWithOrder(t: Parameters<typeof startSale>[0]) {
  const server = await startSale(t)
  const { review, order, db, accountId, eventId } = server
  const { location = '' } = await order(await review())
  const [made] = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 1 }))
  const details = await db.read(accountId, tx => orders.getDetails(tx, made?.id as string))
  const secret = (
    await db.read(INSTANCE, tx => tx.one<{ s: string }>('SELECT cursor_secret AS s FROM instance'))
  )?.s as string
  const ticketId = details.registrations[0]?.attendees[0]?.id as string
  const ticket = ticketUrl({ baseUrl: '', secret }, details, ticketId)
  return { ...server, orderPath: location, ticketPath: ticket, orderId: details.id, ticketId, secret }
}

/** Others look meanwhile for webhooks and mails that are due. */
function isOfOrders(sql: string): boolean {
  return /\b(?:orders|registrations|attendees|accounts|events)\b/.test(sql)
}

test('a guessed link is looked up nowhere, whether its order is there or not', async t => {
  const { forms, orderPath, ticketPath, orderId, ticketId, secret } = await startWithOrder(t)
  const statements = recordStatements(t, EngineTransaction, ['one', 'all', 'run'])
  const forged = (id: string) => linkSecret('guessed', 'order', { id, version: 1 })
  const other = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'
  const [, , own = ''] = orderPath.split('/')
  const [, , ofTicket = ''] = ticketPath.split('/')
  const flipped = own.slice(0, -2) + (own.endsWith('A', own.length - 1) ? 'Q' : 'A') + own.slice(-1)
  const guesses = [
    ...[orderId, other].map(id => `/orders/${forged(id)}`),
    ...[ticketId, other].map(id => `/tickets/${linkSecret('guessed', 'ticket', { id, version: 1 })}`),
    // The link to one is none to the other.
    ...[
      `/orders/${ofTicket}`,
      `/tickets/${own}`,
      `/orders/${linkSecret(secret, 'ticket', { id: orderId, version: 1 })}`,
    ],
    ...[
      `/orders/${flipped}`,
      `/orders/${own.slice(1)}`,
      `/orders/${own}x`,
      '/orders/%00',
      '/orders/__proto__',
      '/orders/%ff',
    ],
  ]
  for (const guess of guesses) {
    statements.clear()
    const answers = [await forms.get(guess), await forms.get(guess, {}, 'HEAD')]
    if (guess.startsWith('/orders/'))
      for (const what of ['names', 'cancel', 'tickets.pdf', 'calendar.ics'])
        answers.push(await forms.get(`${guess}/${what}`))
    if (guess.startsWith('/orders/'))
      for (const what of ['names', 'cancel', 'resend']) answers.push(await forms.post(`${guess}/${what}`, ''))
    for (const { status } of answers) assert.ok(status === 404 || status === 400, `${guess} is ${status}`)
    assert.deepEqual([...statements.keys()].filter(isOfOrders), [], guess)
  }
  statements.clear()
  assert.equal((await forms.get(orderPath)).status, 200)
  assert.ok([...statements.keys()].some(isOfOrders), 'Nothing was recorded.')
})

test('whoever guesses links is told to wait, whatever they guess, while the right ones are answered', async t => {
  const { forms, orderPath, ticketPath } = await startWithOrder(t)
  const guess = (n: number) => {
    const secret = String(n).padStart(46, 'A')
    return n % 3 === 0
      ? forms.get(`/tickets/${secret}`)
      : n % 3 === 1
        ? forms.post(`/orders/${secret}/cancel`, '')
        : forms.get(`/orders/${secret}/tickets.pdf`)
  }
  const answers: Awaited<ReturnType<typeof guess>>[] = []
  for (let n = 0; n < 130; n++) answers.push(await guess(n))
  assert.deepEqual(new Set(answers.slice(0, 100).map(({ status }) => status)), new Set([404]))
  assert.deepEqual(new Set(answers.slice(-5).map(({ status }) => status)), new Set([429]))
  assert.match(String(answers.at(-1)?.headers['retry-after']), /^\d+$/)
  for (const path of [orderPath, ticketPath]) assert.equal((await forms.get(path)).status, 200)
})

test('a form that another site has a browser send takes and changes nothing', async t => {
  const { forms, review, order, taken, orderPath, app } = await startWithOrder(t)
  const form = fresh(await review())
  const before = await taken()
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
    { 'sec-fetch-site': '', origin: 'null' },
    { 'sec-fetch-site': '' },
  ]
  const posts = [`${PATH}register`, `${PATH}register/change`, `${PATH}register/order`, `${PATH}waitlist`]
  const ofOrder = ['names', 'cancel', 'resend'].map(what => `${orderPath}/${what}`)
  for (const path of [...posts, ...ofOrder]) {
    for (const headers of foreign) {
      const answer = await forms.post(path, form, headers)
      assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)}`)
    }
  }
  assert.deepEqual(await taken(), before)
  // A browser in a network of one's own says its origin alone.
  assert.equal((await order(form, { 'sec-fetch-site': 'none', origin: app.siteUrl })).status, 303)
})

test('no GET and no HEAD changes anything', async t => {
  const { forms, orderPath, ticketPath, db, types, review } = await startWithOrder(t)
  const form = await review()
  const paths = [
    ...[
      '/',
      '/ada/',
      PATH,
      `${PATH}calendar.ics`,
      `${PATH}register?q.${types.Guest}=1`,
      `${PATH}register?code=X`,
    ],
    ...[`${PATH}waitlist?type=${types.Guest}`, `${PATH}register?${form}`, `${PATH}register/order?${form}`],
    ...[`${PATH}register/change?${form}`, orderPath, `${orderPath}?said=saved`, ticketPath],
    ...['tickets.pdf', 'calendar.ics', 'names', 'cancel', 'resend'].map(what => `${orderPath}/${what}`),
  ]
  const tables = readSchema().map(({ name }) => name)
  const rows = () =>
    db.read(INSTANCE, async tx => {
      const all: Record<string, unknown> = {}
      for (const name of tables) all[name] = await tx.all(`SELECT * FROM "${name}"`)
      return all
    })
  const before = await rows()
  for (const path of paths)
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await forms.get(path, {}, method)
      assert.ok(answer.status < 500, `${method} ${path}`)
      if (method === 'HEAD') assert.equal(answer.text, '', path)
    }
  assert.deepEqual(await rows(), before)
})

test('pages of visitors run nothing, are framed by nobody, and tell no other site where they are; those of an order are kept nowhere', async t => {
  const { forms, orderPath, ticketPath, types, review } = await startWithOrder(t)
  const form = hiddenOf(await forms.get(`${PATH}register?q.${types.Guest}=1`))
  const ofOrder = [
    ...['', '/names', '/cancel', '/tickets.pdf', '/calendar.ics'].map(
      what => () => forms.get(orderPath + what),
    ),
    () => forms.get(ticketPath),
    () => forms.post(`${orderPath}/names`, 'x=1'),
    () => forms.post(`${orderPath}/cancel`, ''),
  ]
  const ofEvent = [
    () => forms.get(PATH),
    () => forms.get(`${PATH}register?q.${types.Guest}=1`),
    () => forms.get(`${PATH}register?q.${types.Guest}=99`),
    () =>
      forms.post(
        `${PATH}register`,
        changed(form, { 'buyer.name': 'Grace', 'buyer.email': 'grace@example.org' }),
      ),
    () => forms.post(`${PATH}register`, form),
    async () => forms.post(`${PATH}register/order`, changed(await review(), { website: 'x' })),
    () => forms.get('/ada/nowhere/'),
    () => forms.get('/orders/nowhere'),
  ]
  for (const ask of [...ofOrder, ...ofEvent]) {
    const { headers, status } = await ask()
    if (String(headers['content-type']).startsWith('text/html')) {
      const policy = String(headers['content-security-policy'])
      for (const part of [
        /default-src 'none'/,
        /form-action 'self'/,
        /frame-ancestors 'none'/,
        /base-uri 'none'/,
      ])
        assert.match(policy, part)
      assert.doesNotMatch(policy, /script-src|unsafe/)
      assert.equal(headers['referrer-policy'], 'same-origin', String(status))
    }
    assert.equal(headers['x-content-type-options'], 'nosniff', String(status))
    assert.equal(headers['set-cookie'], undefined)
  }
  for (const ask of ofOrder) assert.equal((await ask()).headers['cache-control'], 'no-store')
  // These contain what somebody has typed.
  for (const ask of ofEvent.slice(1, 6))
    assert.match(String((await ask()).headers['cache-control']), /private|no-store/)
})
