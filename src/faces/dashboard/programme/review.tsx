import { button } from '#faces/dashboard/frame/button.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Empty, Head, Pill, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import { readOwn, readReviews } from '#product/programme/reviews/assignments.ts'
import { addTo, type Progress } from '#product/programme/reviews/review-schemas.ts'
import type { Reviewer } from '#product/programme/reviews/reviewer-schemas.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import type { Round } from '#product/programme/reviews/round-schemas.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'

interface Row extends Progress {
  reviewer: Reviewer
  href: string
}

interface Loaded {
  round: Round | undefined
  phase: rounds.Phase
  rows: readonly Row[]
}

const list: List<Row> = {
  caption: texts => texts.reviewSettings.caption,
  columns: [
    {
      label: texts => texts.reviewSettings.name,
      place: 'name',
      cell: ({ reviewer, href }, { texts }) => (
        <>
          <a href={href}>
            <bdi>{reviewer.name}</bdi>
          </a>{' '}
          {reviewer.left_at !== null && <Pill tone="off">{texts.reviewSettings.left}</Pill>}
        </>
      ),
    },
    {
      label: texts => texts.reviewSettings.affiliation,
      place: 'line',
      cell: ({ reviewer }) => <bdi>{reviewer.affiliation ?? ''}</bdi>,
    },
    {
      label: texts => texts.reviewSettings.returned,
      place: 'wide',
      isNumber: true,
      cell: ({ returned }, { format }) => format.number(returned),
    },
    {
      label: texts => texts.reviewSettings.doneOf,
      place: 'amount',
      isNumber: true,
      cell: ({ done, assigned }, { texts, format }) =>
        texts.reviewSettings.of(format.number(done), format.number(assigned)),
    },
  ],
}

/** Shows how far the review of an event is, and who reviews. */
export const reviewPage = showPage('event', {
  path: '/e/{event}/review',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  prepare: read,
  view: (loaded, request) => ({
    title: request.voice.texts.reviewSettings.title,
    body: <Review {...loaded} request={request} />,
  }),
})

async function read({ db, clock }: Services, { account, event, user }: EventRequest): Promise<Loaded> {
  const { round, all } = await db.read(account.id, async tx => ({
    round: await rounds.find(tx, event.id),
    all: await reviewers.listOfEvent(tx, event.id),
  }))
  const of = new Map<string, Progress>(all.map(({ id }) => [id, { assigned: 0, done: 0, returned: 0 }]))
  // Whoever looks learns nothing of the reviews of what they have written, not even how many there are.
  const own = await readOwn(db, account.id, event.id, user.email)
  for await (const some of readReviews(db, account.id, event.id)) {
    for (const review of some) {
      if (own.has(review.abstract_id)) continue
      const progress = of.get(review.reviewer_id)
      if (progress !== undefined) addTo(progress, review)
    }
  }
  const rows = all.map(reviewer => ({
    ...(of.get(reviewer.id) as Progress),
    ...{ reviewer, href: paths.reviewer(event.id, reviewer.id) },
  }))
  return { round, rows, phase: round === undefined ? 'open' : rounds.phaseOf(round, clock()) }
}

function Review({ round, phase, rows, request }: Loaded & { request: EventRequest }) {
  const { event, voice } = request
  const { texts, format } = voice
  const { reviewSettings: labels } = texts
  const crumbs = <a href={paths.abstracts(event.id)}>{texts.abstracts.title}</a>
  if (round === undefined) {
    const setUp = (
      <ButtonLink href={paths.review(event.id, 'settings')} main>
        {labels.setUp}
      </ButtonLink>
    )
    return (
      <>
        <Head title={labels.title} crumbs={crumbs} />
        <Empty icon="paper" title={labels.none} action={setUp}>
          {labels.noneAbout}
        </Empty>
      </>
    )
  }
  const sum = (of: 'done' | 'assigned') => format.number(rows.reduce((total, row) => total + row[of], 0))
  const at = format.dateTime(round.closes_at)
  const isOpen = phase === 'open'
  return (
    <>
      <Head title={labels.title} crumbs={crumbs} />
      <div class="stack">
        <section class="card stack" aria-labelledby="round">
          <div class="row">
            <h2 id="round">{labels.settings}</h2>
            <Pill tone={isOpen ? 'good' : 'off'}>{labels.phases[phase]}</Pill>
          </div>
          <p>{isOpen ? labels.until(at) : labels.wasUntil(at)}</p>
          <p class="quiet">{labels.figures(sum('done'), sum('assigned'))}</p>
          <div class="row">
            <ButtonLink href={paths.review(event.id, 'settings')}>{labels.change}</ButtonLink>
            <ButtonLink href={paths.decisions(event.id)}>{texts.proposals.title}</ButtonLink>
            {isOpen && (
              <>
                <ButtonLink href={paths.review(event.id, 'invite')} main={rows.length === 0}>
                  {labels.invite}
                </ButtonLink>
                {rows.length > 0 && (
                  <>
                    <ButtonLink href={paths.review(event.id, 'assign')}>{labels.assign}</ButtonLink>
                    <PostButton action={paths.review(event.id, 'remind')}>{labels.remind}</PostButton>
                  </>
                )}
              </>
            )}
          </div>
        </section>
        {rows.length > 0 && <Table list={list} rows={rows} voice={voice} />}
      </div>
    </>
  )
}

/** Reminds those who are not done. */
export const remindReviewers = button('event', {
  path: '/e/{event}/review/remind',
  permission: 'abstracts',
  act: (tx, { event }) => reviewers.remind(tx, event.id),
  entry: ({ event }) => ({
    ...{ action: 'review.remind', targetType: 'event', targetId: event.id },
    hasChanged: count => count > 0,
    details: (_, count) => ({ count }),
  }),
  next: (n, { event }) => ({ path: paths.review(event.id), flash: flash('reviewersReminded', { n }) }),
  back: ({ event }) => paths.review(event.id),
})
