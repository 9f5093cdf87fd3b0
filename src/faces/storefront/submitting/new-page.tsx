import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { StoreDocument } from '../document.tsx'
import { LegalFoot } from '../pages/legal-foot.tsx'
import { paths } from '../paths.ts'
import { inSpeech } from '../voice.ts'
import { AuthorScript, Deadline } from './author-script.tsx'
import type { CallProps } from './call-page.tsx'
import { SubmissionForm } from './form-page.tsx'
import type { Counts } from './rows.ts'

/** Shows the form of a new abstract. */
export function NewDocument({
  draft,
  state,
  shown,
  ...props
}: CallProps & { draft: Counts; state: FormState; shown: string }) {
  const { page, call, speech, voice } = props
  const { event, organizer } = page
  const { calls } = voice.texts
  const path = paths.newAbstract(organizer.slug, event.slug)
  const at = (to: string) => inSpeech(speech, to, page.code)
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[calls.newTitle, event.title]}
      isRefused={isRefused(state)}
      home={{ href: paths.account(organizer.slug), name: organizer.name }}
      head={
        <>
          <meta name="robots" content="noindex" />
          <AuthorScript />
        </>
      }
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="narrow">
        <h1>{calls.newTitle}</h1>
        <p class="quiet">
          <bdi>{calls.titleOf(event.title)}</bdi>
        </p>
        <Deadline call={call} timezone={event.timezone} voice={voice} />
        <p class="quiet" hidden data-scripted>
          {calls.bySelf.begins}
        </p>
        <SubmissionForm
          {...{ state, call, voice, shown }}
          counts={draft}
          isNew
          revision={0}
          action={at(path)}
          sendAction={at(`${path}/send`)}
          leave={at(paths.call(organizer.slug, event.slug))}
          leaveText={calls.toCall}
        />
      </div>
    </StoreDocument>
  )
}
