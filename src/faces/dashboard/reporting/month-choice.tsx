import { Problem } from '#base/problem.ts'
import type { Voice } from '#machinery/web/voice.ts'

/**
 * Returns the month that the address asks for. The default is the current one, which is the first.
 *
 * @throws Problem not_found if the list has no such month
 */
export function chosenMonth(months: readonly string[], query: URLSearchParams): string {
  const month = query.get('month') || (months[0] as string)
  if (!months.includes(month)) throw new Problem('not_found')
  return month
}

interface Props {
  action: string
  /** The month, as `YYYY-MM`. */
  month: string
  months: readonly string[]
  texts: { month: string; show: string }
  format: Voice['format']
}

/** Leads to another month of the page at `action`. */
export function MonthChoice({ action, month, months, texts, format }: Props) {
  return (
    <form class="tools" method="get" action={action}>
      <label for="month">{texts.month}</label>
      <select id="month" name="month" class="short">
        {months.map(each => (
          <option key={each} value={each} selected={each === month}>
            {format.month(each)}
          </option>
        ))}
      </select>
      <button type="submit" class="button">
        {texts.show}
      </button>
    </form>
  )
}
