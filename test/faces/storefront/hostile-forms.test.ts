import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { organization } from '#test/support/organization.ts'
import { changed, fresh, hiddenOf, NOTHING_TAKEN, PATH, startSale } from '#test/support/people/order-forms.ts'

const SALE = {
  starts_at: '2026-12-01T09:00:00Z',
  ends_at: '2026-12-02T18:00:00Z',
  registration_types: [
    { name: 'Guest', price: 0, capacity: 50 },
    { name: 'Speaker', price: 0, capacity: 10, hidden: true },
    { name: 'Inactive', price: 0, capacity: 10, active: false },
  ],
  questions: [
    { key: 'diet', label: 'Diet', kind: 'one_of', choices: ['All', 'Vegan'], asked_for: 'order' },
    { key: 'days', label: 'Days', kind: 'several_of', choices: ['Mon', 'Tue'], asked_for: 'ticket' },
  ],
  codes: [{ code: 'SPEAKERS', percent: 100, registration_types: ['Speaker'] }],
}

/** Starts a sale with another event of the account, and with another account. */
async function startWithOthers(t: Parameters<typeof startSale>[0]) {
  const server = await startSale(t, SALE)
  const event = (slug: string) => ({
    ...{ slug, title: slug, starts_at: '2026-12-01T09:00:00Z', timezone: 'Europe/Madrid', currency: 'EUR' },
    ...{ status: 'published', visibility: 'public', requires_approval: false },
    registration_types: [{ name: 'Guest', price: 0, capacity: 50 }],
    codes: [{ code: `OF-${slug.toUpperCase()}`, percent: 100 }],
  })
  const own = await server.apply(organization({ event: SALE, events: [event('other')] }))
  const theirs = await server.apply({
    ...organization({ email: 'eve@example.org' }),
    events: [event('foreign')],
  })
  const typeOf = (applied: typeof own, slug: string) =>
    applied.events[slug]?.registration_types.Guest as string
  return { ...server, ofOther: typeOf(own, 'other'), foreign: typeOf(theirs, 'foreign') }
}

test('no form, however tampered with, takes what it may not', { timeout: 60_000 }, async t => {
  const { review, order, types, ofOther, foreign, taken, db, accountId, eventId, forms, clock } =
    await startWithOthers(t)
  const sent = await review()
  const guest = `q.${types.Guest}`
  const [diet, days] = (await db.read(accountId, tx => questions.list(tx, eventId))).map(({ id }) => id)
  const instead = (typeId: string | undefined, quantity = '1') => ({
    [guest]: null,
    [`q.${typeId}`]: quantity,
  })
  const long = `1${'0'.repeat(400)}`
  const tampered: [what: string, Record<string, string | string[] | null>, status: number][] = [
    ['a type of another event', instead(ofOther), 404],
    ['a type of another account', instead(foreign), 404],
    ['a type of another event beside its own', { [`q.${ofOther}`]: '1' }, 404],
    ['a hidden type without a code', instead(types.Speaker), 404],
    ['a hidden type with a code of another event', { ...instead(types.Speaker), code: 'OF-OTHER' }, 422],
    ['a code of another account', { code: 'OF-FOREIGN' }, 422],
    ['a type that is not sold', instead(types.Inactive), 409],
    ['a type that is no id', instead("' OR 1=1 --"), 404],
    ['a type that every object has', instead('__proto__'), 404],
    ['a type that is a method', instead('constructor'), 404],
    ...['-1', '0', '0.5', '1e1', '1e9', '+1', ' 1', '1 ', '٣', '0x1', 'NaN', 'Infinity', '', long].map(
      (quantity): [string, Record<string, string>, number] => [
        `${quantity} tickets`,
        { [guest]: quantity },
        422,
      ],
    ),
    ['21 tickets', { [guest]: '21' }, 422],
    ['999 tickets', { [guest]: '999' }, 422],
    ['a type twice', { [guest]: ['1', '1'] }, 422],
    ['a choice that is none', { [`answer.${diet}`]: 'Meat' }, 422],
    ['two choices of one', { [`answer.${diet}`]: ['All', 'Vegan'] }, 422],
    ['a choice of several that is none', { [`answer.0.${days}`]: ['Mon', 'Sun'] }, 422],
    ['no name', { 'buyer.name': null }, 422],
    ['a name of nothing', { 'buyer.name': '\u200b\u2800' }, 422],
    ['a name with a NUL', { 'buyer.name': 'Gr\0ace' }, 422],
    ['a name with a line end', { 'buyer.name': 'Grace\r\nBcc: all@example.org' }, 422],
    ['a name that is too long', { 'buyer.name': 'x'.repeat(201) }, 422],
    ['an e-mail with a header', { 'buyer.email': 'a@example.org\r\nBcc: all@example.org' }, 422],
    ['an e-mail with a line end', { 'buyer.email': 'a@example.org\nX' }, 422],
    ['an e-mail with a name', { 'buyer.email': 'Grace <a@example.org>' }, 422],
    ['an e-mail in quotes', { 'buyer.email': '"a b"@example.org' }, 422],
    ['a list of e-mails', { 'buyer.email': 'a@example.org,b@example.org' }, 422],
    ['an e-mail with a NUL', { 'buyer.email': 'a\0@example.org' }, 422],
    ['a form without an id', { 'form.id': null }, 422],
    ['an id that is none', { 'form.id': '__proto__' }, 422],
    ['what nobody has agreed to', { 'form.seen': 'x' }, 409],
    ['no agreement', { 'form.seen': null }, 409],
  ]
  for (const [what, change, status] of tampered) {
    // The clock moves on, so that the limit of orders is not what refuses it.
    clock.advance(3_000)
    const answer = await order(changed(fresh(sent), change))
    assert.equal(answer.status, status, what)
    assert.match(answer.text, /<h1/, what)
  }
  assert.deepEqual(await taken(), NOTHING_TAKEN)
  assert.deepEqual(await findDamage(db), [])
  // The other values were not the reason: with its own, the form is taken.
  assert.equal((await order(sent)).status, 303)
  assert.deepEqual(await taken(), { orders: 1, tickets: 1, sold: 1, mails: 1 })
  assert.ok(forms)
})

