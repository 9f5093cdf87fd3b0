import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import { StoreDocument } from '../document.tsx'
import { Guarded } from '../guarded.tsx'
import { CODE } from '../order-form.ts'
import { inSpeech, type Speech } from '../voice.ts'
import { Contact } from './contact.tsx'
import { LegalFoot } from './legal-foot.tsx'

interface Props {
  page: EventPage
  speech: Speech
  voice: Voice
  /** What was lost, in words. */
  lost: {
    link: string
    about: (event: string) => string
    submit: string
    doneTitle: string
    done: (email: string) => string
  }
  /** The way back. */
  leave: string
  leaveText: string
}

/** Returns whether somebody can still have use for tickets of the event. */
export function mayAskAgain({ event, isOver }: EventPage): boolean {
  return event.status === 'published' && !isOver
}

/** Shows the form of those who have lost the mail with their tickets, or with the link to their abstracts. */
export function LostDocument({
  page,
  state,
  shown,
  action,
  ...props
}: Props & { state: FormState; shown: string; action: string }) {
  const { event, organizer } = page
  const { speech, voice, lost, leave, leaveText } = props
  const { texts } = voice
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[lost.link, event.title]}
      isRefused={isRefused(state)}
      home={organizer}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
      head={<meta name="robots" content="noindex" />}
    >
      <div class="narrow">
        <h1>{lost.link}</h1>
        <p class="quiet">
          <bdi>{lost.about(event.title)}</bdi>
        </p>
        <Form
          state={state}
          texts={texts}
          action={inSpeech(speech, action, page.code)}
          submit={lost.submit}
          leave={leave}
          leaveText={leaveText}
        >
          {page.code !== null && <input type="hidden" name={CODE} value={page.code} />}
          <Guarded shown={shown} voice={voice} />
          <FieldRows state={state} texts={texts} />
        </Form>
      </div>
    </StoreDocument>
  )
}

/** Says the same whether or not there is anything for the address. */
export function LostSentDocument({ page, email, ...props }: Props & { email: string }) {
  const { event, organizer } = page
  const { speech, voice, lost, leave, leaveText } = props
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[lost.doneTitle, event.title]}
      home={organizer}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="card empty">
        <h1>{lost.doneTitle}</h1>
        <p>
          <bdi>{lost.done(email)}</bdi>
        </p>
        <Contact address={event.contact_email} voice={voice} />
        <p>
          <a class="button" href={leave}>
            {leaveText}
          </a>
        </p>
      </div>
    </StoreDocument>
  )
}
