import { FilledMarkdown, fill } from '#machinery/web/components/markdown.tsx'
import { type Field, tickField } from '#machinery/web/forms/field.ts'
import type { DecisionPreview } from '#product/programme/decisions/mails.ts'
import type { Texts } from '#texts/texts.ts'

export const tellField: Field<boolean> = tickField({
  label: texts => texts.abstracts.tell,
  help: texts => texts.abstracts.tellHelp,
})

/** Shows what the mail about a decision says, folded at first. */
export function MailPreview({
  preview: { text, values },
  summary,
  texts,
}: {
  preview: DecisionPreview
  summary: string
  texts: Texts
}) {
  // The preview cannot contain the note that is being typed.
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
