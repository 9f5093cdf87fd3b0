/**
 * Shares out an amount by weights, to the last minor unit: each gets its part rounded down, and those with the largest remainders
 * one more. Where all weights are 0, the first gets all.
 */
export function shareOut(amount: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n)
  if (sum === 0n) return weights.map((_, at) => (at === 0 ? amount : 0))
  const exact = weights.map(weight => {
    const product = BigInt(amount) * BigInt(weight)
    return { part: product / sum, rest: product % sum }
  })
  let left = BigInt(amount) - exact.reduce((all, { part }) => all + part, 0n)
  const byRest = [...exact.keys()].sort((a, b) => compare(restOf(b), restOf(a)) || a - b)
  const parts = exact.map(({ part }) => Number(part))
  for (const at of byRest) {
    if (left === 0n) break
    parts[at] = (parts[at] as number) + 1
    left--
  }
  return parts

  function restOf(at: number): bigint {
    return exact[at]?.rest ?? 0n
  }
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
