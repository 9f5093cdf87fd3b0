import type { ReadTx } from '../../db/port.ts'
import { isUuid } from '../../ids.ts'
import * as jobs from '../../jobs/rules.ts'
import type { Job } from '../../jobs/schemas.ts'
import { Problem } from '../../problem.ts'
import { ButtonLink, Facts, Head, Live, Pill, PostButton } from '../../web/components/parts.tsx'
import { flash, type Tone } from '../../web/flash.ts'
import type { Texts } from '../../web/texts/texts.ts'
import type { OfEvent } from '../asked.ts'
import { button } from '../button.ts'
import { tellCode, textsOfKind } from '../job-kinds.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

/** How often it looks again while the work goes on, in seconds. */
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

/** @throws Problem not_found, also for one of another event */
async function readJob(tx: ReadTx, { account, event, params }: OfEvent): Promise<Job> {
  const id = params.job ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const job = await jobs.get(tx, account.id, id.toLowerCase())
  if (job.event_id !== event.id) throw new Problem('not_found')
  return job
}

/** Work in the background: how far it is, and what came of it. */
export const jobPage = showPage('event', {
  path: '/e/{event}/jobs/{job}',
  permission: 'guests.edit',
  load: readJob,
  view: (job, asked) => {
    const { event, voice } = asked
    const { texts } = voice
    const { title, links } = textsOfKind(job)
    const isUnderWay = underWay.has(job.state)
    const heading = title(texts, job)
    return {
      title: heading,
      refresh: isUnderWay ? EVERY : undefined,
      body: (
        <>
          <Head
            title={<bdi>{heading}</bdi>}
            crumbs={<a href={paths.guests(event.id)}>{texts.guests.title}</a>}
          />
          <Live id="job" every={isUnderWay ? EVERY : undefined}>
            <Progress job={job} asked={asked} />
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

function Progress({ job, asked }: { job: Job; asked: OfEvent }) {
  const { texts, format } = asked.voice
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
        {isUnderWay && <p class="quiet">{texts.jobs.goesOn}</p>}
        {state === 'stopped' && <p>{texts.jobs.isStopped}</p>}
        {state === 'failed' && (
          <p>
            {texts.jobs.hasFailed} {tellCode(job, texts)}
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
          <PostButton action={paths.stopJob(asked.event.id, job.id)}>{texts.jobs.stop}</PostButton>
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

/** Lets nothing more of it be done. */
export const stopJob = button('event', {
  path: '/e/{event}/jobs/{job}/stop',
  permission: 'guests.edit',
  act: async (tx, asked) => jobs.stop(tx, asked.account.id, (await readJob(tx, asked)).id),
  entry: ({ params }) => ({ action: 'job.stop', targetType: 'job', targetId: params.job }),
  // One that has ended meanwhile stays as it is.
  next: ({ id, state }, { event }) => ({
    path: paths.job(event.id, id),
    flash: state === 'stopped' ? flash('jobStopped', {}) : undefined,
  }),
  back: ({ event, params }) => paths.job(event.id, params.job as string),
})
