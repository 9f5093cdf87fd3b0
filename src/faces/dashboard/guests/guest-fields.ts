import { MAX_ANSWER, MAX_ANSWERS } from '../fields.ts'
import { MAX_NOTE } from '../registrations/schemas.ts'
import { languages } from '../registrations/states.ts'
import { areaField, choiceField, type Field } from '../web/forms/field.ts'
import { languageNames } from '../web/texts/languages.ts'

/** Fields of a registration that its forms share. */

export const languageField = choiceField(
  languages,
  () => languages.map(value => ({ value, label: languageNames[value] })),
  { label: texts => texts.guests.language },
)

export const noteField = areaField(MAX_NOTE, 3, {
  label: texts => texts.guests.note,
  help: texts => texts.guests.noteHelp,
})

/** The keys that a form has fields for: those of the registration, and of the others of its event as many as it may have. */
export function keysOfForm(own: readonly string[], known: ReadonlySet<string>): string[] {
  const others = [...known].filter(key => !own.includes(key)).sort()
  return [...own, ...others].slice(0, MAX_ANSWERS)
}

/** A key may be called as any other field, and have spaces, which no id may have. */
export function answerName(key: string): `answer.${string}` {
  return `answer.${encodeURIComponent(key)}`
}

export function answerFields(keys: readonly string[]): Record<`answer.${string}`, Field<string | null>> {
  return Object.fromEntries(
    keys.map(key => [answerName(key), areaField(MAX_ANSWER, 2, { label: () => key })]),
  )
}
