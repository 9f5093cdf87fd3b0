import { assetPath } from '#machinery/web/assets/assets.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { BLANK } from '#product/programme/submissions/submission-form.tsx'

/** The script of the pages that authors write in, which work without it. */
export function AuthorScript() {
  return <script type="module" src={assetPath('writing.js')} />
}

/** Says until when a call is open, and by script in the visitor's own time. @param timezone of the event */
export function Deadline({ call, timezone, voice }: { call: Call; timezone: string; voice: Voice }) {
  const { calls } = voice.texts
  const { locale, options } = voice.format.ofDateTime
  return (
    <p>
      <span class="strong">
        {calls.deadline}:{' '}
        <time datetime={call.closes_at}>{deadlineText(call, timezone, voice.format.language)}</time>
      </span>{' '}
      <span
        hidden
        data-own={calls.ownTime(BLANK)}
        data-at={call.closes_at}
        data-zone={call.zone ?? timezone}
        data-locale={locale}
        data-options={options}
      />
    </p>
  )
}

/** Says how a form saves itself, and what becomes of that. The script fills it in. @param address that saves */
export function Autosave({ address, voice }: { address: string; voice: Voice }) {
  const { failing, gone, other, asks, theirs, keep, take } = voice.texts.calls.bySelf
  const texts = {
    ...{ 'data-failing': failing, 'data-gone': gone, 'data-other': other, 'data-asks': asks },
    ...{ 'data-theirs': theirs(BLANK), 'data-keep': keep, 'data-take': take },
  }
  return (
    <div hidden data-save={address} {...texts}>
      <p role="status" class="strong" />
      <p class="quiet" />
    </div>
  )
}
