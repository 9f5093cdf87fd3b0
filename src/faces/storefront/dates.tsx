import type { Format } from '#machinery/web/format.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'

/** Shows a day as a leaf of a calendar. The words beside it say the same to visitors who do not see it. */
export function Leaf({ at, format }: { at: number; format: Format }) {
  return (
    <span class="leaf" aria-hidden="true">
      <span class="month">{format.shortMonth(at)}</span>
      <span class="day">{format.dayOfMonth(at)}</span>
    </span>
  )
}

/** Shows when an event takes place, in its own time zone: the day, and below it the hours. */
export function When({ from, until, format }: { from: number; until: number | null; format: Format }) {
  const zone = format.zone(from)
  const isOneDay = until === null || format.date(from) === format.date(until)
  return (
    <>
      <span class="strong">
        <Instant at={from}>{isOneDay ? format.weekday(from) : format.dates(from, until)}</Instant>
      </span>
      <span class="quiet">
        {isOneDay ? format.time(from) : format.dayTime(from)}
        {until !== null && (
          <>
            {' – '}
            <Instant at={until}>{isOneDay ? format.time(until) : format.dayTime(until)}</Instant>
          </>
        )}{' '}
        {zone}
      </span>
    </>
  )
}

/** Returns the same in one line of text: `Saturday, 21 November 2026, 10:00 – 18:00 CET`. */
export function whenIn(from: number, until: number | null, format: Format): string {
  const isOneDay = until === null || format.date(from) === format.date(until)
  const hour = (at: number) => (isOneDay ? format.time(at) : format.dayTime(at))
  const day = isOneDay ? format.weekday(from) : format.dates(from, until)
  const hours = until === null ? hour(from) : `${hour(from)} – ${hour(until)}`
  return `${day}, ${hours} ${format.zone(from)}`
}

/** Says in one line below a title which day it is about, as dates of a series have the same name. */
export function WhenLine({
  event: { starts_at: from, ends_at: until },
  format,
}: {
  event: Pick<EventDetails, 'starts_at' | 'ends_at'>
  format: Format
}) {
  if (from === null) return null
  return <p class="quiet">{whenIn(Date.parse(from), until === null ? null : Date.parse(until), format)}</p>
}

function Instant({ at, children }: { at: number; children: string }) {
  return <time datetime={new Date(at).toISOString()}>{children}</time>
}