test('what a form has that nobody asked for, or once too often, is not kept', async t => {
  const { review, order, db, eventId, accountId, taken, client, types } = await startWithOthers(t)
  const [diet] = (await db.read(accountId, tx => questions.list(tx, eventId))).map(({ id }) => id)
  const sent = changed(await review(), {
    ...{
      __proto__: 'x',
      constructor: 'x',
      toString: 'x',
      status: 'confirmed',
      price: '0',
      'buyer.__proto__': 'x',
    },
    ...{ 'answer.0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f': 'x', 'answer.__proto__': 'x', 'answer.7.x': 'x' },
    ...{
      [`ticket.${types.Guest}.0.name`]: 'Nobody',
      'ticket.5.0.email': 'x@example.org',
      [`answer.0.${diet}`]: 'Vegan',
    },
    'buyer.name': ['Gra\ud800ce', 'Eve'],
    'buyer.email': ['grace@example.org', 'eve@example.org'],
  })
  sent.append('__proto__', 'polluted')
  assert.equal((await order(sent)).status, 303)
  assert.deepEqual(await taken(), { orders: 1, tickets: 1, sold: 1, mails: 1 })
  const [registration] = (await client.get('/registrations')).body.data
  // A byte that is no character arrives as U+FFFD, as in every form.
  assert.deepEqual(registration.buyer, { name: 'Gra\ufffdce', email: 'grace@example.org' })
  assert.deepEqual([registration.answers, registration.attendees[0].answers], [{}, {}])
  assert.equal(registration.attendees[0].name, registration.buyer.name)
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
  assert.deepEqual(await findDamage(db), [])
})

test('bodies that are no forms are refused, each in a page, and take nothing', async t => {
  const { review, order, taken, forms, types } = await startSale(t)
  const sent = (await review()).toString()
  const many = Array.from({ length: 10_000 }, (_, n) => `x${n}=1`).join('&')
  const bodies: [what: string, body: string, headers: Record<string, string>, status: number][] = [
    ['10,000 fields', `${sent}&${many}`, {}, 400],
    ['10,000 times a field', `${sent}${'&form.id=x'.repeat(10_000)}`, {}, 400],
    ['more than 1 MB', `${sent}&x=${'x'.repeat(1024 * 1024)}`, {}, 413],
    ['JSON', '{"form.id":1}', { 'content-type': 'application/json' }, 415],
    ['text', sent, { 'content-type': 'text/plain' }, 415],
    ['parts', sent, { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    [
      'another character set',
      sent,
      { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' },
      415,
    ],
    ['nothing', '', {}, 422],
    ['separators alone', '&&&===&=', {}, 422],
    ['broken escapes', `q.${types.Guest}=1&form.id=%&buyer.name=%zz&buyer.email=%e0%a4`, {}, 422],
  ]
  for (const [what, body, headers, status] of bodies) {
    for (const path of ['register', 'register/change', 'register/order', 'waitlist']) {
      const answer = await forms.post(PATH + path, body, headers)
      // Nobody can wait for a type that is missing.
      const expected = path === 'waitlist' && status === 422 ? 404 : status
      const isShown = path === 'register/change' && what === 'broken escapes'
      assert.equal(answer.status, isShown ? 200 : expected, `${what} to ${path}`)
      assert.match(answer.text, /<h1/, `${what} to ${path}`)
    }
  }
  assert.deepEqual(await taken(), NOTHING_TAKEN)
  assert.equal((await order(sent)).status, 303)
})

test('text in a form is text on every page that shows it', async t => {
  const { review, order, forms, types } = await startSale(t, SALE)
  const hard = `"><script>alert(1)</script>&quot;{{7*7}}'`
  const typed = { 'buyer.name': hard, 'buyer.email': 'grace@example.org' }
  const form = hiddenOf(await forms.get(`${PATH}register?q.${types.Guest}=2`))
  const pages = [
    await forms.post(`${PATH}register`, changed(form, { ...typed, [`ticket.${types.Guest}.1.name`]: hard })),
    await forms.post(`${PATH}register`, changed(form, { ...typed, 'buyer.email': hard, code: hard })),
    await forms.get(`${PATH}register?code=${encodeURIComponent(hard)}`),
    await forms.get(`${PATH}register?q.${encodeURIComponent(hard)}=1`),
  ]
  const placed = await order(
    await review(`q.${types.Guest}=2`, { ...typed, [`ticket.${types.Guest}.1.name`]: hard }),
  )
  assert.equal(placed.status, 303)
  pages.push(await forms.get(placed.location as string), await forms.get(`${placed.location}/names`))
  for (const { text } of pages) assert.doesNotMatch(text, /<script|49'/)
  assert.match(pages[4]?.text ?? '', /&lt;script/)
})
