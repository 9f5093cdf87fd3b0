import { setImmediate } from 'node:timers/promises'
import { fold } from '#base/fold.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Of } from './reading.ts'
import { PublicProgramme } from './reading.ts'
import type { PublicAbstract, PublicFrame, PublicPlace, PublicText } from './schemas.ts'

/** The longest search, in characters, and the most words of one that are looked for. */
export const MAX_SEARCH = 200
const MOST_WORDS = 10
/** The most abstracts that are shown. Whoever finds more asks more precisely. */
export const MOST_FOUND = 200
/** A read looks through this many abstracts. Others get their turn after each. */
const SLICE = 64

export interface Found extends PublicAbstract {
  places: readonly PublicPlace[]
}

/** What was found, in the order of the programme. */
export interface Findings {
  frame: PublicFrame
  found: readonly Found[]
  /** Whether there is more than is shown. */
  hasMore: boolean
}

/**
 * Looks for abstracts in the public programme of an event. Each word of the text has to occur in the number, the title, the names of
 * authors or affiliations, or in the text and the keywords once these are public.
 *
 * @returns undefined while no programme is public
 */
export async function search(
  db: Reader,
  accountId: string,
  of: Of,
  text: string,
): Promise<Findings | undefined> {
  const words = fold(text.slice(0, MAX_SEARCH)).split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS)
  const programme = await db.read(accountId, tx => PublicProgramme.open(tx, of))
  if (programme === undefined) return undefined
  const { frame } = programme
  const ids = words.length === 0 ? [] : programme.listIds()
  const found: Found[] = []
  for (let at = 0; at < ids.length; at += SLICE) {
    const some = ids.slice(at, at + SLICE)
    const read = await db.read(accountId, async tx =>
      programme.readAbstracts(tx, await programme.findMaybe(tx, some, words)),
    )
    for (const id of some) {
      const abstract = read.get(id)
      if (abstract === undefined || !matches(abstract, words)) continue
      if (found.length === MOST_FOUND) return { frame, found, hasMore: true }
      const { text: _, ...listed } = abstract
      found.push({ ...listed, places: programme.placesOf(id) })
    }
    await setImmediate()
  }
  return { frame, found, hasMore: false }
}

function matches(abstract: PublicAbstract & { text: PublicText | null }, words: readonly string[]): boolean {
  const { number, title, authors, affiliations, text } = abstract
  const said = text === null ? [] : [text.keywords ?? '', ...text.sections.map(section => section.text)]
  const all = fold([number, title, ...authors.map(({ name }) => name), ...affiliations, ...said].join('\n'))
  return words.every(word => all.includes(word))
}
