import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Facts, Head, Mail, NamedLink, Pill } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Reviewer } from '#product/programme/reviews/reviewer-schemas.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import { type Assigned, listOfReviewer } from '#product/programme/reviews/reviews.ts'

const TONES = { open: 'warn', done: 'good', conflict: 'off', field: 'off' } as const

function readReviewer(tx: ReadTx, { event, params }: EventRequest): Promise<Reviewer> {
  return reviewers.getOfEvent(tx, event.id, params.reviewer ?? '')
}

interface Loaded {
  reviewer: Reviewer
  topics: readonly string[]
  assigned: readonly Assigned[]
}

/** Shows a reviewer, with what they have to review. */
export const reviewerPage = showPage('event', {
  path: '/e/{event}/review/reviewers/{reviewer}',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: async (tx, request): Promise<Loaded> => {
    const reviewer = await readReviewer(tx, request)
    const call = await calls.find(tx, request.event.id)
    const known = call?.topics.filter(({ id }) => reviewer.topics.includes(id)) ?? []
    return {
      reviewer,
      topics: known.map(({ name }) => name),
      assigned: await listOfReviewer(tx, reviewer.id, request.user.email),
    }
  },
  view: (loaded, request) => ({
    title: loaded.reviewer.name,
    body: <ReviewerView {...loaded} request={request} />,
  }),
})

function ReviewerView({ reviewer, topics, assigned, request }: Loaded & { request: EventRequest }) {
  const { event, voice } = request
  const { reviewSettings: texts } = voice.texts
  const stands = reviewer.left_at === null
  return (
    <>
      <Head
        title={<bdi>{reviewer.name}</bdi>}
        crumbs={<a href={paths.review(event.id)}>{texts.title}</a>}
        pill={!stands && <Pill tone="off">{texts.left}</Pill>}
        actions={
          stands && (
            <>
              <ButtonLink href={paths.reviewer(event.id, reviewer.id, 'renew')}>{texts.renew}</ButtonLink>
              <ButtonLink href={paths.reviewer(event.id, reviewer.id, 'remove')} isDestructive>
                {texts.remove}
              </ButtonLink>
            </>
          )
        }
      />
      <div class="stack">
        <section class="card">
          <Facts
            facts={[
              [texts.email, <Mail key="e" address={reviewer.email} />],
              [
                texts.affiliation,
                reviewer.affiliation === null ? '–' : <bdi key="a">{reviewer.affiliation}</bdi>,
              ],
              [texts.topics, topics.length === 0 ? '–' : <bdi key="t">{topics.join(', ')}</bdi>],
              [
                texts.conflicts,
                reviewer.conflicts.length === 0 ? '–' : <bdi key="c">{reviewer.conflicts.join(', ')}</bdi>,
              ],
            ]}
          />
        </section>
        <section class="card stack" aria-labelledby="assigned">
          <h2 id="assigned">{texts.assigned}</h2>
          {assigned.length === 0 && <p class="quiet">{texts.reviewerNone}</p>}
          <ul class="plain">
            {assigned.map(({ id, code, title, state }) => (
              <li key={id}>
                <a href={paths.abstract(event.id, id)}>
                  <bdi class="quiet">{code}</bdi> <bdi>{title}</bdi>
                </a>{' '}
                <Pill tone={TONES[state]}>{texts.states[state]}</Pill>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}

/** Sends a reviewer a new link in place of the one before. */
export const renewReviewer = formPage('event', {
  path: '/e/{event}/review/reviewers/{reviewer}/renew',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: (tx, request) => readReviewer(tx, request),
  fields: () => ({}),
  preview: ({ secret_version }) => String(secret_version),
  parts: ({ id, name }, { event, voice: { texts } }) => {
    const { renewTitle, renewWill, renewSubmit } = texts.reviewSettings
    const leave = paths.reviewer(event.id, id)
    return question({
      ...{ title: renewTitle(name), crumbs: <NamedLink href={leave} name={name} />, leave },
      ...{ submit: renewSubmit, will: renewWill, keeps: 'links' },
    })
  },
  act: (tx, { event }, { loaded: { id } }) => reviewers.renew(tx, event.id, id),
  entry: ({ params }) => ({ action: 'reviewer.renew', targetType: 'reviewer', targetId: params.reviewer }),
  next: (_, { event, params }) => ({
    path: paths.reviewer(event.id, params.reviewer ?? ''),
    flash: flash('reviewerRenewed', {}),
  }),
})

/** Takes a reviewer out. */
export const removeReviewer = formPage('event', {
  path: '/e/{event}/review/reviewers/{reviewer}/remove',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: (tx, request) => readReviewer(tx, request),
  fields: () => ({}),
  preview: ({ left_at }) => String(left_at),
  parts: ({ id, name }, { event, voice: { texts } }) => {
    const { removeTitle, removeWill, removeSubmit } = texts.reviewSettings
    const leave = paths.reviewer(event.id, id)
    return question({
      ...{ title: removeTitle(name), crumbs: <NamedLink href={leave} name={name} />, leave },
      ...{ submit: removeSubmit, will: removeWill, isDanger: true },
    })
  },
  act: async (tx, { event }, { loaded }) => {
    await reviewers.leave(tx, event.id, loaded.id)
    return loaded
  },
  entry: ({ params }) => ({ action: 'reviewer.remove', targetType: 'reviewer', targetId: params.reviewer }),
  next: ({ name }, { event }) => ({
    path: paths.review(event.id),
    flash: flash('reviewerRemoved', { name }),
  }),
})
