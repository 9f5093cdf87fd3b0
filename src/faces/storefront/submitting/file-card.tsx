import type { Problem } from '#base/problem.ts'
import { ErrorSummary } from '#machinery/web/forms/error-summary.tsx'
import { fileField } from '#machinery/web/forms/field.ts'
import { type FormState, newForm } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { ofFile } from '#product/programme/files/receive.ts'
import { inSpeech } from '../voice.ts'
import type { Spoken, SubmissionView } from './submission-view.ts'

/** The name in the query of a form's address that leads back to the page where the abstract is written. */
export const FROM_EDIT = 'edit'

/** The place of the card on its page. */
export const FILE_CARD = 'your-file'

type Props = Pick<SubmissionView, 'call' | 'file' | 'isOpen' | 'path' | 'sent'> &
  Spoken & { isEdit?: boolean; fileProblem: Problem | undefined }

/** Shows the file beside an abstract. Its form is one of its own, so that what becomes of it costs no text. */
export function FileCard(props: Props) {
  const { call, file, isOpen, path, sent, speech, voice, isEdit = false, fileProblem } = props
  const { calls } = voice.texts
  const takes = isOpen && call.file !== 'none'
  if (file === undefined && !takes && fileProblem === undefined) return null
  const to = (what: string) =>
    withQuery(inSpeech(speech, `${path}/${what}`), { from: isEdit ? FROM_EDIT : undefined })
  const mayRemove = isOpen && !(call.file === 'required' && sent !== undefined)
  return (
    <section class="card stack no-print" id={FILE_CARD} aria-labelledby="file-title">
      <h2 id="file-title">{calls.file}</h2>
      {file === undefined ? (
        <p>{call.file === 'required' ? calls.fileMissing : calls.fileNone}</p>
      ) : (
        <p>
          <a href={`${path}/file`} download>
            <bdi>{file.name}</bdi>
          </a>{' '}
          <span class="quiet">({voice.format.bytes(file.size)})</span>
        </p>
      )}
      {!takes && <ErrorSummary state={stateOf(props)} texts={voice.texts} />}
      {takes && (
        <>
          {isEdit && (
            <p class="quiet" data-bare>
              {calls.fileSaveFirst}
            </p>
          )}
          <Form
            state={stateOf(props)}
            texts={voice.texts}
            // The page that says why a file is refused opens where it says so.
            action={`${to('file')}#${FILE_CARD}`}
            submit={file === undefined ? calls.fileAttach : calls.fileReplace}
            isGuarded={false}
          />
        </>
      )}
      {file !== undefined && mayRemove && (
        <form method="post" action={to('file/remove')}>
          <button type="submit" class="button plain">
            {calls.fileRemove}
          </button>
        </form>
      )}
    </section>
  )
}

/** Times and money do not stand in a file. */
const SCALE = { timezone: 'UTC', currency: 'EUR' }

function stateOf({ call, fileProblem }: Pick<Props, 'call' | 'fileProblem'>): FormState {
  const fields = {
    file: fileField('application/pdf,.pdf', {
      label: ({ calls }) => calls.fileChoose,
      help: ({ calls }) => calls.fileHelp(call.max_file_mib),
    }),
  }
  const fault = ofFile(fileProblem)
  return {
    ...newForm(fields, SCALE),
    formId: undefined,
    ...(fault === undefined ? { problem: fileProblem } : { faults: new Map([['file', { fault }]]) }),
  }
}
