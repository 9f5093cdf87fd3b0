import { Mail } from '../../web/components/parts.tsx'
import type { Voice } from '../../web/voice.ts'

/** Whom one asks about an event, where its organizer says so. */
export function Contact({ address, voice }: { address: string | null; voice: Voice }) {
  if (address === null) return null
  return (
    <p>
      {voice.texts.storefront.contact}: <Mail address={address} />
    </p>
  )
}
