/**
 * Returns the name that was probably meant.
 *
 * @param most the most letters that may have to change
 * @returns undefined if no name is similar, which means that more than two letters in five would have to change
 */
export function findNearest(
  name: string,
  candidates: readonly string[],
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  const near = candidates.flatMap(candidate => {
    const limit = Math.min(most, 0.4 * Math.max(name.length, candidate.length))
    // A long name costs time only for candidates of about its length.
    if (Math.abs(name.length - candidate.length) > limit) return []
    const distance = countEdits(name, candidate)
    return distance <= limit ? [{ candidate, distance }] : []
  })
  return near.sort((a, b) => a.distance - b.distance)[0]?.candidate
}

/** Returns how many letters to insert, delete or change: the Levenshtein distance. */
function countEdits(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...from].entries()) {
    const row = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const [left, above, diagonal] = [row[j], last[j + 1], last[j]] as [number, number, number]
      row.push(Math.min(left + 1, above + 1, diagonal + (letter === to[j] ? 0 : 1)))
    }
    last = row
  }
  return last[to.length] as number
}
