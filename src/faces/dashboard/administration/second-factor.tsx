import { label } from '#base/fields.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { rememberDevice } from '#faces/dashboard/frame/device-cookie.ts'
import { ownForm } from '#faces/dashboard/frame/own-form.ts'
import { backToProfile, OwnPage } from '#faces/dashboard/frame/own-page.tsx'
import { confirm, writeOwn } from '#faces/dashboard/frame/own-write.ts'
import type { View } from '#faces/dashboard/frame/page.ts'
import type { UserRequest } from '#faces/dashboard/frame/page-request.ts'
import { ownPasswordField } from '#faces/dashboard/frame/password-field.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import { UsernameField } from '#faces/dashboard/frame/username-field.tsx'
import { Copyable, CopyButton } from '#machinery/web/components/copyable.tsx'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { QrCode } from '#machinery/web/components/qr-code.tsx'
import { flash } from '#machinery/web/flash.ts'
import { hiddenField, textField } from '#machinery/web/forms/field.ts'
import * as users from '#product/administration/users/rules.ts'
import type { User } from '#product/administration/users/schemas.ts'
import { isTotpSecret, newTotpSecret, totpUri } from '#product/administration/users/totp.ts'
import type { Texts } from '#texts/texts.ts'

/** The most characters of a secret that comes back. A secret has 32. */
const MAX_SECRET = 100

const onFields = {
  /** The form itself carries the secret. The server stores it once one of its codes has come back. */
  secret: hiddenField(MAX_SECRET),
  code: textField(label(50), {
    label: texts => texts.profile.code,
    help: texts => texts.profile.codeHelp,
    control: {
      kind: 'input',
      type: 'text',
      inputmode: 'numeric',
      autocomplete: 'one-time-code',
      size: 'short',
    },
    secret: true,
  }),
  own_password: ownPasswordField,
}

/** Turns the second factor on. The answer shows recovery codes, and nothing shows them again. */
export const secondFactor = ownForm('user', {
  path: '/profile/second-factor',
  load: async () => undefined,
  fields: () => onFields,
  initial: () => ({ secret: newTotpSecret() }),
  parts: (_, { user, voice: { texts } }, state) => {
    const { onTitle: title, onAbout: about, alreadyOn, turnOn } = texts.profile
    const secret = state.typed.secret?.[0] ?? ''
    const isOn = (
      <div class="card stack">
        <p>{alreadyOn}</p>
      </div>
    )
    return {
      ...{ ...backToProfile(texts), title, about, submit: turnOn },
      above: (
        <>
          <UsernameField email={user.email} />
          {isTotpSecret(secret) && <Secret secret={secret} user={user} texts={texts} />}
        </>
      ),
      instead: user.has_second_factor ? isOn : undefined,
    }
  },
  submit: async (services, context, request, { values: { secret, code, own_password } }) => {
    await confirm(services, context, request, own_password)
    const typed = code.replaceAll(/\s/g, '')
    const codes = await writeOwn(services, request, tx =>
      users.enableSecondFactor(tx, request.user.id, secret, typed, request),
    )
    await rememberDevice(services, context, request, request.user.id, 'sign-in')
    await answerCodes(context, request, '/profile/second-factor', codes)
    return undefined
  },
})

function Secret({ secret, user, texts }: { secret: string; user: User; texts: Texts }) {
  const uri = totpUri(secret, user.email, texts.page.product)
  return (
    <div class="stack">
      <p>{texts.profile.scan}</p>
      <QrCode text={uri} label={texts.profile.picture} />
      <p>
        <a href={uri}>{texts.profile.openApp}</a>
      </p>
      <p aria-hidden="true">
        {texts.profile.secret}: <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <Copyable label={texts.profile.secret} text={secret} texts={texts} />
    </div>
  )
}

const passwordFields = { own_password: ownPasswordField }

/** Makes new recovery codes in place of the old. The same form sent again, as by a reload, makes newer ones, and those count. */
export const recoveryCodes = ownForm('user', {
  path: '/profile/recovery-codes',
  load: async () => undefined,
  fields: () => passwordFields,
  parts: (_, { user, voice: { texts } }) => {
    const { renewCodes: title, renewAbout: about, renewSubmit: submit } = texts.profile
    return { ...withFactor(user, texts), title, about, submit }
  },
  submit: async (services, context, request, { values: { own_password } }) => {
    await confirm(services, context, request, own_password)
    const codes = await writeOwn(services, request, tx =>
      users.renewRecoveryCodes(tx, request.user.id, request),
    )
    await answerCodes(context, request, '/profile/recovery-codes', codes)
    return undefined
  },
})

export const secondFactorOff = ownForm('user', {
  path: '/profile/second-factor/off',
  load: async () => undefined,
  fields: () => passwordFields,
  parts: (_, { user, voice: { texts } }) => {
    const { offTitle: title, offAbout: about, turnOff: submit } = texts.profile
    return { ...withFactor(user, texts), title, about, submit, isDanger: true }
  },
  submit: async (services, context, request, { values: { own_password } }) => {
    await confirm(services, context, request, own_password)
    await writeOwn(services, request, tx => users.disableSecondFactor(tx, request.user.id, request))
    await rememberDevice(services, context, request, request.user.id, 'sign-in')
    return { to: { path: paths.profile, flash: flash('secondFactorOff', {}) } }
  },
})

/** Returns the parts of a page that only users with a second factor need. */
function withFactor(user: User, texts: Texts) {
  const { noFactor, turnOn } = texts.profile
  const without = (
    <div class="card stack">
      <p>
        {noFactor} <a href={paths.secondFactor}>{turnOn}</a>
      </p>
    </div>
  )
  return {
    ...backToProfile(texts),
    above: <UsernameField email={user.email} />,
    instead: user.has_second_factor ? undefined : without,
  }
}

async function answerCodes(
  context: Context,
  request: UserRequest,
  path: string,
  codes: readonly string[],
): Promise<void> {
  await answerView(context, { level: 'user', path }, request, codesView(request, codes))
}

function codesView(request: UserRequest, codes: readonly string[]): View {
  const { texts } = request.voice
  const { codesTitle: title, codesAbout: about, codesDone } = texts.profile
  return {
    title,
    body: (
      <OwnPage request={request} title={title} about={about}>
        <ol class="codes">
          {codes.map(code => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div class="row">
          <CopyButton text={codes.join('\n')} texts={texts} />
          <button type="button" class="button" hidden data-print="">
            {texts.page.print}
          </button>
          <ButtonLink href={paths.profile} main>
            {codesDone}
          </ButtonLink>
        </div>
      </OwnPage>
    ),
  }
}
