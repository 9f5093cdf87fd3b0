import { type ActorNames, describeActor } from '#faces/dashboard/frame/actors.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Time } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import { withQuery } from '#machinery/web/link.ts'
import type { AccessLogEntry } from '#product/administration/access-log/schemas.ts'
import type { Decision } from '#product/programme/abstracts/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { readAbstractQuery } from './abstract-query.ts'
import type { Read } from './abstract-read.ts'
import { decisionTones } from './abstract-status.tsx'

interface Happened {
  at: string
  text: string
  by?: string
  tone?: Tone | undefined
  /** The version that was made then. */
  version?: number
}

/** Shows what has happened to an abstract, the newest first. */
export function History({ request, ...read }: Read & { request: EventRequest }) {
  const { texts, format } = request.voice
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{texts.abstracts.history}</h2>
      <p class="small quiet">{texts.page.timesIn(format.timezone)}</p>
      <ol class="timeline">
        {listHappened(read, texts).map(({ at, text, by, tone, version }) => (
          <li key={`${at} ${text} ${version}`} class={tone}>
            <span>{text}</span>
            <span class="small quiet">
              <Time at={at} format={format} />
              {by !== undefined && (
                <>
                  {' '}
                  <bdi>{texts.abstracts.doneBy(by)}</bdi>
                </>
              )}
              {version !== undefined && (
                <>
                  {' '}
                  <VersionLink version={version} request={request} />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Leads to what an abstract said in a version, with the query of the list that its page was opened from. */
export function VersionLink({ version, request }: { version: number; request: EventRequest }) {
  const { event, params, voice } = request
  const address = paths.abstractVersion(event.id, params.abstract ?? '', version)
  return (
    <a href={withQuery(address, readAbstractQuery(request).query)}>
      {voice.texts.abstracts.version(version)}
    </a>
  )
}

function listHappened({ abstract, revisions, entries, names }: Read, texts: Texts): Happened[] {
  const { wasSubmitted, wasChanged, wasChangedBy, wasDecided } = texts.abstracts
  const { submitted_at, decided_at, withdrawn_at, status } = abstract
  const logged = entries.map(entry => tellEntry(entry, names, texts))
  const isLogged = (sought: string) => entries.some(({ action }) => action === sought)
  // The abstract came with its decision.
  if (!isLogged('abstract.decide') && decided_at !== null && status !== 'submitted')
    logged.push({ at: decided_at, text: wasDecided[status], tone: decisionTones[status] })
  // The log is kept for less long.
  if (!isLogged('abstract.withdraw') && withdrawn_at !== null)
    logged.push({ at: withdrawn_at, ...withdrawal(texts) })
  const changed = revisions.flatMap(({ number, at, by }): Happened[] => {
    if (number === 1) return []
    if (by === null) return [{ at, text: wasChanged, version: number }]
    return [{ at, text: wasChangedBy, by: describeActor(by, names, texts), version: number }]
  })
  // The page itself shows the only version.
  const first = revisions.length > 1 ? { version: 1 } : {}
  const all: Happened[] = [
    ...logged,
    ...changed,
    ...(submitted_at === null ? [] : [{ at: submitted_at, text: wasSubmitted, ...first }]),
  ]
  return all.sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
}

function tellEntry(
  { at, action, actor, details }: AccessLogEntry,
  names: ActorNames,
  texts: Texts,
): Happened {
  if (action === 'abstract.withdraw') return { at, ...withdrawal(texts) }
  const by = describeActor(actor, names, texts)
  if (action === 'abstract.reopen') return { at, text: texts.abstracts.wasReopened, by }
  const decision = details.decision as Decision['decision']
  return { at, text: texts.abstracts.wasDecided[decision], by, tone: decisionTones[decision] }
}

const withdrawal = ({ abstracts }: Texts) => ({ text: abstracts.wasWithdrawn, tone: 'bad' as const })
