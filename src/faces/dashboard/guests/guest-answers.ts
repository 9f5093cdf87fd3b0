import { MAX_ANSWER, MAX_ANSWERS } from '#base/fields.ts'
import { areaField, type Field } from '#machinery/web/forms/field.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { answerField } from '#product/guests/questions/form.tsx'
import type { Question } from '#product/guests/questions/schemas.ts'
import type { Details } from '#product/guests/registrations/details.ts'
import type { Language } from '#texts/languages.ts'
import { answerName, keysOfForm } from './guest-fields.ts'

/** One answer on the form that changes a registration. */
export interface AnswerOfForm {
  name: `answer.${string}` | `ticket.${string}`
  key: string
  field: Field<string | null>
  /** The most values that it sends, apart from those that it had. */
  sends: number
  /** The answer as it is kept, or null for none. */
  value: string | null
}

/** The answers that the form asks for. */
export interface AnswersOfForm {
  order: readonly AnswerOfForm[]
  /** The answers by ticket. Tickets for which the form has no room are left out. */
  tickets: ReadonlyMap<string, readonly AnswerOfForm[]>
}

/** The most values that the fields of tickets' answers send, including those that they had, since a form cannot be endless. */
const MOST_SENT = 1_000

/**
 * Returns the answers that a registration and its tickets have, and those to the questions that it would be asked. A question
 * says what it takes. An answer without a question, such as an imported one, takes any text.
 *
 * @param existing the keys of answers of the event
 */
export function answersOfForm(
  guest: Details,
  questions: readonly Question[],
  existing: ReadonlySet<string>,
  language: Language,
): AnswersOfForm {
  const applicable = questions.filter(question => !question.retired && isFor(question, guest))
  const ofTickets = new Set(questions.filter(each => each.asked_for === 'ticket').map(({ key }) => key))
  const keysOf = (what: Question['asked_for']) =>
    applicable.filter(({ asked_for }) => asked_for === what).map(({ key }) => key)
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
  const ofOrder = new Set([...existing, ...keysOf('order')].filter(key => !ofTickets.has(key)))
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

/** The answers that the form for a new guest asks for: those of the registration, and those that each of its tickets gets. */
export interface AnswersOfNew {
  order: readonly AnswerOfForm[]
  ticket: readonly AnswerOfForm[]
}

/**
 * Returns what the form for a new guest asks. The type is chosen in the same form, so a question for some types says for which.
 *
 * @param existing the keys of answers of the event
 */
export function answersOfNew(
  questions: readonly Question[],
  existing: ReadonlySet<string>,
  types: readonly Pick<TypeDetails, 'id' | 'name'>[],
  language: Language,
): AnswersOfNew {
  const ask = (question: Question, prefix: '' | 'ticket.new.'): AnswerOfForm => ({
    name: `${prefix}${answerName(question.key)}` as AnswerOfForm['name'],
    key: question.key,
    field: withTypes(answerField(question, null, language), question, types),
    sends: question.kind === 'several_of' ? question.choices.length : 1,
    value: null,
  })
  const active = questions.filter(({ retired }) => !retired)
  const ofTickets = active.filter(({ asked_for }) => asked_for === 'ticket').slice(0, MAX_ANSWERS)
  const ofOrder = active.filter(({ asked_for }) => asked_for === 'order')
  const others = [...existing].filter(key => !questions.some(question => question.key === key)).sort()
  const free = others.map(key => ({
    ...{ name: answerName(key), key, sends: 1, value: null },
    field: areaField(MAX_ANSWER, 2, { label: () => key }),
  }))
  return {
    order: [...ofOrder.map(question => ask(question, '')), ...free].slice(0, MAX_ANSWERS),
    ticket: ofTickets.map(question => ask(question, 'ticket.new.')),
  }
}

function withTypes(
  field: Field<string | null>,
  { registration_type_ids: ids, help }: Question,
  types: readonly Pick<TypeDetails, 'id' | 'name'>[],
): Field<string | null> {
  if (ids === null) return field
  const names = types.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return {
    ...field,
    help: ({ guests }) => [help, guests.onlyFor(names.join(', '))].filter(Boolean).join(' '),
  }
}

function isFor({ registration_type_ids: ids }: Question, { registration_type_id: type }: Details): boolean {
  return ids === null || (type !== null && ids.includes(type))
}
