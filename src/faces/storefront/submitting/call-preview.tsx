import { Banner } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { DASHBOARD_PATH } from '#product/administration/users/links.ts'
import { type Phase, phaseOf } from '#product/programme/calls/deadline.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { PREVIEW } from '#product/programme/submissions/links.ts'
import type { PublicEvent } from '../view-page.tsx'

/** Returns whether the address asks for the pages of a call as they will be, of an event that has them not yet. */
export function asksForPreview(querystring: string, { page }: PublicEvent, call: Call, now: number): boolean {
  const isToCome = page.event.status === 'draft' || phaseOf(call, now) === 'before'
  return isToCome && new URLSearchParams(querystring).has(PREVIEW)
}

/** Says that this is no page for visitors yet, and leads back to the dashboard. */
export function PreviewBanner({ eventId, call, phase, voice }: BannerProps) {
  const { calls } = voice.texts
  return (
    <Banner
      tone="warn"
      action={
        <a class="button" href={`${DASHBOARD_PATH}/e/${eventId}/abstracts`}>
          {calls.preview.back}
        </a>
      }
    >
      <p>
        {phase === 'before'
          ? calls.preview.about(voice.format.dateTime(call.opens_at))
          : calls.preview.aboutDraft}
      </p>
    </Banner>
  )
}

interface BannerProps {
  eventId: string
  call: Call
  phase: Phase
  voice: Voice
}
