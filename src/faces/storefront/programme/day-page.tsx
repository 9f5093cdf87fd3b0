import type { PublicAbstract, PublicSession, PublicSlot } from '#product/programme/published/schemas.ts'
import { Authors } from '#product/programme/submissions/abstract-parts.tsx'
import { addressOf, Downloads, dayAddress, type FrameProps, ProgrammeFrame } from './programme-frame.tsx'

export interface DayProps extends FrameProps {
  /** `YYYY-MM-DD`. It is undefined for an empty programme. */
  day: string | undefined
  sessions: readonly PublicSession[]
}

/** Shows a day of a programme: its sessions by time, with what stands in each. */
export function DayDocument({ day, sessions, ...props }: DayProps) {
  const { host, frame, speech, voice } = props
  const { texts, format } = voice
  const { agenda } = texts
  const [first] = frame.days
  const isFirst = day === undefined || day === first
  return (
    <ProgrammeFrame
      {...props}
      title={isFirst ? agenda.title : `${agenda.title}, ${format.day(day)}`}
      what={isFirst ? '' : `?day=${day}`}
      heading={<h1 dir="auto">{agenda.titleOf(host.event.title)}</h1>}
    >
      {frame.days.length > 1 && (
        <nav class="days no-print" aria-label={agenda.days}>
          <ul class="row plain">
            {frame.days.map(each => (
              <li key={each}>
                <a
                  class="button"
                  href={dayAddress(host, speech, each)}
                  aria-current={each === day ? 'page' : undefined}
                >
                  {format.day(each)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {sessions[0] === undefined ? (
        <p>{agenda.none}</p>
      ) : (
        <>
          <h2>{format.weekday(sessions[0].from)}</h2>
          <p class="quiet">{agenda.zone(format.zone(sessions[0].from))}</p>
        </>
      )}
      {frame.textsFrom !== null && <p class="quiet">{agenda.textsFrom(format.dateTime(frame.textsFrom))}</p>}
      {/* A day may be long, and nobody looks for the book behind it. */}
      <Downloads {...props} />
      {sessions.map(session => (
        <SessionView key={session.id} session={session} {...props} />
      ))}
    </ProgrammeFrame>
  )
}

function SessionView({ session, ...props }: FrameProps & { session: PublicSession }) {
  const { host, speech, voice } = props
  const { texts, format } = voice
  const { id, room, chairs, from, to, about, slots } = session
  const title = session.title ?? texts.agenda.session
  return (
    <section class="session" id={`s-${id}`} aria-labelledby={`h-${id}`}>
      <header>
        <p class="time">
          <time datetime={new Date(from).toISOString()}>{format.time(from)}</time>–{format.time(to)}
        </p>
        <div>
          <h3 id={`h-${id}`} dir="auto">
            {title}
          </h3>
          <p class="quiet">
            {room !== null && <bdi class="strong">{room}</bdi>}
            {room !== null && chairs.length > 0 && ' · '}
            {chairs.length > 0 && <bdi>{texts.agenda.chairs(format.list(chairs))}</bdi>}
          </p>
          <p class="no-print small">
            <a
              href={addressOf(host, speech, `sessions/${id}/calendar.ics`)}
              aria-label={texts.agenda.calendarOf(title)}
            >
              {texts.agenda.calendar}
            </a>
          </p>
        </div>
      </header>
      {about !== null && (
        <p class="lines" dir="auto">
          {about}
        </p>
      )}
      {slots.length > 0 && (
        <ol class="plain slots">
          {slots.map((slot, at) => (
            <SlotView key={at} slot={slot} session={session} {...props} />
          ))}
        </ol>
      )}
    </section>
  )
}

function SlotView({ slot, session, ...props }: FrameProps & { slot: PublicSlot; session: PublicSession }) {
  const { format } = props.voice
  const { from, to, title, abstract } = slot
  // What lasts as long as its session, as a poster does, has no time of its own.
  const isWhole = from === session.from && to === session.to
  return (
    <li>
      <p class="time">
        {!isWhole && <time datetime={new Date(from).toISOString()}>{format.time(from)}</time>}
      </p>
      {abstract === null ? <p dir="auto">{title}</p> : <AbstractLine abstract={abstract} {...props} />}
    </li>
  )
}

/** Shows an abstract in a list: number, title, and who has written it. */
export function AbstractLine({ abstract, ...props }: FrameProps & { abstract: PublicAbstract }) {
  const { host, speech, voice } = props
  const { number, title, language, authors, affiliations, isWithdrawn } = abstract
  return (
    <div class="contribution">
      <p>
        <span class="number">{number}</span>{' '}
        <a href={addressOf(host, speech, number)} lang={language ?? undefined}>
          <bdi>{title}</bdi>
        </a>
        {isWithdrawn && <> ({voice.texts.agenda.withdrawn})</>}
      </p>
      {authors.length > 0 && <Authors authors={authors} affiliations={affiliations} />}
    </div>
  )
}
