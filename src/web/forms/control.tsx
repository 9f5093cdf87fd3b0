import type { Texts } from '../texts/texts.ts'
import type { Field, Typed } from './field.ts'

export interface ControlProps {
  // biome-ignore lint/suspicious/noExplicitAny: a field of any value.
  field: Field<any>
  name: string
  texts: Texts
  typed: Typed
  describedBy: string | undefined
  isWrong: boolean
}

/** What a person changes a value with. */
export function ControlOf({ field, name, texts, typed, describedBy, isWrong }: ControlProps) {
  const { control, required } = field
  const value = typed[0] ?? ''
  const common = {
    name,
    'aria-describedby': describedBy,
    'aria-invalid': isWrong ? ('true' as const) : undefined,
    required: required ? true : undefined,
  }
  switch (control.kind) {
    case 'input': {
      const { type, autocomplete = 'off', inputmode, size, suggestions } = control
      const list = suggestions === undefined ? undefined : `${name}-list`
      const input = { ...common, id: name, value, autocomplete, inputMode: inputmode, class: size, list }
      return (
        <>
          <input {...input} type={type as 'text'} />
          {suggestions !== undefined && (
            <datalist id={`${name}-list`}>
              {suggestions.map(each => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </>
      )
    }
    case 'area':
      return (
        <textarea {...common} id={name} rows={control.rows}>
          {value}
        </textarea>
      )
    case 'select':
      return (
        <select {...common} id={name}>
          {value === '' && <option value="" />}
          {control.choices(texts).map(choice => (
            <option key={choice.value} value={choice.value} selected={choice.value === value}>
              {choice.label}
            </option>
          ))}
        </select>
      )
    case 'radios':
    case 'checkboxes':
      return (
        <>
          {control.choices(texts).map(choice => (
            <label key={choice.value} class="tick">
              <input
                type={control.kind === 'radios' ? 'radio' : 'checkbox'}
                name={name}
                value={choice.value}
                checked={typed.includes(choice.value)}
              />{' '}
              <bdi>{choice.label}</bdi>
            </label>
          ))}
        </>
      )
    case 'file':
      return <input {...common} id={name} type="file" accept={control.accept} />
    case 'hidden':
      return null
    case 'tick':
      return (
        <input
          {...common}
          id={name}
          type="checkbox"
          value="yes"
          checked={typed.length > 0}
          required={undefined}
        />
      )
  }
}
