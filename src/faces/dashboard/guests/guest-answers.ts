import { MAX_ANSWER, MAX_ANSWERS } from '../fields.ts'
import { answerField } from '../questions/form.tsx'
import type { Question } from '../questions/schemas.ts'
import type { Details } from '../registrations/details.ts'
import { areaField, type Field } from '../web/forms/field.ts'
import type { Language } from '../web/texts/languages.ts'
import { answerName, keysOfForm } from './guest-fields.ts'

/** One answer on the form that changes a registration. */
export interface AnswerOfForm {
  name: `answer.${string}` | `ticket.${string}`
  key: string
  field: Field<string | null>
  /** Values that it sends at most, without those that it had. */
  sends: number
  /** As it is kept; null for none. */
  value: string | null
}

/** What the form asks of answers. */
export interface AnswersOfForm {
  order: readonly AnswerOfForm[]
  /** By ticket. Those of tickets that the form has no room for are left out. */
  tickets: ReadonlyMap<string, readonly AnswerOfForm[]>
}

/** Values that the fields of answers of tickets may send, with those that they had: a form has an end. */
const MOST_SENT = 1_000

/**
 * The answers that a registration and its tickets have, and those to the questions that it would be asked. A question says what
 * it takes; an answer to none, such as an imported one, is any text.
 *
 * @param known keys of answers of the event
 */
export function answersOfForm(
  guest: Details,
  questions: readonly Question[],
  known: ReadonlySet<string>,
  language: Language,
): AnswersOfForm {
  const asked = questions.filter(question => !question.retired && isFor(question, guest))
  const ofTickets = new Set(questions.filter(each => each.asked_for === 'ticket').map(({ key }) => key))
  const keysOf = (what: Question['asked_for']) =>
    asked.filter(({ asked_for }) => asked_for === what).map(({ key }) => key)
  const make = (name: AnswerOfForm['name'], key: string, answers: Details['answers']): AnswerOfForm => {
    const value = Object.hasOwn(answers, key) ? (answers[key] as string) : null
    const question = questions.find(each => each.key === key)
    const field =
      question === undefined
        ? areaField(MAX_ANSWER, 2, { label: () => key })
        : answerField(question, value, language)
    const sends = question?.kind === 'several_of' ? question.choices.length : 1
    return { name, key, value, field, sends }
  }
  const ofOrder = new Set([...known, ...keysOf('order')].filter(key => !ofTickets.has(key)))
  const order = keysOfForm(Object.keys(guest.answers), ofOrder).map(key =>
    make(answerName(key), key, guest.answers),
  )
  const tickets = new Map<string, readonly AnswerOfForm[]>()
  let sent = 0
  for (const { id, answers } of guest.attendees) {
    const keys = [...new Set([...Object.keys(answers), ...keysOf('ticket')])].slice(0, MAX_ANSWERS)
    const some = keys.map(key => make(`ticket.${id}.${answerName(key)}`, key, answers))
    sent += some.reduce((sum, { sends }) => sum + 2 * sends, 0)
    if (sent > MOST_SENT) break
    tickets.set(id, some)
  }
  return { order, tickets }
}

function isFor({ registration_type_ids: ids }: Question, { registration_type_id: type }: Details): boolean {
  return ids === null || (type !== null && ids.includes(type))
}
