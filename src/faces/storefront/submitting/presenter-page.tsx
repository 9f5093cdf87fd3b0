import type { Problem } from '#base/problem.ts'
import { choiceField } from '#machinery/web/forms/field.ts'
import { newForm } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import { type Content, nameOf } from '#product/programme/submissions/content.ts'
import { Frame } from '../pages/order-page.tsx'
import { inSpeech } from '../voice.ts'
import { SCALE } from './after-cards.tsx'
import type { Spoken, SubmissionView } from './submission-view.ts'

/** The fields with the place of the new presenter among the authors, and the version whose authors were shown. */
export const PRESENTER = 'presenter'
export const SEEN = 'seen'

/** The form of the authors, one of whom presents. */
function fieldsOf(authors: Content['authors']) {
  const places = authors.map((_, at) => String(at))
  return {
    [PRESENTER]: choiceField(
      places,
      ({ afterDecision }) =>
        authors.map((author, at) => ({
          value: String(at),
          label: author.presenting ? `${nameOf(author)} (${afterDecision.presenterNow})` : nameOf(author),
        })),
      { label: ({ afterDecision }) => afterDecision.presenter },
      'radios',
    ),
  }
}

/** Asks which of its authors presents an abstract. */
export function PresenterDocument({
  sent,
  problem,
  ...props
}: SubmissionView & Spoken & { sent: NonNullable<SubmissionView['sent']>; problem: Problem | undefined }) {
  const { path, speech, voice } = props
  const { afterDecision: texts } = voice.texts
  const { authors } = sent.content
  const now = authors.findIndex(({ presenting }) => presenting)
  const state = newForm(fieldsOf(authors), SCALE, now < 0 ? {} : { [PRESENTER]: String(now) })
  const shown = { ...state, formId: undefined, problem }
  const title = texts.presenterTitle(sent.abstract.title)
  const address = `${path}/presenter`
  return (
    <Frame {...props} title={title} here={address} isRefused={problem !== undefined}>
      <h1 dir="auto">
        <bdi>{title}</bdi>
      </h1>
      <p class="quiet">{texts.presenterAbout}</p>
      <Form
        state={shown}
        texts={voice.texts}
        action={inSpeech(speech, address)}
        submit={texts.presenterSubmit}
        leave={inSpeech(speech, path)}
        isGuarded={false}
      >
        <input type="hidden" name={SEEN} value={sent.abstract.revision} />
        <FieldRows state={shown} texts={voice.texts} />
      </Form>
    </Frame>
  )
}
