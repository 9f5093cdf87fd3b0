import type { DecisionPreview } from '../abstracts/mails.ts'
import { FilledMarkdown, fill } from '../web/components/markdown.tsx'
import { type Field, tickField } from '../web/forms/field.ts'
import type { Texts } from '../web/texts/texts.ts'

export const tellField: Field<boolean> = tickField({
  label: texts => texts.abstracts.tell,
  help: texts => texts.abstracts.tellHelp,
})

/** What the mail about a decision says, to be unfolded. */
export function MailPreview({
  preview: { text, values },
  summary,
  texts,
}: {
  preview: DecisionPreview
  summary: string
  texts: Texts
}) {
  // What is typed at this moment is in no preview.
  const filled = { ...values, note: values.note === '' ? texts.abstracts.noteHere : (values.note ?? '') }
  return (
    <details>
      <summary>{summary}</summary>
      <p>
        <b>
          <bdi>{fill(text.subject, filled)}</bdi>
        </b>
      </p>
      <FilledMarkdown text={text.body} values={filled} />
    </details>
  )
}
