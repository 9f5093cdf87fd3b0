/** What kinds of answers there are. */
export const questionKinds = [
  'text',
  'long_text',
  'one_of',
  'several_of',
  'yes_no',
  'date',
  'number',
  'phone',
  'country',
] as const

export type QuestionKind = (typeof questionKinds)[number]

/** Whether a question is asked once, or of each ticket. */
export const askedFor = ['order', 'ticket'] as const

/** Whether people choose their answer among those of the question. */
export function hasChoices(kind: QuestionKind): boolean {
  return kind === 'one_of' || kind === 'several_of'
}

/** Stands between the choices of an answer: no choice has it. */
export const CHOICE_SEPARATOR = ', '
