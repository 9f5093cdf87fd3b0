import { paths } from '#faces/dashboard/frame/paths.ts'
import type { Finding, FindingLevel } from '#machinery/ops/doctor/finding.ts'
import { Banner, Pill, PostButton, Progress } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { HealthState } from './system-service.ts'

/** What is broken comes first. */
const ORDER: readonly FindingLevel[] = ['error', 'warning', 'info', 'ok']
const TONES = { ok: 'good', info: 'off', warning: 'warn', error: 'bad' } as const

/** The part of the page that looks at what goes wrong in real life, as "turnout doctor" does. */
export function HealthCheck({
  health: { since, last },
  accountId,
  voice,
}: {
  health: HealthState
  accountId: string
  voice: Voice
}) {
  const { texts, format } = voice
  const { doctor: labels } = texts
  return (
    <section class="card stack" aria-labelledby="health">
      <h2 id="health">{labels.title}</h2>
      <p>{labels.about}</p>
      {since !== undefined && (
        <div>
          <p>{labels.running(format.dateTime(since))}</p>
          <Progress label={labels.title} done={0} total={null} />
        </div>
      )}
      {since === undefined && last !== undefined && (
        <>
          <p class="help">
            {last.findings === undefined
              ? labels.failed(format.dateTime(last.at))
              : labels.last(format.dateTime(last.at))}
          </p>
          {last.findings !== undefined && <Findings findings={last.findings} voice={voice} />}
        </>
      )}
      {since === undefined && <PostButton action={paths.examineInstance(accountId)}>{labels.run}</PostButton>}
    </section>
  )
}

function Findings({ findings, voice }: { findings: readonly Finding[]; voice: Voice }) {
  const { doctor: labels } = voice.texts
  const sorted = ORDER.flatMap(level => findings.filter(each => each.level === level))
  return (
    <>
      {sorted[0]?.level !== 'error' && (
        <Banner tone="good">
          <p>{labels.allWell}</p>
        </Banner>
      )}
      <ul class="findings">
        {sorted.map(each => (
          <li key={each.code}>
            <Pill tone={TONES[each.level]}>{labels.levels[each.level]}</Pill>{' '}
            <span>
              <bdi>{each.say(voice)}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
