import { version } from '#base/version.ts'
import type { Event } from '#product/catalog/events/schemas.ts'

/** The data of an event that a calendar keeps. Instants are in milliseconds. */
export interface CalendarEntry {
  /** It is the same in every file of the event. A calendar finds the entry to change by it. */
  uid: string
  /** Grows with each change of the event. */
  sequence: number
  changedAt: number
  startsAt: number
  endsAt: number | null
  title: string
  place: string | null
  about: string | null
  /** The address of its page, if everybody may see it. */
  url: string | null
  isCancelled: boolean
  message?: CalendarMessage | undefined
}

/** The part of a file that goes out by mail (RFC 5546, section 3.2). A calendar takes such a file in by itself. */
export interface CalendarMessage {
  method: 'PUBLISH' | 'CANCEL'
  /** The sender. */
  organizer: { name: string; email: string }
  /** When it was written, in milliseconds. Of two messages with the same `sequence`, the later one counts. */
  writtenAt: number
}

/** The fields of an event that a calendar file uses. */
export interface CalendarEvent
  extends Pick<Event, 'id' | 'title' | 'starts_at' | 'ends_at' | 'venue' | 'city' | 'status'> {
  address: string | null
  /** Grows with each change of the event. */
  revision: number
  /** Milliseconds. */
  changed_at: number
}

/**
 * Returns the calendar file of an event. People share calendars, so the file contains no secret address.
 *
 * @param page the address of its page, if everybody may see it
 * @returns undefined while its date is open
 */
export function calendarOf(
  event: CalendarEvent,
  page: string | undefined,
  message?: CalendarMessage,
): string | undefined {
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
    about: page ?? null,
    url: page ?? null,
    isCancelled: event.status === 'cancelled' || message?.method === 'CANCEL',
    message,
  })
}

/** Returns the hall, the address and the city of an event. It leaves out the city if the address already contains it. */
export function placesOf({
  venue,
  address,
  city,
}: Pick<CalendarEvent, 'venue' | 'address' | 'city'>): string[] {
  const isNamed = city !== null && address?.includes(city)
  return [venue, address, isNamed ? null : city].filter(part => part !== null)
}

/** The most octets of a line without its break (RFC 5545, section 3.1). */
const MAX_LINE = 75

/**
 * Returns a calendar file with one event (RFC 5545). Its times are in UTC, so no calendar needs to know the time zone. Each
 * calendar shows them in the zone of its owner.
 */
export function calendarFile(entry: CalendarEntry): string {
  return calendarFileOf([entry], entry.message?.method)
}

/** Returns a calendar file with several events in the same way. @param method of a file that goes out by mail */
export function calendarFileOf(
  entries: readonly CalendarEntry[],
  method?: CalendarMessage['method'],
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Turnout//Turnout ${version}//EN`,
    'CALSCALE:GREGORIAN',
    ...(method === undefined ? [] : [`METHOD:${method}`]),
    ...entries.flatMap(linesOf),
    'END:VCALENDAR',
  ]
  return lines.map(line => `${fold(line)}\r\n`).join('')
}

function linesOf(entry: CalendarEntry): string[] {
  const { endsAt, place, about, url, message } = entry
  return [
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
    ...(url === null ? [] : [`URL:${url}`]),
    `STATUS:${entry.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
  ]
}

/** A parameter is in quotes, and cannot contain quotes itself (section 3.2). */
function organizerLine({ name, email }: CalendarMessage['organizer']): string {
  const quoted = name.replace(/["\p{Cc}]/gu, ' ')
  return `ORGANIZER;CN="${quoted}":mailto:${encodeURI(email)}`
}

/** Formats an instant as `20261203T130500Z` (section 3.3.5). */
function utc(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

/** Escapes a text as a value (section 3.3.11). A value has no control characters. */
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
      // A continuation line begins with a space, which counts.
      part = ''
      length = 1
    }
    part += character
    length += size
  }
  return [...parts, part].join('\r\n ')
}
