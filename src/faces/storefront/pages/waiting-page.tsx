import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage, OfferedType } from '#product/catalog/event-pages/schemas.ts'
import { WhenLine } from '../dates.tsx'
import { StoreDocument } from '../document.tsx'
import { Guarded } from '../guarded.tsx'
import { paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'
import { LegalFoot } from './legal-foot.tsx'

interface Props {
  page: EventPage
  speech: Speech
  voice: Voice
}

/** Shows the form that joins the waitlist. */
export function WaitingDocument({
  page,
  type,
  state,
  shown,
  speech,
  voice,
}: Props & { type: OfferedType; state: FormState; shown: string }) {
  const { event, organizer } = page
  const { texts } = voice
  const { checkout } = texts
  const title = checkout.waitlistTitle(type.name)
  // For a type that costs something, the page promises only a mail about free places.
  const isReserved = event.waitlist_mode === 'offer' && type.price === 0
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[title, event.title]}
      isRefused={isRefused(state)}
      home={organizer}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="narrow">
        <h1 dir="auto">{title}</h1>
        <p dir="auto">{event.title}</p>
        <WhenLine event={event} format={voice.format} />
        <p class="quiet">
          {isReserved ? checkout.waitlistReserved(event.waitlist_hours) : checkout.waitlistAbout}
        </p>
        <Form
          state={state}
          texts={texts}
          action={inSpeech(speech, paths.waitlist(organizer.slug, event.slug))}
          submit={texts.checkout.waitlist}
          leave={inSpeech(speech, paths.event(organizer.slug, event.slug))}
          leaveText={texts.checkout.toEvent}
        >
          <input type="hidden" name="type" value={type.id} />
          <Guarded shown={shown} voice={voice} />
          <FieldRows state={state} texts={texts} />
        </Form>
      </div>
    </StoreDocument>
  )
}

/** Confirms that somebody is on the waitlist. */
export function JoinedDocument({ page, speech, voice, email }: Props & { email: string }) {
  const { event, organizer } = page
  const { checkout } = voice.texts
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[checkout.joined, event.title]}
      home={organizer}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="card empty">
        <h1>{checkout.joined}</h1>
        <p>
          <bdi>{checkout.joinedAbout(email)}</bdi>
        </p>
        <p>
          <a class="button" href={inSpeech(speech, paths.event(organizer.slug, event.slug))}>
            {checkout.toEvent}
          </a>
        </p>
      </div>
    </StoreDocument>
  )
}
