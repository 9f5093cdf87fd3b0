import type { Part } from '../emails/kind.ts'
import { placesOf } from '../event-pages/calendar-file.ts'
import type { DatePlace } from '../events/schemas.ts'
import { Format } from '../web/format.ts'
import { safeLink } from '../web/link.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'

/** `3 Dec 2026, 14:05 – 18:00 (Europe/Madrid)` */
export function tellWhen(
  { starts_at: starts, ends_at: ends, timezone }: DatePlace,
  language: Language,
): string {
  if (starts === null) return ''
  const format = new Format(language, timezone)
  const isOneDay = ends !== null && format.date(starts) === format.date(ends)
  const end = ends === null ? '' : ` – ${isOneDay ? format.time(ends) : format.dateTime(ends)}`
  return `${format.dateTime(starts)}${end} (${timezone})`
}

export function tellPlace(at: DatePlace): string {
  return placesOf(at).join(', ').replace(/\s+/g, ' ')
}

/** What has changed, with what it was. */
export interface Changed {
  label: string
  was: string
  is: string
}

/** @param withOnline for those alone who have a ticket */
export function listChanges(
  was: DatePlace,
  is: DatePlace,
  language: Language,
  { withOnline }: { withOnline: boolean },
): Changed[] {
  const { notice } = textsIn(language).mail
  const rows = [
    { label: notice.when, was: tellWhen(was, language), is: tellWhen(is, language) },
    { label: notice.where, was: tellPlace(was), is: tellPlace(is) },
    ...(withOnline ? [{ label: notice.online, was: was.online_url ?? '', is: is.online_url ?? '' }] : []),
  ]
  return rows.filter(row => row.was !== row.is)
}

/** The changes in a letter: what is so first. */
export function showChanges(changes: readonly Changed[], language: Language): Part[] {
  const { notice } = textsIn(language).mail
  return changes.map(({ label, was, is }) => ({
    html: (
      <p key={label} style="margin:0 0 16px">
        <strong>{label}</strong>: <bdi>{is === '' ? notice.open : is}</bdi>
        {was !== '' && (
          <>
            <br />
            <span class="quiet" style="color:#4d5564">
              {notice.before}: <del>{was}</del>
            </span>
          </>
        )}
      </p>
    ),
    text: [
      `${label}: ${is === '' ? notice.open : is}`,
      ...(was === '' ? [] : [`${notice.before}: ${was}`]),
    ].join('\n'),
  }))
}

/** The online link, for those who have a ticket. */
export function showOnline(url: string | null, language: Language): Part[] {
  const href = safeLink(url ?? '')
  if (url === null || href === undefined) return []
  const { notice } = textsIn(language).mail
  return [
    {
      html: (
        <p key="online" class="prose" style="margin:0 0 16px">
          <strong>{notice.online}</strong>: <a href={href}>{url}</a>
        </p>
      ),
      text: `${notice.online}: ${url}`,
    },
  ]
}
