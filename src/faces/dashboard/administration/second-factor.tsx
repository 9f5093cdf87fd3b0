import { label } from '../../fields.ts'
import * as users from '../../users/rules.ts'
import { isTotpSecret, newTotpSecret, totpUri } from '../../users/totp.ts'
import { Copyable, CopyButton } from '../../web/components/copyable.tsx'
import { ButtonLink } from '../../web/components/parts.tsx'
import { QrCode } from '../../web/components/qr-code.tsx'
import { flash } from '../../web/flash.ts'
import { hiddenField, textField } from '../../web/forms/field.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { Texts } from '../../web/texts/texts.ts'
import type { OfUser } from '../asked.ts'
import type { Context } from '../context.ts'
import { KnownAs } from '../known-as.tsx'
import { ownForm } from '../own-form.ts'
import { OwnPage } from '../own-page.tsx'
import { confirm, writeOwn } from '../own-write.ts'
import type { View } from '../page.ts'
import { ownPasswordField } from '../password-field.ts'
import { paths } from '../paths.ts'
import { answerView } from '../show.tsx'

/** A secret has 32. */
const MAX_SECRET = 100

const onFields = {
  /** Nothing is stored of it until a code of it has come back: the form itself carries it. */
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
  view: (_, asked, state) => {
    const { texts } = asked.voice
    const { onTitle: title, onAbout: about, alreadyOn, turnOn } = texts.profile
    const secret = state.typed.secret?.[0] ?? ''
    const form = (
      <Form state={state} texts={texts} action={paths.secondFactor} submit={turnOn} leave={paths.profile}>
        <KnownAs email={asked.user.email} />
        {isTotpSecret(secret) && <Secret secret={secret} asked={asked} />}
        <FieldRows state={state} texts={texts} />
      </Form>
    )
    return {
      title,
      body: (
        <OwnPage asked={asked} title={title} about={about}>
          {asked.user.has_second_factor ? <p>{alreadyOn}</p> : form}
        </OwnPage>
      ),
    }
  },
  submit: async (services, context, asked, { values: { secret, code, own_password } }) => {
    await confirm(services, context, asked, own_password)
    const typed = code.replaceAll(/\s/g, '')
    const codes = await writeOwn(services, asked, tx =>
      users.enableSecondFactor(tx, asked.user.id, secret, typed, asked),
    )
    await answerCodes(context, asked, '/profile/second-factor', codes)
    return undefined
  },
})

function Secret({ secret, asked: { user, voice } }: { secret: string; asked: OfUser }) {
  const { texts } = voice
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

/** New recovery codes in the place of the old: sent again, as by a reload, it makes newer ones, and those hold. */
export const recoveryCodes = ownForm('user', {
  path: '/profile/recovery-codes',
  load: async () => undefined,
  fields: () => passwordFields,
  view: (_, asked, state) => {
    const { texts } = asked.voice
    const { renewCodes: title, renewAbout: about } = texts.profile
    return {
      title,
      body: (
        <OwnPage asked={asked} title={title} about={about}>
          {asked.user.has_second_factor ? (
            <Form
              state={state}
              texts={texts}
              action={paths.recoveryCodes}
              submit={texts.profile.renewSubmit}
              leave={paths.profile}
            >
              <KnownAs email={asked.user.email} />
              <FieldRows state={state} texts={texts} />
            </Form>
          ) : (
            <WithoutFactor texts={texts} />
          )}
        </OwnPage>
      ),
    }
  },
  submit: async (services, context, asked, { values: { own_password } }) => {
    await confirm(services, context, asked, own_password)
    const codes = await writeOwn(services, asked, tx => users.renewRecoveryCodes(tx, asked.user.id, asked))
    await answerCodes(context, asked, '/profile/recovery-codes', codes)
    return undefined
  },
})

export const secondFactorOff = ownForm('user', {
  path: '/profile/second-factor/off',
  load: async () => undefined,
  fields: () => passwordFields,
  view: (_, asked, state) => {
    const { texts } = asked.voice
    const { offTitle: title, offAbout: about, turnOff } = texts.profile
    return {
      title,
      body: (
        <OwnPage asked={asked} title={title} about={about}>
          {asked.user.has_second_factor ? (
            <Form
              state={state}
              texts={texts}
              action={paths.secondFactorOff}
              submit={turnOff}
              leave={paths.profile}
              isDanger
            >
              <KnownAs email={asked.user.email} />
              <FieldRows state={state} texts={texts} />
            </Form>
          ) : (
            <WithoutFactor texts={texts} />
          )}
        </OwnPage>
      ),
    }
  },
  submit: async (services, context, asked, { values: { own_password } }) => {
    await confirm(services, context, asked, own_password)
    await writeOwn(services, asked, tx => users.disableSecondFactor(tx, asked.user.id, asked))
    return { to: { path: paths.profile, flash: flash('secondFactorOff', {}) } }
  },
})

function WithoutFactor({ texts }: { texts: Texts }) {
  return (
    <p>
      {texts.profile.noFactor} <a href={paths.secondFactor}>{texts.profile.turnOn}</a>
    </p>
  )
}

async function answerCodes(
  context: Context,
  asked: OfUser,
  path: string,
  codes: readonly string[],
): Promise<void> {
  await answerView(context, { level: 'user', path }, asked, codesView(asked, codes))
}

function codesView(asked: OfUser, codes: readonly string[]): View {
  const { texts } = asked.voice
  const { codesTitle: title, codesAbout: about, codesDone } = texts.profile
  return {
    title,
    body: (
      <OwnPage asked={asked} title={title} about={about}>
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
