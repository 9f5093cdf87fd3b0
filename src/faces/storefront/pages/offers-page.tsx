import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import { StoreDocument } from '../document.tsx'
import type { Speech } from '../voice.ts'
import { LegalFoot } from './legal-foot.tsx'
import { Tickets } from './tickets.tsx'

/** Shows what a code offers to the visitor who has it. */
export function OffersDocument(props: { page: EventPage; code: string; speech: Speech; voice: Voice }) {
  const { page, speech, voice } = props
  const { event, organizer } = page
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[voice.texts.checkout.offers, event.title]}
      home={organizer}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="narrow">
        <h1 dir="auto">{event.title}</h1>
        <Tickets {...props} />
      </div>
    </StoreDocument>
  )
}
