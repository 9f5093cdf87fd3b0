import { Problem } from '#base/problem.ts'
import { type ActorNames, describeActor, readActorNames } from '#faces/dashboard/frame/actors.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink, Facts, Head, Mail, Time } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { areaField, choiceField, type Field } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { AccessLogEntry } from '#product/administration/access-log/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type DecisionPreview, previewDecision, queueDecision } from '#product/programme/abstracts/mails.ts'
import { findNeighbours, getOfEvent, type Neighbours } from '#product/programme/abstracts/of-event.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { type Abstract, type Decision, decisions, MAX_NOTE } from '#product/programme/abstracts/schemas.ts'
import { readAbstractQuery } from './abstract-query.ts'
import { AbstractStatus, decisionTones } from './abstract-status.tsx'
import { MailPreview, tellField } from './decision-mail.tsx'

/** The page shows this many entries of the access log about its abstract. */
const MOST_ENTRIES = 50

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

interface Loaded {
  abstract: Abstract
  /** Whether the box that notifies the contact is ticked at first. */
  isNotified: boolean
  /** What the mails would say. It is undefined if no mails go out. */
  previews: Record<'accepted' | 'rejected', DecisionPreview> | undefined
  neighbours: Neighbours
  /** The entries about decisions, newest first. */
  entries: readonly AccessLogEntry[]
  names: ActorNames
}

