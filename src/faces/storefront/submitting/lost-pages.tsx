import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import { StoreDocument } from '../document.tsx'
import { Guarded } from '../guarded.tsx'
import { Contact } from '../pages/contact.tsx'
import { LegalFoot } from '../pages/legal-foot.tsx'
import { paths } from '../paths.ts'
import { inSpeech } from '../voice.ts'
import type { CallProps } from './call-page.tsx'

/** Shows the form of those who have lost the mail with the link to their abstracts. */
export function LostDocument({ state, shown, ...props }: CallProps & { state: FormState; shown: string }) {
  const { page, speech, voice } = props
  const { event, organizer } = page
  const { texts } = voice
  const { lost, toCall } = texts.calls
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
          action={inSpeech(speech, paths.lostAbstracts(organizer.slug, event.slug), page.code)}
          submit={lost.submit}
          leave={inSpeech(speech, paths.call(organizer.slug, event.slug), page.code)}
          leaveText={toCall}
        >
          <Guarded shown={shown} voice={voice} />
          <FieldRows state={state} texts={texts} />
        </Form>
      </div>
    </StoreDocument>
  )
}

/** Says the same whether or not anything was begun with the address. */
export function LostSentDocument({ email, ...props }: CallProps & { email: string }) {
  const { page, speech, voice } = props
  const { event, organizer } = page
  const { lost, toCall } = voice.texts.calls
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
        <p>
          <bdi>{lost.done(email)}</bdi>
        </p>
        <Contact address={event.contact_email} voice={voice} />
        <p>
          <a class="button" href={inSpeech(speech, paths.call(organizer.slug, event.slug), page.code)}>
            {toCall}
          </a>
        </p>
      </div>
    </StoreDocument>
  )
}
