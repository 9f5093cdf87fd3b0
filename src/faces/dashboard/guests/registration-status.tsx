import type { RegistrationStatus } from '../registrations/rules.ts'
import { Pill } from '../web/components/parts.tsx'
import type { Tone } from '../web/flash.ts'
import type { Texts } from '../web/texts/texts.ts'

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
