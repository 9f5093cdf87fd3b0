/** Lists the kinds of answers that exist. */
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

/** Says whether a question is asked once for the order, for each ticket, or for each abstract. */
export const questionScopes = ['order', 'ticket', 'abstract'] as const
/** The scopes of those who order. */
export const orderScopes = ['order', 'ticket'] as const

/** Returns whether people choose their answer from the choices of the question. */
export function hasChoices(kind: QuestionKind): boolean {
  return kind === 'one_of' || kind === 'several_of'
}

/** This separates the choices of an answer. No choice contains it. */
export const CHOICE_SEPARATOR = ', '
