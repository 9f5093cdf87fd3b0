import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import * as events from '#product/catalog/events/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { changed, fresh, hiddenOf, NOTHING_TAKEN, PATH, startSale } from '#test/support/people/order-forms.ts'

type Sale = Awaited<ReturnType<typeof startSale>>

test('a form that is sent 20 times at once makes one order, and each answer leads to it', async t => {
  const { review, order, taken, db } = await startSale(t)
  const form = await review()
  const answers = await Promise.all(Array.from({ length: 20 }, () => order(form)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]))
  assert.equal(new Set(answers.map(({ location }) => location)).size, 1)
  assert.deepEqual(await taken(), { orders: 1, tickets: 1, sold: 1, mails: 1 })
  // The form does not place another order with other values either.
  const other = await order(changed(form, { 'buyer.email': 'eve@example.org' }))
  assert.equal(other.location, answers[0]?.location)
  assert.deepEqual(await taken(), { orders: 1, tickets: 1, sold: 1, mails: 1 })
  assert.deepEqual(await findDamage(db), [])
})

test('the forms of two tabs are two orders, and the last place goes to one of them', async t => {
  const { review, order, taken } = await startSale(t, {
    registration_types: [{ name: 'Guest', price: 0, capacity: 3 }],
  })
  const tabs = [await review(), await review()]
  assert.deepEqual(await Promise.all(tabs.map(async form => (await order(form)).status)), [303, 303])
  const last = await Promise.all([await review(), await review()].map(form => order(form)))
  assert.deepEqual(last.map(({ status }) => status).sort(), [303, 409])
  assert.deepEqual(await taken(), { orders: 3, tickets: 3, sold: 3, mails: 3 })
})

const changes: [what: string, change: (sale: Sale) => Promise<unknown>, status: number, says: RegExp][] = [
  [
    'costs more',
    async ({ types, ...of }) => {
      await setEvent(of, { payment_ways: 'door' })
      await setType(of, types.Guest, { price: 500 })
    },
    409,
    /€5\.00/,
  ],
  [
    'costs what nobody can pay',
    ({ types, ...of }) => setType(of, types.Guest, { price: 500 }),
    409,
    /on sale|pay/,
  ],
  ['has terms', of => setEvent(of, { terms: 'Be kind.' }), 422, /I accept the terms/],
  [
    'is sold out',
    ({ types, ...of }) => setType(of, types.Guest, { capacity: 0, sold: 0 }),
    409,
    /sold out|left/i,
  ],
  ['sells it no more', ({ types, ...of }) => setType(of, types.Guest, { active: 0 }), 409, /on sale/],
  ['has it hidden', ({ types, ...of }) => setType(of, types.Guest, { hidden: 1 }), 404, /./],
  [
    'sells it later',
    ({ types, ...of }) => setType(of, types.Guest, { sales_start: of.clock() + HOUR }),
    409,
    /on sale/,
  ],
  ['takes two at the least', ({ types, ...of }) => setType(of, types.Guest, { min_per_order: 2 }), 422, /2/],
  ['is a draft again', of => setRow(of, { status: 'draft' }), 404, /nothing here|not found/i],
  ['is cancelled', of => setRow(of, { status: 'cancelled' }), 409, /on sale|sells no tickets/],
  ['is private', of => setRow(of, { visibility: 'private' }), 404, /nothing here|not found/i],
  ['is over', async ({ clock }) => clock.set('2026-12-03T00:00:00.000Z'), 409, /on sale|sells no tickets/],
  ['is past the day of the form', async ({ clock }) => clock.advance(DAY), 422, /./],
]
for (const [what, change, status, says] of changes) {
  test(`a review that is sent after the event ${what} takes nothing`, async t => {
    const sale = await startSale(t)
    const form = await sale.review()
    await change(sale)
    await seeForeignCommits(sale)
    const answer = await sale.order(form)
    assert.equal(answer.status, status)
    assert.match(answer.text, says)
    assert.deepEqual(await sale.taken(), NOTHING_TAKEN)
  })
}

test('terms that were accepted are shown again where they are others now, and nobody is held to those', async t => {
  const sale = await startSale(t)
  await setEvent(sale, { terms: 'Be kind.' })
  await seeForeignCommits(sale)
  const typed = { 'buyer.name': 'Grace', 'buyer.email': 'grace@example.org', terms: 'yes' }
  const form = await sale.review(undefined, typed)
  await setEvent(sale, { terms: 'Be punctual.' })
  const again = await sale.order(form)
  assert.equal(again.status, 409)
  assert.match(again.text, /Be punctual\./)
  assert.deepEqual(await sale.taken(), NOTHING_TAKEN)
  assert.equal((await sale.order(hiddenOf(again))).status, 303)
})

