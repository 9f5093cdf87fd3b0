import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink, Facts, Head } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { ErrorSummary } from '#machinery/web/forms/error-summary.tsx'
import { areaField, choiceField, type Field } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import * as events from '#product/catalog/events/rules.ts'
import { findNeighbours, type Neighbours } from '#product/programme/abstracts/of-event.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { type Abstract, type Decision, decisions, MAX_NOTE } from '#product/programme/abstracts/schemas.ts'
import { type DecisionPreview, previewDecision } from '#product/programme/decisions/mails.ts'
import { queueDecision } from '#product/programme/decisions/tell.ts'
import { refuseOwnDecision } from '#product/programme/reviews/own.ts'
import { type After, AfterCard, readAfterOf } from './abstract-after.tsx'
import { History } from './abstract-history.tsx'
import { About, TextCard } from './abstract-parts.tsx'
import { type Planned, ProposalCard, readPlanned } from './abstract-proposal.tsx'
import { addressOf, readAbstractQuery } from './abstract-query.ts'
import { type Read, readAbstract } from './abstract-read.ts'
import { type Reviewed, ReviewsCard, readReviewed } from './abstract-reviews.tsx'
import { AbstractState } from './abstract-status.tsx'
import { MailPreview, tellField } from './decision-mail.tsx'

const ofDecisions = choiceField(
  decisions,
  texts => decisions.map(value => ({ value, label: texts.abstracts.decide[value] })),
  { label: texts => texts.abstracts.decision },
  'radios',
)

/** Nothing is chosen while the abstract is undecided. */
const decisionField: Field<Abstract['status']> = {
  ...ofDecisions,
  print: status => (status === 'submitted' ? [] : [status]),
}

const fields = {
  decision: decisionField,
  note: areaField(MAX_NOTE, 4, {
    label: texts => texts.abstracts.note,
    help: texts => texts.abstracts.noteHelp,
  }),
  tell: tellField,
}

interface Loaded extends Read, Reviewed, Planned, After {
  /** Whether the box that notifies the contact is ticked at first. */
  isNotified: boolean
  /** What the mails would say. It is undefined if no mails go out. */
  previews: Record<'accepted' | 'rejected', DecisionPreview> | undefined
  neighbours: Neighbours
}

/** Shows an abstract to read and decide. */
export const abstractPage = formPage('event', {
  path: '/e/{event}/abstracts/{abstract}',
  permission: 'abstracts',
  load: async (tx, request, { mail }): Promise<Loaded> => {
    const { event, params, user } = request
    const read = await readAbstract(tx, event.id, params.abstract ?? '')
    const { abstract } = read
    const { wanted } = readAbstractQuery(request)
    const preview = (decision: 'accepted' | 'rejected') =>
      previewDecision(tx, abstract, decision, user.language)
    const { decision_mails: isNotified } = await events.getDetails(tx, event.id)
    return {
      ...{ ...read, isNotified, ...(await readReviewed(tx, request, abstract.id)) },
      ...(await readPlanned(tx, request, abstract.id)),
      ...(await readAfterOf(tx, abstract)),
      previews: mail.isSetUp
        ? { accepted: await preview('accepted'), rejected: await preview('rejected') }
        : undefined,
      neighbours: await findNeighbours(tx, wanted, abstract.id),
    }
  },
  fields: ({ previews }) => {
    const { tell: _, ...silent } = fields
    return previews === undefined ? (silent as typeof fields) : fields
  },
  current: ({ abstract, isNotified }) => ({
    ...{ decision: abstract.status, note: abstract.decision_note },
    tell: isNotified,
  }),
  view: (loaded, request, state) => ({
    title: loaded.abstract.title,
    body: <AbstractView {...loaded} request={request} state={state} />,
  }),
  prepare: async ({ decision }) => {
    if (decision === undefined)
      throw new Problem('invalid_parameter', { param: 'decision', details: { reason: 'decision_missing' } })
  },
  act: async (tx, { user, member }, { values, changes, loaded: { abstract } }) => {
    if (!Object.keys(changes).some(isOfDecision)) return { resource: abstract, isOwn: false }
    const isOwn = await refuseOwnDecision(tx, abstract, { email: user.email, role: member.role })
    const { decided_kind_id: kind_id } = abstract
    const decision = values.decision as Decision['decision']
    const decided = { decision, kind_id, note: values.note ?? undefined }
    const outcome = await abstracts.decide(tx, abstract.id, decided)
    if (values.tell) await queueDecision(tx, outcome, user.language)
    return { resource: outcome.resource, isOwn }
  },
  entry: ({ params }, changed) => ({
    hasChanged: () => changed().some(isOfDecision),
    action: 'abstract.decide',
    targetType: 'abstract',
    targetId: params.abstract,
    details: (_, decided) =>
      decided === undefined
        ? {}
        : { decision: decided.resource.status, ...(decided.isOwn ? { own: true } : {}) },
  }),
  next: ({ resource: { title, status } }, request) => ({
    path: addressOf(request),
    flash: flash('abstractDecided', { title, decision: status as Decision['decision'] }),
  }),
})

