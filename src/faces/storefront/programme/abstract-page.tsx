import type { PublicAbstract, PublicPlace, PublicText } from '#product/programme/published/schemas.ts'
import { Authors, Sections } from '#product/programme/submissions/abstract-parts.tsx'
import { readFormulas } from '#product/programme/submissions/formulas.ts'
import { addressOf, type FrameProps, PlaceLine, ProgrammeFrame } from './programme-frame.tsx'

export interface AbstractProps extends FrameProps {
  abstract: PublicAbstract & { text: PublicText | null }
  places: readonly PublicPlace[]
}

/** Shows one abstract: who has written it, when and where it is presented, and its text once that is public. */
export function AbstractDocument({ abstract, places, ...props }: AbstractProps) {
  const { host, frame, speech, voice } = props
  const { agenda } = voice.texts
  const { number, title, language, authors, affiliations, isWithdrawn, text } = abstract
  return (
    <ProgrammeFrame {...props} title={`${number} ${title}`} what={`/${number}`}>
      <article class="abstract">
        <p class="number">{number}</p>
        <h1 lang={language ?? undefined} dir="auto">
          {title}
        </h1>
        {isWithdrawn && <p class="headline">{agenda.withdrawnAbout}</p>}
        {authors.length > 0 && <Authors authors={authors} affiliations={affiliations} />}
        {!isWithdrawn && (
          <>
            <h2 class="hidden">{agenda.when}</h2>
            <ul class="plain">
              {places.map((place, at) => (
                <li key={at}>
                  <PlaceLine {...props} place={place} />
                </li>
              ))}
            </ul>
            <p class="no-print">
              <a href={addressOf(host, speech, `${number}/calendar.ics`)}>{agenda.calendar}</a>
            </p>
          </>
        )}
        {text !== null && <TextView text={text} language={language} {...props} />}
        {!isWithdrawn && frame.textsFrom !== null && (
          <p class="quiet">{agenda.textsFrom(voice.format.dateTime(frame.textsFrom))}</p>
        )}
      </article>
      <p class="no-print">
        <a href={addressOf(host, speech)}>{agenda.toProgramme}</a>
      </p>
    </ProgrammeFrame>
  )
}

function TextView({ text, language, voice }: FrameProps & { text: PublicText; language: string | null }) {
  const { agenda } = voice.texts
  const { sections, formulas, keywords, topic } = text
  return (
    <>
      <div class="prose" lang={language ?? undefined} dir="auto">
        <Sections sections={sections} formulas={readFormulas(formulas)} />
      </div>
      {keywords !== null && (
        <p class="quiet">
          {agenda.keywords}: <bdi>{keywords}</bdi>
        </p>
      )}
      {topic !== null && (
        <p class="quiet">
          {agenda.topic}: <bdi>{topic}</bdi>
        </p>
      )}
    </>
  )
}
