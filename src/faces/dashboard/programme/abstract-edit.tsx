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
import type { WriteTx } from '#machinery/db/port.ts'
import { statusOf } from '#machinery/http/errors.ts'
import { Banner, Head } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { withQuery } from '#machinery/web/link.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { getOfEvent } from '#product/programme/abstracts/of-event.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { edit } from '#product/programme/submissions/edit.ts'
import { makeFormulas } from '#product/programme/submissions/formulas.ts'
import { changeRows, readChange } from '#product/programme/submissions/rows.ts'
import { findByAbstract } from '#product/programme/submissions/rules.ts'
import type { Draft } from '#product/programme/submissions/schemas.ts'
import { readSent, type SentAbstract } from '#product/programme/submissions/send.ts'
import {
  checkDraft,
  draftOf,
  type FormOf,
  findOthers,
  readDraft,
  refuseDraft,
  showDraft,
} from '#product/programme/submissions/sent-form.ts'
import { REVISION, SubmissionForm } from '#product/programme/submissions/submission-form.tsx'
import { addressOf, readAbstractQuery } from './abstract-query.ts'
import { formForChairs, speakToChairs } from './speak-to-chairs.ts'

const EDIT = { level: 'event', path: '/e/{event}/abstracts/{abstract}/edit' } as const

interface Loaded {
  abstract: SentAbstract
  content: Content
  call: Call
  /** Whether its author has typed what is not sent. */
  isDrafted: boolean
}

/** Changes an abstract in place of its author, by the form that authors have. */
export const editAbstract: PageAt<'event'> = {
  ...EDIT,
  permission: 'abstracts',
  get: async (services, context, request) => {
    const loaded = await load(services, request)
    const draft = draftOf(loaded.content, loaded.call)
    await show(context, request, loaded, { draft, state: showDraft(draft, formOf(loaded, request)) })
  },
  restore: async (services, context, request, body) => {
    const loaded = await load(services, request)
    const sent = readDraft(body, formOf(loaded, request))
    await show(context, request, loaded, { draft: sent.draft, state: refuseDraft(sent, {}) })
  },
  post: take,
}

/** @throws Problem not_found, also for an abstract that a file has brought */
function load({ db }: Services, { account, event, params }: EventRequest): Promise<Loaded> {
  return db.read(account.id, async tx => {
    const { id } = await getOfEvent(tx, event.id, params.abstract ?? '')
    const of = await findByAbstract(tx, id)
    if (of === undefined) throw new Problem('not_found')
    const isDrafted = of.submission.draft !== null
    return { ...(await readSent(tx, of.submission)), call: await calls.get(tx, event.id), isDrafted }
  })
}

async function take(services: Services, context: Context, request: EventRequest): Promise<void> {
  const { body } = context.state
  const loaded = await load(services, request)
  const { call, content: was } = loaded
  const of = formOf(loaded, request)
  const sent = readDraft(body, of)
  const again = (state: FormState, status: number, draft = sent.draft, now = loaded) =>
    show(context, request, now, { state, draft }, status)
  const change = readChange(body)
  if (change !== undefined) {
    const changed = changeRows(sent.draft, change)
    return again(showDraft(changed, of), 200, changed)
  }
  if (body.get(REVISION) !== String(loaded.abstract.revision)) {
    const theirs = findOthers(sent, draftOf(was, call))
    if (theirs.size > 0) return again(refuseDraft(sent, { theirs }), 409)
  }
  const checked = checkDraft(sent.draft, of, was)
  if ('faults' in checked) return again(refuseDraft(sent, checked), 422)
  try {
    const edited = await editRecorded(services, request, loaded, checked.content)
    goTo(services, context, {
      path: addressOf(request),
      flash: edited && flash('abstractEdited', { title: edited.title }),
    })
  } catch (error) {
    const problem = problemOfForm(error)
    context.state.problem = problem
    await again(refuseDraft(sent, { problem }), statusOf(problem), sent.draft, await load(services, request))
  }
}

async function editRecorded(
  { db }: Services,
  request: EventRequest,
  { abstract: { id, revision } }: Loaded,
  content: Content,
): Promise<SentAbstract | undefined> {
  const actor = actorOf(request)
  const formulas = await makeFormulas(content.sections)
  const work = async (tx: WriteTx) => {
    await refuseDeleted(tx, request)
    return edit(tx, id, { content, formulas, revision, by: actor.who })
  }
  return recordedWrite(db, actor, work, {
    action: 'abstract.edit',
    targetType: 'abstract',
    targetId: id,
    details: (_, edited) => (edited === undefined ? {} : { version: edited.revision }),
    hasChanged: edited => edited !== undefined,
  })
}

function formOf({ call }: Loaded, { voice }: EventRequest): FormOf {
  return formForChairs(call, false, voice)
}

async function show(
  context: Context,
  request: EventRequest,
  { abstract, call, isDrafted }: Loaded,
  { state, draft }: { state: FormState; draft: Draft },
  status = 200,
): Promise<void> {
  const { event, voice } = request
  const { abstracts: texts, page } = voice.texts
  const title = texts.editTitle(abstract.code)
  const leave = addressOf(request)
  const body = (
    <>
      <Head
        title={title}
        about={texts.editAbout}
        crumbs={
          <a href={leave}>
            <bdi>{abstract.title}</bdi>
          </a>
        }
      />
      <div class="stack">
        {isDrafted && (
          <Banner tone="warn">
            <p>{texts.editDrafted}</p>
          </Banner>
        )}
        {abstract.withdrawn_at === null ? (
          <div class="card">
            <SubmissionForm
              {...{ state, call, leave }}
              counts={draft}
              isNew={false}
              revision={abstract.revision}
              voice={speakToChairs(voice, texts.editForm)}
              action={withQuery(paths.editAbstract(event.id, abstract.id), readAbstractQuery(request).query)}
              leaveText={page.leave}
            />
          </div>
        ) : (
          <p class="card">{texts.withdrawnAbout}</p>
        )}
      </div>
    </>
  )
  await answerView(context, EDIT, request, { title, body, status })
}
