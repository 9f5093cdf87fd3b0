import { personName } from '#base/fields.ts'
import { rememberDevice } from '#faces/dashboard/frame/device-cookie.ts'
import { ownForm } from '#faces/dashboard/frame/own-form.ts'
import { backToProfile } from '#faces/dashboard/frame/own-page.tsx'
import { confirm, writeOwn } from '#faces/dashboard/frame/own-write.ts'
import { newPasswordField, ownPasswordField } from '#faces/dashboard/frame/password-field.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { UsernameField } from '#faces/dashboard/frame/username-field.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choiceField, emailField, textField } from '#machinery/web/forms/field.ts'
import { hashPassword } from '#product/administration/users/passwords.ts'
import * as users from '#product/administration/users/rules.ts'
import { ofPerson } from '#product/administration/users/scrypt-lanes.ts'
import { languageNames, languages } from '#texts/languages.ts'

const saved = { to: { path: paths.profile, flash: flash('profileSaved', {}) } }

const nameFields = {
  name: textField(personName, {
    label: texts => texts.people.name,
    control: { kind: 'input', type: 'text', autocomplete: 'name' },
  }),
  language: choiceField(
    languages,
    () => languages.map(value => ({ value, label: languageNames[value] })),
    { label: texts => texts.profile.language },
    'radios',
  ),
}

export const ownName = ownForm('user', {
  path: '/profile/name',
  load: async () => undefined,
  fields: () => nameFields,
  initial: (_, { user }) => user,
  parts: (_, { voice: { texts } }) => ({
    ...backToProfile(texts),
    ...{ title: texts.profile.nameTitle, submit: texts.page.save },
  }),
  submit: async (services, _context, request, { values }) => {
    await writeOwn(services, request, async tx => {
      const { email } = await users.getUser(tx, request.user.id)
      return users.updateUser(tx, request.user.id, { ...values, email }, request)
    })
    return saved
  },
})

const emailFields = {
  email: emailField({ label: texts => texts.profile.email }, 'username'),
  own_password: ownPasswordField,
}

export const ownEmail = ownForm('user', {
  path: '/profile/email',
  load: async () => undefined,
  fields: () => emailFields,
  initial: (_, { user: { email } }) => ({ email }),
  parts: (_, { voice: { texts } }) => {
    const { emailTitle: title, emailAbout: about } = texts.profile
    return { ...backToProfile(texts), title, about, submit: texts.page.save }
  },
  submit: async (services, context, request, { values: { email, own_password } }) => {
    await confirm(services, context, request, own_password)
    await writeOwn(services, request, async tx => {
      const user = await users.getUser(tx, request.user.id)
      return users.updateUser(tx, request.user.id, { ...user, email }, request)
    })
    return saved
  },
})

const passwordFields = { own_password: ownPasswordField, password: newPasswordField }

export const ownPassword = ownForm('user', {
  path: '/profile/password',
  load: async () => undefined,
  fields: () => passwordFields,
  parts: (_, { user, voice: { texts } }) => {
    const { passwordTitle: title, passwordAbout: about, changePassword: submit } = texts.profile
    return { ...backToProfile(texts), title, about, submit, above: <UsernameField email={user.email} /> }
  },
  submit: async (services, context, request, { values: { password, own_password } }) => {
    const { user, sessionId } = request
    await confirm(services, context, request, own_password)
    const passwordHash = await hashPassword(password, user, ofPerson(user.id, `session ${sessionId}`))
    await writeOwn(services, request, tx =>
      users.changePassword(tx, user.id, { passwordHash, sessionId }, request),
    )
    await rememberDevice(services, context, request, user.id, 'sign-in')
    return { to: { path: paths.profile, flash: flash('passwordChanged', {}) } }
  },
})
