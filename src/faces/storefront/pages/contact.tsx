import { Mail } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'

/** Shows the contact for questions about an event, if its organizer names one. */
export function Contact({ address, voice }: { address: string | null; voice: Voice }) {
  if (address === null) return null
  return (
    <p>
      {voice.texts.storefront.contact}: <Mail address={address} />
    </p>
  )
}
