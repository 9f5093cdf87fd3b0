import { type DecisionPreview, previewDecision, tellDecision } from '../../abstracts/mails.ts'
import { findNeighbours, getOfEvent, type Neighbours } from '../../abstracts/of-event.ts'
import * as abstracts from '../../abstracts/rules.ts'
import { type Abstract, type Decision, decisions, MAX_NOTE } from '../../abstracts/schemas.ts'
import * as accessLog from '../../access-log/rules.ts'
import type { AccessLogEntry } from '../../access-log/schemas.ts'
import { Problem } from '../../problem.ts'
import { ButtonLink, Facts, Head, Mail, Time } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { areaField, choiceField, type Field } from '../../web/forms/field.ts'
import type { FormState } from '../../web/forms/form.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import { readAbstractQuery } from '../abstract-query.ts'
import { AbstractStatus, decisionTones } from '../abstract-status.tsx'
import { type ActorNames, readActorNames, tellActor } from '../actors.ts'
import type { OfEvent } from '../asked.ts'
import { MailPreview, tellField } from '../decision-mail.tsx'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'

/** Entries of the access log about one abstract that its page shows. */
const MOST_ENTRIES = 50

const ofDecisions = choiceField(
  decisions,
  texts => decisions.map(value => ({ value, label: texts.abstracts.decide[value] })),
  { label: texts => texts.abstracts.decision },
  'radios',
)

/** Nothing is chosen where nothing was decided yet. */
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
  /** What mails would say; undefined where none go out. */
  previews: Record<'accepted' | 'rejected', DecisionPreview> | undefined
  neighbours: Neighbours
  /** Of decisions, newest first. */
  entries: readonly AccessLogEntry[]
  names: ActorNames
}

/** An abstract, to be read and decided. */
export const abstractPage = formPage('event', {
  path: '/e/{event}/abstracts/{abstract}',
  permission: 'abstracts',
  load: async (tx, asked, { mail }): Promise<Loaded> => {
    const { account, event, params, user } = asked
    const abstract = await getOfEvent(tx, account.id, event.id, params.abstract ?? '')
    const { wanted } = readAbstractQuery(asked)
    const entries = await accessLog.listAbout(tx, account.id, [abstract.id], MOST_ENTRIES)
    const preview = (decision: 'accepted' | 'rejected') =>
      previewDecision(tx, account.id, abstract, decision, user.language)
    return {
      abstract,
      previews: mail.isSetUp
        ? { accepted: await preview('accepted'), rejected: await preview('rejected') }
        : undefined,
      neighbours: await findNeighbours(tx, account.id, wanted, abstract.id),
      entries: entries.filter(
        ({ action, details }) => action === 'abstract.decide' && details.code === undefined,
      ),
      names: await readActorNames(tx, account.id),
    }
  },
  fields: ({ previews }) => {
    const { tell: _, ...silent } = fields
    return previews === undefined ? (silent as typeof fields) : fields
  },
  current: ({ abstract }) => ({ decision: abstract.status, note: abstract.decision_note, tell: true }),
  view: (loaded, asked, state) => ({
    title: loaded.abstract.title,
    body: <AbstractView {...loaded} asked={asked} state={state} />,
  }),
  prepare: async ({ decision }) => {
    if (decision === undefined)
      throw new Problem('invalid_parameter', { param: 'decision', details: { reason: 'decision_missing' } })
  },
  act: async (tx, { account, user }, { values, changes, loaded: { abstract } }) => {
    if (!Object.keys(changes).some(isOfDecision)) return abstract
    const decided = { decision: values.decision as Decision['decision'], note: values.note ?? undefined }
    const { resource } = await abstracts.decide(tx, account.id, abstract.id, decided)
    if (values.tell) await tellDecision(tx, account.id, resource, user.language)
    return resource
  },
  entry: ({ params }, changed) => ({
    hasChanged: () => changed().some(isOfDecision),
    action: 'abstract.decide',
    targetType: 'abstract',
    targetId: params.abstract,
    details: (_, abstract) => (abstract === undefined ? {} : { decision: abstract.status }),
  }),
  next: ({ title, status }, asked) => ({
    path: addressOf(asked),
    flash: flash('abstractDecided', { title, decision: status as Decision['decision'] }),
  }),
})

/** Whether somebody is told changes nothing by itself. */
const isOfDecision = (name: string) => name !== 'tell'

/** The page, with the list that it was opened from. */
function addressOf(asked: OfEvent, id = asked.params.abstract ?? ''): string {
  return withQuery(paths.abstract(asked.event.id, id), readAbstractQuery(asked).query)
}

function AbstractView({
  abstract,
  previews,
  neighbours,
  entries,
  names,
  asked,
  state,
}: Loaded & { asked: OfEvent; state: FormState }) {
  const { event, voice } = asked
  const { texts } = voice
  const list = withQuery(paths.abstracts(event.id), readAbstractQuery(asked).query)
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
        actions={<Beside neighbours={neighbours} asked={asked} />}
      />
      <div class="two">
        <div class="stack">
          <section class="card" aria-labelledby="text">
            <h2 id="text">{texts.abstracts.text}</h2>
            <p class="written" dir="auto">
              {abstract.abstract}
            </p>
          </section>
          <About abstract={abstract} asked={asked} />
        </div>
        <div class="stack">
          <section class="card" aria-label={texts.abstracts.decision}>
            <Form state={state} texts={texts} action={addressOf(asked)} submit={texts.abstracts.saveDecision}>
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
          <History abstract={abstract} entries={entries} names={names} asked={asked} />
        </div>
      </div>
    </>
  )
}

/** The abstracts before and after it in the list. */
function Beside({ neighbours: { newer, older }, asked }: { neighbours: Neighbours; asked: OfEvent }) {
  const { abstracts: texts } = asked.voice.texts
  if (newer === undefined && older === undefined) return null
  return (
    <nav class="row" aria-label={texts.list}>
      {newer !== undefined && <ButtonLink href={addressOf(asked, newer)}>{texts.newer}</ButtonLink>}
      {older !== undefined && <ButtonLink href={addressOf(asked, older)}>{texts.older}</ButtonLink>}
    </nav>
  )
}

function About({ abstract, asked }: { abstract: Abstract; asked: OfEvent }) {
  const { abstracts: texts } = asked.voice.texts
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

type HistoryProps = Pick<Loaded, 'abstract' | 'entries' | 'names'> & { asked: OfEvent }

function History({ abstract, entries, names, asked }: HistoryProps) {
  const { texts, format } = asked.voice
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
                <Time at={at} format={format} /> <bdi>{doneBy(tellActor(actor, names, texts))}</bdi>
              </span>
            </li>
          )
        })}
        {/* It came with its decision. */}
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
