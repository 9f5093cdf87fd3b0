import type { ComponentChildren } from 'preact'
import { INSTANCE } from '../../db/port.ts'
import { emailKey, name } from '../../fields.ts'
import { Problem } from '../../problem.ts'
import * as linkUses from '../../users/link-uses.ts'
import * as links from '../../users/links.ts'
import { hashPassword } from '../../users/passwords.ts'
import * as sessions from '../../users/sessions.ts'
import { Banner, ButtonLink, Head, PostButton } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { currencyField, emailField, textField, timezoneField } from '../../web/forms/field.ts'
import { FieldGroup, FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { Asked, OfUser, Services } from '../asked.ts'
import type { Context } from '../context.ts'
import { goTo } from '../destination.ts'
import { KnownAs } from '../known-as.tsx'
import { ownForm } from '../own-form.ts'
import type { PageAt, View } from '../page.ts'
import { newPasswordField } from '../password-field.ts'
import { paths } from '../paths.ts'
import { startSession } from '../session-cookie.ts'
import { showPage } from '../show.tsx'

/** The pages of one-time links: opening one uses nothing up, as mail programs open them too. */

/** @throws Problem link_used_up for one that cannot be used any more, or never could */
async function open<Kind extends links.Link['kind']>(
  { db, clock }: Services,
  { params }: Asked,
  kind: Kind,
): Promise<OpenLink<Kind>> {
  const token = params.token ?? ''
  const link = await db.read(tx => links.look(tx, token, clock()))
  if (link === undefined || link.kind !== kind || link.status !== 'open') throw new Problem('link_used_up')
  return { ...(link as OpenLink<Kind>), token }
}

type OpenLink<Kind> = (links.Link & { kind: Kind }) & { token: string }

const personName = textField(name(), {
  label: texts => texts.people.name,
  control: { kind: 'input', type: 'text', autocomplete: 'name' },
})

/** Signs in whom a link was for. */
async function begin(services: Services, context: Context, asked: Asked, userId: string): Promise<void> {
  const { address, browser } = asked
  const session = await services.db.write(INSTANCE, tx => sessions.open(tx, userId, { address, browser }))
  startSession(services, context, session)
}

const setupFields = {
  account: textField(name(), {
    label: texts => texts.people.organization,
    help: texts => texts.people.organizationHelp,
    control: { kind: 'input', type: 'text', autocomplete: 'organization' },
  }),
  timezone: timezoneField({ label: texts => texts.events.timezone }),
  currency: currencyField({ label: texts => texts.events.currency }),
  name: personName,
  email: emailField({ label: texts => texts.signIn.email }, 'username'),
  password: newPasswordField,
}

/** The first page of all: it makes the organization and its owner. */
export const setup = ownForm('public', {
  path: '/setup/{token}',
  load: (services, asked) => open(services, asked, 'setup'),
  fields: () => setupFields,
  initial: () => ({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, currency: 'EUR' }),
  view: ({ token }, asked, state) => {
    const { texts } = asked.voice
    const { setupTitle, setupAbout, setupSubmit, you, organization } = texts.people
    const rows = { state, texts }
    return framed(
      setupTitle,
      <>
        <Head title={setupTitle} about={setupAbout} />
        <div class="card">
          <Form {...rows} action={paths.setup(token)} submit={setupSubmit}>
            <FieldGroup {...rows} legend={organization} names={['account', 'timezone', 'currency']} />
            <FieldGroup {...rows} legend={you} names={['name', 'email', 'password']} />
          </Form>
        </div>
      </>,
    )
  },
  submit: async (services, context, asked, { values, loaded: { token } }) => {
    const { account, timezone, currency, name: person, email, password } = values
    const passwordHash = await hashPassword(password, { email, name: person })
    const { language } = asked.voice.format
    const input = {
      account: { name: account, timezone, currency },
      user: { email, name: person, passwordHash, language },
    }
    const made = await services.db.write(INSTANCE, tx => linkUses.setUp(tx, token, input, asked))
    await begin(services, context, asked, made.user.id)
    return { to: { path: paths.newEvent(made.accountId), flash: flash('setUp', { name: account }) } }
  },
})

const joinFields = { name: personName, password: newPasswordField }

/** An invitation, for somebody new: one who has signed in already accepts it by a button. */
export const join = ownForm('public', {
  path: '/join/{token}',
  load: (services, asked) => open(services, asked, 'invitation'),
  fields: () => joinFields,
  view: (link, asked, state) => {
    const { texts } = asked.voice
    const title = texts.people.joinTitle(link.account.name)
    const about = texts.people.joinAbout(texts.people.roles[link.part.role], link.email)
    const form = (
      <Form state={state} texts={texts} action={paths.join(link.token)} submit={texts.people.joinSubmit}>
        <KnownAs email={link.email} />
        <FieldRows state={state} texts={texts} />
      </Form>
    )
    return framed(
      title,
      <>
        <Head title={<bdi>{title}</bdi>} about={<bdi>{about}</bdi>} />
        <div class="card stack">{link.has_user ? <AcceptAs link={link} asked={asked} /> : form}</div>
      </>,
    )
  },
  submit: async (services, context, asked, { values, loaded: { token, email, account } }) => {
    const { name: person, password } = values
    const passwordHash = await hashPassword(password, { email, name: person })
    const newcomer = { name: person, passwordHash, language: asked.voice.format.language }
    const { user } = await services.db.write(account.id, tx => linkUses.accept(tx, token, newcomer, asked))
    await begin(services, context, asked, user.id)
    return { to: { path: paths.events(account.id), flash: flash('joined', { name: account.name }) } }
  },
})

function AcceptAs({ link, asked }: { link: { token: string; email: string }; asked: Asked }) {
  const { people } = asked.voice.texts
  if (!('user' in asked)) {
    return (
      <>
        <p>{people.signInToJoin}</p>
        <ButtonLink href={`${paths.signIn}?to=${encodeURIComponent(paths.join(link.token))}`} main>
          {asked.voice.texts.signIn.submit}
        </ButtonLink>
      </>
    )
  }
  const { email } = asked.user as OfUser['user']
  if (emailKey(email) !== emailKey(link.email)) {
    return (
      <>
        <p>
          <bdi>{people.otherSignedIn(email)}</bdi>
        </p>
        <PostButton action={paths.signOut}>{people.signOut}</PostButton>
      </>
    )
  }
  return (
    <PostButton action={paths.joinAs(link.token)} tone="main">
      {people.joinSubmit}
    </PostButton>
  )
}

export const joinAs: PageAt<'user'> = {
  path: '/join/{token}/accept',
  level: 'user',
  post: async (services, context, asked: OfUser) => {
    const { account, token } = await open(services, asked, 'invitation')
    await services.db.write(account.id, tx => linkUses.acceptAs(tx, token, asked.user.id, asked))
    goTo(services, context, {
      path: paths.events(account.id),
      flash: flash('joined', { name: account.name }),
    })
  },
}

export const reset = ownForm('public', {
  path: '/reset/{token}',
  load: (services, asked) => open(services, asked, 'reset'),
  fields: () => ({ password: newPasswordField }),
  view: ({ token, user }, asked, state) => {
    const { texts } = asked.voice
    const { resetTitle, resetAbout, resetSubmit } = texts.people
    return framed(
      resetTitle,
      <>
        <Head title={resetTitle} about={<bdi>{resetAbout(user.email)}</bdi>} />
        <div class="card">
          <Form state={state} texts={texts} action={paths.reset(token)} submit={resetSubmit}>
            <KnownAs email={user.email} />
            <FieldRows state={state} texts={texts} />
          </Form>
        </div>
      </>,
    )
  },
  submit: async (services, _context, asked, { values, loaded: { token, user } }) => {
    const passwordHash = await hashPassword(values.password, user)
    await services.db.write(INSTANCE, tx => linkUses.reset(tx, token, passwordHash, asked))
    return { to: { path: paths.signIn, flash: flash('passwordChosen', {}) } }
  },
})

/** The way into a sandbox: a button, as opening the link must use nothing up. */
export const signInLink: PageAt<'public'> = {
  ...showPage('public', {
    path: '/sign-in/{token}',
    prepare: (services, asked) => open(services, asked, 'sign-in'),
    view: ({ token, user }, { voice: { texts } }) => {
      const title = texts.people.sandboxTitle
      return framed(
        title,
        <>
          <Head title={title} />
          <Banner tone="warn">
            <p>{texts.people.sandboxAbout}</p>
          </Banner>
          <PostButton action={paths.signInLink(token)} tone="main">
            <bdi>{texts.people.continueAs(user.name)}</bdi>
          </PostButton>
        </>,
      )
    },
  }),
  post: async (services, context, asked) => {
    const token = asked.params.token ?? ''
    const user = await services.db.write(INSTANCE, tx => linkUses.signIn(tx, token, asked))
    await begin(services, context, asked, user.id)
    goTo(services, context, { path: paths.home })
  },
}

function framed(title: string, body: ComponentChildren): View {
  return { title, body }
}
