import type { Voice } from '#machinery/web/voice.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { BLANK } from '#product/programme/submissions/submission-form.tsx'

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
