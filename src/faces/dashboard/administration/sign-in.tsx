import { label } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import { keepDevice } from '#faces/dashboard/frame/device-cookie.ts'
import { NO_SCALE, ownForm } from '#faces/dashboard/frame/own-form.ts'
import type { Page, PageAt, View } from '#faces/dashboard/frame/page.ts'
import type { PageRequest, Services, UserRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { endSession, startSession } from '#faces/dashboard/frame/session-cookie.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import { isOwnAddress } from '#faces/dashboard/frame/way-back.ts'
import { INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'
import { Icon } from '#machinery/web/components/icon.tsx'
import { Head } from '#machinery/web/components/parts.tsx'
import { emailField, hiddenField, textField } from '#machinery/web/forms/field.ts'
import { type FormState, newForm } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import type { SignedIn } from '#product/administration/users/sign-in.ts'

/** The most characters of a form that a sign-in carries. */
const MAX_CARRIED = 64 * 1024
const MAX_ADDRESS = 2000

/** Where a sign-in leads, and what it carries there. */
const onward = { to: hiddenField(MAX_ADDRESS), carried: hiddenField(MAX_CARRIED) }

const signInFields = {
  email: { ...emailField({ label: texts => texts.signIn.email }, 'username'), isFirst: true } as const,
  password: textField(label(1000), {
    label: texts => texts.signIn.password,
    control: { kind: 'input', type: 'password', autocomplete: 'current-password' },
    secret: true,
  }),
  ...onward,
}

const codeFields = {
  code: {
    ...textField(label(50), {
      label: texts => texts.signIn.code,
      help: texts => texts.signIn.codeHelp,
      control: { kind: 'input', type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code' },
      secret: true,
    }),
    isFirst: true,
  } as const,
  ticket: hiddenField(1000),
  ...onward,
}

const signInForm = ownForm('public', {
  path: '/sign-in',
  load: async ({ mail }) => mail.isSetUp,
  fields: () => signInFields,
  initial: (_, { query }) => ({ to: query.get('to') ?? '' }),
  view: (isMailed, request, state) => signInView(request, state, isMailed),
  submit: async (services, context, request, { values }) => {
    const { email, password } = values
    const { address, browser, requestId, device } = request
    const visit = { address, browser, requestId, device }
    const outcome = await services.signIn.attempt({ email, password, ...visit })
    if (outcome.kind === 'refused') throw new Problem('sign_in_refused')
    await goOn(services, context, request, outcome, values)
    return undefined
  },
})

/** Leads users who are signed in already onward. While there are no users, it says how somebody becomes the first one. */
export const signIn: PageAt<'public'> = {
  ...signInForm,
  get: async (services, context, request) => {
    const to = request.query.get('to') ?? ''
    if (isSignedIn(request)) return goTo(services, context, { path: isOwnAddress(to) ? to : paths.home })
    const missing = await services.db.read(INSTANCE, findMissing)
    if (missing === undefined) return signInForm.get?.(services, context, request)
    await answerView(
      context,
      { level: 'public', path: '/sign-in' },
      request,
      firstStartView(request, missing),
    )
  },
}

/** Returns what is missing before anybody can sign in: a user, or an account too. */
async function findMissing(tx: InstanceReadTx): Promise<'user' | 'account' | undefined> {
  if (!(await users.isWithoutUsers(tx))) return undefined
  return (await accounts.list(tx)).length === 0 ? 'account' : 'user'
}

function firstStartView({ voice: { texts } }: PageRequest, missing: 'user' | 'account'): View {
  const { nothingYet, nothingYetAbout, nobodyYet, nobodyYetAbout } = texts.signIn
  const [title, about] = missing === 'account' ? [nothingYet, nothingYetAbout] : [nobodyYet, nobodyYetAbout]
  return {
    title,
    body: (
      <div class="card empty">
        <Icon name="key" />
        <h1>{title}</h1>
        <p class="quiet">{about}</p>
      </div>
    ),
  }
}

export const secondStep = ownForm('public', {
  path: '/second-step',
  load: async () => undefined,
  fields: () => codeFields,
  view: (_, request, state) => codeView(request, state),
  submit: async (services, context, request, { values }) => {
    const { ticket, code } = values
    const { address, browser, requestId, device } = request
    const visit = { address, browser, requestId, device }
    const outcome = await services.signIn.continueWith({ ticket, code, ...visit })
    if (outcome.kind === 'refused' || outcome.kind === 'expired') throw new Problem('code_refused')
    await goOn(services, context, request, outcome, values)
    return undefined
  },
})

/** Starts the session of a user who is let in, or asks for the second factor. @throws Problem rate_limited */
async function goOn(
  services: Services,
  context: Context,
  request: PageRequest,
  outcome: SignedIn | { kind: 'second-factor'; ticket: string } | { kind: 'too-many'; retryAfter: number },
  { to, carried }: { to: string; carried: string },
): Promise<void> {
  if (outcome.kind === 'too-many') {
    context.set('Retry-After', String(outcome.retryAfter))
    throw new Problem('rate_limited')
  }
  if (outcome.kind === 'second-factor') {
    const state = newForm(codeFields, NO_SCALE, { ticket: outcome.ticket, to, carried })
    return answerView(context, { level: 'public', path: '/second-step' }, request, codeView(request, state))
  }
  startSession(services, context, outcome)
  keepDevice(services, context, outcome.device)
  const path = isOwnAddress(to) ? to : paths.home
  if (carried === '') goTo(services, context, { path })
  else await request.resume(context, outcome.token, { to: path, body: carried })
}

/**
 * Sends users who are not signed in to the sign-in, and back afterwards. The sign-in carries a form that was sent along. The form
 * is shown again as it was typed, and never carried out by itself.
 */
export async function askToSignIn(
  services: Services,
  context: Context,
  request: PageRequest,
  { get, restore }: Pick<Page, 'get' | 'restore'>,
): Promise<void> {
  const { path, query } = request
  // The address of a button shows no page, so the sign-in leads back to the page that the button stood on.
  const to = get === undefined ? cameFrom(context) : query.size === 0 ? path : `${path}?${query}`
  if (context.method !== 'POST') return goTo(services, context, { path: withQuery(paths.signIn, { to }) })
  // A form that is not shown again, such as one with a password, is not carried.
  const carried = get === undefined || restore === undefined ? '' : writtenAgain(context.state.body)
  const state = newForm(signInFields, NO_SCALE, { to, carried })
  const problem = new Problem('signed_out', { details: { is_kept: carried !== '' } })
  const view = signInView(request, { ...state, problem }, services.mail.isSetUp)
  await answerView(context, { level: 'public', path: '/sign-in' }, request, { ...view, status: 401 })
}

/**
 * Returns a body as it was typed, or nothing if it is too long. It checks the length first, because writing a mebibyte takes a
 * tenth of a second.
 */
function writtenAgain(body: URLSearchParams): string {
  let length = 0
  for (const [name, value] of body) length += name.length + value.length + 2
  const text = length <= MAX_CARRIED ? body.toString() : ''
  return text.length <= MAX_CARRIED ? text : ''
}

/** Returns the page that a button stood on. */
function cameFrom(context: Context): string {
  const referer = context.get('Referer')
  if (!URL.canParse(referer)) return paths.home
  const { pathname, search } = new URL(referer)
  return isOwnAddress(pathname + search) ? pathname + search : paths.home
}

function signInView({ voice: { texts } }: PageRequest, state: FormState, isMailed: boolean): View {
  const { title, submit, forgotten, forgottenLink } = texts.signIn
  return {
    title,
    body: (
      <div class="stack">
        <Head title={title} />
        <div class="card">
          <Form state={state} texts={texts} action={paths.signIn} submit={submit} isGuarded={false} />
        </div>
        <p class="help">{isMailed ? <a href={paths.forgotten}>{forgottenLink}</a> : forgotten}</p>
      </div>
    ),
  }
}

function codeView({ voice: { texts } }: PageRequest, state: FormState): View {
  const { codeTitle, submit } = texts.signIn
  return {
    title: codeTitle,
    body: (
      <>
        <Head title={codeTitle} />
        <div class="card">
          <Form state={state} texts={texts} action={paths.secondStep} submit={submit} isGuarded={false} />
        </div>
      </>
    ),
  }
}

export const signOut: PageAt<'public'> = {
  path: '/sign-out',
  level: 'public',
  post: async (services, context, request) => {
    endSession(services, context)
    if (isSignedIn(request)) {
      const { user, sessionId } = request
      await services.db.write(INSTANCE, tx => sessions.end(tx, user.id, sessionId))
    }
    goTo(services, context, { path: paths.signIn })
  },
}

function isSignedIn(request: PageRequest): request is UserRequest {
  return 'user' in request
}
