import { Format } from '#machinery/web/format.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import { whenIn } from '../dates.tsx'
import { paths } from '../paths.ts'
import { inSpeech, type Speech, voiceOf } from '../voice.ts'
import { describePlaces } from './series-page.tsx'

/** Names the next dates of the series of an event. */
export function OtherDates({ page: { organizer, others }, speech }: { page: EventPage; speech: Speech }) {
  if (others === null) return null
  const { texts: all } = voiceOf(speech, 'UTC')
  const { series: texts } = all
  return (
    <section class="about stack" aria-labelledby="others">
      <h2 id="others">{texts.otherDates}</h2>
      <ul class="stack">
        {others.dates.map(date => (
          <li key={date.id}>
            <a href={inSpeech(speech, paths.event(organizer.slug, date.slug))}>
              {whenIn(date.starts_at, date.ends_at, new Format(speech.language, date.timezone))}
            </a>
            <br />
            <span class={date.state === 'on_sale' ? 'small' : 'small quiet'}>
              {describePlaces(date, all)}
            </span>
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
