import { type CalendarEntry, calendarFileOf } from '#product/catalog/event-pages/calendar-file.ts'
import type { PublicAbstract, PublicFrame, PublicPlace, PublicSession } from './schemas.ts'

/** What entries of a calendar say of the event around them. */
export interface Around {
  frame: PublicFrame
  /** The hall, address and city. */
  venue: readonly string[]
  /** What a session is called that has no title. */
  untitled: string
  /** Returns the address of a page, if everybody may see it. @param path below that of the programme */
  pageOf: (path: string) => string | null
}

/** Returns a calendar file with sessions. Each says what stands in it. */
export function calendarOfSessions(sessions: readonly PublicSession[], around: Around): string {
  return calendarFileOf(sessions.map(session => entryOfSession(session, around)))
}

function entryOfSession(session: PublicSession, around: Around): CalendarEntry {
  const { id, title, room, from, to, slots } = session
  const lines = slots.flatMap(({ abstract, title: text }) =>
    abstract === null ? (text ?? []) : `${abstract.number} ${abstract.title}`,
  )
  return entryOf({ uid: id, title: title ?? around.untitled, room, from, to }, around, {
    about: lines.length === 0 ? null : lines.join('\n'),
    page: `#${id}`,
    isCancelled: false,
  })
}

/**
 * Returns a calendar file with an abstract, once for each of its places. Its entries have the id of the abstract, so that a calendar
 * moves them with it.
 */
export function calendarOfAbstract(
  id: string,
  { number, title, isWithdrawn }: PublicAbstract,
  places: readonly PublicPlace[],
  around: Around,
): string {
  return calendarFileOf(
    places.map(({ title: session, room, from, to }, at) =>
      entryOf(
        { uid: at === 0 ? id : `${id}-${at + 1}`, title: `${number} ${title}`, room, from, to },
        around,
        { about: session, page: `/${number}`, isCancelled: isWithdrawn },
      ),
    ),
  )
}

function entryOf(
  {
    uid,
    title,
    room,
    from,
    to,
  }: { uid: string; title: string; room: string | null; from: number; to: number },
  { frame, venue, pageOf }: Around,
  { about, page, isCancelled }: { about: string | null; page: string; isCancelled: boolean },
): CalendarEntry {
  const place = [...(room === null ? [] : [room]), ...venue].join(', ')
  return {
    // The version rises with each publication, and so a calendar takes the newer entry.
    ...{ uid, title, sequence: frame.version, changedAt: frame.publishedAt, startsAt: from, endsAt: to },
    ...{ place: place === '' ? null : place, about, url: pageOf(page), isCancelled },
  }
}
