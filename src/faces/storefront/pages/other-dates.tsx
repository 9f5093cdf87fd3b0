import { Format } from '#machinery/web/format.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import { whenIn } from '../dates.tsx'
import { paths } from '../paths.ts'
import { inSpeech, type Speech, voiceOf } from '../voice.ts'

/** Names the next dates of the series of an event. */
export function OtherDates({ page: { organizer, others }, speech }: { page: EventPage; speech: Speech }) {
  if (others === null) return null
  const { series: texts } = voiceOf(speech, 'UTC').texts
  return (
    <section class="about stack" aria-labelledby="others">
      <h2 id="others">{texts.otherDates}</h2>
      <ul class="stack">
        {others.dates.map(({ id, slug, starts_at, ends_at, timezone }) => (
          <li key={id}>
            <a href={inSpeech(speech, paths.event(organizer.slug, slug))}>
              {whenIn(starts_at, ends_at, new Format(speech.language, timezone))}
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a class="button" href={inSpeech(speech, paths.event(organizer.slug, others.slug))}>
          {texts.allDates}
        </a>
      </p>
    </section>
  )
}
