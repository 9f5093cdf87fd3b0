import { type ActorNames, readActorNames } from '#faces/dashboard/frame/actors.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, NamedLink, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { areaField, choiceField } from '#machinery/web/forms/field.ts'
import { getBriefly } from '#product/programme/abstracts/of-event.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import { MAX_NOTE } from '#product/programme/abstracts/schemas.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { type Kind, offered } from '#product/programme/calls/schemas.ts'
import { entryOf, type Proposed, proposeAs } from '#product/programme/decisions/proposing.ts'
import { isWriter } from '#product/programme/reviews/own.ts'
import { ProposalPill } from './decision-table.tsx'
import { AS_ASKED, kindField } from './propose-decisions.tsx'

/** What the page of an abstract shows of what is proposed. */
export interface Planned {
  proposal: proposals.Proposal | undefined
  kinds: readonly Kind[]
  proposers: ActorNames
}

export async function readPlanned(
  tx: ReadTx,
  { event, user }: EventRequest,
  abstractId: string,
): Promise<Planned> {
  const isOwn = await isWriter(tx, abstractId, user.email)
  return {
    // Whoever is behind an abstract learns nothing of what is proposed.
    proposal: isOwn ? undefined : await proposals.find(tx, abstractId),
    kinds: (await calls.find(tx, event.id))?.kinds ?? [],
    proposers: await readActorNames(tx),
  }
}

/** Shows what is proposed for an abstract. */
export function ProposalCard({ proposal, kinds, proposers, request }: Planned & { request: EventRequest }) {
  const { event, params, voice } = request
  const { texts } = voice
  const { proposals: labels } = texts
  const id = params.abstract ?? ''
  const isSending = proposal?.sending !== undefined
  const kind = kinds.find(each => each.id === proposal?.kind_id)?.name
  return (
    <section class="card stack" aria-labelledby="proposal">
      <h2 id="proposal">{labels.card}</h2>
      {proposal === undefined ? (
        <p class="quiet">{labels.cardNone}</p>
      ) : (
        <>
          <div>
            <ProposalPill
              proposal={{ decision: proposal.decision, kind, by: proposal.proposed_by, isSending }}
              names={proposers}
              texts={texts}
            />
          </div>
          {proposal.note !== null && (
            <p class="lines" dir="auto">
              {proposal.note}
            </p>
          )}
          <p class="small quiet">{labels.cardAbout}</p>
        </>
      )}
      {!isSending && (
        <div class="row">
          <ButtonLink href={paths.proposal(event.id, id)}>
            {proposal === undefined ? labels.propose : labels.change}
          </ButtonLink>
          {proposal !== undefined && (
            <PostButton action={paths.proposal(event.id, id, 'take-back')} tone="plain">
              {labels.takeBack}
            </PostButton>
          )}
        </div>
      )}
    </section>
  )
}

const ofDecisions = ['accepted', 'rejected'] as const

interface Loaded extends Pick<Planned, 'proposal'> {
  title: string
  kinds: readonly Kind[]
}

/** Proposes a decision about one abstract. */
export const proposeDecision = formPage('event', {
  path: '/e/{event}/abstracts/{abstract}/proposal',
  permission: 'abstracts',
  load: async (tx, request): Promise<Loaded> => {
    const { id, title } = await getBriefly(tx, request.event.id, request.params.abstract ?? '')
    const { proposal, kinds } = await readPlanned(tx, request, id)
    // One that was proposed as a kind which is not offered any more keeps it in view.
    return { title, proposal, kinds: offered(kinds) }
  },
  fields: ({ kinds }) => {
    const all = {
      decision: choiceField(
        ofDecisions,
        texts => ofDecisions.map(value => ({ value, label: texts.proposals.proposals[value] })),
        { label: texts => texts.proposals.decision },
        'radios',
      ),
      kind: kindField(kinds),
      note: areaField(MAX_NOTE, 4, {
        label: texts => texts.proposals.note,
        help: texts => texts.proposals.noteHelp,
      }),
    }
    const { kind: _, ...rest } = all
    return kinds.length === 0 ? (rest as typeof all) : all
  },
  initial: () => ({ kind: AS_ASKED }),
  current: ({ proposal }) =>
    proposal && { decision: proposal.decision, kind: proposal.kind_id ?? AS_ASKED, note: proposal.note },
  parts: ({ title }, { event, params, voice: { texts } }) => {
    const leave = paths.abstract(event.id, params.abstract ?? '')
    const { formTitle, will, submit } = texts.proposals
    return {
      ...{ title: formTitle(title), crumbs: <NamedLink href={leave} name={title} />, leave },
      ...{ submit, will: [will], isOfPeople: true },
    }
  },
  act: async (tx, request, { values }) => {
    const { event, user, member, params } = request
    const kind_id = values.kind === undefined || values.kind === AS_ASKED ? null : values.kind
    const proposed: Proposed = { decision: values.decision, kind_id, note: values.note }
    const chair = { email: user.email, role: member.role, who: actorOf(request).who }
    const done = await proposeAs(tx, { id: params.abstract ?? '', event_id: event.id }, proposed, chair)
    return { proposed, done }
  },
  entry: ({ params }) => ({
    ...{ action: 'abstract.propose', targetType: 'abstract', targetId: params.abstract },
    hasChanged: ({ done }) => done.hasChanged,
    details: (_, result) => (result === undefined ? {} : entryOf(result.proposed, result.done).details),
  }),
  next: (_, { event, params }) => ({
    path: paths.abstract(event.id, params.abstract ?? ''),
    flash: flash('abstractsProposed', { count: 1, left: 0 }),
  }),
})

/** Takes back what is proposed for one abstract. */
export const takeProposalBack = button('event', {
  path: '/e/{event}/abstracts/{abstract}/proposal/take-back',
  permission: 'abstracts',
  act: async (tx, request) => {
    const { event, user, member, params } = request
    const { id } = await getBriefly(tx, event.id, params.abstract ?? '')
    const chair = { email: user.email, role: member.role, who: actorOf(request).who }
    return proposeAs(tx, { id, event_id: event.id }, undefined, chair)
  },
  entry: ({ params }) => ({
    ...{ action: 'abstract.take_proposal_back', targetType: 'abstract', targetId: params.abstract },
    hasChanged: ({ hasChanged }) => hasChanged,
    details: (_, done) => (done === undefined ? {} : entryOf(undefined, done).details),
  }),
  next: ({ hasChanged }, { event, params }) => ({
    path: paths.abstract(event.id, params.abstract ?? ''),
    flash: flash('proposalsTaken', { count: Number(hasChanged), left: 0 }),
  }),
  back: ({ event, params }) => paths.abstract(event.id, params.abstract ?? ''),
})
