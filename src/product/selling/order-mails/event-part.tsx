import type { Part } from '#machinery/mail/kind.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { Language } from '#texts/languages.ts'
import { describeTime } from './event-time.ts'
import { joinLines, oneLine } from './plain-lines.ts'

/** Returns the part of a letter that says what was ordered: the event, when by the clock of its place, and where. */
export function showEvent(event: EventDetails, language: Language): Part {
  const title = oneLine(event.title)
  const facts = [describeTime(event, language), placesOf(event).map(joinLines).filter(Boolean).join(', ')]
  const lines = facts.filter(line => line !== '')
  return {
    html: (
      <p key="event" style="margin:0 0 16px">
        <strong>
          <bdi>{title}</bdi>
        </strong>
        {lines.map(line => (
          <>
            <br />
            <bdi>{line}</bdi>
          </>
        ))}
      </p>
    ),
    text: [title, ...lines].join('\n'),
  }
}
