import type { ComponentProps } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Texts } from '#texts/texts.ts'
import type { Choice, Control } from './control-kinds.ts'
import type { Field, Typed } from './field.ts'

export interface ControlProps {
  // biome-ignore lint/suspicious/noExplicitAny: a field of any value.
  field: Field<any>
  name: string
  texts: Texts
  typed: Typed
  describedBy: string | undefined
  isWrong: boolean
  /** The browser keeps what was typed when a person goes back to the form. */
  keepsTyped?: true | undefined
}

/** Shows the control by which a person changes a value. */
export function ControlOf({ field, name, texts, typed, describedBy, isWrong, keepsTyped }: ControlProps) {
  const { control, required, isFirst } = field
  const value = typed[0] ?? ''
  const begins = control.kind === 'input' && control.before !== undefined ? beginningOf(name) : undefined
  const common = {
    name,
    'aria-describedby': [begins, describedBy].filter(Boolean).join(' ') || undefined,
    'aria-invalid': isWrong ? ('true' as const) : undefined,
    required: required ? true : undefined,
    autofocus: isFirst,
  }
  switch (control.kind) {
    case 'input': {
      // Browsers empty a field without suggestions when a person goes back to its form.
      const fallback = keepsTyped && !field.secret ? undefined : 'off'
      const { kind: _, autocomplete = fallback, ...input } = control
      return <Input {...common} {...input} value={value} autocomplete={autocomplete} />
    }
    case 'area':
      return (
        <textarea {...common} id={name} rows={control.rows}>
          {value}
        </textarea>
      )
    case 'select': {
      const choices = control.choices(texts)
      if (value === '') {
        const __html = `<option value=""></option>${printOptions(choices)}`
        return <select {...common} id={name} dangerouslySetInnerHTML={{ __html }} />
      }
      return (
        <select {...common} id={name}>
          {!required && <option value="" />}
          <Options choices={choices} value={value} />
        </select>
      )
    }
    case 'radios':
    case 'checkboxes': {
      const type = control.kind === 'radios' ? 'radio' : 'checkbox'
      const choices = control.choices(texts)
      const groups = [...new Set(choices.map(({ group }) => group))]
      return (
        <>
          {groups.map(group => {
            const some = choices.filter(choice => choice.group === group)
            const ticks = <Ticks type={type} name={name} choices={some} typed={typed} />
            if (control.kind === 'radios' && control.isInLine) return <div class="in-line">{ticks}</div>
            if (group === undefined) return ticks
            return (
              <fieldset key={group}>
                <legend>{group}</legend>
                {ticks}
              </fieldset>
            )
          })}
        </>
      )
    }
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

type InputProps = Omit<Extract<Control, { kind: 'input' }>, 'kind' | 'autocomplete'> &
  Pick<ComponentProps<'input'>, 'required' | 'autofocus' | 'aria-describedby' | 'aria-invalid'> & {
    name: string
    value: string
    autocomplete: string | undefined
  }

/** Shows an input with what it suggests, behind what its text goes on from. */
function Input({ type, inputmode, size, suggestions, isGuessed, before, ...common }: InputProps) {
  const { name } = common
  const list = suggestions === undefined ? undefined : `${name}-list`
  const input = (
    <input
      {...common}
      id={name}
      type={type as 'text'}
      inputMode={inputmode}
      class={size}
      list={list}
      data-zone={isGuessed && ''}
    />
  )
  return (
    <>
      {before === undefined ? (
        input
      ) : (
        <div class="begun">
          <span id={beginningOf(name)} class="quiet" dir="ltr">
            {before}
          </span>
          {input}
        </div>
      )}
      {suggestions !== undefined && (
        <datalist id={list}>
          {suggestions.map(each => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}

const beginningOf = (name: string) => `${name}-before`

function Options({ choices, value }: { choices: readonly Choice[]; value?: string }) {
  return (
    <>
      {choices.map(choice => (
        <option key={choice.value} value={choice.value} selected={choice.value === value}>
          {choice.label}
        </option>
      ))}
    </>
  )
}

const printed = new WeakMap<readonly Choice[], string>()

/**
 * Returns the options with none chosen. A form that asks twenty people for their country has five thousand options, so they are
 * written only once.
 */
function printOptions(choices: readonly Choice[]): string {
  let options = printed.get(choices)
  if (options === undefined) {
    options = renderToString(<Options choices={choices} />)
    printed.set(choices, options)
  }
  return options
}

interface TicksProps {
  type: 'radio' | 'checkbox'
  name: string
  choices: readonly Choice[]
  typed: Typed
}

function Ticks({ type, name, choices, typed }: TicksProps) {
  return (
    <>
      {choices.map(({ value, label }) => (
        <label key={value} class="tick">
          <input type={type} name={name} value={value} checked={typed.includes(value)} /> <bdi>{label}</bdi>
        </label>
      ))}
    </>
  )
}
