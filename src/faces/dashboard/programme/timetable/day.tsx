import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Pill } from '#machinery/web/components/parts.tsx'
import type { TimedSession } from '#product/programme/timetable/schemas.ts'
import { countWarnings, type Programme } from './read-programme.ts'
import { SlotLine } from './slot-line.tsx'

type DayProps = Programme & { sessions: readonly TimedSession[]; request: EventRequest }

/** Shows the sessions of a day, those of each room below each other. */
export function DayByRoom({ timetable, warnings, sessions, request }: DayProps) {
  const { texts } = request.voice
  const counts = countWarnings(warnings)
  const rooms = [
    ...timetable.rooms.map(({ id, name }) => ({ id, name })),
    { id: null, name: texts.timetable.noRoom },
  ].filter(room => sessions.some(({ room_id }) => room_id === room.id))
  return (
    <section class="by-room" aria-label={texts.timetable.overview}>
      {rooms.map(({ id, name }) => (
        <section key={id} class="stack" aria-labelledby={`room-${id}`}>
          <h2 id={`room-${id}`}>
            <bdi>{name}</bdi>
          </h2>
          {sessions
            .filter(({ room_id }) => room_id === id)
            .map(session => (
              <SessionCard key={session.id} session={session} counts={counts} request={request} />
            ))}
        </section>
      ))}
    </section>
  )
}

interface CardProps {
  session: TimedSession
  counts: ReadonlyMap<string, number>
  request: EventRequest
}

function SessionCard({ session, counts, request }: CardProps) {
  const { event, voice } = request
  const { texts, format } = voice
  const { id, title, starts_at, ends_at, chairs, slots } = session
  return (
    <article class="card" data-session={id}>
      <p class="when">
        {format.time(starts_at)}–{format.time(ends_at)}
      </p>
      <h3>
        <a href={paths.programmeSession(event.id, id)}>
          <bdi>{title}</bdi>
        </a>
        {(counts.get(id) ?? 0) > 0 && (
          <>
            {' '}
            <Pill tone="warn">{texts.timetable.marked}</Pill>
          </>
        )}
      </h3>
      {chairs.length > 0 && (
        <p class="quiet small">
          {texts.timetable.chairs}: <bdi>{chairs.map(({ name }) => name).join(', ')}</bdi>
        </p>
      )}
      <ol class="slots">
        {slots.map(slot => (
          <SlotLine key={slot.id} slot={slot} warned={counts.get(slot.id) ?? 0} request={request} />
        ))}
      </ol>
      {slots.length === 0 && <p class="quiet small">{texts.timetable.noSlots}</p>}
    </article>
  )
}
