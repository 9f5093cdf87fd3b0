import { name } from '../../fields.ts'
import { hashPassword } from '../../users/passwords.ts'
import * as users from '../../users/rules.ts'
import { flash } from '../../web/flash.ts'
import { choiceField, emailField, textField } from '../../web/forms/field.ts'
import type { FormState } from '../../web/forms/form.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import { languageNames, languages } from '../../web/texts/languages.ts'
import type { OfUser } from '../asked.ts'
import { KnownAs } from '../known-as.tsx'
import { ownForm } from '../own-form.ts'
import { OwnPage } from '../own-page.tsx'
import { confirm, writeOwn } from '../own-write.ts'
import { newPasswordField, ownPasswordField } from '../password-field.ts'
import { paths } from '../paths.ts'

const saved = { to: { path: paths.profile, flash: flash('profileSaved', {}) } }

const nameFields = {
  name: textField(name(), {
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
  view: (_, asked, state) => {
    const { texts } = asked.voice
    return framed(asked, state, {
      title: texts.profile.nameTitle,
      action: paths.ownName,
      submit: texts.page.save,
    })
  },
  submit: async (services, _context, asked, { values }) => {
    await writeOwn(services, asked, async tx => {
      const { email } = await users.getUser(tx, asked.user.id)
      return users.updateUser(tx, asked.user.id, { ...values, email }, asked)
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
  view: (_, asked, state) => {
    const { texts } = asked.voice
    const { emailTitle: title, emailAbout: about } = texts.profile
    return framed(asked, state, { title, about, action: paths.ownEmail, submit: texts.page.save })
  },
  submit: async (services, context, asked, { values: { email, own_password } }) => {
    await confirm(services, context, asked, own_password)
    await writeOwn(services, asked, async tx => {
      const user = await users.getUser(tx, asked.user.id)
      return users.updateUser(tx, asked.user.id, { ...user, email }, asked)
    })
    return saved
  },
})

const passwordFields = { own_password: ownPasswordField, password: newPasswordField }

export const ownPassword = ownForm('user', {
  path: '/profile/password',
  load: async () => undefined,
  fields: () => passwordFields,
  view: (_, asked, state) => {
    const { passwordTitle: title, passwordAbout: about, changePassword: submit } = asked.voice.texts.profile
    return framed(asked, state, { title, about, action: paths.ownPassword, submit })
  },
  submit: async (services, context, asked, { values: { password, own_password } }) => {
    const { user, sessionId } = asked
    await confirm(services, context, asked, own_password)
    const passwordHash = await hashPassword(password, user)
    await writeOwn(services, asked, tx =>
      users.changePassword(tx, user.id, { passwordHash, sessionId }, asked),
    )
    return { to: { path: paths.profile, flash: flash('passwordChanged', {}) } }
  },
})

interface Frame {
  title: string
  about?: string
  action: string
  submit: string
}

function framed(asked: OfUser, state: FormState, { title, about, action, submit }: Frame) {
  const { texts } = asked.voice
  return {
    title,
    body: (
      <OwnPage asked={asked} title={title} about={about}>
        <Form state={state} texts={texts} action={action} submit={submit} leave={paths.profile}>
          {'password' in state.fields && <KnownAs email={asked.user.email} />}
          <FieldRows state={state} texts={texts} />
        </Form>
      </OwnPage>
    ),
  }
}
