import type { VNode } from 'preact'
import { type Fault, makeFault } from '#base/faults.ts'
import type { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import {
  type AccountRequest,
  actorOf,
  type EventRequest,
  type Services,
  scaleOf,
} from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { placeProblem, problemOfForm } from '#faces/dashboard/frame/refused-form.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import type { WriteTx } from '#machinery/db/port.ts'
import { statusOf } from '#machinery/http/errors.ts'
import { Head } from '#machinery/web/components/parts.tsx'
import { type Flash, flash } from '#machinery/web/flash.ts'
import { fileField } from '#machinery/web/forms/field.ts'
import { type FormState, newForm } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { refusal } from '#product/catalog/events/picture-format.ts'
import { setLogoWithLater } from '#product/catalog/looks/later-looks.ts'
import { MAX_LOGO_BYTES, makeLogo } from '#product/catalog/looks/make-logo.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import type { NewLogo } from '#product/catalog/looks/schemas.ts'
import { flashOfSave, loadLater } from './later-dates.tsx'

const fields = {
  picture: fileField('image/png,image/jpeg,image/webp', {
    label: texts => texts.look.file,
    help: texts => texts.look.fileHelp,
  }),
}

type Request = AccountRequest | EventRequest

/** Whose logo a page is about, and what is written down of it. */
interface Target {
  owner: looks.Owner
  /** The page that shows the look. */
  settings: string
  upload: string
  entry: (what: 'logo' | 'logo_remove') => {
    action: string
    targetType: 'account' | 'event'
    targetId: string
  }
}

function targetOf(request: Request): Target {
  if ('event' in request) {
    const { id } = request.event
    return {
      ...{ owner: id, settings: paths.eventSettings(id, 'look'), upload: paths.eventLogo(id) },
      entry: what => ({ action: `event.${what}`, targetType: 'event', targetId: id }),
    }
  }
  const { id } = request.account
  return {
    ...{ owner: null, settings: paths.accountSettings(id, 'look'), upload: paths.accountLogo(id) },
    entry: what => ({ action: `account.${what}`, targetType: 'account', targetId: id }),
  }
}

/** What is added to the address of an upload that is for the later dates of the series too. */
const FOR_LATER = { save_for: 'later' } as const

const isForLater = (sent: URLSearchParams) => sent.get('save_for') === FOR_LATER.save_for

/** Sets or removes a logo. @returns the ids of the later dates for which it was done too */
async function setLogo(
  tx: WriteTx,
  request: Request,
  logo: NewLogo | null,
  sent: URLSearchParams,
): Promise<readonly string[]> {
  if ('event' in request && isForLater(sent)) {
    return setLogoWithLater(tx, request.event.id, logo, await loadLater(tx, request))
  }
  await looks.setLogo(tx, targetOf(request).owner, logo)
  return []
}

const alsoOf = (others: readonly string[]) => others

/** @returns the ids of the later dates that have the logo too */
async function receive(
  { db, uploads }: Services,
  context: Context,
  request: Request,
): Promise<readonly string[]> {
  const target = targetOf(request)
  const options = { sender: request.user.id, max: MAX_LOGO_BYTES }
  const bytes = await uploads.take(context.req, options, async ({ file }) => {
    if (file === undefined) throw refusal(makeFault('required') satisfies Fault)
    return file.read(0, file.size)
  })
  const logo = await makeLogo(bytes)
  await context.state.admitAgain()
  const write = (tx: WriteTx) => setLogo(tx, request, logo, request.query)
  return recordedWrite(db, actorOf(request), write, { ...target.entry('logo'), alsoOf })
}

/** Turns an upload that was refused for its size before it was read into the same fault of the field. */
function tooLarge(problem: Problem): Problem {
  return problem.code === 'payload_too_large'
    ? refusal(makeFault('pictureTooHeavy', { max: MAX_LOGO_BYTES }))
    : problem
}

async function view(
  { db }: Services,
  request: Request,
  state: FormState,
  status = 200,
): Promise<{ title: string; status: number; body: VNode }> {
  const { texts } = request.voice
  const later = 'event' in request ? await db.read(request.account.id, tx => loadLater(tx, request)) : []
  const { settings, upload } = targetOf(request)
  const { look } = texts
  return {
    title: look.logo,
    status,
    body: (
      <>
        <Head title={look.logo} crumbs={<a href={settings}>{look.title}</a>} about={look.logoAbout} />
        <div class="card">
          <Form
            {...{ state, texts, action: upload, submit: look.upload, leave: settings, isGuarded: false }}
            other={
              later.length === 0
                ? undefined
                : { action: withQuery(upload, FOR_LATER), text: look.uploadLater(later.length) }
            }
          />
        </div>
      </>
    ),
  }
}

const flashOfChange = (request: Request, others: readonly string[], alone: Flash): Flash =>
  'event' in request ? flashOfSave(request.event.title, others, alone) : alone

const OF_EVENT = { level: 'event', path: '/e/{event}/settings/look/logo' } as const
const OF_ACCOUNT = { level: 'account', path: '/a/{account}/settings/look/logo' } as const

/** Returns the state of a form whose file was refused. */
function refused(context: Context, request: Request, error: unknown): { state: FormState; status: number } {
  const problem = tooLarge(problemOfForm(error))
  context.state.problem = problem
  const state = { ...newForm(fields, scaleOf(request)), ...placeProblem(fields, problem) }
  return { state, status: statusOf(problem) }
}

/** Shows the form that takes a logo, and takes it. The bytes decide its format. */
function uploadAt(page: typeof OF_ACCOUNT | typeof OF_EVENT) {
  return {
    takesFile: true,
    get: async (services: Services, context: Context, request: Request) => {
      const state = newForm(fields, scaleOf(request))
      await answerView(context, page, request, await view(services, request, state))
    },
    post: async (services: Services, context: Context, request: Request) => {
      try {
        const others = await receive(services, context, request)
        goTo(services, context, {
          path: targetOf(request).settings,
          flash: flashOfChange(request, others, flash('logoSaved', {})),
        })
      } catch (error) {
        const { state, status } = refused(context, request, error)
        await answerView(context, page, request, await view(services, request, state, status))
      }
    },
  } as const
}

/** Takes the logo of an organization. */
export const uploadAccountLogo: PageAt<'account'> = {
  ...OF_ACCOUNT,
  permission: 'account',
  isOfAllEvents: true,
  ...uploadAt(OF_ACCOUNT),
}

/** Takes the logo of one event in the same way. */
export const uploadEventLogo: PageAt<'event'> = {
  ...OF_EVENT,
  permission: 'events.edit',
  ...uploadAt(OF_EVENT),
}

const removal = {
  act: (tx: WriteTx, request: Request, body: URLSearchParams) => setLogo(tx, request, null, body),
  entry: (request: Request) => ({ ...targetOf(request).entry('logo_remove'), alsoOf }),
  next: (others: readonly string[], request: Request) => ({
    path: targetOf(request).settings,
    flash: flashOfChange(request, others, flash('logoRemoved', {})),
  }),
  back: (request: Request) => targetOf(request).settings,
}

export const removeAccountLogo = button('account', {
  path: '/a/{account}/settings/look/logo/remove',
  permission: 'account',
  isOfAllEvents: true,
  ...removal,
})

export const removeEventLogo = button('event', {
  path: '/e/{event}/settings/look/logo/remove',
  permission: 'events.edit',
  ...removal,
})
