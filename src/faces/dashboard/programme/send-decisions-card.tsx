import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Live, PostButton, Progress } from '#machinery/web/components/parts.tsx'
import type { Job } from '#product/administration/jobs/schemas.ts'
import type { SendingOutcome } from '#product/programme/decisions/sending-schemas.ts'

/** The card looks again this often while decisions are sent, in seconds. */
const EVERY = 2

/** Shows how far the latest sending is, or what came of it. */
export function SendingCard({ job, request }: { job: Job | undefined; request: EventRequest }) {
  if (job === undefined) return null
  const isUnderWay = job.state === 'waiting' || job.state === 'running'
  return (
    <Live id="sending" every={isUnderWay ? EVERY : undefined}>
      {isUnderWay ? <UnderWay job={job} request={request} /> : <Ended job={job} request={request} />}
    </Live>
  )
}

interface Props {
  job: Job
  request: EventRequest
}

function UnderWay({ job, request: { event, voice } }: Props) {
  const { texts, format } = voice
  const { decisionSending: labels } = texts
  const isLater = job.state === 'waiting' && job.not_before !== null
  const title = isLater ? labels.scheduled(format.dateTime(job.not_before as string)) : labels.underWay
  const progress = labels.progress(format.number(job.done), format.number(job.total ?? 0))
  return (
    <section class="card stack" aria-labelledby="under-way">
      <h2 id="under-way">{title}</h2>
      {!isLater && <Progress label={progress} done={job.done} total={job.total} />}
      <p>
        {progress}. {labels.stopAbout}
      </p>
      <PostButton action={paths.sendDecisions(event.id, job.id)}>{labels.stop}</PostButton>
    </section>
  )
}

function Ended({ job, request: { voice } }: Props) {
  const { texts, format } = voice
  const { decisionSending: labels } = texts
  const { accepted = 0, rejected = 0, mails = 0 } = (job.outcome ?? {}) as Partial<SendingOutcome>
  return (
    <section class="card stack" aria-labelledby="ended">
      <h2 id="ended">{labels.ended[job.state as keyof typeof labels.ended]}</h2>
      <p>{labels.outcome(format.number(accepted), format.number(rejected), format.number(mails))}</p>
      {job.state !== 'done' && <p>{labels.failedAbout}</p>}
    </section>
  )
}
