import { describeActor } from '#faces/dashboard/frame/actors.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { Time } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import type { Decision } from '#product/programme/abstracts/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import type { Read } from './abstract-read.ts'
import { decisionTones } from './abstract-status.tsx'

interface Happened {
  at: string
  text: string
  by?: string
  tone?: Tone | undefined
}

/** Shows what has happened to an abstract, the newest first. */
export function History({ request, ...read }: Read & { request: EventRequest }) {
  const { texts, format } = request.voice
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{texts.abstracts.history}</h2>
      <p class="small quiet">{texts.page.timesIn(format.timezone)}</p>
      <ol class="timeline">
        {listHappened(read, texts).map(({ at, text, by, tone }) => (
          <li key={`${at} ${text}`} class={tone}>
            <span>{text}</span>
            <span class="small quiet">
              <Time at={at} format={format} />
              {by !== undefined && (
                <>
                  {' '}
                  <bdi>{texts.abstracts.doneBy(by)}</bdi>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function listHappened({ abstract, revisions, entries, names }: Read, texts: Texts): Happened[] {
  const { wasSubmitted, wasChanged, wasWithdrawn, wasDecided } = texts.abstracts
  const { submitted_at, decided_at, withdrawn_at, status } = abstract
  const decided: Happened[] = entries.map(({ at, actor, details }) => {
    const decision = details.decision as Decision['decision']
    const by = describeActor(actor, names, texts)
    return { at, text: wasDecided[decision], by, tone: decisionTones[decision] }
  })
  // The abstract came with its decision.
  if (entries.length === 0 && decided_at !== null && status !== 'submitted')
    decided.push({ at: decided_at, text: wasDecided[status], tone: decisionTones[status] })
  const changed = revisions.flatMap(({ number, at }) => (number === 1 ? [] : [{ at, text: wasChanged }]))
  const all: Happened[] = [
    ...(withdrawn_at === null ? [] : [{ at: withdrawn_at, text: wasWithdrawn, tone: 'bad' as const }]),
    ...decided,
    ...changed,
    ...(submitted_at === null ? [] : [{ at: submitted_at, text: wasSubmitted }]),
  ]
  return all.sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
}