test('an order that was made is found again by its form, whatever has become of the event', async t => {
  const sale = await startSale(t)
  const form = await sale.review()
  const { location } = await sale.order(form)
  await setType(sale, sale.types.Guest, { active: 0 })
  await seeForeignCommits(sale)
  const again = await sale.order(form)
  assert.deepEqual([again.status, again.location], [303, location])
  assert.deepEqual(await sale.taken(), { orders: 1, tickets: 1, sold: 1, mails: 1 })
})

test('what says when a form was shown cannot be made, moved or kept', async t => {
  const { review, order, taken, clock, forms, eventId, types } = await startSale(t)
  const form = await review()
  const shown = form.get('form.shown') as string
  const [text = '', signature = ''] = shown.split('.')
  const later = Buffer.from(JSON.stringify([clock() + 9 * DAY, [eventId, 0]])).toString('base64url')
  const forged = [
    ...['', '.', 'x', `${later}.`, `${later}.${signature}`, `${text}.`, `${text}.${signature.slice(0, -2)}`],
    ...[`${shown}x`, `${text}.${signature}.x`.replace(text, later), shown.toUpperCase(), '\0', '%00'],
  ]
  for (const value of forged) {
    clock.advance(3 * SECOND)
    assert.equal((await order(changed(fresh(form), { 'form.shown': value }))).status, 422, value)
  }
  const quick = hiddenOf(await forms.get(`${PATH}register?q.${types.Guest}=1`))
  const typed = { 'buyer.name': 'Grace', 'buyer.email': 'grace@example.org' }
  const filled = hiddenOf(await forms.post(`${PATH}register`, changed(quick, typed)))
  clock.advance(SECOND - 1)
  assert.equal((await order(filled)).status, 422)
  assert.equal((await order(changed(filled, { website: 'https://spam.example' }))).status, 422)
  assert.deepEqual(await taken(), NOTHING_TAKEN)
  clock.advance(1)
  assert.equal((await order(filled)).status, 303)
  // A clock that was set back has shown the form in the future.
  const ahead = await review()
  clock.advance(-HOUR)
  assert.equal((await order(ahead)).status, 422)
})

test('of 40 orders a minute from one address 30 are taken; the others are told when to come again, and what was sent is there still', async t => {
  const { review, order, taken, clock } = await startSale(t)
  const form = await review()
  const sent = Array.from({ length: 40 }, (_, n) => fresh(form, `grace-${n}@example.org`))
  const answers = await Promise.all(sent.map(each => order(each)))
  const refused = answers.filter(({ status }) => status === 429)
  assert.deepEqual([answers.filter(({ status }) => status === 303).length, refused.length], [30, 10])
  for (const { headers, text } of refused) {
    assert.match(String(headers['retry-after']), /^(?:[1-9]|[1-5]\d|60)$/)
    assert.match(text, /Wait a minute/)
    assert.match(text, /value="grace-\d+@example\.org"/)
  }
  assert.deepEqual(await taken(), { orders: 30, tickets: 30, sold: 30, mails: 30 })
  // An order that was placed is found again all the same.
  const made = answers.findIndex(({ status }) => status === 303)
  assert.equal((await order(sent[made] as URLSearchParams)).location, answers[made]?.location)
  assert.equal((await order(form)).status, 429)
  clock.advance(MINUTE)
  assert.equal((await order(form)).status, 303)
})

type Server = Pick<Sale, 'db' | 'accountId' | 'eventId' | 'client' | 'clock'>

function setEvent({ db, accountId, eventId }: Server, changes: Parameters<typeof events.update>[2]) {
  return db.write(accountId, tx => events.update(tx, eventId, changes))
}

function setRow({ db, accountId, eventId }: Server, row: Record<string, string>) {
  return set(db, accountId, 'events', eventId, row)
}

function setType({ db, accountId }: Server, typeId: string | undefined, row: Record<string, number>) {
  return set(db, accountId, 'registration_types', typeId as string, row)
}

function set(db: Sale['db'], owner: string, table: string, id: string, row: Record<string, string | number>) {
  const columns = Object.keys(row).map((name, at) => `${name} = $${at + 2}`)
  return db.write(owner, tx =>
    tx.run(`UPDATE ${table} SET ${columns.join(', ')} WHERE id = $1`, [id, ...Object.values(row)]),
  )
}

/** The server sees what another process commits a moment later, or when it commits something itself. */
async function seeForeignCommits({ client }: Pick<Sale, 'client'>): Promise<void> {
  await client.post('/check-ins', { attendee_id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f' })
}
