import { type FaultAt, MAX_FAULTS, tell } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import { ENOUGH_FAULTS } from './array-of.ts'

/** A quoted path has at most this many characters, because an unknown field may have a name of any length. */
const MAX_PATH = 200

/**
 * Collects everything that is wrong with a file, however it is found. It reports the first faults in the order of the file, and
 * counts all of them.
 */
export class Refusals {
  readonly #file: unknown
  readonly #found: Found[] = []
  #count = 0

  /** @param file the file as it was written, for its order */
  constructor(file: unknown) {
    this.#file = file
  }

  get count(): number {
    return this.#count
  }

  /** @param message the rest of the sentence that starts with the path of the fault, without its full stop */
  add(path: string, message: string): void {
    this.#find(path, param => `${param} ${message}.`)
  }

  addFault({ path, fault }: FaultAt): void {
    if (path === null) this.#find('', () => tell('The file', fault), 'The file')
    else this.#find(path, param => tell(param, fault))
  }

  #find(path: string, sentence: (param: string) => string, shown = path): void {
    this.#count++
    this.#found.push({ place: placeIn(this.#file, path), path: shown, sentence })
    if (this.#found.length >= ENOUGH_FAULTS) this.#keepFirst()
  }

  #keepFirst(): void {
    this.#found.sort((one, other) => comparePlaces(one.place, other.place))
    this.#found.splice(MAX_FAULTS)
  }

  /**
   * Throws if there is any fault.
   *
   * @throws Problem invalid_parameter with the first fault, and in `details` the reported `issues` and how many `more` there are
   */
  throwAny(): void {
    this.#keepFirst()
    const issues = this.#found.map(({ path, sentence }) => {
      const param = path.slice(0, MAX_PATH).toWellFormed()
      return { param, message: sentence(param) }
    })
    const [first] = issues
    if (first === undefined) return
    const details = { issues, more: this.#count - issues.length }
    throw new Problem('invalid_parameter', { ...first, details })
  }
}

interface Found {
  place: readonly number[]
  path: string
  sentence: (param: string) => string
}

/** Returns the place of a path in a file, by the order of keys and items. What is missing comes before what exists beside it. */
function placeIn(file: unknown, path: string): number[] {
  const place: number[] = []
  let within = file
  let rest = path
  while (rest !== '' && typeof within === 'object' && within !== null) {
    const dot = rest.indexOf('.')
    // The name of an unknown field may contain dots.
    const isLast = dot === -1 || Object.hasOwn(within, rest)
    const key = isLast ? rest : rest.slice(0, dot)
    place.push(Array.isArray(within) ? Number(key) : Object.keys(within).indexOf(key))
    within = (within as Record<string, unknown>)[key]
    rest = isLast ? '' : rest.slice(dot + 1)
  }
  return place
}

function comparePlaces(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((step, level) => step !== other[level])
  if (at === -1) return one.length - other.length
  return (one[at] as number) - (other[at] ?? -Infinity)
}

interface Refused {
  issues: readonly { message: string }[]
  more: number
}

/** Returns what a Problem reports beside its message, a sentence each. The last sentence says how many more there are. */
export function othersOf({ details }: Problem): string[] {
  const { issues, more } = { issues: [], more: 0, ...(details as Partial<Refused> | undefined) }
  const others = issues.slice(1).map(({ message }) => message)
  if (more === 0) return others
  const isCounted = issues.length + more < ENOUGH_FAULTS
  return [...others, `${isCounted ? 'And' : 'And at least'} ${more} more.`]
}

/** Returns the Problem for a file with one fault. The sentence starts with the path of the fault. */
export function refusal(path: string, message: string): Problem {
  const param = path.slice(0, MAX_PATH).toWellFormed()
  return new Problem('invalid_parameter', { param, message: `${param} ${message}.` })
}
