import { Format } from '#machinery/web/format.ts'
import { choicesField } from '#machinery/web/forms/field.ts'
import { newForm } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { endOf } from '#product/programme/calls/deadline.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import { nameOf } from '#product/programme/submissions/content.ts'
import type { Texts } from '#texts/texts.ts'
import { paths } from '../paths.ts'
import { inSpeech } from '../voice.ts'
import type { Spoken, SubmissionView } from './submission-view.ts'

type Props = SubmissionView & Spoken
type After = NonNullable<SubmissionView['after']>
type Sent = NonNullable<SubmissionView['sent']>
type Decided = Props & { after: After; sent: Sent }

/** The name of the field with the days. */
export const DAYS = 'days'

/** Shows the authors of an abstract what there is to see and do from its decision on. */
export function AfterDecisionCards(props: Props) {
  const { after, sent, isOpen } = props
  if (after === undefined || sent === undefined) return null
  const { status } = sent.abstract
  const own = { ...props, after, sent }
  return (
    <>
      {status === 'accepted' && <ConfirmCard {...own} />}
      {after.code !== undefined && <CodeCard {...own} code={after.code} />}
      {after.comments.length > 0 && <CommentsCard {...own} />}
      {status !== 'rejected' && !isOpen && <PresenterCard {...own} />}
      {status !== 'rejected' && after.days.length > 1 && <DaysCard {...own} />}
    </>
  )
}

function ConfirmCard({ after, sent, event, path, speech, voice, now }: Decided) {
  const { afterDecision: texts, calls } = voice.texts
  const { kind } = sent.abstract
  const { confirm_by, confirmed_at } = after
  return (
    <section class="card stack" aria-labelledby="confirm">
      <h2 id="confirm">{texts.confirmTitle}</h2>
      {kind !== null && (
        <p>
          <bdi>
            {texts.acceptedAs(
              kind.minutes === null ? kind.name : `${kind.name} (${calls.minutes(kind.minutes)})`,
            )}
          </bdi>
        </p>
      )}
      {confirmed_at === null ? (
        <>
          <p>{askToConfirm(confirm_by, { texts, event, now }, speech.language)}</p>
          <form method="post" action={inSpeech(speech, `${path}/confirm`)} class="no-print">
            <button type="submit" class="button main">
              {texts.confirm}
            </button>
          </form>
        </>
      ) : (
        <p role="status">{texts.confirmed(voice.format.dateTime(confirmed_at))}</p>
      )}
      <p class="quiet">{sent.content.authors.length > 1 ? texts.cannot : texts.cannotAlone}</p>
    </section>
  )
}

/** Until when somebody is asked to confirm, with the zone of that instant. */
function askToConfirm(
  confirmBy: string | null,
  { texts, event, now }: Pick<SubmissionView, 'event' | 'now'> & { texts: Texts['afterDecision'] },
  language: Spoken['speech']['language'],
): string {
  if (confirmBy === null) return texts.confirmAbout
  const at = deadlineText({ closes_at: confirmBy, zone: null }, event.timezone, language)
  return now < endOf(Date.parse(confirmBy)) ? texts.confirmUntil(at) : texts.confirmLate(at)
}

function CodeCard({
  code: { code, isUsed },
  event,
  organizer,
  speech,
  voice,
}: Decided & { code: NonNullable<After['code']> }) {
  const { afterDecision: texts } = voice.texts
  return (
    <section class="card stack" aria-labelledby="code">
      <h2 id="code">{texts.code}</h2>
      <p class="strong">
        <bdi>{code}</bdi>
      </p>
      <p class="quiet">{isUsed ? texts.codeUsed : texts.codeAbout}</p>
      {!isUsed && organizer.slug !== null && (
        <p class="no-print">
          <a class="button" href={inSpeech(speech, paths.event(organizer.slug, event.slug), code)}>
            {texts.register}
          </a>
        </p>
      )}
    </section>
  )
}

function CommentsCard({ after, voice }: Decided) {
  const { afterDecision: texts } = voice.texts
  return (
    <section class="card stack" aria-labelledby="comments">
      <h2 id="comments">{texts.comments}</h2>
      {after.comments.map((text, at) => (
        <div key={at}>
          <h3>{texts.comment(at + 1)}</h3>
          <p class="lines" dir="auto">
            {text}
          </p>
        </div>
      ))}
    </section>
  )
}

function PresenterCard({ sent, path, speech, voice }: Decided) {
  const { afterDecision: texts } = voice.texts
  const { authors } = sent.content
  const presenter = authors.find(({ presenting }) => presenting)
  if (presenter === undefined && authors.length < 2) return null
  return (
    <section class="card stack" aria-labelledby="presenter">
      <h2 id="presenter">{texts.presenter}</h2>
      {presenter !== undefined && (
        <p>
          <bdi>{texts.presentedBy(nameOf(presenter))}</bdi>
        </p>
      )}
      {authors.length > 1 && (
        <p class="no-print">
          <a class="button" href={inSpeech(speech, `${path}/presenter`)}>
            {texts.changePresenter}
          </a>
        </p>
      )}
    </section>
  )
}

/** The form of the days of an event. */
export function daysFields(days: readonly string[], { speech }: Pick<Spoken, 'speech'>) {
  // A day of the calendar is the same wherever it is read.
  const format = new Format(speech.language, 'UTC')
  return {
    [DAYS]: choicesField(days, () => days.map(value => ({ value, label: format.weekday(value) })), {
      label: ({ afterDecision }) => afterDecision.days,
      help: ({ afterDecision }) => afterDecision.daysAbout,
    }),
  }
}

/** Times and money do not stand in these forms. */
export const SCALE = { timezone: 'UTC', currency: 'EUR' }

function DaysCard({ after, path, speech, voice }: Decided) {
  const { texts } = voice
  const state = newForm(daysFields(after.days, { speech }), SCALE, { [DAYS]: after.unavailable })
  return (
    <section class="card no-print" aria-label={texts.afterDecision.days}>
      <Form
        state={{ ...state, formId: undefined }}
        texts={texts}
        action={inSpeech(speech, `${path}/days`)}
        submit={texts.afterDecision.daysSubmit}
        isGuarded={false}
      />
    </section>
  )
}
