import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Facts, NamedLink, Pill, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choiceField } from '#machinery/web/forms/field.ts'
import { getBriefly } from '#product/programme/abstracts/of-event.ts'
import { offered } from '#product/programme/calls/schemas.ts'
import { type Choice, give, listChoices, take } from '#product/programme/reviews/assignments.ts'
import { isWriter, refuseOwn } from '#product/programme/reviews/own.ts'
import type { Review } from '#product/programme/reviews/review-schemas.ts'
import type { Reviewer } from '#product/programme/reviews/reviewer-schemas.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import { listOfAbstract, meanOf, stateOf } from '#product/programme/reviews/reviews.ts'
import type { Round } from '#product/programme/reviews/round-schemas.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'

/** What the page of an abstract shows of its reviews. */
export interface Reviewed {
  /** It is undefined as long as nobody reviews. */
  round: Round | undefined
  /** Whoever is behind the abstract learns nothing of its reviews. */
  isOwn: boolean
  reviews: readonly { review: Review; reviewer: Reviewer }[]
}

export async function readReviewed(
  tx: ReadTx,
  { event, user }: EventRequest,
  abstractId: string,
): Promise<Reviewed> {
  const round = await rounds.find(tx, event.id)
  const isOwn = await isWriter(tx, abstractId, user.email)
  if (round === undefined || isOwn) return { round, isOwn, reviews: [] }
  const reviews: Reviewed['reviews'][number][] = []
  for (const review of await listOfAbstract(tx, abstractId))
    reviews.push({ review, reviewer: await reviewers.get(tx, review.reviewer_id) })
  return { round, isOwn, reviews }
}

const TONES = { open: 'warn', done: 'good', conflict: 'off', field: 'off' } as const

/** Shows who reviews an abstract, and what they say of it. */
export function ReviewsCard({ round, isOwn, reviews, request }: Reviewed & { request: EventRequest }) {
  const { event, params, voice } = request
  const { reviewSettings: texts } = voice.texts
  if (round === undefined) return null
  const means = reviews.flatMap(({ review }) =>
    review.done_at === null ? [] : (meanOf(review, round) ?? []),
  )
  const mean = means.reduce((sum, each) => sum + each, 0) / means.length
  const abstract = params.abstract ?? ''
  return (
    <section class="card stack" aria-labelledby="reviews">
      <h2 id="reviews">{texts.reviews}</h2>
      {isOwn && <p>{texts.own}</p>}
      {!isOwn && reviews.length === 0 && <p class="quiet">{texts.noReviews}</p>}
      {means.length > 0 && (
        <p class="strong">{texts.mean(voice.format.number(Math.round(mean * 100) / 100))}</p>
      )}
      {reviews.map(({ review, reviewer }) => (
        <ReviewOf key={reviewer.id} {...{ review, reviewer, round, request }} />
      ))}
      {!isOwn && request.offers(paths.giveAbstract(event.id, abstract, 'give')) && (
        <p>
          <ButtonLink href={paths.giveAbstract(event.id, abstract, 'give')}>{texts.give}</ButtonLink>
        </p>
      )}
    </section>
  )
}

function ReviewOf({
  review,
  reviewer,
  round,
  request,
}: Reviewed['reviews'][number] & { round: Round; request: EventRequest }) {
  const { event, params, voice } = request
  const { reviewSettings: texts } = voice.texts
  const state = stateOf(review)
  const { recommendation, to_authors, to_chairs } = review
  return (
    <div class="stack">
      <p class="row">
        <a href={paths.reviewer(event.id, reviewer.id)}>
          <bdi>{reviewer.name}</bdi>
        </a>
        <Pill tone={TONES[state]}>{texts.states[state]}</Pill>
        {state === 'done' && recommendation !== null && <span>{texts.recommends[recommendation]}</span>}
      </p>
      {state === 'done' && (
        <Facts
          facts={[
            ...offered(round.criteria).flatMap(({ id, name }) =>
              review.scores[id] === undefined
                ? []
                : [[<bdi key={id}>{name}</bdi>, review.scores[id]] as const],
            ),
            ...(to_authors === null ? [] : [[texts.toAuthors, <Said key="a" text={to_authors} />] as const]),
            ...(to_chairs === null ? [] : [[texts.toChairs, <Said key="c" text={to_chairs} />] as const]),
          ]}
        />
      )}
      {state !== 'done' && (
        <PostButton
          action={paths.giveAbstract(event.id, params.abstract ?? '', 'take')}
          fields={{ reviewer: reviewer.id }}
          tone="plain"
          label={texts.takeFrom(reviewer.name)}
        >
          {texts.take}
        </PostButton>
      )}
    </div>
  )
}

