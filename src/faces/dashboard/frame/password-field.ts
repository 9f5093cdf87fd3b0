import { label } from '#base/fields.ts'
import { type Field, textField } from '#machinery/web/forms/field.ts'

/** Longer passwords are not hashed. The rule sets the limits of a password. */
const MAX_TYPED = 1000

/** The field of a new password. */
export const newPasswordField: Field<string> = textField(label(MAX_TYPED), {
  label: texts => texts.people.newPassword,
  help: texts => texts.people.newPasswordHelp,
  control: { kind: 'input', type: 'password', autocomplete: 'new-password' },
  secret: true,
})

/** The field in which signed-in users repeat their own password. */
export const ownPasswordField: Field<string> = textField(label(MAX_TYPED), {
  label: texts => texts.profile.ownPassword,
  help: texts => texts.profile.ownPasswordHelp,
  control: { kind: 'input', type: 'password', autocomplete: 'current-password' },
  secret: true,
})
