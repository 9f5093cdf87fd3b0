import type { FormState } from '../../web/forms/form.ts'
import { FieldRows } from '../../web/forms/form-view.tsx'
import type { Texts } from '../../web/texts/texts.ts'

interface HolderProps {
  /** What the ticket is called. */
  ticket: string
  /** Of its fields. */
  names: readonly string[]
  state: FormState
  texts: Texts
}

/** What is asked of one ticket, in a frame of its own. */
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
