import type { VNode } from 'preact'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { Facts } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import { phaseOf } from '#product/programme/calls/deadline.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import { type Call, type Kind, offered } from '#product/programme/calls/schemas.ts'
import { PREVIEW } from '#product/programme/submissions/links.ts'
import { StoreDocument } from '../document.tsx'
import { LegalFoot } from '../pages/legal-foot.tsx'
import { pathOf, paths } from '../paths.ts'
import { WritingScript } from '../self-saving.tsx'
import { inSpeech, type Speech } from '../voice.ts'
import { Deadline } from './deadline.tsx'

export interface CallProps {
  page: EventPage
  call: Call
  speech: Speech
  /** With the times of the call's zone. */
  voice: Voice
}

/** Shows what the call of an event asks for and until when, and leads to its form. */
export function CallDocument({
  now,
  preview,
  ...props
}: CallProps & { now: number; preview?: VNode | undefined }) {
  const { page, call, speech, voice } = props
  const { event, organizer } = page
  const { calls, checkout } = voice.texts
  const here = paths.call(organizer.slug, event.slug)
  const deadline = deadlineText(call, event.timezone, voice.format.language)
  const phase = preview === undefined ? phaseOf(call, now) : 'open'
  const form = withQuery(paths.newAbstract(organizer.slug, event.slug), {
    [PREVIEW]: preview === undefined ? undefined : '1',
  })
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[calls.title, event.title]}
      path={preview === undefined ? here : withQuery(here, { [PREVIEW]: '1' })}
      home={organizer}
      head={
        <>
          {preview !== undefined && <meta name="robots" content="noindex" />}
          <WritingScript />
        </>
      }
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="narrow">
        {preview}
        <h1 dir="auto">{calls.titleOf(event.title)}</h1>
        {phase === 'before' && <p class="headline">{calls.opensAt(voice.format.dateTime(call.opens_at))}</p>}
        {phase === 'over' && <p class="headline">{calls.isOver(deadline)}</p>}
        {phase === 'open' && (
          <>
            <Deadline call={call} timezone={event.timezone} voice={voice} />
            <p>
              <a class="button main" href={inSpeech(speech, form, page.code)}>
                {calls.begin}
              </a>
            </p>
            <p class="quiet">{calls.beginAbout}</p>
          </>
        )}
        {call.about !== null && <Markdown text={call.about} level={2} />}
        <Asks call={call} voice={voice} />
        {phase !== 'before' && preview === undefined && (
          <p>
            {calls.mine}{' '}
            <a href={inSpeech(speech, paths.lostAbstracts(organizer.slug, event.slug), page.code)}>
              {calls.lost.link}
            </a>
          </p>
        )}
        <p>
          <a href={inSpeech(speech, pathOf(page))}>{checkout.toEvent}</a>
        </p>
      </div>
    </StoreDocument>
  )
}

function Asks({ call, voice }: Pick<CallProps, 'call' | 'voice'>) {
  const { calls } = voice.texts
  const { sections, max_words, per_person, file, max_file_mib } = call
  const topics = offered(call.topics)
  const kinds = offered(call.kinds)
  const named = (names: readonly string[]) => (
    <ul>
      {names.map(name => (
        <li key={name}>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  )
  return (
    <section class="prose" aria-labelledby="asks">
      <h2 id="asks">{calls.asks}</h2>
      <ul>
        <li>{calls.askWords(max_words)}</li>
        {sections.length > 0 && (
          <li>
            <bdi>{calls.askSections(voice.format.list(sections))}</bdi>
          </li>
        )}
        <li>{file === 'none' ? calls.askFile.none : calls.askFile[file](max_file_mib)}</li>
        <li>{calls.askPerson(per_person)}</li>
      </ul>
      {(topics.length > 0 || kinds.length > 0) && (
        <Facts
          facts={[
            ...(topics.length > 0
              ? [[calls.askTopics, named(topics.map(({ name }) => name))] as [string, preact.VNode]]
              : []),
            ...(kinds.length > 0
              ? [[calls.askKinds, named(kinds.map(kind => nameKind(kind, voice)))] as [string, preact.VNode]]
              : []),
          ]}
        />
      )}
    </section>
  )
}

function nameKind({ name, minutes }: Kind, { texts }: Voice): string {
  return minutes === null ? name : `${name} (${texts.calls.minutes(minutes)})`
}
