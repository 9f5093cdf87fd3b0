import { INSTANCE } from '../../db/port.ts'
import { label } from '../../fields.ts'
import { Problem } from '../../problem.ts'
import * as sessions from '../../users/sessions.ts'
import type { SignedIn } from '../../users/sign-in.ts'
import { Head } from '../../web/components/parts.tsx'
import { emailField, hiddenField, textField } from '../../web/forms/field.ts'
import { type FormState, newForm } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import type { Asked, OfUser, Services } from '../asked.ts'
import type { Context } from '../context.ts'
import { goTo } from '../destination.ts'
import { NO_SCALE, ownForm } from '../own-form.ts'
import type { Page, PageAt, View } from '../page.ts'
import { DASHBOARD_PATH, paths } from '../paths.ts'
import { endSession, startSession } from '../session-cookie.ts'
import { answerView } from '../show.tsx'

/** Characters of a form that are carried through a sign-in. */
const MAX_CARRIED = 64 * 1024
const MAX_ADDRESS = 2000

/** Where a sign-in leads to, and what it carries there. */
const onward = { to: hiddenField(MAX_ADDRESS), carried: hiddenField(MAX_CARRIED) }

const signInFields = {
  email: emailField({ label: texts => texts.signIn.email }, 'username'),
  password: textField(label(1000), {
    label: texts => texts.signIn.password,
    control: { kind: 'input', type: 'password', autocomplete: 'current-password' },
    secret: true,
  }),
  ...onward,
}

const codeFields = {
  code: textField(label(50), {
    label: texts => texts.signIn.code,
    help: texts => texts.signIn.codeHelp,
    control: { kind: 'input', type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code' },
    secret: true,
  }),
  ticket: hiddenField(1000),
  ...onward,
}

const signInForm = ownForm('public', {
  path: '/sign-in',
  load: async ({ mail }) => mail.isSetUp,
  fields: () => signInFields,
  initial: (_, { query }) => ({ to: query.get('to') ?? '' }),
  view: (isMailed, asked, state) => signInView(asked, state, isMailed),
  submit: async (services, context, asked, { values }) => {
    const { email, password } = values
    const { address, browser, requestId } = asked
    const outcome = await services.signIn.attempt({ email, password, address, browser, requestId })
    if (outcome.kind === 'refused') throw new Problem('sign_in_refused')
    await goOn(services, context, asked, outcome, values)
    return undefined
  },
})

/** Whoever is signed in goes on. */
export const signIn: PageAt<'public'> = {
  ...signInForm,
  get: async (services, context, asked) => {
    const to = asked.query.get('to') ?? ''
    if (isSignedIn(asked)) return goTo(services, context, { path: isOwnAddress(to) ? to : paths.home })
    await signInForm.get?.(services, context, asked)
  },
}

export const secondStep = ownForm('public', {
  path: '/second-step',
  load: async () => undefined,
  fields: () => codeFields,
  view: (_, asked, state) => codeView(asked, state),
  submit: async (services, context, asked, { values }) => {
    const { ticket, code } = values
    const { address, browser, requestId } = asked
    const outcome = await services.signIn.continueWith({ ticket, code, address, browser, requestId })
    if (outcome.kind === 'refused' || outcome.kind === 'expired') throw new Problem('code_refused')
    await goOn(services, context, asked, outcome, values)
    return undefined
  },
})

/** Opens the way to whoever is in, or asks for the second factor. @throws Problem rate_limited */
async function goOn(
  services: Services,
  context: Context,
  asked: Asked,
  outcome: SignedIn | { kind: 'second-factor'; ticket: string } | { kind: 'too-many'; retryAfter: number },
  { to, carried }: { to: string; carried: string },
): Promise<void> {
  if (outcome.kind === 'too-many') {
    context.set('Retry-After', String(outcome.retryAfter))
    throw new Problem('rate_limited')
  }
  if (outcome.kind === 'second-factor') {
    const state = newForm(codeFields, NO_SCALE, { ticket: outcome.ticket, to, carried })
    return answerView(context, { level: 'public', path: '/second-step' }, asked, codeView(asked, state))
  }
  startSession(services, context, outcome)
  const path = isOwnAddress(to) ? to : paths.home
  if (carried === '') goTo(services, context, { path })
  else await asked.resume(context, outcome.token, { to: path, body: carried })
}

/** An address elsewhere would make this page send people to whoever has written the link to it. */
function isOwnAddress(to: string): boolean {
  return to === DASHBOARD_PATH || /^\/manage\/[\w./?&=%+-]*$/.test(to)
}

/**
 * Sends whoever is not signed in to do so, and back afterwards. A form that was sent is carried along: it is shown again as it
 * was typed, and never carried out by itself.
 */
export async function askToSignIn(
  services: Services,
  context: Context,
  asked: Asked,
  { get, restore }: Pick<Page, 'get' | 'restore'>,
): Promise<void> {
  const { path, query } = asked
  // The address of a button shows nothing.
  const to = get === undefined ? cameFrom(context) : query.size === 0 ? path : `${path}?${query}`
  if (context.method !== 'POST') return goTo(services, context, { path: withQuery(paths.signIn, { to }) })
  // What is not shown again, a password among it, is not carried either.
  const body = get === undefined || restore === undefined ? '' : context.state.body.toString()
  const carried = body.length <= MAX_CARRIED ? body : ''
  const state = newForm(signInFields, NO_SCALE, { to, carried })
  const problem = new Problem('signed_out')
  const view = signInView(asked, { ...state, problem }, services.mail.isSetUp)
  await answerView(context, { level: 'public', path: '/sign-in' }, asked, { ...view, status: 401 })
}

/** The page that a button stood on. */
function cameFrom(context: Context): string {
  const referer = context.get('Referer')
  if (!URL.canParse(referer)) return paths.home
  const { pathname, search } = new URL(referer)
  return isOwnAddress(pathname + search) ? pathname + search : paths.home
}

function signInView({ voice: { texts } }: Asked, state: FormState, isMailed: boolean): View {
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

function codeView({ voice: { texts } }: Asked, state: FormState): View {
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
  post: async (services, context, asked) => {
    endSession(services, context)
    if (isSignedIn(asked)) {
      const { user, sessionId } = asked
      await services.db.write(INSTANCE, tx => sessions.end(tx, user.id, sessionId))
    }
    goTo(services, context, { path: paths.signIn })
  },
}

function isSignedIn(asked: Asked): asked is OfUser {
  return 'user' in asked
}
