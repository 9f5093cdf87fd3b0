import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '../db/batches.ts'
import * as wordStore from './word-store.ts'

/** Words of a search that are counted at all, the longest of them: the others are looked for in what these find. */
const MOST_COUNTED = 8
/** They are counted so far, all of them in 5 ms. */
const FIRST_COUNT = 5_000
/** Of those that have more, so many are counted on, where none is rare enough; 3 ms each. */
const MOST_COUNTED_ON = 3
/** A word that more rows begin with is not looked up: the newest registrations are, where it stands alone even sooner. */
const MOST_ROWS = 30_000
const MOST_ROWS_ALONE = 20_000
/** Rows of words that one search reads at most, in some 20 ms. */
const MOST_READ = 50_000
/** Rows of words that one read goes through: 2 ms. */
const WORDS_A_READ = 4_000
/** So few are rather looked at than held against a further word. */
const FEW = 500

/**
 * The registrations that have the rarest of the words, or undefined where none of them is rare. The others are not all held
 * against them.
 *
 * @returns the instant of each, by its number
 */
export async function findCandidates(
  reader: Reader,
  accountId: string,
  eventId: string | undefined,
  prefixes: readonly string[],
): Promise<Map<number, number> | undefined> {
  const { account, event } = await reader.read(tx => wordStore.findNumbers(tx, accountId, eventId))
  const rare = await countRare(reader, account, prefixes)
  let candidates: Map<number, number> | undefined
  let left = MOST_READ
  for (const { prefix, count } of rare) {
    left -= count
    if (candidates !== undefined && (candidates.size <= FEW || left < 0)) break
    const others: Map<number, number> | undefined = candidates
    candidates = new Map()
    const words = { account, prefix, event: eventId === undefined ? undefined : (event ?? 0) }
    for (let last: wordStore.WordEnd | undefined, more = true; more; more = last !== undefined) {
      const slice = await reader.read(tx => wordStore.readWords(tx, words, last, WORDS_A_READ))
      for (const [number, created_at] of slice.found) {
        if (others === undefined || others.has(number)) candidates.set(number, created_at)
      }
      last = slice.end
      await nextTurn()
    }
  }
  return candidates
}

export type FindCandidates = typeof findCandidates

/** For two searches of the same words in the same event: they are looked up once. */
export function rememberCandidates(): FindCandidates {
  let found: ReturnType<FindCandidates> | undefined
  return (...asked) => {
    found ??= findCandidates(...asked)
    return found
  }
}

/** The rarest first. */
async function countRare(
  reader: Reader,
  account: number,
  prefixes: readonly string[],
): Promise<{ prefix: string; count: number }[]> {
  const count = async (prefix: string, most: number) => {
    await nextTurn()
    const counted = await reader.read(tx => wordStore.countWords(tx, account, prefix, most + 1))
    return { prefix, count: counted > most ? Number.POSITIVE_INFINITY : counted }
  }
  const words: { prefix: string; count: number }[] = []
  for (const prefix of prefixes.slice(0, MOST_COUNTED)) words.push(await count(prefix, FIRST_COUNT))
  if (words.every(word => word.count > FEW)) {
    const most = prefixes.length === 1 ? MOST_ROWS_ALONE : MOST_ROWS
    const common = words.flatMap((word, at) => (Number.isFinite(word.count) ? [] : [at]))
    for (const at of common.slice(0, MOST_COUNTED_ON)) {
      words[at] = await count(prefixes[at] as string, most)
    }
  }
  return words.filter(word => Number.isFinite(word.count)).sort((one, other) => one.count - other.count)
}
