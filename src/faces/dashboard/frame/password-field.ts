import { label } from '#base/fields.ts'
import { type Field, textField, type Wrong } from '#machinery/web/forms/field.ts'
import { findWeakness } from '#product/administration/users/passwords.ts'
import { refusal } from '#product/administration/users/refusal.ts'
import { describeProblem } from '#texts/describe-problem.ts'

/** Longer passwords are not hashed. The rule sets the limits of a password. */
const MAX_TYPED = 1000

const typedAnew = textField(label(MAX_TYPED), {
  label: texts => texts.people.newPassword,
  help: texts => texts.people.newPasswordHelp,
  control: { kind: 'input', type: 'password', autocomplete: 'new-password' },
  secret: true,
})

/** The field of a new password. What is wrong with it whoever chooses it is told beside the faults of the other fields. */
export const newPasswordField: Field<string> = {
  ...typedAnew,
  parse: (typed, scale) => {
    const parsed = typedAnew.parse(typed, scale)
    return ('value' in parsed ? findFault(parsed.value, {}) : undefined) ?? parsed
  },
}

/** Finds a new password that attackers would guess by the name and the e-mail beside it in the form. */
export function findPasswordFault({
  password,
  ...of
}: {
  password?: string
  email?: string
  name?: string
}): ReadonlyMap<string, Wrong> {
  const fault = password === undefined ? undefined : findFault(password, of)
  return new Map(fault === undefined ? [] : [['password', fault]])
}

function findFault(password: string, of: { email?: string; name?: string }): Wrong | undefined {
  const weakness = findWeakness(password, of)
  if (weakness === undefined) return undefined
  return { say: texts => describeProblem(texts, refusal(weakness)) }
}

/** The field in which signed-in users repeat their own password. */
export const ownPasswordField: Field<string> = textField(label(MAX_TYPED), {
  label: texts => texts.profile.ownPassword,
  help: texts => texts.profile.ownPasswordHelp,
  control: { kind: 'input', type: 'password', autocomplete: 'current-password' },
  secret: true,
})
