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
