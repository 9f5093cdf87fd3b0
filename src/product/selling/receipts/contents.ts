import type { AccountDetails } from '../accounts/schemas.ts'
import type { EventDetails } from '../events/schemas.ts'
import type { OrderDetails } from '../orders/schemas.ts'
import type { Receipt, ReceiptLine, Snapshot } from './schemas.ts'
import { leftOf, type SoldTicket, type TaxShare, takeFrom, taxesOf } from './shares.ts'

/** What of a receipt is not about whom and when. */
type Sums = Pick<Snapshot, 'lines' | 'rest' | 'taxes' | 'net' | 'tax' | 'total'>

type Parties = Pick<Snapshot, 'seller' | 'buyer' | 'event' | 'order' | 'language' | 'timezone'>

/** Who sells what to whom, as it is now. */
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
  // Accounts that sold before they had to say it have no legal name.
  return { timezone, seller: { name: legal_name ?? name, address, tax_id } }
}

/** The tickets of an order, void ones too, as they were sold. */
export function soldTickets({ registrations, prices }: OrderDetails): (SoldTicket & { isVoid: boolean })[] {
  return registrations.flatMap(line =>
    line.attendees.flatMap(({ id, voided }) => {
      const price = prices.get(id)
      const name = line.registration_type_name ?? ''
      return price === undefined ? [] : [{ id, name, ...price, isVoid: voided }]
    }),
  )
}

/**
 * What a payment is for: all tickets of the order, or those that were not cancelled before it came, whichever it pays. Of any other
 * amount, which pays for some of the one and some of the other, the rest is in no line.
 */
export function contentsOfPayment(
  tickets: readonly (SoldTicket & { isVoid: boolean })[],
  amount: number,
): Sums {
  const standing = tickets.filter(({ isVoid }) => !isVoid)
  const paid = paidFor(tickets) !== amount && paidFor(standing) > 0 ? standing : tickets
  const taxes = taxesOf(paid)
  const all = paidFor(paid)
  if (all === 0) return sumsOf([], [{ basis_points: 0, net: amount, tax: 0, gross: amount }], amount)
  // More than there is to pay is shared out as what there is.
  const times = Math.ceil(amount / all)
  const whole = taxes.map(share => multiply(share, times))
  return sumsOf(linesOf(paid), all === amount ? taxes : takeFrom(whole, amount), amount)
}

function multiply({ basis_points, net, tax, gross }: TaxShare, times: number): TaxShare {
  return { basis_points, net: net * times, tax: tax * times, gross: gross * times }
}

/**
 * What is taken back of a receipt.
 *
 * @param credits those that took back of it before
 * @param amount at most what they have left
 * @param tickets that it is for; undefined where nobody said
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
  // All of it at once: all that was sold.
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

/** Tickets of one type at one price stand in one line. */
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
