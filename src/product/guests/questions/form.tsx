import type { Choice, Say } from '#machinery/web/forms/control-kinds.ts'
import type { Field, Typed } from '#machinery/web/forms/field.ts'
import type { Fields, FormState } from '#machinery/web/forms/form.ts'
import { FieldGroup } from '#machinery/web/forms/form-view.tsx'
import type { Language } from '#texts/languages.ts'
import type { Texts } from '#texts/texts.ts'
import { type ApplicableQuestions, fieldOf } from './answers.ts'
import { countriesIn } from './countries.ts'
import { CHOICE_SEPARATOR } from './kinds.ts'
import type { Question } from './schemas.ts'
import { parseAnswer } from './values.ts'

/** This file shows questions as controls of a form, for buyers and for the preview of the organizer. */

/** A question with more choices than these is shown as a list to open. */
const MOST_RADIOS = 6

/**
 * Returns the fields of what is asked, for a form that has other fields too. Those of the order come first, then those of each
 * ticket.
 */
export function questionFields({ order, tickets }: ApplicableQuestions, language: Language): Fields {
  const ofTickets = tickets.map((some, ticket) => ticketQuestionFields(some, { ticket, language }))
  const ofOrder = order.map(question => [fieldOf(question), questionField(question, language)])
  return Object.assign(Object.fromEntries(ofOrder), ...ofTickets)
}

/**
 * Returns the fields of what is asked about one ticket.
 *
 * @param ticket its index, from 0
 * @param name what the summary of faults calls the ticket; undefined if the form asks for a single one
 */
export function ticketQuestionFields(
  questions: readonly Question[],
  { ticket, name, language }: { ticket: number; name?: Say | undefined; language: Language },
): Fields {
  return Object.fromEntries(
    questions.map(question => [
      fieldOf(question, ticket),
      { ...questionField(question, language), group: name },
    ]),
  )
}

/** Returns the field of a question. Its value is the answer as it is kept, or null if there is none. */
export function questionField(question: Question, language: Language): Field<string | null> {
  const { label, help, required } = question
  return {
    label: () => label,
    help: help === null ? undefined : () => help,
    required,
    isOfPeople: true,
    control: controlOf(question, language),
    print: value => splitAnswer(question, value),
    parse: (typed: Typed) => {
      const parsed = parseAnswer(question, typed)
      return 'fault' in parsed ? parsed : { value: parsed.value ?? null }
    },
  }
}

/**
 * Returns the field of an answer that exists already or is missing. A missing answer may stay missing, even to a required
 * question. An answer that the question would no longer accept may stay as it is.
 */
export function answerField(
  question: Question,
  current: string | null,
  language: Language,
): Field<string | null> {
  const field = questionField({ ...question, required: question.required && current !== null }, language)
  const isBoxes = field.control.kind === 'radios' || field.control.kind === 'checkboxes'
  // An empty control sends an empty text, but boxes send nothing.
  if (current === null || isTakenAsIs(question, current))
    return { ...field, print: value => (value === null && !isBoxes ? [''] : splitAnswer(question, value)) }
  return {
    ...field,
    control: { kind: 'area', rows: 2 },
    print: value => [value ?? ''],
    parse: (typed: Typed, scale) => field.parse(splitAnswer(question, typed[0] ?? ''), scale),
  }
}

function isTakenAsIs(question: Question, answer: string): boolean {
  const parsed = parseAnswer(question, splitAnswer(question, answer))
  return 'value' in parsed && parsed.value === answer
}

/** Returns what the control of a question shows of a kept answer. */
export function splitAnswer({ kind }: Pick<Question, 'kind'>, answer: string | null): string[] {
  if (answer === null) return []
  return kind === 'several_of' ? answer.split(CHOICE_SEPARATOR) : [answer]
}

const listed = new WeakMap<readonly string[], readonly Choice[]>()

/** Returns the same list for each ticket, so that tickets share it. */
function listChoices(choices: readonly string[]): readonly Choice[] {
  let among = listed.get(choices)
  if (among === undefined) {
    among = choices.map(value => ({ value, label: value }))
    listed.set(choices, among)
  }
  return among
}

function controlOf({ kind, choices, required }: Question, language: Language): Field<string>['control'] {
  const among = listChoices(choices)
  // An optional answer must be possible to take back, and a radio button cannot be cleared.
  const oneOf = (count: number) => (required && count <= MOST_RADIOS ? 'radios' : 'select')
  switch (kind) {
    case 'long_text':
      return { kind: 'area', rows: 3 }
    case 'one_of':
      return { kind: oneOf(choices.length), choices: () => among }
    case 'several_of':
      return { kind: 'checkboxes', choices: () => among }
    case 'yes_no':
      return {
        kind: oneOf(2),
        choices: ({ questions }) => [
          { value: 'yes', label: questions.yes },
          { value: 'no', label: questions.no },
        ],
      }
    case 'date':
      return { kind: 'input', type: 'date', size: 'short' }
    case 'number':
      return { kind: 'input', type: 'text', inputmode: 'decimal', size: 'short' }
    case 'phone':
      return { kind: 'input', type: 'tel', autocomplete: 'tel' }
    case 'country':
      return { kind: 'select', choices: () => countriesIn(language) }
    default:
      return { kind: 'input', type: 'text' }
  }
}

interface QuestionsProps {
  applicable: ApplicableQuestions
  /** The state of a form that has the fields of `questionFields`. */
  state: FormState
  texts: Texts
}

/** Shows the questions of an order, then those of each ticket, under headings of their own. */
export function Questions({ applicable: { order, tickets }, ...rows }: QuestionsProps) {
  const { questions: texts } = rows.texts
  return (
    <>
      {order.length > 0 && (
        <FieldGroup {...rows} legend={texts.ofOrder} names={order.map(question => fieldOf(question))} />
      )}
      {tickets.map(
        (some, at) =>
          some.length > 0 && (
            <FieldGroup
              key={String(at)}
              {...rows}
              legend={texts.ofTicket(at + 1)}
              names={some.map(question => fieldOf(question, at))}
            />
          ),
      )}
    </>
  )
}