/** Whether the contact is notified changes nothing by itself. */
const isOfDecision = (name: string) => name !== 'tell'

function AbstractView(props: Loaded & { request: EventRequest; state: FormState }) {
  const { abstract, neighbours, request, ...read } = props
  const { event, voice } = request
  const { texts } = voice
  const list = withQuery(paths.abstracts(event.id), readAbstractQuery(request).query)
  const isWithdrawn = abstract.withdrawn_at !== null
  return (
    <>
      <Head
        title={<bdi>{abstract.title}</bdi>}
        crumbs={
          <>
            <a href={list}>{texts.abstracts.title}</a> · <bdi>{abstract.code}</bdi>
          </>
        }
        pill={<AbstractState status={abstract.status} isWithdrawn={isWithdrawn} texts={texts} />}
        actions={<Beside neighbours={neighbours} request={request} />}
      />
      <div class="two">
        <div class="stack">
          <TextCard {...read} abstract={abstract} request={request} />
          <About {...read} abstract={abstract} request={request} />
        </div>
        <div class="stack">
          <section class="card" aria-label={texts.abstracts.decision}>
            {isWithdrawn ? <Withdrawn {...props} /> : <Decide {...props} />}
          </section>
          {!isWithdrawn && !read.isOwn && <ProposalCard {...read} request={request} />}
          <AfterCard {...read} abstract={abstract} request={request} />
          <ReviewsCard {...read} request={request} />
          <History {...read} abstract={abstract} request={request} />
        </div>
      </div>
    </>
  )
}

type DecisionProps = Pick<Loaded, 'abstract' | 'previews'> & { request: EventRequest; state: FormState }

function Decide({ previews, request, state }: DecisionProps) {
  const { texts } = request.voice
  return (
    <Form state={state} texts={texts} action={addressOf(request)} submit={texts.abstracts.saveDecision}>
      <FieldRows state={state} texts={texts} />
      {previews !== undefined &&
        (['accepted', 'rejected'] as const).map(decision => (
          <MailPreview
            key={decision}
            preview={previews[decision]}
            summary={texts.abstracts.mailIf[decision]}
            texts={texts}
          />
        ))}
    </Form>
  )
}

/** Stands in place of the form. A decision that came too late is refused here. */
function Withdrawn({ abstract, request, state }: DecisionProps) {
  const { texts } = request.voice
  const { query } = readAbstractQuery(request)
  return (
    <div class="stack">
      <ErrorSummary state={state} texts={texts} />
      <p>{texts.abstracts.withdrawnAbout}</p>
      {abstract.decision_note !== null && (
        <Facts facts={[[texts.abstracts.note, <bdi key="n">{abstract.decision_note}</bdi>]]} />
      )}
      <div class="row">
        <ButtonLink href={withQuery(paths.reopenAbstract(request.event.id, abstract.id), query)}>
          {texts.abstracts.reopen}
        </ButtonLink>
      </div>
    </div>
  )
}

/** Links to the abstracts before and after this one in the list. */
function Beside({
  neighbours: { newer, older },
  request,
}: {
  neighbours: Neighbours
  request: EventRequest
}) {
  const { abstracts: texts } = request.voice.texts
  if (newer === undefined && older === undefined) return null
  return (
    <nav class="row" aria-label={texts.list}>
      {newer !== undefined && <ButtonLink href={addressOf(request, newer)}>{texts.newer}</ButtonLink>}
      {older !== undefined && <ButtonLink href={addressOf(request, older)}>{texts.older}</ButtonLink>}
    </nav>
  )
}
