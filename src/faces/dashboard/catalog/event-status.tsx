import type { Event } from '../events/schemas.ts'
import { Pill } from '../web/components/parts.tsx'
import type { Tone } from '../web/flash.ts'
import type { Texts } from '../web/texts/texts.ts'

const tones: Readonly<Record<Event['status'], Tone | 'off' | undefined>> = {
  draft: undefined,
  published: 'good',
  cancelled: 'off',
  completed: 'off',
}

export function EventStatus({ status, texts }: { status: Event['status']; texts: Texts }) {
  return <Pill tone={tones[status]}>{texts.events.status[status]}</Pill>
}
