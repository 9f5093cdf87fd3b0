import { createHash } from 'node:crypto'
import { isMathTree, type MathTree } from '#machinery/formulas/math-tree.ts'
import { Typesetter } from '#machinery/formulas/typesetter.ts'
import { ByteCache } from '#machinery/web/byte-cache.ts'
import type { Content } from './content.ts'
import { blocksOf, type TypedFormula, takeFormulas } from './text-formulas.ts'

/** The longest formula, and all that are made of an abstract, in characters of what is typed for them. */
export const MOST_TYPED = 500
const MOST_TYPED_IN_ALL = 3_000
/** What is kept of the formulas of an abstract, in bytes. */
export const MOST_KEPT = 64 * 1024

/** The formulas of an abstract by what is typed for each. One that is not in it is shown as it is typed. */
export type Formulas = ReadonlyMap<string, MathTree>

/** There is one thread, however many are sending. */
const typesetter = new Typesetter()

/** What was made lately, so that what is sent is what was shown before, and is made once. */
const madeLately = new ByteCache(1024 * 1024)

type Sections = Content['sections']

/** Lists the formulas of an abstract, each once. */
function listFormulas(sections: Sections): TypedFormula[] {
  const parts = sections.flatMap(({ text }) => blocksOf(text).flatMap(block => block.parts))
  const all = parts.flatMap(part => takeFormulas(part).formulas)
  return [...new Map(all.map(formula => [formula.source, formula])).values()]
}

/**
 * Makes the formulas of an abstract. It may take a second and more, so it is done before a transaction, and what was made is kept
 * with what was sent.
 *
 * @returns the JSON that `readFormulas` reads; null if there are none
 */
export async function makeFormulas(sections: Sections, by: Typesetter = typesetter): Promise<string | null> {
  let typed = 0
  const wanted = listFormulas(sections).filter(({ source: { length } }) => {
    if (length > MOST_TYPED || typed + length > MOST_TYPED_IN_ALL) return false
    typed += length
    return true
  })
  if (wanted.length === 0) return null
  const name = createHash('sha256').update(JSON.stringify(wanted)).digest('hex')
  const before = madeLately.get(name)
  if (before !== undefined) return before.toString()
  const made = await by.typeset(wanted.map(({ tex, isBlock }) => ({ tex, isBlock })))
  if (made === undefined) return null
  const kept = keep(wanted, made)
  madeLately.set(name, Buffer.from(kept))
  return kept
}

/** Returns the JSON of what was made, as far as there is room for it. */
function keep(wanted: readonly TypedFormula[], made: readonly (string | null)[]): string {
  const entries: string[] = []
  let bytes = '{}'.length
  for (const [at, { source }] of wanted.entries()) {
    const tree = made[at] ?? null
    if (tree === null) continue
    const entry = `${JSON.stringify(source)}:${tree}`
    const more = Buffer.byteLength(entry) + ','.length
    if (bytes + more > MOST_KEPT) continue
    bytes += more
    entries.push(entry)
  }
  return `{${entries.join(',')}}`
}

/**
 * Reads the formulas that were kept with what was sent.
 *
 * @returns only what is allowed in one, whatever the database has
 */
export function readFormulas(kept: string | null): Formulas {
  if (kept === null) return new Map()
  const entries = Object.entries(JSON.parse(kept) as Record<string, unknown>)
  return new Map(entries.filter((entry): entry is [string, MathTree] => isMathTree(entry[1])))
}

/** Returns whether a formula of an abstract is shown as it is typed. */
export function lacksFormula(sections: Sections, formulas: Formulas): boolean {
  return listFormulas(sections).some(({ source }) => !formulas.has(source))
}
