import { label } from '../fields.ts'
import { type Field, textField } from '../web/forms/field.ts'

/** Longer ones are not hashed; the rule says what it takes. */
const MAX_TYPED = 1000

/** A password that somebody chooses. */
export const newPasswordField: Field<string> = textField(label(MAX_TYPED), {
  label: texts => texts.people.newPassword,
  help: texts => texts.people.newPasswordHelp,
  control: { kind: 'input', type: 'password', autocomplete: 'new-password' },
  secret: true,
})

/** That of whoever is signed in, given once more. */
export const ownPasswordField: Field<string> = textField(label(MAX_TYPED), {
  label: texts => texts.profile.ownPassword,
  help: texts => texts.profile.ownPasswordHelp,
  control: { kind: 'input', type: 'password', autocomplete: 'current-password' },
  secret: true,
})
