import type { Texts } from '#texts/texts.ts'
import type { Fields } from '../forms/form.ts'

function choicesOf(filters: Fields, name: string, texts: Texts) {
  const control = filters[name]?.control
  return control?.kind === 'select' ? control.choices(texts) : []
}

/** Returns what a filter is set to, as people read it. */
export function choiceLabel(filters: Fields, name: string, value: string, texts: Texts): string {
  return choicesOf(filters, name, texts).find(choice => choice.value === value)?.label ?? value
}

interface FilterFieldProps {
  name: string
  filters: Fields
  query: Readonly<Record<string, string | undefined>>
  texts: Texts
}

/** Shows a filter: a choice, or a text where its field has none. */
export function FilterField({ name, filters, query, texts }: FilterFieldProps) {
  const field = filters[name]
  const id = `filter-${name}`
  return (
    <div class="field">
      <label for={id}>{field?.label(texts)}</label>
      {field?.control.kind === 'input' ? (
        <input id={id} name={name} inputmode={field.control.inputmode} value={query[name] ?? ''} />
      ) : (
        <select id={id} name={name}>
          <option value="">{texts.page.any}</option>
          {choicesOf(filters, name, texts).map(({ value, label }) => (
            <option key={value} value={value} selected={query[name] === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
