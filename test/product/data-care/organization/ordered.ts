import { ERASED_EMAIL, ERASED_NAME } from '#base/words.ts'
import { organization, registration } from '#test/support/organization.ts'

const at = (day: number, hour = 10) => `2026-11-${String(day).padStart(2, '0')}T${hour}:00:00.000Z`

const ADA = { name: 'Ada', email: 'Ada@Example.org' }

/** A ticket at half of its price, and one that costs nothing. */
const half = { name: 'Ada', code: 'HALF', price: 5000, discount: 2500, tax: 434 }
const free = { name: 'Bob', email: 'bob@example.org', price: 0, discount: 0, tax: 0 }

/** Makes a line of an order that is as old as the day. */
function line(reference: string, order: string, day: number, tickets: object[], changes: object = {}) {
  return registration(reference, {
    ...{ order, registration_type: 'Free', buyer: ADA, created_at: at(day), attendees: tickets },
    ...{ amount_subtotal: 0, amount_total: 0, ...changes },
  })
}

/** Orders in every state, oldest first. */
export const orders = [
  {
    ...{
      reference: '2345-WXYZ',
      buyer: ADA,
      language: 'es',
      currency: 'EUR',
      amount_total: 5000,
      terms: 'No dogs.\n',
    },
    ...{ status: 'confirmed', created_at: at(1), confirmed_at: at(1, 11) },
  },
  {
    ...{ reference: 'FAIL', buyer: ADA, status: 'failed', failed_for: 'undecided' },
    ...{ created_at: at(2), failed_at: at(9) },
  },
  {
    ...{ reference: '__proto__', buyer: { name: ERASED_NAME, email: ERASED_EMAIL }, amount_total: 2500 },
    ...{ status: 'confirmed', created_at: at(3), confirmed_at: at(3) },
  },
  {
    ...{ reference: 'WAIT', buyer: ADA, status: 'pending', waits_for: 'approval' },
    ...{ created_at: at(20), expires_at: at(27) },
  },
]

/** Makes an event with orders in every state, and with registrations that belong to none between them. */
export function ordered(changes: { orders?: object[]; registrations?: object[]; event?: object } = {}) {
  const standard = { registration_type: 'Standard' }
  const registrations = [
    line('a', '2345-WXYZ', 1, [half, half], { ...standard, amount_subtotal: 10_000, amount_total: 5000 }),
    line('b', '2345-WXYZ', 1, [free]),
    line('c', 'FAIL', 2, [free, free], { status: 'failed' }),
    line('d', '__proto__', 3, [half], {
      ...{
        ...standard,
        status: 'refunded',
        amount_subtotal: 5000,
        amount_total: 2500,
        refunded_amount: 1000,
      },
      ...{ confirmed_at: at(3), refunded_at: at(4) },
    }),
    line('e', '__proto__', 3, [free], { status: 'cancelled', cancelled_at: at(4) }),
    registration('plain', { created_at: at(10), amount_total: 5000 }),
    line('f', 'WAIT', 20, [free, free], { status: 'pending' }),
    line('g', 'WAIT', 20, [free], { status: 'cancelled', cancelled_at: at(20), never_confirmed: true }),
  ]
  return organization({
    event: {
      registration_types: [
        { name: 'Standard', price: 5000, capacity: 10, tax_basis_points: 2100 },
        { name: 'Free', price: 0, capacity: 10 },
      ],
      codes: [{ code: 'Half', percent: 50, max_tickets: 2 }],
      orders: [...(changes.orders ?? orders)],
      registrations: changes.registrations ?? registrations,
      ...changes.event,
    },
    // Another event may have the same references.
    events: [
      {
        ...{ slug: 'second', title: 'Second', currency: 'USD' },
        registration_types: [{ name: 'Free', price: 0, capacity: 10 }],
        orders: [{ reference: 'WAIT', buyer: ADA, confirmed_at: at(1), created_at: at(1) }],
        registrations: [line('a', 'WAIT', 1, [free])],
      },
    ],
  })
}
