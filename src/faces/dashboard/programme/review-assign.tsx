import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Plan } from '#product/programme/reviews/assigning.ts'
import { carryOut, countReviewsOf, propose, readOwn } from '#product/programme/reviews/assignments.ts'
import type { Reviewer } from '#product/programme/reviews/reviewer-schemas.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'

/** One reviewer takes at most so many, whatever a chair types. */
const MOST = 2_000

interface Load {
  reviewer: Reviewer
  now: number
  after: number
}

interface Loaded {
  plan: Plan & { most: number }
  loads: readonly Load[]
}

const list: List<Load> = {
  caption: texts => texts.reviewSettings.planLoads,
  columns: [
    {
      label: texts => texts.reviewSettings.name,
      place: 'name',
      cell: ({ reviewer }) => <bdi>{reviewer.name}</bdi>,
    },
    {
      label: texts => texts.reviewSettings.now,
      place: 'wide',
      isNumber: true,
      cell: ({ now }, { format }) => format.number(now),
    },
    {
      label: texts => texts.reviewSettings.after,
      place: 'amount',
      isNumber: true,
      cell: ({ after }, { format }) => format.number(after),
    },
  ],
}

/** Shows who would review what, and assigns it. */
export const assignReviews = formPage('event', {
  path: '/e/{event}/review/assign',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  look: async ({ db }, request) => {
    const { account, event, user } = request
    const plan = await propose(db, account.id, event.id, mostOf(request))
    const own = await readOwn(db, account.id, event.id, user.email)
    return { plan, own, ofOwn: await countReviewsOf(db, account.id, event.id, own) }
  },
  load: async (tx, { event }, _, { plan, own, ofOwn }): Promise<Loaded> => {
    const all = await reviewers.listOfEvent(tx, event.id)
    const loads = all.flatMap(reviewer => {
      const load = plan.loads.get(reviewer.id)
      if (load === undefined) return []
      const given = plan.assignments.filter(({ reviewer_id }) => reviewer_id === reviewer.id)
      // Whoever looks does not learn from these numbers who reviews what they have written.
      const shown = given.filter(({ abstract_id }) => !own.has(abstract_id)).length
      const now = load - given.length - (ofOwn.get(reviewer.id) ?? 0)
      return [{ reviewer, now, after: now + shown }]
    })
    return { plan, loads }
  },
  fields: () => ({}),
  parts: (loaded, request) => {
    const { event, voice } = request
    const { reviewSettings: texts } = voice.texts
    const { assignments } = loaded.plan
    const has = assignments.length > 0
    return {
      ...{ title: texts.assignTitle, about: texts.assignAbout, crumbs: texts.title },
      ...{ leave: paths.review(event.id), submit: texts.assignSubmit(assignments.length) },
      action: `${paths.review(event.id, 'assign')}?most=${loaded.plan.most}`,
      isRepeatable: true,
      first: <Most most={loaded.plan.most} request={request} />,
      ...(has
        ? { will: [texts.plan(assignments.length), texts.assignTold] }
        : { instead: <p>{texts.planNone}</p> }),
      rest: <Outcome {...loaded} request={request} />,
    }
  },
  // Each of its writes stands by itself; the same again adds what is missing.
  prepare: (_, { account, event }, { db }, { plan }) => carryOut(db, account.id, event.id, plan.assignments),
  act: async (_, __, { prepared }) => prepared,
  entry: ({ event }) => ({
    ...{ action: 'review.assign', targetType: 'event', targetId: event.id },
    hasChanged: count => count > 0,
    details: (_, count) => ({ count }),
  }),
  next: (n, { event }) => ({ path: paths.review(event.id), flash: flash('reviewsAssigned', { n }) }),
})

function mostOf({ query }: EventRequest): number | undefined {
  const typed = query.get('most') ?? ''
  const most = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  return most >= 1 && most <= MOST ? most : undefined
}

function Most({ most, request }: { most: number; request: EventRequest }) {
  const { event, voice } = request
  const { reviewSettings: texts } = voice.texts
  return (
    <form method="get" action={paths.review(event.id, 'assign')} class="card stack">
      <div class="field">
        <label for="most">{texts.most}</label>
        <input id="most" name="most" inputmode="numeric" class="short" value={String(most)} />
      </div>
      <div class="end-bar">
        <button type="submit" class="button">
          {texts.show}
        </button>
      </div>
    </form>
  )
}

function Outcome({ plan, loads, request }: Loaded & { request: EventRequest }) {
  const { voice } = request
  const { reviewSettings: texts } = voice.texts
  return (
    <>
      {plan.gaps.size > 0 && <p>{texts.planGaps(plan.gaps.size)}</p>}
      {loads.length > 0 && <Table list={list} rows={loads} voice={voice} hasHeading />}
    </>
  )
}
