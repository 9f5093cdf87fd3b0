import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Head } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { Slot, TimedSession, Timetable } from '#product/programme/timetable/schemas.ts'
import { isOfPlace, MOST_WARNINGS, type Spot, type Warning } from '#product/programme/timetable/warnings.ts'
import { nameSlot, type Programme, readProgramme } from './read-programme.ts'

/** Lists all that a programme is warned of. */
export const programmeWarnings = showPage('event', {
  path: '/e/{event}/programme/warnings',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  prepare: readProgramme,
  view: (loaded, request) => {
    const { timetable: texts } = request.voice.texts
    return { title: texts.warningsTitle, body: <AllWarnings {...loaded} request={request} /> }
  },
})

function AllWarnings({ timetable, warnings, request }: Programme & { request: EventRequest }) {
  const { timetable: texts } = request.voice.texts
  const places = warnings.filter(isOfPlace)
  return (
    <>
      <Head
        title={texts.warningsTitle}
        crumbs={<a href={paths.programme(request.event.id)}>{texts.title}</a>}
        about={texts.warningsAbout}
      />
      <div class="stack">
        <section class="card">
          {places.length === 0 && <p>{texts.noWarnings}</p>}
          <WarningList timetable={timetable} warnings={places} request={request} />
        </section>
        {places.length < warnings.length && (
          <section class="card stack" aria-labelledby="ticketless">
            <h2 id="ticketless">{texts.ticketlessTitle}</h2>
            <p class="quiet">{texts.ticketlessAbout}</p>
            <WarningList timetable={timetable} warnings={warnings.slice(places.length)} request={request} />
          </section>
        )}
      </div>
    </>
  )
}

/** Says how many warnings there are, and how many of those who present have no ticket. */
export function tellWarnings(warnings: readonly Warning[], { texts: all, format }: Voice): string {
  const { timetable: texts } = all
  if (warnings.length === MOST_WARNINGS) return texts.manyWarnings(format.number(MOST_WARNINGS))
  const places = warnings.filter(isOfPlace).length
  const rest = warnings.length - places
  if (rest === 0) return texts.warnings(places)
  return places === 0 ? texts.ticketless(rest) : `${texts.warnings(places)} · ${texts.ticketless(rest)}`
}

interface ListProps {
  timetable: Timetable
  warnings: readonly Warning[]
  request: EventRequest
}

/** Lists warnings, each with a link to where it stands. */
export function WarningList({ timetable, warnings, request }: ListProps) {
  if (warnings.length === 0) return null
  const known = new Map(timetable.sessions.map(session => [session.id, session]))
  const slots = new Map(
    timetable.sessions.flatMap(session => session.slots.map(slot => [slot.id, slot] as const)),
  )
  return (
    <ul>
      {warnings.map((warning, at) => (
        <li key={at}>
          <a href={addressOf(warning, request)}>
            <bdi>{tell(warning, { sessions: known, slots }, request)}</bdi>
          </a>
        </li>
      ))}
    </ul>
  )
}

function addressOf({ session_id, slot_id }: Spot, { event }: EventRequest): string {
  const session = paths.programmeSession(event.id, session_id)
  return slot_id === null ? session : `${session}#slot-${slot_id}`
}

interface Named {
  sessions: ReadonlyMap<string, TimedSession>
  slots: ReadonlyMap<string, Slot>
}

function tell(warning: Warning, named: Named, { voice }: EventRequest): string {
  const { texts, format } = voice
  const says = texts.timetable.warning
  const nameOf = ({ session_id, slot_id }: Spot) => {
    const slot = slot_id === null ? undefined : named.slots.get(slot_id)
    const session = named.sessions.get(session_id)
    const from = format.dayTime(slot?.from ?? session?.starts_at ?? 0)
    return texts.timetable.spot(slot === undefined ? (session?.title ?? '') : nameSlot(slot), from)
  }
  const what = nameOf(warning)
  switch (warning.kind) {
    case 'person':
    case 'walk':
      return says[warning.kind](warning.who, what, nameOf(warning.other))
    case 'room':
      return says.room(warning.room, what, nameOf(warning.other))
    case 'long':
      return says.long(what, texts.timetable.minutes(warning.minutes))
    case 'unavailable':
      return says.unavailable(what, format.day(warning.date))
    case 'unregistered':
      return says.unregistered(what, warning.who)
    default:
      return says[warning.kind](what)
  }
}
