import type { AccountDetails } from '#product/administration/accounts/schemas.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { currentTickets } from '#product/selling/orders/exchanged.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import type { Receipt, ReceiptLine, Snapshot } from './schemas.ts'
import { leftOf, type SoldTicket, type TaxShare, takeFrom, taxesOf } from './shares.ts'

/** The part of a receipt that does not say for whom it is or when it was made. */
type Sums = Pick<Snapshot, 'lines' | 'rest' | 'taxes' | 'net' | 'tax' | 'total'>

type Parties = Pick<Snapshot, 'seller' | 'buyer' | 'event' | 'order' | 'language' | 'timezone'>

/** Returns who sells what to whom, as it is now. */
export function partiesOf(account: AccountDetails, event: EventDetails, order: OrderDetails): Parties {
  const { title, starts_at, ends_at, timezone } = event
  return {
    language: order.language,
    ...sellerOf(account),
    buyer: { name: order.buyer.name, ...order.invoice },
    event: { title, starts_at, ends_at, timezone },
    order: order.reference,
  }
}

export function sellerOf({ name, legal_name, address, tax_id, timezone }: AccountDetails) {
  // An account that sold before a legal name was required may have none.
  return { timezone, seller: { name: legal_name ?? name, address, tax_id } }
}

/**
 * Returns the tickets of an order as they were sold, including void ones. One that was exchanged is as void as the one that took
 * its place, which was not sold.
 */
export function soldTickets({
  registrations,
  prices,
  exchangedFor,
}: Pick<OrderDetails, 'registrations' | 'prices' | 'exchangedFor'>): (SoldTicket & { isVoid: boolean })[] {
  const current = exchangedFor.size === 0 ? [] : currentTickets({ registrations, exchangedFor })
  const voided = new Map(current.map(({ soldAs, ticket }) => [soldAs, ticket.voided]))
  return registrations.flatMap(line =>
    line.attendees.flatMap(ticket => {
      const { id } = ticket
      const price = prices.get(id)
      const name = line.registration_type_name ?? ''
      if (price === undefined || exchangedFor.has(line.id)) return []
      return [{ id, name, ...price, isVoid: voided.get(id) ?? ticket.voided }]
    }),
  )
}

/**
 * Returns what a payment is for: all tickets of the order, or those that were not cancelled before it came, whichever come to its
 * amount. Any other amount pays for some of both, and its rest is in no line.
 */
export function contentsOfPayment(
  tickets: readonly (SoldTicket & { isVoid: boolean })[],
  amount: number,
): Sums {
  const valid = tickets.filter(({ isVoid }) => !isVoid)
  const paid = paidFor(tickets) !== amount && paidFor(valid) > 0 ? valid : tickets
  const taxes = taxesOf(paid)
  const all = paidFor(paid)
  if (all === 0) return sumsOf([], [{ basis_points: 0, net: amount, tax: 0, gross: amount }], amount)
  // A payment of more than the tickets cost is shared out by the same rates.
  const times = Math.ceil(amount / all)
  const full = taxes.map(share => multiply(share, times))
  return sumsOf(linesOf(paid), all === amount ? taxes : takeFrom(full, amount), amount)
}

function multiply({ basis_points, net, tax, gross }: TaxShare, times: number): TaxShare {
  return { basis_points, net: net * times, tax: tax * times, gross: gross * times }
}

/**
 * Returns what a refund takes back of a receipt.
 *
 * @param credits the credit notes that took back parts of it before
 * @param amount at most what they have left
 * @param tickets the tickets that it is for; undefined if nobody named any
 */
export function contentsOfRefund(
  receipt: Receipt,
  credits: readonly Receipt[],
  amount: number,
  tickets: readonly SoldTicket[] | undefined,
): Sums {
  const left = leftOf(
    receipt.taxes,
    credits.flatMap(({ taxes }) => taxes),
  )
  const taxes = takeFrom(left, amount, tickets)
  // A refund of the whole receipt at once takes back everything that was sold.
  return sumsOf(amount === receipt.total ? receipt.lines : linesOf(tickets ?? []), taxes, amount)
}

function sumsOf(lines: ReceiptLine[], shares: TaxShare[], total: number): Sums {
  const taxes = shares.map(({ basis_points, net, tax, gross }) => ({ basis_points, net, tax, gross }))
  const tax = taxes.reduce((sum, share) => sum + share.tax, 0)
  const rest = total - lines.reduce((sum, line) => sum + line.amount, 0)
  return { lines, rest, taxes, net: total - tax, tax, total }
}

function paidFor(tickets: readonly SoldTicket[]): number {
  return tickets.reduce((sum, { price, discount }) => sum + price - discount, 0)
}

/** Returns the lines of a receipt. Tickets of one type at one price share a line. */
function linesOf(tickets: readonly SoldTicket[]): ReceiptLine[] {
  const lines = new Map<string, ReceiptLine>()
  for (const { name, price, discount, tax_basis_points } of tickets) {
    const key = JSON.stringify([name, price, discount, tax_basis_points])
    const quantity = (lines.get(key)?.quantity ?? 0) + 1
    const amount = quantity * (price - discount)
    lines.set(key, { name, quantity, unit_price: price, discount, amount, tax_basis_points })
  }
  return [...lines.values()]
}
