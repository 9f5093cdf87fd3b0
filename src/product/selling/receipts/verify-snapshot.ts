import type { Snapshot } from './schemas.ts'

/**
 * Returns what does not add up in a receipt, as the rest of a sentence without names.
 *
 * @param amount the amount of the receipt's row
 */
export function findSnapshotFault(snapshot: Snapshot, amount: number): string | undefined {
  const { lines, rest, taxes, net, tax, total } = snapshot
  if (total !== amount) return `says ${total}, and is of ${amount}`
  if (net + tax !== total) return `says ${net} and ${tax} of tax, and ${total} in all`
  for (const { basis_points, ...share } of taxes) {
    if (share.net + share.tax !== share.gross)
      return `says ${share.net} and ${share.tax} of tax of ${basis_points} basis points, and ${share.gross} in all`
  }
  const sums = { net: sum(taxes, 'net'), tax: sum(taxes, 'tax') }
  if (sums.net !== net || sums.tax !== tax) {
    return `says ${net} and ${tax} of tax, and its rates come to ${sums.net} and ${sums.tax}`
  }
  const wrong = lines.find(line => line.amount !== line.quantity * (line.unit_price - line.discount))
  if (wrong !== undefined) return `has a line of ${wrong.amount} that comes to something else`
  const sumOfLines = sum(lines, 'amount') + rest
  return sumOfLines === total ? undefined : `says ${total} in all, and its lines come to ${sumOfLines}`
}

function sum<Key extends string>(items: readonly Record<Key, number>[], key: Key): number {
  return items.reduce((all, item) => all + item[key], 0)
}
