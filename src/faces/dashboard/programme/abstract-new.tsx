import { randomUUID } from 'node:crypto'
import { Problem } from '#base/problem.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import {
  actorOf,
  type EventRequest,
  refuseDeleted,
  type Services,
} from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { problemOfForm } from '#faces/dashboard/frame/refused-form.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import { statusOf } from '#machinery/http/errors.ts'
import { Empty, Head } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { tickField } from '#machinery/web/forms/field.ts'
import { type FormState, readForm } from '#machinery/web/forms/form.ts'
import { FieldRows } from '#machinery/web/forms/form-view.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { add, type NewAbstract } from '#product/programme/submissions/add.ts'
import { makeFormulas } from '#product/programme/submissions/formulas.ts'
import { changeRows, readChange } from '#product/programme/submissions/rows.ts'
import type { Draft } from '#product/programme/submissions/schemas.ts'
import {
  checkWhole,
  emptyDraft,
  type FormOf,
  readDraft,
  refuseDraft,
  showDraft,
} from '#product/programme/submissions/sent-form.ts'
import { SubmissionForm } from '#product/programme/submissions/submission-form.tsx'
import { ToCall } from './call-card.tsx'
import { formForChairs, speakToChairs } from './speak-to-chairs.ts'

const NEW = { level: 'event', path: '/e/{event}/abstracts/new' } as const

const TELL = 'tell'
const tell = tickField({
  label: texts => texts.abstractAdding.tell,
  help: texts => texts.abstractAdding.tellHelp,
})

/** What is shown of a form: the form itself, and the rows that it has. */
interface Shown {
  state: FormState
  draft: Draft
  /** Whether the person is told by mail. */
  isMailed: boolean
}

/** Adds an abstract in the name of somebody, by the form that authors have. */
export const newAbstract: PageAt<'event'> = {
  ...NEW,
  permission: 'abstracts',
  get: async (services, context, request) => {
    const call = await readCall(services, request)
    const draft = emptyDraft(request.voice.format.language)
    const state = call && showDraft(draft, formOf(call, request), randomUUID())
    await show(services, context, request, call, state && { state, draft, isMailed: services.mail.isSetUp })
  },
  restore: async (services, context, request, body) => {
    const call = await readCall(services, request)
    const sent = call && readDraft(body, formOf(call, request))
    const shown = sent && { state: refuseDraft(sent, {}), draft: sent.draft, isMailed: isMailed(body) }
    await show(services, context, request, call, shown)
  },
  post: take,
}

async function take(services: Services, context: Context, request: EventRequest): Promise<void> {
  const { body } = context.state
  const call = await readCall(services, request)
  if (call === undefined) throw new Problem('not_found')
  const of = formOf(call, request)
  const sent = readDraft(body, of)
  const again = (state: FormState, status: number, draft = sent.draft) =>
    show(services, context, request, call, { state, draft, isMailed: isMailed(body) }, status)
  const change = readChange(body)
  if (change !== undefined) {
    const changed = changeRows(sent.draft, change)
    return again(showDraft(changed, of, sent.form.formId), 200, changed)
  }
  const checked = checkWhole(sent.draft, of)
  if ('faults' in checked) return again(refuseDraft(sent, checked), 422)
  const { language } = request.user
  const formId = sent.form.formId ?? randomUUID()
  try {
    const formulas = await makeFormulas(checked.content.sections)
    const added = { ...checked, formulas, formId, language, isMailed: isMailed(body) }
    const { title, code, id } = await addRecorded(services, request, added)
    goTo(services, context, {
      path: paths.abstract(request.event.id, id),
      flash: flash('abstractAdded', { title, code }),
    })
  } catch (error) {
    const problem = problemOfForm(error)
    context.state.problem = problem
    await again(refuseDraft(sent, { problem }), statusOf(problem))
  }
}

async function addRecorded({ db, mail }: Services, request: EventRequest, input: NewAbstract) {
  const isTold = input.isMailed && mail.isSetUp
  const { abstract } = await recordedWrite(
    db,
    actorOf(request),
    async tx => {
      await refuseDeleted(tx, request)
      return add(tx, request.event.id, { ...input, isMailed: isTold })
    },
    {
      action: 'abstract.add',
      targetType: 'abstract',
      targetOf: added => added.abstract.id,
      details: () => ({ event_id: request.event.id }),
      hasChanged: ({ isNew }) => isNew,
    },
  )
  return abstract
}

function readCall({ db }: Services, { account, event }: EventRequest): Promise<Call | undefined> {
  return db.read(account.id, tx => calls.find(tx, event.id))
}

function formOf(call: Call, { voice }: EventRequest): FormOf {
  return formForChairs(call, true, voice)
}

function isMailed(body: URLSearchParams): boolean {
  return (readForm({ [TELL]: tell }, body).typed[TELL] ?? []).length > 0
}

async function show(
  { mail }: Services,
  context: Context,
  request: EventRequest,
  call: Call | undefined,
  shown: Shown | undefined,
  status = 200,
): Promise<void> {
  const { event, voice } = request
  const { abstracts, abstractAdding: texts } = voice.texts
  const list = paths.abstracts(event.id)
  const body = (
    <>
      <Head title={texts.title} about={texts.about} crumbs={<a href={list}>{abstracts.title}</a>} />
      {call === undefined || shown === undefined ? (
        <Empty
          icon="paper"
          title={texts.noCall}
          action={<ToCall request={request}>{voice.texts.callSettings.setUp}</ToCall>}
        >
          {texts.noCallAbout}
        </Empty>
      ) : (
        <div class="card">
          <SubmissionForm
            state={shown.state}
            call={call}
            counts={shown.draft}
            isNew
            revision={0}
            voice={speakToChairs(voice, texts.form)}
            action={paths.newAbstract(event.id)}
            leave={list}
            leaveText={voice.texts.page.leave}
            after={mail.isSetUp && <Tell {...shown} voice={voice} />}
          />
        </div>
      )}
    </>
  )
  await answerView(context, NEW, request, { title: texts.title, body, status })
}

function Tell({ state, isMailed, voice }: Shown & { voice: Voice }) {
  const fields = { ...state.fields, [TELL]: tell }
  const typed = { ...state.typed, [TELL]: tell.print(isMailed, state.scale) }
  return <FieldRows state={{ ...state, fields, typed }} texts={voice.texts} names={[TELL]} />
}