/** Shows an abstract to read and decide. */
export const abstractPage = formPage('event', {
  path: '/e/{event}/abstracts/{abstract}',
  permission: 'abstracts',
  load: async (tx, request, { mail }): Promise<Loaded> => {
    const { event, params, user } = request
    const abstract = await getOfEvent(tx, event.id, params.abstract ?? '')
    const { wanted } = readAbstractQuery(request)
    const entries = await accessLog.listAbout(tx, [abstract.id], MOST_ENTRIES)
    const preview = (decision: 'accepted' | 'rejected') =>
      previewDecision(tx, abstract, decision, user.language)
    const { decision_mails: isNotified } = await events.getDetails(tx, event.id)
    return {
      ...{ abstract, isNotified },
      previews: mail.isSetUp
        ? { accepted: await preview('accepted'), rejected: await preview('rejected') }
        : undefined,
      neighbours: await findNeighbours(tx, wanted, abstract.id),
      entries: entries.filter(
        ({ action, details }) => action === 'abstract.decide' && details.code === undefined,
      ),
      names: await readActorNames(tx),
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
  act: async (tx, { user }, { values, changes, loaded: { abstract } }) => {
    if (!Object.keys(changes).some(isOfDecision)) return abstract
    const decided = { decision: values.decision as Decision['decision'], note: values.note ?? undefined }
    const { resource } = await abstracts.decide(tx, abstract.id, decided)
    if (values.tell) await queueDecision(tx, resource, user.language)
    return resource
  },
  entry: ({ params }, changed) => ({
    hasChanged: () => changed().some(isOfDecision),
    action: 'abstract.decide',
    targetType: 'abstract',
    targetId: params.abstract,
    details: (_, abstract) => (abstract === undefined ? {} : { decision: abstract.status }),
  }),
  next: ({ title, status }, request) => ({
    path: addressOf(request),
    flash: flash('abstractDecided', { title, decision: status as Decision['decision'] }),
  }),
})

/** Whether the contact is notified changes nothing by itself. */
const isOfDecision = (name: string) => name !== 'tell'

/** Returns the address of the page, which keeps the query of the list that it was opened from. */
function addressOf(request: EventRequest, id = request.params.abstract ?? ''): string {
  return withQuery(paths.abstract(request.event.id, id), readAbstractQuery(request).query)
}

function AbstractView({
  abstract,
  previews,
  neighbours,
  entries,
  names,
  request,
  state,
}: Loaded & { request: EventRequest; state: FormState }) {
  const { event, voice } = request
  const { texts } = voice
  const list = withQuery(paths.abstracts(event.id), readAbstractQuery(request).query)
  return (
    <>
      <Head
        title={<bdi>{abstract.title}</bdi>}
        crumbs={
          <>
            <a href={list}>{texts.abstracts.title}</a> · <bdi>{abstract.code}</bdi>
          </>
        }
        pill={<AbstractStatus status={abstract.status} texts={texts} />}
        actions={<Beside neighbours={neighbours} request={request} />}
      />
      <div class="two">
        <div class="stack">
          <section class="card" aria-labelledby="text">
            <h2 id="text">{texts.abstracts.text}</h2>
            <p class="written" dir="auto">
              {abstract.abstract}
            </p>
          </section>
          <About abstract={abstract} request={request} />
        </div>
        <div class="stack">
          <section class="card" aria-label={texts.abstracts.decision}>
            <Form
              state={state}
              texts={texts}
              action={addressOf(request)}
              submit={texts.abstracts.saveDecision}
            >
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
          </section>
          <History abstract={abstract} entries={entries} names={names} request={request} />
        </div>
      </div>
    </>
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

function About({ abstract, request }: { abstract: Abstract; request: EventRequest }) {
  const { abstracts: texts } = request.voice.texts
  const { keywords, file_name, authors, contact } = abstract
  return (
    <section class="card stack" aria-labelledby="about">
      <h2 id="about">{texts.about}</h2>
      {keywords !== null && <Facts facts={[[texts.keywords, <bdi key="k">{keywords}</bdi>]]} />}
      {file_name !== null && <Facts facts={[[texts.file, <bdi key="f">{file_name}</bdi>]]} />}
      <div>
        <h3>{texts.authors}</h3>
        <ul class="named">
          {authors.map(({ name, email, affiliation, presenting }, at) => (
            <li key={at}>
              <b>
                <bdi>{name}</bdi>
              </b>
              {presenting && <span class="quiet"> ({texts.presents})</span>}
              {affiliation !== null && (
                <div class="small">
                  <bdi>{affiliation}</bdi>
                </div>
              )}
              {email !== null && (
                <div class="small">
                  <Mail address={email} />
                </div>
              )}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3>{texts.contact}</h3>
        <p>
          <bdi>{contact.name}</bdi>
        </p>
        <p class="small">
          <Mail address={contact.email} />
        </p>
        {contact.phone !== null && (
          <p class="small">
            <bdi>{contact.phone}</bdi>
          </p>
        )}
      </div>
    </section>
  )
}

type HistoryProps = Pick<Loaded, 'abstract' | 'entries' | 'names'> & { request: EventRequest }

function History({ abstract, entries, names, request }: HistoryProps) {
  const { texts, format } = request.voice
  const { history, wasSubmitted, wasDecided, doneBy } = texts.abstracts
  const { submitted_at, decided_at, status } = abstract
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{history}</h2>
      <p class="small quiet">{texts.page.timesIn(format.timezone)}</p>
      <ol class="timeline">
        {entries.map(({ at, actor, details }) => {
          const decision = details.decision as Decision['decision']
          return (
            <li key={at} class={decisionTones[decision]}>
              <span>{wasDecided[decision]}</span>
              <span class="small quiet">
                <Time at={at} format={format} /> <bdi>{doneBy(describeActor(actor, names, texts))}</bdi>
              </span>
            </li>
          )
        })}
        {/* The abstract came with its decision. */}
        {entries.length === 0 && decided_at !== null && status !== 'submitted' && (
          <li class={decisionTones[status]}>
            <span>{wasDecided[status]}</span>
            <span class="small quiet">
              <Time at={decided_at} format={format} />
            </span>
          </li>
        )}
        {submitted_at !== null && (
          <li>
            <span>{wasSubmitted}</span>
            <span class="small quiet">
              <Time at={submitted_at} format={format} />
            </span>
          </li>
        )}
      </ol>
    </section>
  )
}
