/** A ticket of an order, as it was sold. Amounts in minor units. */
export interface SoldTicket {
  id: string
  /** Of its type. */
  name: string
  price: number
  discount: number
  /** That price less discount includes. */
  tax: number
  /** The rate of that tax: hundredths of a percent. */
  tax_basis_points: number
}

/** What of an amount is of one rate: `net` and `tax` are `gross`. */
export interface TaxShare {
  basis_points: number
  net: number
  tax: number
  gross: number
}

/** What tickets come to, by rate: the highest first. Free ones are of no rate. */
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
 * Splits an amount by weights, to the minor unit: what rounding down leaves over goes to the largest remainders, and of equal ones
 * to the first. Without any weight all of it is the first part's.
 */
export function split(amount: number, weights: readonly number[]): number[] {
  // Products of two amounts are larger than what a number keeps exactly.
  const all = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (all === 0n) return weights.map((_, at) => (at === 0 ? amount : 0))
  const exact = weights.map(weight => BigInt(amount) * BigInt(weight))
  const parts = exact.map(each => Number(each / all))
  let left = amount - parts.reduce((sum, part) => sum + part, 0)
  const byRemainder = [...exact.keys()].sort((one, other) => {
    const more = ((exact[other] as bigint) % all) - ((exact[one] as bigint) % all)
    return more > 0n ? 1 : more < 0n ? -1 : one - other
  })
  for (const at of byRemainder) {
    if (left === 0) break
    parts[at] = (parts[at] as number) + 1
    left--
  }
  return parts
}

/** Of an amount that includes it, the tax of a part: rounded half up. */
function taxOf(part: number, { tax, gross }: TaxShare): number {
  const [numerator, whole] = [BigInt(tax) * BigInt(part) * 2n + BigInt(gross), BigInt(gross) * 2n]
  return Number(numerator / whole)
}

/**
 * What an amount takes of each rate: in proportion to what is left of them, or as it was with the tickets that it is for. Whatever
 * is taken, in however many parts: once nothing is left, the parts have come to the whole, net and tax of each rate.
 *
 * @param left of each rate; in all at least the amount
 * @param tickets that it is for; undefined where nobody said
 */
export function takeFrom(
  left: readonly TaxShare[],
  amount: number,
  tickets?: readonly SoldTicket[],
): TaxShare[] {
  const own = new Map(taxesOf(tickets ?? []).map(share => [share.basis_points, share]))
  const isOfTickets = left.some(({ basis_points }) => own.has(basis_points))
  const weights = left.map(share => (isOfTickets ? (own.get(share.basis_points)?.gross ?? 0) : share.gross))
  const wanted = split(amount, weights).map((part, at) => Math.min(part, (left[at] as TaxShare).gross))
  // Of a rate of which too little is left, the rest is the others'.
  const over = amount - wanted.reduce((sum, part) => sum + part, 0)
  const more = split(
    over,
    left.map(({ gross }, at) => gross - (wanted[at] as number)),
  )
  return left.flatMap((share, at) => {
    const gross = (wanted[at] as number) + (more[at] as number)
    if (gross === 0) return []
    const { basis_points } = share
    const exact = own.get(basis_points)
    const exactly = exact?.gross === gross ? exact.tax : taxOf(gross, share)
    // Never more than there is left, of the tax and of the net.
    const tax = Math.max(Math.min(exactly, share.tax, gross), gross - share.net, 0)
    return [{ basis_points, gross, tax, net: gross - tax }]
  })
}

/** What of each rate nothing was taken of yet. */
export function leftOf(whole: readonly TaxShare[], taken: readonly TaxShare[]): TaxShare[] {
  return whole.flatMap(share => {
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
