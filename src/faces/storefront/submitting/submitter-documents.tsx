import type { Problem } from '#base/problem.ts'
import { Banner } from '#machinery/web/components/parts.tsx'
import { FORM_ID } from '#machinery/web/forms/form.ts'
import { Frame } from '../pages/order-page.tsx'
import { inSpeech } from '../voice.ts'
import { Ask, Refused } from './ask.tsx'
import { StatePill, titleOf } from './submission-documents.tsx'
import type { Spoken, SubmitterView } from './submission-view.ts'

type Props = SubmitterView & Spoken

/** The field that names one of the submissions. */
export const WHICH = 'submission'

/** Shows a person all that they have begun and sent for an event. */
export function SubmitterDocument({
  isConfirmed,
  formId,
  problem,
  ...props
}: Props & { isConfirmed: boolean; formId: string; problem?: Problem | undefined }) {
  const { all, path, event, speech, voice, isOpen } = props
  const { calls } = voice.texts
  const isDoubtful = all.some(({ submission }) => !submission.is_confirmed)
  return (
    <Frame {...props} title={calls.listTitle} here={path} isRefused={problem !== undefined}>
      <Refused problem={problem} voice={voice} />
      <h1>{calls.listTitle}</h1>
      <p class="quiet">
        <bdi>{calls.listAbout(event.title)}</bdi>
      </p>
      {isConfirmed && !isDoubtful && (
        <Banner tone="good">
          <p role="status">{calls.confirmed}</p>
        </Banner>
      )}
      {isDoubtful && (
        <form method="post" action={inSpeech(speech, `${path}/confirm`)} class="card">
          <p>{calls.confirmAbout}</p>
          <div class="end-bar">
            <button type="submit" class="button main">
              {calls.confirm}
            </button>
          </div>
        </form>
      )}
      {all.length === 0 && <p class="quiet">{calls.listNone}</p>}
      <ul class="plain stack">
        {all.map(one => (
          <li key={one.submission.id} class="card">
            <p>
              <a class="strong" href={inSpeech(speech, one.path)}>
                <bdi>{titleOf(one, props)}</bdi>
              </a>{' '}
              <StatePill of={one} voice={voice} />
            </p>
            {one.abstract !== undefined && (
              <p class="quiet">
                {calls.code}: {one.abstract.code}
              </p>
            )}
            {!one.submission.is_confirmed && one.abstract?.withdrawn_at == null && (
              <p>
                <a href={inSpeech(speech, `${path}/not-mine?${WHICH}=${one.submission.id}`)}>
                  {calls.notMine}
                </a>
              </p>
            )}
          </li>
        ))}
      </ul>
      {isOpen && (
        <form method="post" action={inSpeech(speech, `${path}/begin`)} class="no-print">
          <input type="hidden" name={FORM_ID} value={formId} />
          <button type="submit" class="button">
            {all.length === 0 ? calls.begin : calls.another}
          </button>
        </form>
      )}
    </Frame>
  )
}

/** Asks whether a person has really not submitted something that was begun with their e-mail. */
export function NotMineDocument({ one, ...props }: Props & { one: SubmitterView['all'][number] }) {
  const { path, speech, voice } = props
  const { calls } = voice.texts
  return (
    <Frame {...props} title={calls.notMineTitle} here={`${path}/not-mine`}>
      <h1>{calls.notMineTitle}</h1>
      <p>
        <bdi class="strong">{titleOf(one, props)}</bdi>
      </p>
      <Ask
        will={calls.notMineWill}
        action={inSpeech(speech, `${path}/not-mine`)}
        submit={calls.notMineSubmit}
        leave={inSpeech(speech, path)}
        leaveText={calls.keep}
      >
        <input type="hidden" name={WHICH} value={one.submission.id} />
      </Ask>
    </Frame>
  )
}
