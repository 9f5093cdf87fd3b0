import { type Fault, say } from '#base/faults.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner } from '#machinery/web/components/parts.tsx'
import { type Flash, flash } from '#machinery/web/flash.ts'
import type { Field } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { type LaterDate, listLater, type Uncarried } from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import type { Texts } from '#texts/texts.ts'

/** For which dates of a series a form is saved. */
export type SaveFor = 'this' | 'later'

/** Only this date, unless a person chooses more. */
export const onlyThis = { save_for: 'this' } as const satisfies { save_for: SaveFor }

/** Lists the later dates for which a form of an event can be saved too. An event of no series has none. */
export async function loadLater(
  tx: ReadTx,
  { event: { id, series_id }, member }: EventRequest,
): Promise<readonly LaterDate[]> {
  return series_id === null ? [] : listLater(tx, await events.getDetails(tx, id), member.event_ids)
}

/**
 * Returns the field by which a person chooses for which dates a form is saved. An event without later dates has none.
 *
 * @param help what goes to the later dates
 */
export function saveForFields(
  later: readonly LaterDate[],
  help: (texts: Texts) => string = texts => texts.series.saveForHelp,
): { save_for: Field<SaveFor> } {
  const choices = (texts: Texts) => [
    { value: 'this', label: texts.series.saveForThis },
    { value: 'later', label: texts.series.saveForLater(later.length) },
  ]
  const save_for: Field<SaveFor> = {
    label: texts => texts.series.saveFor,
    help,
    control: { kind: 'radios', choices },
    required: true,
    isOfSave: true,
    print: value => [value],
    // A form that was opened before there were later dates says nothing. It is saved for this date alone.
    parse: typed => ({ value: typed[0] === 'later' ? 'later' : 'this' }),
  }
  return (later.length === 0 ? {} : { save_for }) as { save_for: typeof save_for }
}

/** Returns the row of the field, if the form has it. */
export function saveForRows(later: readonly LaterDate[]): string[][] {
  return later.length === 0 ? [] : [['save_for']]
}

/** Returns the later dates for which a form is saved too. */
export function chosenLater(
  later: readonly LaterDate[],
  { save_for }: { save_for?: SaveFor },
): readonly LaterDate[] {
  return save_for === 'later' ? later : []
}

/** Returns what is said of a form that was saved. @param alone what is said if nothing of later dates was changed */
export function flashOfSave(
  name: string,
  others: readonly string[],
  alone: Flash,
  key: 'savedWithLater' | 'addedWithLater' = 'savedWithLater',
): Flash {
  return others.length === 0 ? alone : flash(key, { name, dates: others.length })
}

/** Says by date why a form could not be saved for it. */
export function NotCarried({ state: { problem }, texts }: { state: FormState; texts: Texts }) {
  if (problem?.code !== 'not_carried') return null
  const { uncarried, count } = problem.details as { uncarried: readonly Uncarried[]; count: number }
  return (
    <Banner tone="warn">
      <p class="strong">{texts.series.uncarried}</p>
      <ul>
        {uncarried.map(({ date, ...refusal }) => (
          <li key={date}>
            {date.replace('T', ', ')}: {tellRefusal(refusal, texts)}
          </li>
        ))}
        {count > uncarried.length && <li>{texts.series.uncarriedMore(count - uncarried.length)}</li>}
      </ul>
    </Banner>
  )
}

function tellRefusal(refusal: Omit<Uncarried, 'date'>, texts: Texts): string {
  const fault = refusal.details.fault as Fault | undefined
  return fault === undefined ? describeProblem(texts, refusal) : say(texts.faults, fault)
}