function Said({ text }: { text: string }) {
  return (
    <span class="lines" dir="auto">
      {text}
    </span>
  )
}

interface Giving {
  title: string
  choices: readonly Choice[]
}

/** Gives an abstract to a reviewer whom a chair chooses. */
export const giveAbstract = formPage('event', {
  path: '/e/{event}/abstracts/{abstract}/give',
  permission: 'abstracts',
  load: async (tx, { event, params, user }): Promise<Giving> => {
    const { id, title } = await getBriefly(tx, event.id, params.abstract ?? '')
    await refuseOwn(tx, id, user.email)
    return { title, choices: await listChoices(tx, event.id, id) }
  },
  fields: ({ choices }) => {
    const able = choices.filter(({ conflict }) => conflict === undefined).map(({ reviewer }) => reviewer)
    return {
      reviewer: choiceField(
        able.map(({ id }) => id),
        () => able.map(({ id, name }) => ({ value: id, label: name })),
        { label: texts => texts.reviewSettings.giveTo },
      ),
    }
  },
  parts: ({ title, choices }, { event, params, voice: { texts } }) => {
    const labels = texts.reviewSettings
    const leave = paths.abstract(event.id, params.abstract ?? '')
    const isAnyLeft = choices.some(({ conflict }) => conflict === undefined)
    return {
      ...{ title: labels.giveTitle, crumbs: <NamedLink href={leave} name={title} />, leave },
      submit: labels.giveSubmit,
      ...(isAnyLeft ? {} : { instead: <p>{labels.giveNone}</p> }),
      rest: <Unable choices={choices} labels={labels} />,
    }
  },
  act: (tx, { event, params }, { values }) =>
    give(tx, event.id, { abstract_id: params.abstract ?? '', reviewer_id: values.reviewer }),
  entry: ({ params }) => ({ action: 'review.give', targetType: 'abstract', targetId: params.abstract }),
  next: (_, { event, params }) => ({
    path: paths.abstract(event.id, params.abstract ?? ''),
    flash: flash('abstractGiven', {}),
  }),
})

function Unable({
  choices,
  labels,
}: Pick<Giving, 'choices'> & { labels: EventRequest['voice']['texts']['reviewSettings'] }) {
  const unable = choices.flatMap(({ reviewer, conflict }) =>
    conflict === undefined ? [] : [{ reviewer, why: labels.why[conflict] }],
  )
  if (unable.length === 0) return null
  return (
    <section aria-labelledby="unable">
      <h2 id="unable">{labels.cannot}</h2>
      <ul>
        {unable.map(({ reviewer, why }) => (
          <li key={reviewer.id}>
            <bdi>{reviewer.name}</bdi> {why}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Takes an abstract from a reviewer who has not done it. */
export const takeAbstract = button('event', {
  path: '/e/{event}/abstracts/{abstract}/take',
  permission: 'abstracts',
  act: async (tx, { event, params, user }, body) => {
    const { id } = await getBriefly(tx, event.id, params.abstract ?? '')
    await refuseOwn(tx, id, user.email)
    return take(tx, event.id, { abstract_id: id, reviewer_id: body.get('reviewer') ?? '' })
  },
  entry: ({ params }) => ({ action: 'review.take', targetType: 'abstract', targetId: params.abstract }),
  next: (_, { event, params }) => ({
    path: paths.abstract(event.id, params.abstract ?? ''),
    flash: flash('abstractTaken', {}),
  }),
  back: ({ event, params }) => paths.abstract(event.id, params.abstract ?? ''),
})
