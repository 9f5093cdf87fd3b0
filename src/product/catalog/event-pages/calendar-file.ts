import type { Event } from '../events/schemas.ts'
import { version } from '../version.ts'

/** What a calendar keeps of an event. Instants in milliseconds. */
export interface CalendarEntry {
  /** The same in every file of the event: by it a calendar knows which entry to change. */
  uid: string
  /** Grows with each change. */
  sequence: number
  changedAt: number
  startsAt: number
  endsAt: number | null
  title: string
  place: string | null
  about: string | null
  /** Its page. */
  url: string
  isCancelled: boolean
  message?: CalendarMessage | undefined
}

/** What a file says that a mail carries (RFC 5546, section 3.2): a calendar takes it in by itself. */
export interface CalendarMessage {
  method: 'PUBLISH' | 'CANCEL'
  /** Whom it is from. */
  organizer: { name: string; email: string }
  /** When it was written, in milliseconds: of two with one `sequence` the later counts. */
  writtenAt: number
}

/** What a calendar file tells of an event. */
export interface CalendarEvent
  extends Pick<Event, 'id' | 'title' | 'starts_at' | 'ends_at' | 'venue' | 'city' | 'status'> {
  address: string | null
  /** It grows with each change of the event. */
  revision: number
  /** Milliseconds. */
  changed_at: number
}

/** The calendar file of an event. @param url of its page @returns undefined while its date is open */
export function calendarOf(event: CalendarEvent, url: string, message?: CalendarMessage): string | undefined {
  if (event.starts_at === null) return undefined
  const place = placesOf(event)
  return calendarFile({
    uid: event.id,
    sequence: event.revision,
    changedAt: event.changed_at,
    startsAt: Date.parse(event.starts_at),
    endsAt: event.ends_at === null ? null : Date.parse(event.ends_at),
    title: event.title,
    place: place.length === 0 ? null : place.join(', '),
    about: url,
    url,
    isCancelled: event.status === 'cancelled' || message?.method === 'CANCEL',
    message,
  })
}

/** Where it is: hall, address and city, unless the address names that already. */
export function placesOf({
  venue,
  address,
  city,
}: Pick<CalendarEvent, 'venue' | 'address' | 'city'>): string[] {
  const isNamed = city !== null && address?.includes(city)
  return [venue, address, isNamed ? null : city].filter(part => part !== null)
}

/** Octets of a line without its break (RFC 5545, section 3.1). */
const MAX_LINE = 75

/**
 * A calendar file with one event (RFC 5545). Its times are in UTC, so that no calendar needs to know of the time zone: each shows
 * them in that of its owner.
 */
export function calendarFile(entry: CalendarEntry): string {
  const { endsAt, place, about, message } = entry
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Turnout//Turnout ${version}//EN`,
    'CALSCALE:GREGORIAN',
    ...(message === undefined ? [] : [`METHOD:${message.method}`]),
    'BEGIN:VEVENT',
    `UID:${text(entry.uid)}`,
    `DTSTAMP:${utc(message?.writtenAt ?? entry.changedAt)}`,
    ...(message === undefined ? [] : [organizerLine(message.organizer)]),
    `SEQUENCE:${entry.sequence}`,
    `DTSTART:${utc(entry.startsAt)}`,
    ...(endsAt === null ? [] : [`DTEND:${utc(endsAt)}`]),
    `SUMMARY:${text(entry.title)}`,
    ...(place === null ? [] : [`LOCATION:${text(place)}`]),
    ...(about === null ? [] : [`DESCRIPTION:${text(about)}`]),
    `URL:${entry.url}`,
    `STATUS:${entry.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map(line => `${fold(line)}\r\n`).join('')
}

/** A parameter stands in quotes, and can have none itself (section 3.2). */
function organizerLine({ name, email }: CalendarMessage['organizer']): string {
  const quoted = name.replace(/["\p{Cc}]/gu, ' ')
  return `ORGANIZER;CN="${quoted}":mailto:${encodeURI(email)}`
}

/** `20261203T130500Z` (section 3.3.5). */
function utc(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

/** A text as a value (section 3.3.11). Control characters are in none. */
function text(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}/gu, '')
}

/** Breaks a long line between two characters, never inside one. */
function fold(line: string): string {
  const parts: string[] = []
  let part = ''
  let length = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (length + size > MAX_LINE) {
      parts.push(part)
      // What goes on begins with a space, which counts.
      part = ''
      length = 1
    }
    part += character
    length += size
  }
  return [...parts, part].join('\r\n ')
}
