import { type ActorNames, describeActor } from '#faces/dashboard/frame/actors.ts'
import { Pill } from '#machinery/web/components/parts.tsx'
import type { List } from '#machinery/web/lists/list.tsx'
import type { SortName } from '#machinery/web/lists/sort-links.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { type Sort, shown } from '#product/programme/decisions/narrowing.ts'
import type { Standing, StandingProposal } from '#product/programme/decisions/standings.ts'
import { recommendations } from '#product/programme/reviews/states.ts'
import type { Texts } from '#texts/texts.ts'
import { AbstractStatus } from './abstract-status.tsx'

/** An abstract of the table. */
export interface Row extends Standing {
  href: string
  /** How many reviews it is to have. It is undefined as long as nobody reviews. */
  reviewsWanted: number | undefined
  names: ActorNames
}

/** Stands where there is no figure. */
const NONE = '–'

/** Returns what an order is called. */
export function labelOf(sort: Sort, { proposals: texts }: Texts): string {
  return sort === 'title' ? texts.name : texts[sort]
}

const order = (name: Sort): SortName => ({ name, label: texts => labelOf(name, texts) })

const figure = (value: number | undefined, { format }: Voice) =>
  value === undefined ? NONE : format.number(shown(value))

export const table: List<Row> = {
  caption: texts => texts.proposals.caption,
  pick: { id: ({ code }) => code, label: ({ title }, { texts }) => texts.abstracts.select(title) },
  isBroad: true,
  columns: [
    {
      label: texts => texts.proposals.abstract,
      place: 'name',
      sorts: (['code', 'title', 'topic', 'kind', 'language'] as const).map(order),
      cell: (row, voice) => <Named row={row} voice={voice} />,
    },
    {
      label: texts => texts.proposals.reviews,
      place: 'wide',
      isNumber: true,
      sorts: [order('reviews')],
      cell: (row, voice) => tellDone(row, voice),
    },
    {
      label: texts => texts.proposals.mean,
      place: 'amount',
      isNumber: true,
      sorts: [order('mean')],
      cell: ({ figures }, voice) => (
        <>
          <b>{figure(figures?.mean, voice)}</b>
          <div class="small quiet only-narrow">{voice.texts.proposals.mean}</div>
        </>
      ),
    },
    {
      label: texts => texts.proposals.spread,
      place: 'wide',
      isNumber: true,
      sorts: [order('spread')],
      cell: ({ figures }, voice) => figure(figures?.spread, voice),
    },
    {
      label: texts => texts.proposals.adjusted,
      place: 'wide',
      isNumber: true,
      sorts: [order('adjusted')],
      cell: ({ figures }, voice) => figure(figures?.adjusted, voice),
    },
    {
      label: texts => texts.proposals.recommended,
      place: 'line',
      sorts: [order('recommended')],
      cell: (row, voice) => <Recommended row={row} voice={voice} />,
    },
    {
      label: texts => texts.proposals.state,
      place: 'wide',
      sorts: [order('state')],
      cell: ({ status }, { texts }) => <AbstractStatus status={status} texts={texts} />,
    },
    {
      label: texts => texts.proposals.proposal,
      place: 'when',
      sorts: [order('proposal')],
      cell: (row, voice) => <Proposed row={row} voice={voice} />,
    },
  ],
}

type CellProps = { row: Row; voice: Voice }

function Named({ row: { code, title, href, topic, kind, language, isOwn }, voice }: CellProps) {
  const more = [topic, kind, language].filter(each => each !== undefined && each !== null)
  return (
    <>
      <a href={href}>
        <bdi class="quiet">{code}</bdi> <bdi>{title}</bdi>
      </a>
      {more.length > 0 && (
        <div class="small quiet">
          {more.map((each, at) => (
            <>
              {at > 0 && ' · '}
              <bdi key={each}>{each}</bdi>
            </>
          ))}
        </div>
      )}
      {isOwn && <div class="small">{voice.texts.proposals.own}</div>}
    </>
  )
}

function tellDone({ figures, reviewsWanted }: Row, { texts, format }: Voice): string {
  if (figures === undefined || reviewsWanted === undefined) return NONE
  return texts.proposals.of(format.number(figures.done), format.number(reviewsWanted))
}

/** On a phone it says the other figures too, which have no place of their own there. */
function Recommended({ row, voice }: CellProps) {
  const { texts, format } = voice
  const { proposals: labels } = texts
  const { figures } = row
  const said =
    figures === undefined
      ? []
      : recommendations.flatMap(each =>
          figures.recommended[each] === 0
            ? []
            : [`${format.number(figures.recommended[each])} ${labels.recommends[each]}`],
        )
  return (
    <>
      {said.length === 0 ? <span class="only-wide">{NONE}</span> : said.join(', ')}
      {figures !== undefined && (
        <div class="small quiet only-narrow">
          {labels.reviews}: {tellDone(row, voice)} · {labels.spread}: {figure(figures.spread, voice)} ·{' '}
          {labels.adjusted}: {figure(figures.adjusted, voice)}
        </div>
      )}
    </>
  )
}

function Proposed({ row: { status, proposal, names }, voice: { texts } }: CellProps) {
  return (
    <>
      {status !== 'submitted' && (
        <span class="only-narrow">
          {texts.proposals.state}: {texts.abstracts.status[status]}
        </span>
      )}
      {proposal !== undefined && <ProposalPill proposal={proposal} names={names} texts={texts} />}
    </>
  )
}

/** Says what is proposed, and who proposes it. */
export function ProposalPill({
  proposal: { decision, kind, by, isSending },
  names,
  texts,
}: {
  proposal: Omit<StandingProposal, 'note'>
  names: ActorNames
  texts: Texts
}) {
  const { proposals: labels } = texts
  return (
    <>
      <Pill tone={decision === 'accepted' ? 'good' : 'bad'}>{labels.proposals[decision]}</Pill>
      {kind !== undefined && (
        <div class="small">
          <bdi>{labels.as(kind)}</bdi>
        </div>
      )}
      <div class="small quiet">
        {isSending ? labels.sending : <bdi>{labels.by(describeActor(by, names, texts))}</bdi>}
      </div>
    </>
  )
}
