import { portion, shareOut } from '#base/money.ts'

/** A ticket of an order, as it was sold. Amounts are in minor units. */
export interface SoldTicket {
  id: string
  /** The name of its type. */
  name: string
  price: number
  discount: number
  /** The tax that the price less the discount includes. */
  tax: number
  /** The rate of that tax, in hundredths of a percent. */
  tax_basis_points: number
}

/** The part of an amount that has one rate. `net` and `tax` add up to `gross`. */
export interface TaxShare {
  basis_points: number
  net: number
  tax: number
  gross: number
}

/** Returns what tickets come to, by rate, the highest first. Free tickets count for no rate. */
export function taxesOf(tickets: readonly SoldTicket[]): TaxShare[] {
  const shares = new Map<number, TaxShare>()
  for (const { price, discount, tax, tax_basis_points: basis_points } of tickets) {
    const was = shares.get(basis_points) ?? { basis_points, net: 0, tax: 0, gross: 0 }
    const gross = was.gross + price - discount
    shares.set(basis_points, { basis_points, gross, tax: was.tax + tax, net: gross - was.tax - tax })
  }
  return [...shares.values()]
    .filter(({ gross }) => gross > 0)
    .sort((one, other) => other.basis_points - one.basis_points)
}

/**
 * Shares out an amount among the rates: in proportion to what is left of them, or by the rates of the tickets that it is for.
 * However many parts are taken, once nothing is left they add up to the whole, in net and tax of each rate.
 *
 * @param left what is left of each rate, in all at least the amount
 * @param tickets the tickets that it is for; undefined if nobody named any
 */
export function takeFrom(
  left: readonly TaxShare[],
  amount: number,
  tickets?: readonly SoldTicket[],
): TaxShare[] {
  const own = new Map(taxesOf(tickets ?? []).map(share => [share.basis_points, share]))
  const isOfTickets = left.some(({ basis_points }) => own.has(basis_points))
  const weights = left.map(share => (isOfTickets ? (own.get(share.basis_points)?.gross ?? 0) : share.gross))
  const wanted = shareOut(amount, weights).map((part, at) => Math.min(part, (left[at] as TaxShare).gross))
  // If too little of a rate is left, the other rates give the rest.
  const over = amount - wanted.reduce((sum, part) => sum + part, 0)
  const more = shareOut(
    over,
    left.map(({ gross }, at) => gross - (wanted[at] as number)),
  )
  return left.flatMap((share, at) => {
    const gross = (wanted[at] as number) + (more[at] as number)
    if (gross === 0) return []
    const { basis_points } = share
    const exact = own.get(basis_points)
    const exactly = exact?.gross === gross ? exact.tax : portion(share.tax, gross, share.gross)
    // The share never takes more than is left of the tax or of the net.
    const tax = Math.max(Math.min(exactly, share.tax, gross), gross - share.net, 0)
    return [{ basis_points, gross, tax, net: gross - tax }]
  })
}

/** Returns what is left of each rate. */
export function leftOf(total: readonly TaxShare[], taken: readonly TaxShare[]): TaxShare[] {
  return total.flatMap(share => {
    const left = { ...share }
    for (const part of taken) {
      if (part.basis_points !== share.basis_points) continue
      left.gross -= part.gross
      left.tax -= part.tax
      left.net -= part.net
    }
    return left.gross > 0 ? [left] : []
  })
}
