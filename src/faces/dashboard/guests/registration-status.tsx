import { Pill } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import type { RegistrationStatus } from '#product/guests/registrations/rules.ts'
import type { Texts } from '#texts/texts.ts'

const tones: Readonly<Record<RegistrationStatus, Tone | 'off'>> = {
  pending: 'warn',
  confirmed: 'good',
  failed: 'bad',
  refunded: 'off',
  cancelled: 'off',
}

export function RegistrationState({ status, texts }: { status: RegistrationStatus; texts: Texts }) {
  return <Pill tone={tones[status]}>{texts.guests.status[status]}</Pill>
}
