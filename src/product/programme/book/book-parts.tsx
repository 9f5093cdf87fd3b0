import type { Voice } from '#machinery/web/voice.ts'
import type {
  PublicAbstract,
  PublicPlace,
  PublicSession,
  PublicText,
} from '#product/programme/published/schemas.ts'
import { Authors, Sections } from '#product/programme/submissions/abstract-parts.tsx'
import { readFormulas } from '#product/programme/submissions/formulas.ts'
import type { IndexedAuthor } from './author-index.ts'

interface SessionProps {
  session: PublicSession
  voice: Voice
}

function whenOf({ from, to }: Pick<PublicSession, 'from' | 'to'>, { format }: Voice): string {
  return `${format.weekday(from)}, ${format.time(from)}–${format.time(to)}`
}

/** Names a session in the table of contents, with what stands in it. */
export function Contents({ session, voice }: SessionProps) {
  const listed = session.slots.flatMap(({ abstract }) => abstract ?? [])
  return (
    <li>
      <a href={`#s-${session.id}`}>
        <bdi>{session.title ?? voice.texts.agenda.session}</bdi>
      </a>{' '}
      <span class="quiet">{whenOf(session, voice)}</span>
      {listed.length > 0 && (
        <ol>
          {listed.map(({ number, title }, at) => (
            <li key={at}>
              <span class="number">{number}</span>
              <a href={`#${number}`}>
                <bdi>{title}</bdi>
              </a>
            </li>
          ))}
        </ol>
      )}
    </li>
  )
}

/** Shows where and when a session takes place, and who chairs it. */
export function SessionHead({ session, voice }: SessionProps) {
  const { texts, format } = voice
  const { id, title, room, chairs } = session
  return (
    <header>
      <h2 id={`s-${id}`} dir="auto">
        {title ?? texts.agenda.session}
      </h2>
      <p class="quiet">
        {whenOf(session, voice)}
        {room !== null && (
          <>
            {' '}
            · <bdi>{room}</bdi>
          </>
        )}
        {chairs.length > 0 && (
          <>
            {' '}
            · <bdi>{texts.agenda.chairs(format.list(chairs))}</bdi>
          </>
        )}
      </p>
    </header>
  )
}

/** Shows an abstract. It stands where it is presented first, and names the other places. */
export function AbstractOfBook({
  abstract,
  places,
  voice,
}: {
  abstract: PublicAbstract & { text: PublicText | null }
  places: readonly PublicPlace[]
  voice: Voice
}) {
  const { agenda } = voice.texts
  const { number, title, language, authors, affiliations, isWithdrawn, text } = abstract
  const lang = language ?? undefined
  return (
    <article class="abstract" id={number} lang={lang}>
      <header>
        <h3 dir="auto">
          <span class="number">{number}</span> <bdi>{title}</bdi>
        </h3>
        {isWithdrawn && <p lang={voice.format.language}>{agenda.withdrawnAbout}</p>}
        {authors.length > 0 && <Authors authors={authors} affiliations={affiliations} />}
        {!isWithdrawn &&
          places.slice(1).map((place, at) => (
            <p key={at} class="quiet" lang={voice.format.language}>
              <bdi>
                {agenda.alsoAt(`${whenOf(place, voice)}${place.room === null ? '' : `, ${place.room}`}`)}
              </bdi>
            </p>
          ))}
      </header>
      {text !== null && (
        <div class="prose" dir="auto">
          <Sections sections={text.sections} formulas={readFormulas(text.formulas)} />
        </div>
      )}
    </article>
  )
}

/** Names an author with the numbers of what they have written. */
export function IndexLine({ author: { name, numbers } }: { author: IndexedAuthor }) {
  return (
    <li>
      <bdi>{name}</bdi>{' '}
      {numbers.map((number, at) => (
        <>
          {at > 0 && ', '}
          <a href={`#${number}`}>{number}</a>
        </>
      ))}
    </li>
  )
}
