import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { withBack } from '#faces/dashboard/frame/way-back.ts'
import { ButtonLink, Facts, Head, Mail, Pill } from '#machinery/web/components/parts.tsx'
import { type BriefAbstract, getBriefly } from '#product/programme/abstracts/of-event.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { listBySubmitter } from '#product/programme/submissions/rules.ts'
import type { Submission, Submitter } from '#product/programme/submissions/schemas.ts'
import { getOfEvent } from '#product/programme/submissions/submitters.ts'
import { AbstractState } from './abstract-status.tsx'

interface Own {
  submission: Submission
  /** It is undefined for what was never sent. */
  abstract: BriefAbstract | undefined
}

interface Loaded {
  submitter: Submitter
  call: Call
  all: readonly Own[]
}

/** Shows who submits: what they have begun and sent, and what a chair can do for them. */
export const submitterPage = showPage('event', {
  path: '/e/{event}/abstracts/people/{submitter}',
  permission: 'abstracts',
  load: async (tx, { event, params }): Promise<Loaded> => {
    const submitter = await getOfEvent(tx, event.id, params.submitter ?? '')
    const all: Own[] = []
    for (const submission of await listBySubmitter(tx, submitter.id)) {
      const { abstract_id: id } = submission
      all.push({ submission, abstract: id === null ? undefined : await getBriefly(tx, event.id, id) })
    }
    return { submitter, call: await calls.get(tx, event.id), all }
  },
  view: (loaded, request) => ({
    title: loaded.submitter.name,
    body: <Person {...loaded} request={request} />,
  }),
})

function Person({ submitter, call, all, request }: Loaded & { request: EventRequest }) {
  const { event, voice } = request
  const { submitters: texts, abstracts, page } = voice.texts
  return (
    <>
      <Head
        title={<bdi>{submitter.name}</bdi>}
        crumbs={<a href={paths.abstracts(event.id)}>{abstracts.title}</a>}
        pill={<ConfirmedPill isConfirmed={submitter.is_confirmed} request={request} />}
      />
      <div class="stack">
        <section class="card stack" aria-label={submitter.name}>
          <Facts facts={[[texts.email, <Mail key="email" address={submitter.email} />]]} />
          <MoreUntil submitter={submitter} call={call} request={request} />
          <ForSubmitter submitter={submitter} request={request} />
        </section>
        <section class="card stack" aria-labelledby="all">
          <h2 id="all">{texts.all}</h2>
          <p class="small quiet">{page.timesIn(voice.format.timezone)}</p>
          {all.length === 0 && <p class="quiet">{texts.none}</p>}
          <ul class="named">
            {all.map(own => (
              <li key={own.submission.id}>
                <OwnOne {...own} request={request} />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}

/** What was never sent has no title here: nobody has sent that either. */
function OwnOne({ submission, abstract, request }: Own & { request: EventRequest }) {
  const { event, voice } = request
  const { texts, format } = voice
  if (abstract === undefined) return <>{texts.submitters.draft(format.dateTime(submission.updated_at))}</>
  return (
    <>
      <a href={paths.abstract(event.id, abstract.id)}>
        <bdi class="quiet">{abstract.code}</bdi> <bdi>{abstract.title}</bdi>
      </a>{' '}
      <AbstractState {...abstract} texts={texts} />
    </>
  )
}

/** Says whether the mailed link has reached a person. */
export function ConfirmedPill({ isConfirmed, request }: { isConfirmed: boolean; request: EventRequest }) {
  const { confirmed, unconfirmed } = request.voice.texts.abstracts
  return <Pill tone={isConfirmed ? 'good' : 'warn'}>{isConfirmed ? confirmed : unconfirmed}</Pill>
}

interface OfSubmitter {
  submitter: Submitter
  request: EventRequest
}

/** Says until when the call is open for the person alone, as the person reads a deadline. */
export function MoreUntil({ submitter, call, request }: OfSubmitter & { call: Call | undefined }) {
  const { event, voice } = request
  const { late_until: closes_at } = submitter
  if (closes_at === null || call === undefined) return null
  const until = deadlineText({ closes_at, zone: call.zone }, event.timezone, voice.format.language)
  return <p class="small">{voice.texts.submitters.moreUntil(until)}</p>
}

/** Shows what a chair can do for a person. Each form leads back to the page that shows it. @param from its address */
export function ForSubmitter({ submitter: { id }, request, from }: OfSubmitter & { from?: string }) {
  const { event, voice } = request
  const { submitters: texts } = voice.texts
  const to = (path: string) => (from === undefined ? path : withBack(path, from))
  return (
    <div class="row">
      <ButtonLink href={to(paths.submitter(event.id, id, 'time'))}>{texts.time}</ButtonLink>
      <ButtonLink href={to(paths.submitter(event.id, id, 'email'))}>{texts.correct}</ButtonLink>
      <ButtonLink href={to(paths.submitter(event.id, id, 'renew'))} isDestructive>
        {texts.renew}
      </ButtonLink>
    </div>
  )
}
