import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Facts, Head, Live, Pill, PostButton } from '#machinery/web/components/parts.tsx'
import { flash, type Tone } from '#machinery/web/flash.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { describeCode, textsOfKind } from './job-kinds.ts'

/** The page looks again this often while the work goes on, in seconds. */
const EVERY = 2

const tones: Readonly<Record<Job['state'], Tone | 'off' | undefined>> = {
  preparing: 'warn',
  waiting: 'warn',
  running: 'warn',
  done: 'good',
  failed: 'bad',
  stopped: 'off',
}

const underWay: ReadonlySet<Job['state']> = new Set(['preparing', 'waiting', 'running'])

/** @throws Problem not_found, also for a job of another event */
async function readJob(tx: ReadTx, { event, params }: EventRequest): Promise<Job> {
  const id = params.job ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const job = await jobs.get(tx, id.toLowerCase())
  if (job.event_id !== event.id) throw new Problem('not_found')
  return job
}

/** Shows how far work in the background is, and what came of it. */
export const jobPage = showPage('event', {
  path: '/e/{event}/jobs/{job}',
  permission: 'guests.edit',
  belongsTo: '/e/{event}/guests',
  load: readJob,
  view: (job, request) => {
    const { event, voice } = request
    const { texts } = voice
    const { title, links, above, belongsTo } = textsOfKind(job)
    const crumb = above?.(texts, event.id) ?? { href: paths.guests(event.id), text: texts.guests.title }
    const isUnderWay = underWay.has(job.state)
    const heading = title(texts, job)
    return {
      title: heading,
      belongsTo,
      refresh: isUnderWay ? EVERY : undefined,
      body: (
        <>
          <Head title={<bdi>{heading}</bdi>} crumbs={<a href={crumb.href}>{crumb.text}</a>} />
          <Live id="job" every={isUnderWay ? EVERY : undefined}>
            <Progress job={job} request={request} />
            {!isUnderWay && (
              <p class="row">
                {links(texts, event.id, job).map(({ href, text }) => (
                  <ButtonLink key={href} href={href}>
                    {text}
                  </ButtonLink>
                ))}
              </p>
            )}
          </Live>
        </>
      ),
    }
  },
})

function Progress({ job, request }: { job: Job; request: EventRequest }) {
  const { texts, format } = request.voice
  const { state, done, total } = job
  const isUnderWay = underWay.has(state)
  const of =
    total === null
      ? texts.jobs.doneSoFar(format.number(done))
      : texts.jobs.doneOf(format.number(done), format.number(total))
  const figures = figuresOf(job, texts)
  return (
    <div class="card stack">
      <div class="stack">
        <p class="row">
          <Pill tone={tones[state]}>{texts.jobs.state[state]}</Pill> <span>{of}</span>
        </p>
        {total !== null && total > 0 && (
          <progress aria-label={texts.jobs.progress} value={done} max={total}>
            {format.percent(done, total)}
          </progress>
        )}
        {state === 'waiting' && job.not_before !== null && (
          <p>{texts.jobs.beginsAt(format.dateTime(job.not_before))}</p>
        )}
        {isUnderWay && <p class="quiet">{texts.jobs.goesOn}</p>}
        {state === 'stopped' && <p>{texts.jobs.isStopped}</p>}
        {state === 'failed' && (
          <p>
            {texts.jobs.hasFailed} {describeCode(job, texts)}
          </p>
        )}
      </div>
      {figures.length > 0 && (
        <section aria-labelledby="outcome">
          <h2 id="outcome">{texts.jobs.outcome}</h2>
          <Facts facts={figures.map(([label, figure]) => [label, format.number(figure)])} />
        </section>
      )}
      {isUnderWay && (
        <div>
          <PostButton action={paths.stopJob(request.event.id, job.id)}>{texts.jobs.stop}</PostButton>
          <p class="help">{texts.jobs.stopAbout}</p>
        </div>
      )}
    </div>
  )
}

function figuresOf(job: Job, texts: Texts): [label: string, figure: number][] {
  if (job.outcome === null) return []
  const { outcome } = job
  return textsOfKind(job).outcome.flatMap(([name, label], at) => {
    const figure = Number(outcome[name] ?? 0)
    return figure === 0 && at > 0 ? [] : [[label(texts), figure] as [string, number]]
  })
}

/** Stops the rest of the work. */
export const stopJob = button('event', {
  path: '/e/{event}/jobs/{job}/stop',
  permission: 'guests.edit',
  act: async (tx, request) => jobs.stop(tx, (await readJob(tx, request)).id),
  entry: ({ params }) => ({ action: 'job.stop', targetType: 'job', targetId: params.job }),
  // A job that has ended meanwhile stays as it is.
  next: ({ id, state }, { event }) => ({
    path: paths.job(event.id, id),
    flash: state === 'stopped' ? flash('jobStopped', {}) : undefined,
  }),
  back: ({ event, params }) => paths.job(event.id, params.job as string),
})
