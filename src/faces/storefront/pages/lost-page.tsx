import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import { StoreDocument } from '../document.tsx'
import { Guarded } from '../guarded.tsx'
import { CODE } from '../order-form.ts'
import { pathOf, paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'
import { Contact } from './contact.tsx'
import { LegalFoot } from './legal-foot.tsx'

interface Props {
  page: EventPage
  speech: Speech
  voice: Voice
}

/** Returns whether somebody can still have use for tickets of the event. */
export function mayAskAgain({ event, isOver }: EventPage): boolean {
  return event.status === 'published' && !isOver
}

/** Shows the form of those who have lost the mail with their tickets. */
export function LostDocument({
  page,
  state,
  shown,
  speech,
  voice,
}: Props & { state: FormState; shown: string }) {
  const { event, organizer } = page
  const { texts } = voice
  const { lost, toEvent } = texts.checkout
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[lost.link, event.title]}
      isRefused={isRefused(state)}
      home={{ href: paths.account(organizer.slug), name: organizer.name }}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
      head={<meta name="robots" content="noindex" />}
    >
      <div class="narrow">
        <h1>{lost.link}</h1>
        <p class="quiet">{lost.about(event.title)}</p>
        <Form
          state={state}
          texts={texts}
          action={inSpeech(speech, paths.lostTickets(organizer.slug, event.slug), page.code)}
          submit={lost.submit}
          leave={inSpeech(speech, pathOf(page))}
          leaveText={toEvent}
        >
          {page.code !== null && <input type="hidden" name={CODE} value={page.code} />}
          <Guarded shown={shown} voice={voice} />
          <FieldRows state={state} texts={texts} />
        </Form>
      </div>
    </StoreDocument>
  )
}

/** Says the same whether or not the address has tickets. */
export function LostSentDocument({ page, speech, voice, email }: Props & { email: string }) {
  const { event, organizer } = page
  const { lost, toEvent } = voice.texts.checkout
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[lost.doneTitle, event.title]}
      home={{ href: paths.account(organizer.slug), name: organizer.name }}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="card empty">
        <h1>{lost.doneTitle}</h1>
        <p>{lost.done(email)}</p>
        <Contact address={event.contact_email} voice={voice} />
        <p>
          <a class="button" href={inSpeech(speech, pathOf(page))}>
            {toEvent}
          </a>
        </p>
      </div>
    </StoreDocument>
  )
}
