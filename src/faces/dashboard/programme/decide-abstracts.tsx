import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink, Empty, Head } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { areaField } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { record } from '#product/administration/access-log/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type BriefAbstract, getBriefly } from '#product/programme/abstracts/of-event.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { type Decision, decisions, MAX_NOTE } from '#product/programme/abstracts/schemas.ts'
import { abstractStatuses } from '#product/programme/abstracts/states.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { type DecisionPreview, previewDecision } from '#product/programme/decisions/mails.ts'
import { queueDecision } from '#product/programme/decisions/tell.ts'
import { refuseOwnDecision } from '#product/programme/reviews/own.ts'
import { readAbstractQuery } from './abstract-query.ts'
import { NamedAbstracts } from './abstract-status.tsx'
import { PER_PAGE } from './abstracts.tsx'
import { MailPreview, tellField } from './decision-mail.tsx'

interface Loaded {
  decision: Decision['decision']
  rows: readonly BriefAbstract[]
  /** Whether the box that notifies the contacts is ticked at first. */
  isNotified: boolean
}

const fields = {
  note: areaField(MAX_NOTE, 4, {
    label: texts => texts.abstracts.manyNote,
    help: texts => texts.abstracts.noteHelp,
  }),
  tell: tellField,
}

type Preview = { preview: DecisionPreview | undefined }

/** Returns the abstracts that are not in the chosen state already. */
function toDecide({ decision, rows }: Loaded): BriefAbstract[] {
  return rows.filter(({ status }) => status !== decision)
}

/** Asks whether to decide the abstracts that were ticked in the list. The address names them. */
export const decideAbstracts = formPage('event', {
  path: '/e/{event}/abstracts/decide',
  permission: 'abstracts',
  load: async (tx, { event, query, user }, { mail }): Promise<Loaded & Preview> => {
    const decision = decisions.find(each => each === query.get('decision'))
    const ids = new Set(query.getAll('id'))
    if (ids.size > PER_PAGE) throw new Problem('not_found')
    const { decision_mails: isNotified } = await events.getDetails(tx, event.id)
    if (decision === undefined) return { decision: 'in_review', rows: [], isNotified, preview: undefined }
    const rows: BriefAbstract[] = []
    for (const id of ids) {
      const row = await getBriefly(tx, event.id, id)
      // Authors may withdraw one while the page is open. Its answer then shows what is left.
      if (!row.isWithdrawn) rows.push(row)
    }
    const [first] = toDecide({ decision, rows, isNotified })
    if (!mail.isSetUp || decision === 'in_review' || first === undefined)
      return { decision, rows, isNotified, preview: undefined }
    const abstract = await getSubmitted(tx, first.id)
    const preview = await previewDecision(tx, abstract, decision, user.language)
    return { decision, rows, isNotified, preview }
  },
  fields: ({ preview }) => {
    const { tell: _, ...silent } = fields
    return preview === undefined ? (silent as typeof fields) : fields
  },
  initial: ({ isNotified }) => ({ tell: isNotified }),
  preview: ({ rows }) => rows.map(({ id, status }) => `${id} ${status}`).join(),
  view: (loaded, request, state) => {
    const { abstracts: texts } = request.voice.texts
    const count = toDecide(loaded).length
    const title =
      loaded.rows.length === 0
        ? texts.manyNoneTicked
        : count === 0
          ? texts.manyNothing
          : texts.manyTitle[loaded.decision](count)
    return { title, body: <Confirm {...loaded} title={title} request={request} state={state} /> }
  },
  act: async (tx, request, { values, loaded }) => {
    const { user, member } = request
    const { decision } = loaded
    const { accountId: _, ...by } = actorOf(request)
    const decided = toDecide(loaded)
    for (const { id } of decided) {
      const note = values.note ?? undefined
      const isOwn = await refuseOwnDecision(
        tx,
        { id, event_id: request.event.id },
        { ...user, role: member.role },
      )
      const outcome = await abstracts.decide(tx, id, { decision, note })
      if (values.tell) await queueDecision(tx, outcome, user.language)
      const details = { decision, ...(isOwn ? { own: true } : {}) }
      const entry = { action: 'abstract.decide', targetType: 'abstract', targetId: id, details }
      await record(tx, { ...by, ...entry })
    }
    return { decision, count: decided.length }
  },
  // Each abstract has its own entry.
  entry: () => ({ action: 'abstract.decide', targetType: 'abstract', hasChanged: () => false }),
  next: ({ decision, count }, request) => ({
    path: listOf(request),
    flash: flash('abstractsDecided', { decision, count }),
  }),
})

/** Returns the address of the list that the page was opened from. */
function listOf(request: EventRequest): string {
  return withQuery(paths.abstracts(request.event.id), readAbstractQuery(request).query)
}

function Confirm({
  title,
  request,
  state,
  ...loaded
}: Loaded & Preview & { title: string; request: EventRequest; state: FormState }) {
  const { event, voice } = request
  const { texts } = voice
  const { rows, decision, preview } = loaded
  const count = toDecide(loaded).length
  const back = listOf(request)
  if (count === 0) {
    const { manyNoneTickedAbout, manyNothingAbout, toList } = texts.abstracts
    return (
      <>
        <Head title={texts.abstracts.title} />
        <Empty icon="paper" title={title} action={<ButtonLink href={back}>{toList}</ButtonLink>}>
          {rows.length === 0 ? manyNoneTickedAbout : manyNothingAbout}
        </Empty>
      </>
    )
  }
  return (
    <>
      <Head title={title} crumbs={<a href={back}>{texts.abstracts.title}</a>} />
      <div class="card">
        <Form
          state={state}
          texts={texts}
          action={`${paths.decideAbstracts(event.id)}?${request.query}`}
          submit={texts.abstracts.manySubmit[decision](count)}
          leave={back}
        >
          <Will {...loaded} request={request} />
          <FieldRows state={state} texts={texts} />
          {preview !== undefined && (
            <>
              <p class="help">{texts.abstracts.manyMailed(count)}</p>
              <MailPreview preview={preview} summary={texts.abstracts.manyMail} texts={texts} />
            </>
          )}
        </Form>
      </div>
    </>
  )
}

/** Says what will happen, and to which abstracts. */
function Will({ rows, decision, request }: Loaded & { request: EventRequest }) {
  const { texts } = request.voice
  const { manyFrom, manyStay, manyNotified, manyWhich } = texts.abstracts
  const counts = abstractStatuses
    .map(status => ({ status, count: rows.filter(row => row.status === status).length }))
    .filter(({ count }) => count > 0)
  return (
    <>
      <ul class="will">
        {counts.map(({ status, count }) => (
          <li key={status}>{status === decision ? manyStay(count) : manyFrom[status](count)}</li>
        ))}
        <li>{manyNotified}</li>
      </ul>
      <NamedAbstracts rows={rows} summary={manyWhich} texts={texts} />
    </>
  )
}
