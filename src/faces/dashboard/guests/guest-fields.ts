import { MAX_ANSWERS } from '#base/fields.ts'
import { areaField, choiceField } from '#machinery/web/forms/field.ts'
import { MAX_NOTE } from '#product/guests/registrations/schemas.ts'
import { languageNames, languages } from '#texts/languages.ts'

/** These are the fields of a registration that its forms share. */

export const languageField = choiceField(
  languages,
  () => languages.map(value => ({ value, label: languageNames[value] })),
  { label: texts => texts.guests.language },
)

export const noteField = areaField(MAX_NOTE, 3, {
  label: texts => texts.guests.note,
  help: texts => texts.guests.noteHelp,
})

/**
 * Returns the keys that a form has fields for: those of the registration, and other keys of its event as far as the limit allows.
 */
export function keysOfForm(own: readonly string[], existing: ReadonlySet<string>): string[] {
  const others = [...existing].filter(key => !own.includes(key)).sort()
  return [...own, ...others].slice(0, MAX_ANSWERS)
}

/**
 * Returns the field name of a key. The prefix keeps it apart from other fields, and encoding removes spaces, which an id may not
 * have.
 */
export function answerName(key: string): `answer.${string}` {
  return `answer.${encodeURIComponent(key)}`
}
