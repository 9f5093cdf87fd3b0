import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldRows } from '#machinery/web/forms/form-view.tsx'
import type { Texts } from '#texts/texts.ts'

interface HolderProps {
  /** The name of the ticket. */
  ticket: string
  /** The names of its fields. */
  names: readonly string[]
  state: FormState
  texts: Texts
}

/** Shows the questions about one ticket, in a frame of its own. */
export function Holder({ ticket, names, ...rows }: HolderProps) {
  if (names.length === 0) return null
  return (
    <fieldset class="card holder">
      <legend>
        <bdi>{ticket}</bdi>
      </legend>
      <div class="pair">
        <FieldRows {...rows} names={names} />
      </div>
    </fieldset>
  )
}
