import { Markdown } from '#machinery/web/components/markdown.tsx'
import { Banner, Empty, Pill } from '#machinery/web/components/parts.tsx'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import type { Queued, Reviewable } from '#product/programme/reviews/reading.ts'
import { Contact } from '../pages/contact.tsx'
import { Frame } from '../pages/order-page.tsx'
import { inSpeech } from '../voice.ts'
import { ReviewableText } from './review-documents.tsx'
import { closingOf, Progress, Until } from './review-progress.tsx'
import { addressOf, type ReviewProps } from './review-visits.ts'

const TONES = { open: 'warn', begun: 'warn', done: 'good' } as const

function stateOf({ isBegun, isDone }: Queued): keyof typeof TONES {
  if (isDone) return 'done'
  return isBegun ? 'begun' : 'open'
}

/** Shows a reviewer all that they have to review, and how far they are. */
export function QueueDocument({ just, ...props }: ReviewProps & { just: 'done' | 'back' | undefined }) {
  const { queue, round, isOpen, path, event, speech, voice } = props
  const { reviews } = voice.texts
  const done = queue.filter(({ isDone }) => isDone).length
  return (
    <Frame {...props} title={reviews.title} here={path}>
      {just !== undefined && (
        <Banner tone="good">
          <p>{just === 'done' ? reviews.justDone : reviews.givenBack}</p>
        </Banner>
      )}
      <header>
        <h1>{reviews.title}</h1>
        <p class="quiet">
          <bdi>{reviews.titleOf(event.title)}</bdi>
        </p>
      </header>
      {isOpen ? (
        <p>
          <Until {...props} />
        </p>
      ) : (
        <Banner tone="warn">
          <p>{reviews.over(closingOf(props))}</p>
        </Banner>
      )}
      {queue.length > 0 && (
        <p>
          <Progress {...props} />
        </p>
      )}
      {isOpen && queue.length > 0 && done === queue.length && <p>{reviews.allDone}</p>}
      <p class="quiet">{round.blind ? reviews.blind : reviews.notBlind}</p>
      {round.about !== null && (
        <section class="card" aria-labelledby="asks">
          <h2 id="asks">{reviews.asks}</h2>
          <Markdown text={round.about} />
        </section>
      )}
      <p class="row no-print">
        <a class="button" href={inSpeech(speech, `${path}/profile`)}>
          {reviews.profile}
        </a>
        {queue.length > 0 && (
          <a class="button plain" href={inSpeech(speech, `${path}/all`)}>
            {reviews.print}
          </a>
        )}
      </p>
      {queue.length === 0 ? (
        <Empty icon="paper" title={reviews.none}>
          {reviews.noneAbout}
        </Empty>
      ) : (
        <ul class="plain stack">
          {queue.map(one => (
            <li key={one.code} class="card">
              <p>
                <a class="strong" href={inSpeech(speech, addressOf(path, one.code))}>
                  <bdi class="quiet">{one.code}</bdi> <bdi lang={one.language ?? undefined}>{one.title}</bdi>
                </a>{' '}
                <Pill tone={TONES[stateOf(one)]}>{reviews.states[stateOf(one)]}</Pill>
              </p>
              <Kinds of={one} />
            </li>
          ))}
        </ul>
      )}
      <Contact address={event.contact_email} voice={voice} />
    </Frame>
  )
}

function Kinds({ of: { topic, kind } }: { of: Pick<Queued, 'topic' | 'kind'> }) {
  const known = [topic, kind].filter(each => each !== undefined)
  if (known.length === 0) return null
  return (
    <p class="quiet">
      <bdi>{known.join(' · ')}</bdi>
    </p>
  )
}

/** Shows the texts of abstracts one after the other, to print. */
export function AllDocument({
  items,
  next,
  ...props
}: ReviewProps & { items: readonly Reviewable[]; next: number | undefined }) {
  const { path, speech, voice } = props
  const { reviews, page } = voice.texts
  return (
    <Frame {...props} title={reviews.print} here={`${path}/all`}>
      <p class="no-print">
        <a href={inSpeech(speech, path)}>{reviews.list}</a>
      </p>
      <h1>{reviews.title}</h1>
      {items.map(item => (
        <article key={item.code} class="card prose" lang={item.language ?? undefined} dir="auto">
          <h2>
            <bdi class="quiet">{item.code}</bdi> <bdi>{item.title}</bdi>
          </h2>
          <Kinds of={item} />
          <ReviewableText item={item} voice={voice} />
        </article>
      ))}
      {next !== undefined && (
        <p class="no-print">
          <a class="button" href={inSpeech(speech, `${path}/all?from=${next}`)}>
            {page.next}
          </a>
        </p>
      )}
    </Frame>
  )
}

/** Asks a reviewer what they know, and whose abstracts they should not get. */
export function ProfileDocument({
  state,
  isSaved,
  ...props
}: ReviewProps & { state: FormState; isSaved: boolean }) {
  const { path, speech, voice } = props
  const { texts } = voice
  const { reviews } = texts
  return (
    <Frame {...props} title={reviews.profile} here={`${path}/profile`} isRefused={isRefused(state)}>
      {isSaved && (
        <Banner tone="good">
          <p>{reviews.profileSaved}</p>
        </Banner>
      )}
      <h1>{reviews.profile}</h1>
      <p class="quiet">{reviews.profileAbout}</p>
      <Form
        state={state}
        texts={texts}
        action={inSpeech(speech, `${path}/profile`)}
        submit={reviews.saveProfile}
        leave={inSpeech(speech, path)}
        leaveText={reviews.list}
      />
    </Frame>
  )
}
