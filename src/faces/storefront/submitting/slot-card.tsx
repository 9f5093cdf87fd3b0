import type { Voice } from '#machinery/web/voice.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import { paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'

/** Tells an author when and where their abstract stands in the published programme. It is left out while it stands nowhere. */
export function SlotCard({
  session,
  event,
  organizer,
  speech,
  voice,
}: {
  session: Abstract['session']
  event: { slug: string }
  organizer: { slug: string | null }
  speech: Speech
  voice: Voice
}) {
  if (session === null) return null
  const { texts, format } = voice
  const { number, starts_at, ends_at, room, title } = session
  return (
    <section class="card" aria-labelledby="slot">
      <h2 id="slot">{texts.agenda.inProgramme(number)}</h2>
      <p>
        {format.weekday(starts_at)}, {format.time(starts_at)}–{format.time(ends_at)} {format.zone(starts_at)}
        {room !== null && (
          <>
            , <bdi>{room}</bdi>
          </>
        )}
        {title !== null && (
          <>
            , <bdi>{title}</bdi>
          </>
        )}
      </p>
      {organizer.slug !== null && (
        <p class="no-print">
          <a href={inSpeech(speech, paths.programme(organizer.slug, event.slug, number))}>
            {texts.agenda.link}
          </a>
        </p>
      )}
    </section>
  )
}
