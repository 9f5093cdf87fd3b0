import { setImmediate as nextTurn } from 'node:timers/promises'
import { spellingsOf } from '#base/fold.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as wordStore from './word-store.ts'

/** Only this many words of a search are counted, the longest ones. The others are looked for in what these find. */
const MOST_COUNTED = 8
/** The first count of a word stops here. Counting all of the words takes 5 ms. */
const FIRST_COUNT = 5_000
/** If no word is rare enough, this many of the commoner words are counted further, in 3 ms each. */
const MOST_COUNTED_ON = 3
/**
 * A word with more rows than this is not looked up. The search goes through the newest registrations instead, and does so sooner
 * if the word is the only one.
 */
const MOST_ROWS = 30_000
const MOST_ROWS_ALONE = 20_000
/** One search reads at most this many rows of words, in some 20 ms. */
const MOST_READ = 50_000
/** One read goes through this many rows of words, in 2 ms. */
const WORDS_A_READ = 4_000
/** Looking at this few registrations is better than comparing them with a further word. */
const FEW = 500

/**
 * Returns the registrations that have the rarest of the words, or undefined if none of them is rare. It does not compare them
 * with all of the other words.
 *
 * @returns the instant of each registration, by its number
 */
export async function findCandidates(
  reader: Reader,
  accountId: string,
  eventId: string | undefined,
  prefixes: readonly string[],
): Promise<Map<number, number> | undefined> {
  const { account, event } = await reader.read(accountId, tx => wordStore.findNumbers(tx, eventId))
  const rare = await countRare(reader, account, prefixes)
  let candidates: Map<number, number> | undefined
  let left = MOST_READ
  for (const { prefix, count } of rare) {
    left -= count
    if (candidates !== undefined && (candidates.size <= FEW || left < 0)) break
    const others: Map<number, number> | undefined = candidates
    candidates = new Map()
    for (const spelling of spellingsOf(prefix)) {
      const words = { account, prefix: spelling, event: eventId === undefined ? undefined : (event ?? 0) }
      for (let last: wordStore.WordEnd | undefined, more = true; more; more = last !== undefined) {
        const slice = await reader.read(INSTANCE, tx => wordStore.readWords(tx, words, last, WORDS_A_READ))
        for (const [number, created_at] of slice.found) {
          if (others === undefined || others.has(number)) candidates.set(number, created_at)
        }
        last = slice.end
        await nextTurn()
      }
    }
  }
  return candidates
}

export type FindCandidates = typeof findCandidates

/** Lets two searches for the same words in the same event look them up once. */
export function rememberCandidates(): FindCandidates {
  let found: ReturnType<FindCandidates> | undefined
  return (...parameters) => {
    found ??= findCandidates(...parameters)
    return found
  }
}

/** Counts the words and returns those that are rare, the rarest first. */
async function countRare(
  reader: Reader,
  account: number,
  prefixes: readonly string[],
): Promise<{ prefix: string; count: number }[]> {
  const count = async (prefix: string, most: number) => {
    await nextTurn()
    let counted = 0
    for (const spelling of spellingsOf(prefix))
      counted += await reader.read(INSTANCE, tx => wordStore.countWords(tx, account, spelling, most + 1))
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
