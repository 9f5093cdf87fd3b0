import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { assertEmpty, open } from './open.ts'
import { ordered, orders } from './ordered.ts'

type Item = Record<string, unknown>

/** Returns the file with one item, of this reference, changed. */
function tampered(list: 'orders' | 'registrations', reference: string, changes: Item, event: object = {}) {
  const file = ordered({ event })
  const items = Reflect.get(file.events[0] as object, list) as Item[]
  const at = items.findIndex(item => item.reference === reference)
  items[at] = { ...items[at], ...changes }
  return file
}

const order = (reference: string, changes: Item) => tampered('orders', reference, changes)
const line = (reference: string, changes: Item) => tampered('registrations', reference, changes)
const ticket = (changes: Item, others: Item[] = []) =>
  line('b', { attendees: [{ name: 'Bob', price: 0, discount: 0, tax: 0, ...changes }, ...others] })
const free = { name: 'Bob', price: 0, discount: 0, tax: 0 }

const refused: Record<string, [file: object, sentences: string[]]> = {
  'an order that the file does not have': [
    line('b', { order: 'NONE' }),
    ['registrations.1.order is of no order that the file has of the event.'],
  ],
  'an order of another event': [
    line('plain', { order: 'second' }),
    ['registrations.5.order is of no order that the file has of the event.'],
  ],
  'an order without registrations': [
    tampered('orders', 'WAIT', {}, { registrations: [] }),
    [0, 1, 2, 3].map(at => `orders.${at}.reference is of no registration that the file has of the event.`),
  ],
  'an order twice': [
    order('FAIL', { reference: 'WAIT' }),
    [
      'orders.3.reference is there twice.',
      'registrations.2.order is of no order that the file has of the event.',
      'registrations.6.status does not go with an order that is failed.',
    ],
  ],
  'two orders of one registration': [
    line('a', { order: ['2345-WXYZ', 'WAIT'] }),
    ['registrations.0.order must be a string.'],
  ],
  'a registration in the order of others': [
    line('plain', { order: '__proto__', attendees: [{ ...free, price: 5000 }] }),
    ['orders.2.amount_total is not the 7500 that the registrations come to, in minor units.'],
  ],
  'a registration in an order, without tickets': [
    line('plain', { order: '__proto__' }),
    [
      'orders.2.amount_total is not the 7500 that the registrations come to, in minor units.',
      'registrations.5.attendees is required of each ticket of an order.',
    ],
  ],
  'a total that does not add up': [
    order('2345-WXYZ', { amount_total: 4999 }),
    ['orders.0.amount_total is not the 5000 that the registrations come to, in minor units.'],
  ],
  'a total that is left out': [
    order('2345-WXYZ', { amount_total: null }),
    ['orders.0.amount_total is not the 5000 that the registrations come to, in minor units.'],
  ],
  'a registration that does not add up': [
    line('a', { amount_total: 4999, amount_subtotal: 9999 }),
    [
      'orders.0.amount_total is not the 4999 that the registrations come to, in minor units.',
      'registrations.0.amount_subtotal is not the 10000 that the tickets come to, in minor units.',
      'registrations.0.amount_total is not the 5000 that the tickets come to, in minor units.',
    ],
  ],
  'amounts that are none': [
    order('2345-WXYZ', { amount_total: -1 }),
    ['orders.0.amount_total must be an integer from 0 to 9999999900, in minor units such as 1500 for 15.00.'],
  ],
  'amounts that are too large': [
    order('2345-WXYZ', { amount_total: 1e15 }),
    ['orders.0.amount_total must be an integer from 0 to 9999999900, in minor units such as 1500 for 15.00.'],
  ],
  'prices that are none': [
    ticket({ price: -1, discount: 1e15, tax: 0.5 }),
    ['price', 'discount', 'tax'].map(
      field =>
        `registrations.1.attendees.0.${field} must be an integer from 0 to 99999999, in minor units such as 1500 for 15.00.`,
    ),
  ],
  'a discount of more than the price': [
    line('b', { attendees: [{ ...free, discount: 1 }], amount_total: 0 }),
    ['registrations.1.attendees.0.discount is more than price.'],
  ],
  'a tax of what costs nothing': [
    ticket({ tax: 1 }),
    ['registrations.1.attendees.0.tax is more than price less discount.'],
  ],
  'a tax of more than what is left of the price': [
    line('d', { attendees: [{ name: 'Ada', code: 'HALF', price: 5000, discount: 2500, tax: 2501 }] }),
    ['registrations.3.attendees.0.tax is more than price less discount.'],
  ],
  'a registration whose amount is too large': [
    line('a', { amount_total: 1e15 }),
    [
      'registrations.0.amount_total must be an integer from 0 to 99999999, in minor units such as 1500 for 15.00.',
    ],
  ],
  'a ticket of an order without its price': [
    line('b', { attendees: [{ name: 'Bob', discount: 0 }] }),
    [
      'registrations.1.attendees.0.price is required of each ticket of an order.',
      'registrations.1.attendees.0.tax is required of each ticket of an order.',
    ],
  ],
  'a ticket of no order with a price': [
    line('plain', { attendees: [{ name: 'Bob', price: 5000 }] }),
    ['registrations.5.attendees.0.price applies to tickets of orders alone.'],
  ],
  'more tickets than an order has': [
    line('b', { attendees: Array.from({ length: 99 }, () => free), amount_subtotal: 0 }),
    ['orders.0.reference is of more than 100 tickets.'],
  ],
  'a status that is none': [
    order('WAIT', { status: 'paid' }),
    ['orders.3.status must be one of pending, confirmed, failed.'],
  ],
  'reasons that are none': [
    order('FAIL', { failed_for: 'fun', waits_for: 'money' }),
    [
      'orders.1.failed_for must be one of declined, undecided, unpaid, withdrawn, turned_down, lapsed, cancelled.',
      'orders.1.waits_for must be one of approval, answer, payment.',
    ],
  ],
  'what failed, without when and why': [
    order('FAIL', { failed_at: null, failed_for: null }),
    [
      'orders.1.failed_for is required of an order that is failed.',
      'orders.1.failed_at is required of an order that is failed.',
    ],
  ],
  'what is confirmed, without when, and waits': [
    order('2345-WXYZ', { confirmed_at: null, waits_for: 'approval', expires_at: '2026-12-01T00:00:00Z' }),
    [
      'orders.0.confirmed_at is required of an order that is confirmed.',
      'orders.0.waits_for does not apply to an order that is confirmed.',
      'orders.0.expires_at does not apply to an order that is confirmed.',
    ],
  ],
  'what waits, for nothing and for ever, and has failed': [
    order('WAIT', { waits_for: null, expires_at: null, failed_at: '2026-12-01T00:00:00Z' }),
    [
      'orders.3.waits_for is required of an order that is pending.',
      'orders.3.expires_at is required of an order that is pending.',
      'orders.3.failed_at does not apply to an order that is pending.',
    ],
  ],
  'registrations that stand otherwise than their order': [
    order('WAIT', {
      status: 'confirmed',
      waits_for: null,
      expires_at: null,
      confirmed_at: '2026-11-21T00:00:00Z',
    }),
    ['registrations.6.status does not go with an order that is confirmed.'],
  ],
  'one that was confirmed in an order that waits': [
    line('g', { never_confirmed: false }),
    ['registrations.7.never_confirmed does not go with an order that is pending.'],
  ],
  'another currency than that of the event': [
    order('2345-WXYZ', { currency: 'USD' }),
    ['orders.0.currency is USD, and the event is in EUR.'],
  ],
  'fields and texts that are none': [
    order('FAIL', { form_id: 'x', terms: 7, buyer: { name: ' ', email: 'nobody' }, language: 'fr' }),
    [
      'orders.1.buyer.name must not be white space alone.',
      'orders.1.buyer.email must be an e-mail address of at most 254 characters.',
      'orders.1.form_id is not known.',
      'orders.1.terms must be a string.',
      'orders.1.language must be one of en, es.',
    ],
  ],
}

