import { type FaultAt, MAX_FAULTS, tell } from '../faults.ts'
import { Problem } from '../problem.ts'
import { ENOUGH_FAULTS } from './schema.ts'

/** The longest path that is quoted: an unknown field may have a name of any length. */
const MAX_PATH = 200

/** What is wrong with a file, as it is found: the first of it is told, and all of it counted. */
export class Refusals {
  readonly #told: { param: string; message: string }[] = []
  #count = 0

  /** @param message the rest of the sentence that starts with the path of what is wrong, without its full stop */
  add(path: string, message: string): void {
    this.#tell(path, param => `${param} ${message}.`)
  }

  addFault({ path, fault }: FaultAt): void {
    this.#tell(path ?? 'The file', param => tell(param, fault))
  }

  #tell(path: string, sentence: (param: string) => string): void {
    this.#count++
    if (this.#told.length >= MAX_FAULTS) return
    const param = path.slice(0, MAX_PATH).toWellFormed()
    this.#told.push({ param, message: sentence(param) })
  }

  /** @throws Problem invalid_parameter where there are any: the first, and in `details` each `issues` and how many `more` */
  throwAny(): void {
    const [first] = this.#told
    if (first === undefined) return
    const details = { issues: this.#told, more: this.#count - this.#told.length }
    throw new Problem('invalid_parameter', { ...first, details })
  }
}

interface Refused {
  issues: readonly { message: string }[]
  more: number
}

/** What a Problem tells beside its message, a sentence each; the last one says how many there are more. */
export function othersOf({ details }: Problem): string[] {
  const { issues, more } = { issues: [], more: 0, ...(details as Partial<Refused> | undefined) }
  const others = issues.slice(1).map(({ message }) => message)
  if (more === 0) return others
  const isCounted = issues.length + more < ENOUGH_FAULTS
  return [...others, `${isCounted ? 'And' : 'And at least'} ${more} more.`]
}

/** What a file is refused with for one thing alone: the sentence starts with the path of what is wrong. */
export function refusal(path: string, message: string): Problem {
  const param = path.slice(0, MAX_PATH).toWellFormed()
  return new Problem('invalid_parameter', { param, message: `${param} ${message}.` })
}
