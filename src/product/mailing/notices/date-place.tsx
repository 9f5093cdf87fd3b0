import type { Part } from '#machinery/mail/kind.ts'
import { Format } from '#machinery/web/format.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import type { DatePlace } from '#product/catalog/events/schemas.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'

/** `3 Dec 2026, 14:05 – 18:00 (Europe/Madrid)` */
export function describeWhen(
  { starts_at: starts, ends_at: ends, timezone }: DatePlace,
  language: Language,
): string {
  if (starts === null) return ''
  const format = new Format(language, timezone)
  const isOneDay = ends !== null && format.date(starts) === format.date(ends)
  const end = ends === null ? '' : ` – ${isOneDay ? format.time(ends) : format.dateTime(ends)}`
  return `${format.dateTime(starts)}${end} (${timezone})`
}

export function describePlace(at: DatePlace): string {
  return placesOf(at).join(', ').replace(/\s+/g, ' ')
}

/** Says what has changed, and what it was before. */
export interface Changed {
  label: string
  was: string
  is: string
}

/** @param withOnline whether to list the online link, which only those with a ticket may see */
export function listChanges(
  was: DatePlace,
  is: DatePlace,
  language: Language,
  { withOnline }: { withOnline: boolean },
): Changed[] {
  const { notice } = textsIn(language).mail
  const rows = [
    { label: notice.when, was: describeWhen(was, language), is: describeWhen(is, language) },
    { label: notice.where, was: describePlace(was), is: describePlace(is) },
    ...(withOnline ? [{ label: notice.online, was: was.online_url ?? '', is: is.online_url ?? '' }] : []),
  ]
  return rows.filter(row => row.was !== row.is)
}

/** Shows the changes in a letter, with the current value first. */
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
