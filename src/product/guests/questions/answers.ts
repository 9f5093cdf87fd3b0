import { type Fault, makeFault } from '#base/faults.ts'
import type { Question } from './schemas.ts'
import { parseAnswer } from './values.ts'

export type Answers = Record<string, string>

/** Says what a form asks: the questions of the order and those of each of its tickets. */
export interface ApplicableQuestions {
  order: readonly Question[]
  tickets: readonly (readonly Question[])[]
}

/**
 * Returns the questions that apply, in their order.
 *
 * @param typeIds the id of the type of each ticket that is ordered
 */
export function findApplicable(
  questions: readonly Question[],
  typeIds: readonly string[],
): ApplicableQuestions {
  const active = questions.filter(({ retired }) => !retired)
  const isFor = ({ registration_type_ids: ids }: Question, typeId: string) => ids?.includes(typeId) ?? true
  return {
    order: active.filter(
      question => question.asked_for === 'order' && typeIds.some(typeId => isFor(question, typeId)),
    ),
    tickets: typeIds.map(typeId =>
      active.filter(question => question.asked_for === 'ticket' && isFor(question, typeId)),
    ),
  }
}

const PREFIX = 'answer.'

/**
 * Returns the name of the field of an answer.
 *
 * @param ticket the index of the ticket, from 0; undefined for a question of the order
 */
export function fieldOf({ id }: Pick<Question, 'id'>, ticket?: number): string {
  return ticket === undefined ? `${PREFIX}${id}` : `${PREFIX}${ticket}.${id}`
}

/** Holds what a form has sent, by the names of its fields. */
export type TypedAnswers = Readonly<Record<string, readonly string[]>>

/** Returns those fields of a form that are answers. */
export function readTyped(body: URLSearchParams): TypedAnswers {
  const names = new Set([...body.keys()].filter(name => name.startsWith(PREFIX)))
  return Object.fromEntries([...names].map(name => [name, body.getAll(name)]))
}

export type Parsed =
  | { answers: { order: Answers; tickets: Answers[] } }
  /** The faults by the names of the fields. */
  | { faults: ReadonlyMap<string, Fault> }

/**
 * Parses the answers of a form to the questions that apply to its tickets. It returns them by their keys, each as `parseAnswer`
 * keeps it, and leaves out what was not answered. It also leaves out an answer to a question of the event that does not apply,
 * because somebody has chosen another ticket meanwhile or the question was retired. It refuses an answer to a question that the
 * event does not have.
 *
 * @param questions all questions of the event
 * @param typeIds the id of the type of each ticket that is ordered, in their order
 */
export function parse(
  questions: readonly Question[],
  typeIds: readonly string[],
  typed: TypedAnswers,
): Parsed {
  const applicable = findApplicable(questions, typeIds)
  const faults = new Map<string, Fault>()
  const answer = (some: readonly Question[], ticket?: number): Answers => {
    const answers: [key: string, value: string][] = []
    for (const question of some) {
      const field = fieldOf(question, ticket)
      const parsed = parseAnswer(question, Object.hasOwn(typed, field) ? (typed[field] ?? []) : [])
      if ('fault' in parsed) faults.set(field, parsed.fault)
      else if (parsed.value !== undefined) answers.push([question.key, parsed.value])
    }
    // Building it from entries makes `__proto__` a key like any other.
    return Object.fromEntries(answers)
  }
  const order = answer(applicable.order)
  const tickets = applicable.tickets.map((some, ticket) => answer(some, ticket))
  const ids = new Set(questions.map(({ id }) => id))
  for (const [name, values] of Object.entries(typed)) {
    const [, id = ''] = /^answer\.(?:\d{1,3}\.)?([^.]+)$/.exec(name) ?? []
    if (!ids.has(id) && values.some(value => value !== '')) faults.set(name, makeFault('unknown'))
  }
  return faults.size > 0 ? { faults } : { answers: { order, tickets } }
}