for (const [what, [file, sentences]] of Object.entries(refused)) {
  test(`${what}: refused, each with its place, and nothing comes in`, async t => {
    const server = await open(t)
    const expected = sentences.map(sentence => `events.0.${sentence}`).sort()
    await assert.rejects(
      async () => server.apply(file),
      ({ details }: { details: { issues: { message: string }[] } }) => {
        assert.deepEqual(details.issues.map(({ message }) => message).sort(), expected)
        return true
      },
    )
    await assertEmpty(server)
    assert.equal(await server.count('orders'), 0)
  })
}

test('faults of orders are told in one go with all others, in each mode, and nothing that follows from another', async t => {
  const { turnout, write, data } = commandLine(t)
  const file = ordered({
    orders: [
      { ...orders[0], amount_total: '5000' },
      { ...orders[1], referense: 'FAIL', reference: undefined },
      { ...orders[2], status: 'fine' },
      { ...orders[3], currency: 'USD' },
    ],
    event: { title: ' ' },
  })
  const { registrations } = file.events[0] as unknown as { registrations: Item[] }
  Object.assign(registrations[5] as object, { registration_type: 'None' })
  for (const flags of [[], ['--dry-run'], ['--in-batches']]) {
    const { code, out, err } = await turnout('apply', write('f.json', file), '--data', data, ...flags)
    assert.deepEqual([code, out], [1, ''])
    assert.deepEqual(err.trimEnd().split('\n').sort(), [
      'error: events.0.orders.0.amount_total must be an integer from 0 to 9999999900, in minor units such as 1500 for 15.00.',
      'error: events.0.orders.1.reference is required.',
      'error: events.0.orders.1.referense is not known (did you mean reference?).',
      'error: events.0.orders.2.status must be one of pending, confirmed, failed.',
      'error: events.0.orders.3.currency is USD, and the event is in EUR.',
      'error: events.0.registrations.5.registration_type is "None", and the event has no type of that name.',
      'error: events.0.title must not be white space alone.',
    ])
  }
  const own = tampered('orders', '2345-WXYZ', { currency: 'USD' }, { currency: 'usd' })
  const { err } = await turnout('apply', write('own.json', own), '--data', data)
  assert.equal(err, 'error: events.0.currency must be an upper-case ISO 4217 code such as EUR.\n')
})

test('a file with very many faults in its orders is told of the first', async t => {
  const server = await open(t)
  const many = Array.from({ length: 5_000 }, (_, at) => ({ ...orders[0], reference: `o${at}` }))
  await assert.rejects(
    async () => server.apply(ordered({ orders: many, registrations: [] })),
    ({ details }) => {
      assert.equal(details.issues.length, 20)
      assert.equal(details.issues[0].param, 'events.0.orders.0.reference')
      return true
    },
  )
})
