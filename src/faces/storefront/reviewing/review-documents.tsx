import type { Problem } from '#base/problem.ts'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { Banner, Facts } from '#machinery/web/components/parts.tsx'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { FieldGroup, FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import { offered } from '#product/programme/calls/schemas.ts'
import type { Reviewable } from '#product/programme/reviews/reading.ts'
import { returnReasons } from '#product/programme/reviews/states.ts'
import { AbstractText } from '#product/programme/submissions/abstract-text.tsx'
import { AnswerList } from '#product/programme/submissions/answer-list.tsx'
import { describeProblem } from '#texts/describe-problem.ts'
import { Frame } from '../pages/order-page.tsx'
import { Autosave, WritingScript } from '../self-saving.tsx'
import { inSpeech } from '../voice.ts'
import { REVISION, scoreName } from './review-fields.ts'
import { closingOf, Progress, Until } from './review-progress.tsx'
import { addressOf, nextOf, type ReviewProps, type Spoken } from './review-visits.ts'

type ItemProps = ReviewProps & { item: Reviewable; itemPath: string }

interface Shown {
  state: FormState
  /** Of the review that the form goes by. */
  revision: string
  /** What its reader has just done. */
  isSaved: boolean
  just: 'done' | typeof SKIPPED | undefined
}

/** Says in the address of a page that its reader has left another abstract for later. */
export const SKIPPED = 'skipped'

/** Shows an abstract to review, and the form of its review. */
export function ReviewDocument({ state, revision, isSaved, just, ...props }: ItemProps & Shown) {
  const { item, itemPath, path, round, isOpen, speech, voice } = props
  const { texts, format } = voice
  const { reviews } = texts
  const ofSave = isSaved && (item.isDone ? reviews.savedDone : reviews.saved)
  const note = ofSave || (just !== undefined && { done: reviews.justDone, skipped: reviews.skipped }[just])
  return (
    <Frame
      {...props}
      title={item.title}
      here={itemPath}
      isRefused={isRefused(state)}
      head={isOpen && <WritingScript />}
    >
      {note !== false && (
        <Banner tone="good">
          <p>{note}</p>
        </Banner>
      )}
      <p class="row no-print">
        <a href={inSpeech(speech, path)}>{reviews.list}</a>
        <Progress {...props} />
        {isOpen && <Until {...props} />}
      </p>
      <article class="card prose" lang={item.language ?? undefined} dir="auto">
        <h1>
          <bdi>{item.title}</bdi>
        </h1>
        <ReviewableText item={item} voice={voice} />
      </article>
      <Facts
        facts={[
          [reviews.code, <bdi key="code">{item.code}</bdi>],
          ...(item.topic === undefined
            ? []
            : [[reviews.topic, <bdi key="topic">{item.topic}</bdi>] as const]),
          ...(item.kind === undefined ? [] : [[reviews.kind, <bdi key="kind">{item.kind}</bdi>] as const]),
        ]}
      />
      {item.open?.file !== undefined && (
        <p class="no-print">
          <a class="button" href={inSpeech(speech, `${itemPath}/file`)} download>
            {reviews.download(format.bytes(item.open.file.size))}
          </a>
        </p>
      )}
      <section class="stack" aria-labelledby="review">
        <h2 id="review">{reviews.review}</h2>
        {isOpen && round.about !== null && (
          <details class="no-print">
            <summary>{reviews.asks}</summary>
            <Markdown text={round.about} />
          </details>
        )}
        {isOpen ? (
          <ReviewForm {...props} state={state} revision={revision} />
        ) : (
          <Banner tone="warn">
            <p>{reviews.over(closingOf(props))}</p>
          </Banner>
        )}
        {!isOpen && <Written {...props} />}
      </section>
      <Beside {...props} />
    </Frame>
  )
}

/** The place of the scores and the recommendation. */
const CHOSEN = 'chosen'

function ReviewForm({ state, revision, ...props }: ItemProps & Pick<Shown, 'state' | 'revision'>) {
  const { item, itemPath, path, round, speech, voice } = props
  const { texts } = voice
  const { reviews } = texts
  const rows = { state, texts }
  const next = nextOf(props)
  return (
    <>
      <Form
        {...rows}
        action={inSpeech(speech, itemPath)}
        submit={reviews.save}
        other={{ action: inSpeech(speech, `${itemPath}/done`), text: reviews.done, isMain: true }}
        leave={inSpeech(speech, path)}
        leaveText={reviews.list}
      >
        <input type="hidden" name={REVISION} value={revision} data-revision />
        {/* What is chosen is taken over by a script as a whole. */}
        <div class="stack" id={CHOSEN} data-whole>
          <FieldGroup
            {...rows}
            legend={reviews.scores}
            names={offered(round.criteria).map(({ id }) => scoreName(id))}
          />
          <FieldRows {...rows} names={['recommendation']} />
        </div>
        <FieldRows {...rows} names={['to_authors', 'to_chairs']} />
        {/* What the form shows is not what is saved while it is refused, so nothing could be told from it. */}
        {!isRefused(state) && (
          <Autosave
            address={inSpeech(speech, `${itemPath}/save`)}
            gone={texts => texts.reviews.bySelf.gone}
            voice={voice}
          />
        )}
      </Form>
      {!item.isDone && (
        <p class="row no-print">
          {next !== undefined && (
            <a href={inSpeech(speech, `${addressOf(path, next)}?${SKIPPED}`)}>{reviews.skip}</a>
          )}
          <a href={inSpeech(speech, `${itemPath}/back`)}>{reviews.giveBack}</a>
        </p>
      )}
    </>
  )
}

/** Shows a review that cannot be changed any more. */
function Written({ item: { review }, round, voice }: ItemProps) {
  const { reviews } = voice.texts
  const { recommendation } = review
  return (
    <>
      <Facts
        facts={[
          ...offered(round.criteria).flatMap(({ id, name }) =>
            review.scores[id] === undefined ? [] : [[name, reviews.score(review.scores[id])] as const],
          ),
          ...(recommendation === null
            ? []
            : [[reviews.recommendation, reviews.recommendations[recommendation]] as const]),
        ]}
      />
      {(
        [
          [reviews.toAuthors, review.to_authors],
          [reviews.toChairs, review.to_chairs],
        ] as const
      ).map(
        ([label, text]) =>
          text !== null && (
            <div key={label}>
              <h3>{label}</h3>
              <p class="lines" dir="auto">
                {text}
              </p>
            </div>
          ),
      )}
    </>
  )
}

/** Links to the abstracts before and after this one in the list. */
function Beside({ queue, item, path, speech, voice }: ItemProps) {
  const { reviews } = voice.texts
  const at = queue.findIndex(({ code }) => code === item.code)
  const to = (code: string | undefined, text: string) =>
    code !== undefined && (
      <a class="button" href={inSpeech(speech, addressOf(path, code))}>
        {text}
      </a>
    )
  if (queue.length < 2) return null
  return (
    <nav class="row no-print" aria-label={reviews.list}>
      {to(queue[at - 1]?.code, reviews.previous)}
      {to(queue[at + 1]?.code, reviews.next)}
    </nav>
  )
}

/** Shows what a reviewer reads of an abstract below its title. */
export function ReviewableText({ item, voice }: { item: Reviewable } & Pick<Spoken, 'voice'>) {
  const { reviews } = voice.texts
  return (
    <>
      {item.open !== undefined && (
        <p>
          {item.open.authors.map(({ name, affiliation }, at) => (
            <span key={`${at} ${name}`}>
              {at > 0 && '; '}
              <bdi>{name}</bdi>
              {affiliation !== null && (
                <>
                  {' '}
                  (<bdi>{affiliation}</bdi>)
                </>
              )}
            </span>
          ))}
        </p>
      )}
      {item.sections.map(({ heading, text }) => (
        <section key={heading} dir="auto">
          {heading !== '' && (
            <p class="strong">
              <bdi>{heading}</bdi>
            </p>
          )}
          <AbstractText text={text} formulas={item.formulas} />
        </section>
      ))}
      {item.keywords !== null && (
        <p class="quiet">
          {reviews.keywords}: <bdi>{item.keywords}</bdi>
        </p>
      )}
      <AnswerList answers={item.answers} voice={voice} />
    </>
  )
}

/** Asks why a reviewer gives an abstract back. */
export function BackDocument({ problem, ...props }: ItemProps & { problem: Problem | undefined }) {
  const { item, itemPath, speech, voice } = props
  const { reviews } = voice.texts
  return (
    <Frame
      {...props}
      title={reviews.giveBackTitle}
      here={`${itemPath}/back`}
      isRefused={problem !== undefined}
    >
      <h1>{reviews.giveBackTitle}</h1>
      {problem !== undefined && (
        <Banner tone="bad">
          <p>{describeProblem(voice.texts, problem)}</p>
        </Banner>
      )}
      <p>
        <bdi class="strong">{item.title}</bdi>
      </p>
      <form method="post" action={inSpeech(speech, `${itemPath}/back`)} class="card">
        <ul class="will">
          {reviews.giveBackWill.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <div class="end-bar">
          {returnReasons.map(reason => (
            <button key={reason} type="submit" class="button danger" name="reason" value={reason}>
              {reviews.because[reason]}
            </button>
          ))}
          <a class="button plain" href={inSpeech(speech, itemPath)}>
            {reviews.keep}
          </a>
        </div>
      </form>
    </Frame>
  )
}
