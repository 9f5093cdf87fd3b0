import { Pill } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import type { Event } from '#product/catalog/events/schemas.ts'
import type { Texts } from '#texts/texts.ts'

const tones: Readonly<Record<Event['status'], Tone | 'off' | undefined>> = {
  draft: undefined,
  published: 'good',
  cancelled: 'off',
  completed: 'off',
}

export function EventStatus({ status, texts }: { status: Event['status']; texts: Texts }) {
  return <Pill tone={tones[status]}>{texts.events.status[status]}</Pill>
}
