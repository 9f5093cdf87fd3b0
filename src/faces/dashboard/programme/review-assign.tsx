import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Plan } from '#product/programme/reviews/assigning.ts'
import { carryOut, propose } from '#product/programme/reviews/assignments.ts'
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
  look: ({ db }, request) => propose(db, request.account.id, request.event.id, mostOf(request)),
  load: async (tx, { event }, _, plan): Promise<Loaded> => {
    const given = new Map<string, number>()
    for (const { reviewer_id: id } of plan.assignments) given.set(id, (given.get(id) ?? 0) + 1)
    const all = await reviewers.listOfEvent(tx, event.id)
    const loads = all.flatMap(reviewer => {
      const after = plan.loads.get(reviewer.id)
      return after === undefined ? [] : [{ reviewer, after, now: after - (given.get(reviewer.id) ?? 0) }]
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
  prepare: (_, { account, event }, { db }, { assignments }) =>
    carryOut(db, account.id, event.id, assignments),
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
