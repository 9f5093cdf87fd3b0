import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { taxIn } from '#product/selling/orders/basket.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { open } from '#test/product/data-care/organization/open.ts'
import { organization, registration } from './organization.ts'

/** A ticket of an order that was paid. */
export interface PaidTicket {
  type: string
  price: number
  discount?: number
  /** The tax rate, in basis points. */
  rate?: number
}

interface PaidOrder {
  reference: string
  tickets: readonly PaidTicket[]
  changes?: object
}

const GRACE = { name: 'Grace', email: 'grace@example.org' }

/** An organization file with confirmed orders: each type of theirs is one of the event. */
export function withOrders(
  orders: readonly PaidOrder[],
  {
    account = {},
    event = {},
    email = 'ada@example.org',
  }: { account?: object; event?: object; email?: string } = {},
) {
  const file = organization({ email })
  const types = new Map(orders.flatMap(({ tickets }) => tickets.map(ticket => [ticket.type, ticket])))
  const [first] = file.events
  const registrations = orders.flatMap(({ reference, tickets }) =>
    [...new Set(tickets.map(({ type }) => type))].map(type => {
      const own = tickets.filter(ticket => ticket.type === type)
      const attendees = own.map(({ price, discount = 0, rate = 0 }) => ({
        ...{ name: 'Grace', price, discount, tax_basis_points: rate },
        tax: taxIn(price - discount, rate),
      }))
      return registration(`${reference}-${type}`.slice(0, 200), {
        ...{ order: reference, registration_type: type, buyer: GRACE, attendees },
        amount_subtotal: own.reduce((sum, { price }) => sum + price, 0),
        amount_total: totalOf(own),
      })
    }),
  )
  return {
    ...file,
    account: { ...file.account, ...account },
    events: [
      {
        ...first,
        registration_types: [...types.values()].map(({ type, price, rate = 0 }) => ({
          ...{ name: type, price, capacity: 100, tax_basis_points: rate },
        })),
        orders: orders.map(({ reference, tickets, changes }) => ({
          ...{ reference, buyer: GRACE, amount_total: totalOf(tickets) },
          ...{ confirmed_at: '2026-11-20T10:00:00.000Z', ...changes },
        })),
        registrations,
        ...event,
      },
    ],
  }
}

export function totalOf(tickets: readonly PaidTicket[]): number {
  return tickets.reduce((sum, { price, discount = 0 }) => sum + price - discount, 0)
}

/** Returns the ids of the orders of a database, by reference. */
export async function idsOf(db: Database, reference: string) {
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ id: string; account_id: string; event_id: string; amount_total: number }>(
      'SELECT id, account_id, event_id, amount_total FROM orders WHERE reference = $1 ORDER BY created_at',
      [reference],
    ),
  )
  assert.ok(row, reference)
  return row
}

/** Opens a database with such orders, of which receipts can be made. */
export async function openPaid(
  t: TestContext,
  orders: readonly PaidOrder[],
  changes?: Parameters<typeof withOrders>[1],
) {
  const opened = await open(t)
  const { db, clock } = opened
  await opened.apply(withOrders(orders, changes))
  const pay = async (reference: string, paid: Partial<receipts.Paid> = {}) => {
    const { id, account_id, amount_total } = await idsOf(db, reference)
    const payment = {
      orderId: id,
      paymentId: `pay-${reference}`,
      amount: amount_total,
      at: clock(),
      method: 'stripe',
    }
    return db.write(account_id, tx => receipts.issue(tx, { ...payment, ...paid }))
  }
  const payBack = async (
    reference: string,
    refundId: string,
    amount: number,
    tickets?: readonly string[],
  ) => {
    const { id, account_id } = await idsOf(db, reference)
    const back = { orderId: id, paymentId: `pay-${reference}`, refundId, amount, at: clock(), tickets }
    return db.write(account_id, tx => receipts.credit(tx, back))
  }
  const cancelCredit = async (reference: string, refundId: string) => {
    const { account_id } = await idsOf(db, reference)
    return db.write(account_id, tx => receipts.cancelCredit(tx, refundId, clock()))
  }
  /** Returns the ids of the tickets of an order, of one type. */
  const ticketsOf = (reference: string, type: string) =>
    db.read(INSTANCE, async tx => {
      const rows = await tx.all<{ id: string }>(
        `SELECT a.id FROM attendees a JOIN registrations r ON r.id = a.registration_id WHERE r.reference = $1 ORDER BY a.position`,
        [`${reference}-${type}`],
      )
      return rows.map(({ id }) => id)
    })
  const damage = () => findDamage(db)
  return { ...opened, pay, payBack, cancelCredit, ticketsOf, damage }
}

/** Returns for each rate what is net and what is tax. */
export function ratesOf(receipt: Receipt | undefined): Record<number, [net: number, tax: number]> {
  return Object.fromEntries(
    (receipt?.taxes ?? []).map(({ basis_points, net, tax }) => [basis_points, [net, tax]]),
  )
}
