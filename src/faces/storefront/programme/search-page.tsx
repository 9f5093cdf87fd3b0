import type { Voice } from '#machinery/web/voice.ts'
import type { Findings } from '#product/programme/published/searching.ts'
import { MOST_FOUND } from '#product/programme/published/searching.ts'
import { StoreDocument } from '../document.tsx'
import { LegalFoot } from '../pages/legal-foot.tsx'
import { pathOf } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'
import { AbstractLine } from './day-page.tsx'
import { addressOf, type FrameProps, type Host, PlaceLine, ProgrammeFrame } from './programme-frame.tsx'

/** Shows what a search in a programme has found. */
export function SearchDocument({
  search,
  found,
  hasMore,
  ...props
}: FrameProps & Pick<Findings, 'found' | 'hasMore'> & { search: string }) {
  const { host, speech, voice } = props
  const { agenda } = voice.texts
  return (
    <ProgrammeFrame
      {...props}
      title={agenda.foundTitle}
      what={undefined}
      heading={<h1>{agenda.foundTitle}</h1>}
      search={search}
    >
      <p role="status">{found.length === 0 ? agenda.foundNone : agenda.found(found.length)}</p>
      {hasMore && <p>{agenda.foundMore(MOST_FOUND)}</p>}
      <ol class="plain findings">
        {found.map(abstract => (
          <li key={abstract.number}>
            <AbstractLine {...props} abstract={abstract} />
            {abstract.places.map((place, at) => (
              <p key={at} class="small">
                <PlaceLine {...props} place={place} />
              </p>
            ))}
          </li>
        ))}
      </ol>
      <p>
        <a href={addressOf(host, speech)}>{agenda.toProgramme}</a>
      </p>
    </ProgrammeFrame>
  )
}

/** Says that a programme was taken back. */
export function GoneDocument({ host, speech, voice }: { host: Host; speech: Speech; voice: Voice }) {
  const { agenda, checkout } = voice.texts
  const { organizer } = host
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[agenda.gone, host.event.title]}
      home={organizer}
      head={<meta name="robots" content="noindex" />}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="narrow">
        <h1>{agenda.gone}</h1>
        <p>{agenda.goneAbout}</p>
        <p>
          <a href={inSpeech(speech, pathOf(host))}>{checkout.toEvent}</a>
        </p>
      </div>
    </StoreDocument>
  )
}
