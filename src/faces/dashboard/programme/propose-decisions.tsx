import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { Will } from '#faces/dashboard/frame/form-parts.tsx'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Empty, Head } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { areaField, choiceField, type Field, hiddenField } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { MAX_NOTE } from '#product/programme/abstracts/schemas.ts'
import { type Kind, offered } from '#product/programme/calls/schemas.ts'
import { proposeMany } from '#product/programme/decisions/proposing.ts'
import type { Standing } from '#product/programme/decisions/standings.ts'
import { mayDecideOwn } from '#product/programme/reviews/own.ts'
import { NamedAbstracts } from './abstract-status.tsx'
import { type Decisions, readDecisions } from './decision-read.ts'

/** The most that one form proposes. */
const MOST = 1_000
const choices = ['accepted', 'rejected', 'none'] as const
type Choice = (typeof choices)[number]
/** The kind that the authors of each have asked for. */
export const AS_ASKED = 'asked'

interface Loaded {
  choice: Choice | undefined
  /** What it is done with. */
  rows: readonly Standing[]
  /** How many are left out, by the reason. */
  left: Readonly<Record<'own' | 'sending' | 'without', number>>
  kinds: readonly Kind[]
  query: Decisions['query']
}

/** Shows the kinds of a call as what something can be accepted as. */
export function kindField(kinds: readonly Kind[]): Field<string> {
  return choiceField(
    [AS_ASKED, ...kinds.map(({ id }) => id)],
    texts => [
      { value: AS_ASKED, label: texts.proposals.asAsked },
      ...kinds.map(({ id, name }) => ({ value: id, label: name })),
    ],
    { label: texts => texts.proposals.acceptAs },
  )
}

/** Asks whether to propose a decision about the abstracts that were ticked in the table, or the first of it. */
export const proposeDecisions = formPage('event', {
  path: '/e/{event}/decisions/propose',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  look: ({ db }, request) => readChosen(db, request),
  load: async (tx, request, _, { chosen, standings, query }): Promise<Loaded> => ({
    ...(await partOut(tx, request, chosen)),
    ...{ query, kinds: offered(standings.call?.kinds ?? []) },
  }),
  fields: ({ choice, kinds }) => {
    // Exactly what the page shows is proposed, whatever has come first in the table meanwhile.
    const which = hiddenField(MOST * 40)
    const note = areaField(MAX_NOTE, 4, {
      label: texts => texts.proposals.manyNote,
      help: texts => texts.proposals.noteHelp,
    })
    const all = { which, kind: kindField(kinds), note }
    const { kind: _, ...ofAny } = all
    if (choice === 'none') return { which } as unknown as typeof all
    return choice === 'accepted' && kinds.length > 0 ? all : (ofAny as typeof all)
  },
  initial: ({ rows }) => ({ which: rows.map(({ id }) => id).join(' '), kind: AS_ASKED }),
  view: (loaded, request, state) => {
    const { proposals: texts } = request.voice.texts
    const { choice, rows } = loaded
    const title =
      choice === undefined || rows.length === 0 ? texts.nothing : texts.manyTitle[choice](rows.length)
    return { title, body: <Confirm {...loaded} title={title} request={request} state={state} /> }
  },
  prepare: ({ which, kind, note }, request, { db }) => {
    const { event, user, member } = request
    const choice = choiceOf(request)
    const ids = which.split(' ').filter(Boolean)
    if (choice === undefined || ids.length > MOST) throw new Problem('not_found')
    const kind_id = kind === undefined || kind === AS_ASKED ? null : kind
    const proposed = choice === 'none' ? undefined : { decision: choice, kind_id, note: note ?? null }
    const chair = { email: user.email, role: member.role, ...actorOf(request) }
    return proposeMany(db, { eventId: event.id, ids }, proposed, chair)
  },
  act: async (_, __, { prepared, loaded }) => ({ ...prepared, query: loaded.query }),
  // Each abstract has its own entry.
  entry: () => ({ action: 'abstract.propose', targetType: 'abstract', hasChanged: () => false }),
  next: ({ query, ...told }, request) => ({
    path: withQuery(paths.decisions(request.event.id), query),
    flash: flash(choiceOf(request) === 'none' ? 'proposalsTaken' : 'abstractsProposed', told),
  }),
})

