import type { VNode } from 'preact'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { withQuery } from '#machinery/web/link.ts'
import { PREVIEW } from '#product/programme/submissions/links.ts'
import type { Counts } from '#product/programme/submissions/rows.ts'
import { SubmissionForm } from '#product/programme/submissions/submission-form.tsx'
import { StoreDocument } from '../document.tsx'
import { Guarded } from '../guarded.tsx'
import { LegalFoot } from '../pages/legal-foot.tsx'
import { paths } from '../paths.ts'
import { WritingScript } from '../self-saving.tsx'
import { inSpeech } from '../voice.ts'
import type { CallProps } from './call-page.tsx'
import { Deadline } from './deadline.tsx'

interface NewProps extends CallProps {
  draft: Counts
  state: FormState
  /** When the form was shown, sealed. */
  shown: string
  /** The revision of what the form has begun before and shows beside it; 0 for nothing. */
  revision: number
  /** What says that the form is only to be looked at. */
  preview?: VNode | undefined
}

/** Shows the form of a new abstract. */
export function NewDocument({ draft, state, shown, revision, preview, ...props }: NewProps) {
  const { page, call, speech, voice } = props
  const { event, organizer } = page
  const { calls } = voice.texts
  const path = paths.newAbstract(organizer.slug, event.slug)
  const at = (to: string) => inSpeech(speech, to, page.code)
  const toCall = withQuery(paths.call(organizer.slug, event.slug), {
    [PREVIEW]: preview === undefined ? undefined : '1',
  })
  const form = (
    <SubmissionForm
      {...{ state, call, voice }}
      before={preview === undefined && <Guarded shown={shown} voice={voice} />}
      counts={draft}
      isNew
      revision={revision}
      action={at(path)}
      sendAction={at(`${path}/send`)}
      leave={at(toCall)}
      leaveText={calls.toCall}
    />
  )
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[calls.newTitle, event.title]}
      isRefused={isRefused(state)}
      home={organizer}
      head={
        <>
          <meta name="robots" content="noindex" />
          <WritingScript />
        </>
      }
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="narrow">
        {preview}
        <h1>{calls.newTitle}</h1>
        <p class="quiet">
          <bdi>{calls.titleOf(event.title)}</bdi>
        </p>
        <Deadline call={call} timezone={event.timezone} voice={voice} />
        <p class="quiet" hidden data-scripted>
          {calls.bySelf.begins}
        </p>
        {preview === undefined ? (
          form
        ) : (
          <fieldset disabled aria-label={calls.preview.form}>
            {form}
          </fieldset>
        )}
      </div>
    </StoreDocument>
  )
}
