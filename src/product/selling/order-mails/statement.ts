import type { ReadTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { dueOf, type OrderDetails } from '#product/selling/orders/schemas.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { isOwed } from '#product/selling/payments/schemas.ts'
import { soldTickets } from '#product/selling/receipts/contents.ts'
import { taxesOf } from '#product/selling/receipts/shares.ts'

/** What an order sells at which prices, and the money that moved for it. Amounts are in minor units. */
export interface Statement {
  currency: string
  /** True for an order that costs nothing, of which nobody says a price. */
  isFree: boolean
  lines: StatementLine[]
  /** The sum of the discounts, 0 or more. */
  discount: number
  total: number
  /** The tax that the total includes, by its rate in basis points, the highest first. */
  taxes: { basis_points: number; tax: number }[]
  /** What has moved, the oldest first, below 0 if it left the seller. */
  moved: { kind: (typeof KINDS)[keyof typeof KINDS]; amount: number; at: number; method: string }[]
  /** What goes back to the buyer, and has not gone yet. */
  coming: number
  /** What stays with the seller. */
  stays: number
  /** What is still to be paid. It is 0 for an order that does not wait for it. */
  due: number
}

/** Tickets of one type at one price. */
export interface StatementLine {
  name: string
  quantity: number
  /** What one of them costs, before a discount. */
  price: number
  amount: number
  /** How many of them are void. */
  voided: number
}

const KINDS = {
  payment: 'paid',
  payment_reversal: 'reversed',
  refund: 'paidBack',
  refund_reversal: 'cameBack',
  dispute: 'disputed',
  dispute_reversal: 'cameBack',
} as const

/** Reads the statement of an order, from the prices that were frozen when it was placed and from the ledger. */
export async function readStatement(tx: ReadTx, order: OrderDetails): Promise<Statement> {
  const registrations = soldLines(order)
  const tickets = soldTickets({ ...order, registrations })
  const isFree = order.amount_total === 0
  const all = isFree ? [] : await ledger.list(tx, { orderId: order.id })
  const entries = all.filter(({ currency }) => currency === order.currency)
  const requested = isFree ? [] : await refunds.listByOrder(tx, order.id)
  const coming = requested.filter(isOwed).reduce((sum, { amount }) => sum + amount, 0)
  const { paid, refunded, disputed } = ledger.balanceOf(entries)
  const stays = paid - refunded - disputed - coming
  const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
  const discount = sum(tickets.map(ticket => ticket.discount))
  return {
    ...{ currency: order.currency, isFree, discount, coming, stays },
    lines: linesOf(tickets, order.confirmed_at !== null),
    total: sum(tickets.map(({ price }) => price)) - discount,
    taxes: taxesOf(tickets).filter(({ tax }) => tax > 0),
    moved: entries.flatMap(({ kind, amount, moved_at: at, method }) =>
      Object.hasOwn(KINDS, kind) ? [{ kind: KINDS[kind as keyof typeof KINDS], amount, at, method }] : [],
    ),
    due: order.waits_for === 'payment' ? Math.max(0, dueOf(order) - stays) : 0,
  }
}

/** Returns the lines that an order sells. What was cancelled before the order was paid or approved is not sold. */
function soldLines({ registrations, confirmed_at, status }: OrderDetails): OrderDetails['registrations'] {
  if (confirmed_at !== null) return registrations.filter(line => line.confirmed_at !== null)
  return status === 'pending' ? registrations.filter(line => line.status === 'pending') : registrations
}

function linesOf(tickets: ReturnType<typeof soldTickets>, countsVoid: boolean): StatementLine[] {
  const lines = new Map<string, StatementLine>()
  for (const { name, price, tax_basis_points, isVoid } of tickets) {
    const key = JSON.stringify([name, price, tax_basis_points])
    const line = lines.get(key) ?? { name, price, quantity: 0, amount: 0, voided: 0 }
    const voided = line.voided + (isVoid && countsVoid ? 1 : 0)
    lines.set(key, { ...line, quantity: line.quantity + 1, amount: line.amount + price, voided })
  }
  return [...lines.values()]
}