function choiceOf({ query }: EventRequest): Choice | undefined {
  return choices.find(each => each === query.get('decision'))
}

/** Reads what was ticked, or the first of the table in its order. */
async function readChosen(
  db: Reader,
  request: EventRequest,
): Promise<Decisions & { chosen: readonly Standing[] }> {
  const decisions = await readDecisions(db, request)
  const first = request.query.get('first')
  const codes = new Set(request.query.getAll('id'))
  const chosen =
    first === null
      ? decisions.found.filter(({ code }) => codes.has(code))
      : decisions.found.slice(0, /^\d{1,5}$/.test(first) ? Number(first) : 0)
  return { ...decisions, chosen: chosen.slice(0, MOST) }
}

/** Leaves out what cannot be proposed, and counts why. */
async function partOut(
  tx: ReadTx,
  request: EventRequest,
  chosen: readonly Standing[],
): Promise<Pick<Loaded, 'choice' | 'rows' | 'left'>> {
  const { event, user, member } = request
  const chair = { email: user.email, role: member.role }
  const choice = choiceOf(request)
  const rows: Standing[] = []
  const left = { own: 0, sending: 0, without: 0 }
  for (const row of chosen) {
    if (row.isOwn && !(await mayDecideOwn(tx, { id: row.id, event_id: event.id }, chair))) left.own++
    else if (row.proposal?.isSending) left.sending++
    else if (choice === 'none' && !row.isOwn && row.proposal === undefined) left.without++
    else rows.push(row)
  }
  return { choice, rows, left }
}

function Confirm({
  title,
  request,
  state,
  ...loaded
}: Loaded & { title: string; request: EventRequest; state: FormState }) {
  const { event, voice } = request
  const { texts } = voice
  const { choice, rows, left, query } = loaded
  const back = withQuery(paths.decisions(event.id), query)
  const { proposals: labels } = texts
  const because = [
    ...(left.own === 0 ? [] : [labels.leftOwn(left.own)]),
    ...(left.sending === 0 ? [] : [labels.leftSending(left.sending)]),
    ...(left.without === 0 ? [] : [labels.leftWithout(left.without)]),
  ]
  if (choice === undefined || rows.length === 0) {
    return (
      <>
        <Head title={labels.title} />
        <Empty icon="paper" title={title} action={<ButtonLink href={back}>{labels.toTable}</ButtonLink>}>
          {because.length === 0 ? labels.nothingAbout : because.join(' ')}
        </Empty>
      </>
    )
  }
  const replaced = choice === 'none' ? 0 : rows.filter(({ proposal }) => proposal !== undefined).length
  const decided = rows.filter(({ status }) => status === 'accepted' || status === 'rejected').length
  const sentences = [
    labels.will,
    ...(replaced === 0 ? [] : [labels.willReplace(replaced)]),
    ...(decided === 0 || choice === 'none' ? [] : [labels.willDiffer(decided)]),
    ...because,
  ]
  return (
    <>
      <Head title={title} crumbs={<a href={back}>{labels.title}</a>} />
      <div class="card">
        <Form
          state={state}
          texts={texts}
          action={`${paths.proposeDecisions(event.id)}?${request.query}`}
          submit={labels.manySubmit[choice](rows.length)}
          leave={back}
        >
          <Will sentences={sentences} />
          <NamedAbstracts rows={rows} summary={voice.texts.proposals.which} texts={voice.texts} />
          <FieldRows state={state} texts={texts} />
        </Form>
      </div>
    </>
  )
}
