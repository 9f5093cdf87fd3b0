import type { ComponentChildren } from 'preact'
import { emailKey, name, personName } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import { rememberDevice } from '#faces/dashboard/frame/device-cookie.ts'
import { ownForm } from '#faces/dashboard/frame/own-form.ts'
import type { PageAt, View } from '#faces/dashboard/frame/page.ts'
import type { PageRequest, Services, UserRequest } from '#faces/dashboard/frame/page-request.ts'
import { findPasswordFault, newPasswordField } from '#faces/dashboard/frame/password-field.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { startSession } from '#faces/dashboard/frame/session-cookie.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { UsernameField } from '#faces/dashboard/frame/username-field.tsx'
import { INSTANCE } from '#machinery/db/port.ts'
import { Banner, ButtonLink, Head, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { currencyField, emailField, textField, timezoneField } from '#machinery/web/forms/field.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import * as linkUses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import { hashPassword } from '#product/administration/users/passwords.ts'
import { refusal } from '#product/administration/users/refusal.ts'
import { ofLink } from '#product/administration/users/scrypt-lanes.ts'
import * as sessions from '#product/administration/users/sessions.ts'

/** These are the pages of one-time links. Opening one uses nothing up, because mail programs open links too. */

/** @throws Problem link_used_up for a link that cannot be used any more, or never could be */
async function open<Kind extends links.Link['kind']>(
  { db, clock }: Services,
  { params }: PageRequest,
  kind: Kind,
): Promise<OpenLink<Kind>> {
  const token = params.token ?? ''
  const link = await db.read(INSTANCE, tx => links.look(tx, token, clock()))
  if (link === undefined || link.kind !== kind || link.status !== 'open') throw new Problem('link_used_up')
  return { ...(link as OpenLink<Kind>), token }
}

type OpenLink<Kind> = (links.Link & { kind: Kind }) & { token: string }

const nameOfPerson = textField(personName, {
  label: texts => texts.people.name,
  control: { kind: 'input', type: 'text', autocomplete: 'name' },
})

/** Signs in the user whom a link is for. */
async function begin(
  services: Services,
  context: Context,
  request: PageRequest,
  userId: string,
): Promise<void> {
  const { address, browser } = request
  const session = await services.db.write(INSTANCE, tx => sessions.open(tx, userId, { address, browser }))
  startSession(services, context, session)
  await rememberDevice(services, context, request, userId, 'link')
}

const setupFields = {
  account: {
    ...textField(name(), {
      label: texts => texts.people.organization,
      help: texts => texts.people.organizationHelp,
      control: { kind: 'input', type: 'text', autocomplete: 'organization' },
    }),
    isFirst: true,
  } as const,
  timezone: timezoneField({
    label: texts => texts.events.timezone,
    help: texts => texts.people.timezoneHelp,
    isGuessed: true,
  }),
  currency: currencyField({ label: texts => texts.events.currency }),
  name: nameOfPerson,
  email: emailField({ label: texts => texts.signIn.email }, 'username'),
  password: newPasswordField,
}

/** Makes the organization and its owner. It is the first page of a new instance. */
export const setup = ownForm('public', {
  path: '/setup/{token}',
  load: (services, request) => open(services, request, 'setup'),
  fields: () => setupFields,
  // The script fills in the time zone of the browser. That of the server says nothing about where the organizer is.
  initial: () => ({ currency: 'EUR' }),
  faultsOf: findPasswordFault,
  parts: (_, { voice }) => {
    const { setupTitle, setupAbout, setupSubmit, you, yourOrganization } = voice.texts.people
    return {
      ...{ title: setupTitle, about: setupAbout, submit: setupSubmit, isOnCard: true },
      rows: [
        { legend: yourOrganization, names: ['account', 'timezone', 'currency'] },
        { legend: you, names: ['name', 'email', 'password'] },
      ],
    }
  },
  submit: async (services, context, request, { values, loaded: { token } }) => {
    const { account, timezone, currency, name: person, email, password } = values
    const passwordHash = await hashPassword(password, { email, name: person }, ofLink(token))
    const { language } = request.voice.format
    const input = {
      account: { name: account, timezone, currency },
      user: { email, name: person, passwordHash, language },
    }
    const made = await services.db.write(INSTANCE, tx => linkUses.setUp(tx, token, input, request))
    await begin(services, context, request, made.user.id)
    return { to: { path: paths.newEvent(made.accountId), flash: flash('setUp', { name: account }) } }
  },
})

const joinFields = { name: nameOfPerson, password: newPasswordField }

/** Accepts an invitation for a new user. A user who has signed in already accepts it with a button. */
export const join = ownForm('public', {
  path: '/join/{token}',
  load: (services, request) => open(services, request, 'invitation'),
  fields: () => joinFields,
  faultsOf: findPasswordFault,
  view: (link, request, state) => {
    const { texts } = request.voice
    const title = texts.people.joinTitle(link.account.name)
    const about = texts.people.joinAbout(texts.people.roles[link.part.role], link.email)
    const form = (
      <Form state={state} texts={texts} action={paths.join(link.token)} submit={texts.people.joinSubmit}>
        <UsernameField email={link.email} />
        <FieldRows state={state} texts={texts} />
      </Form>
    )
    return framed(
      title,
      <>
        <Head title={<bdi>{title}</bdi>} about={<bdi>{about}</bdi>} />
        <div class="card stack">{link.has_user ? <AcceptAs link={link} request={request} /> : form}</div>
      </>,
    )
  },
  submit: async (services, context, request, { values, loaded: { token, email, account, has_user } }) => {
    // A user who has this e-mail must sign in. So each link is worth one hashed password, and is used up by it.
    if (has_user) throw refusal('sign_in_first')
    const { name: person, password } = values
    const passwordHash = await hashPassword(password, { email, name: person }, ofLink(token))
    const newcomer = { name: person, passwordHash, language: request.voice.format.language }
    const { user } = await services.db.write(account.id, tx => linkUses.accept(tx, token, newcomer, request))
    await begin(services, context, request, user.id)
    return { to: { path: paths.events(account.id), flash: flash('joined', { name: account.name }) } }
  },
})

function AcceptAs({ link, request }: { link: { token: string; email: string }; request: PageRequest }) {
  const { people } = request.voice.texts
  if (!('user' in request)) {
    return (
      <>
        <p>{people.signInToJoin}</p>
        <ButtonLink href={`${paths.signIn}?to=${encodeURIComponent(paths.join(link.token))}`} main>
          {request.voice.texts.signIn.submit}
        </ButtonLink>
      </>
    )
  }
  const { email } = request.user as UserRequest['user']
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
  post: async (services, context, request: UserRequest) => {
    const { account, token } = await open(services, request, 'invitation')
    await services.db.write(account.id, tx => linkUses.acceptAs(tx, token, request.user.id, request))
    goTo(services, context, {
      path: paths.events(account.id),
      flash: flash('joined', { name: account.name }),
    })
  },
}

export const reset = ownForm('public', {
  path: '/reset/{token}',
  load: (services, request) => open(services, request, 'reset'),
  fields: () => ({ password: newPasswordField }),
  parts: ({ user: { email } }, { voice }) => {
    const { resetTitle, resetAbout, resetSubmit } = voice.texts.people
    return {
      ...{ title: resetTitle, about: <bdi>{resetAbout(email)}</bdi>, submit: resetSubmit, isOnCard: true },
      above: <UsernameField email={email} />,
    }
  },
  submit: async (services, context, request, { values, loaded: { token, user } }) => {
    const passwordHash = await hashPassword(values.password, user, ofLink(token))
    await services.db.write(INSTANCE, tx => linkUses.reset(tx, token, passwordHash, request))
    services.signIn.clearTries(user.email)
    await rememberDevice(services, context, request, user.id, 'link')
    return { to: { path: paths.signIn, flash: flash('passwordChosen', {}) } }
  },
})

/** Lets people into a sandbox with a button, because opening the link must use nothing up. */
export const signInLink: PageAt<'public'> = {
  ...showPage('public', {
    path: '/sign-in/{token}',
    prepare: (services, request) => open(services, request, 'sign-in'),
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
  post: async (services, context, request) => {
    const token = request.params.token ?? ''
    const user = await services.db.write(INSTANCE, tx => linkUses.signIn(tx, token, request))
    await begin(services, context, request, user.id)
    goTo(services, context, { path: paths.home })
  },
}

function framed(title: string, body: ComponentChildren): View {
  return { title, body }
}
