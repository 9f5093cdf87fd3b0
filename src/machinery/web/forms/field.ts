import * as v from 'valibot'
import { type Fault, faultsOf, makeFault } from '#base/faults.ts'
import { currency, email, integer, slug, text, timezone } from '#base/fields.ts'
import { parseAmount, toDecimal } from '#base/money.ts'
import { fromLocalTime, isLocalTime, toLocalTime } from '#base/time.ts'
import type { Texts } from '#texts/texts.ts'
import type { Choice, Control, Say } from './control-kinds.ts'
import { allZones, askWhichZone, findZone } from './zone-search.ts'

/** The scale by which values of a form are read and printed: a time zone for times, and a currency for money. */
export interface FormScale {
  /** An IANA name. */
  timezone: string
  /** ISO 4217. */
  currency: string
}

/** The content of a control: one text, or the values that are ticked. */
export type Typed = readonly string[]

/** A field of a form. It defines how the field is shown, and how its value is read and printed. */
export interface Field<Value> {
  label: Say
  /** The name of the group, if fields of several groups have the same label. People who see the groups do not read it again. */
  of?: Say | undefined
  /** The name of the group in the summary of faults alone, because a legend already says it beside the field. */
  group?: Say | undefined
  help?: Say | undefined
  required: boolean
  control: Control
  /** The one field with which work begins on a page that is nothing but its form. */
  isFirst?: boolean
  /** Secrets are not shown again after a refused form. */
  secret?: boolean
  /** True if people have written its label and help, which are then in `bdi`. Boxes also say whether they may stay empty. */
  isOfPeople?: boolean
  /** True if the same text is another value in another time zone of the form. */
  isLocal?: boolean
  /** True if the same text is another value in another currency of the form. */
  isMoney?: boolean
  /** It says how a form is saved. It is no value of what an edit changes, and never counts as changed. */
  isOfSave?: true
  print(value: Value, scale: FormScale): Typed
  /** Reads the typed text. @returns the value, or what is wrong with the text */
  parse(typed: Typed, scale: FormScale): { value: Value } | Wrong
}

/** A fault of the typed text: one of the catalogue, or a sentence of its own. */
export type Wrong = { fault: Fault } | { say: Say }

export interface Named {
  label: Say
  of?: Say
  help?: Say
}

export const isBlank = (typed: Typed) => (typed[0] ?? '').trim() === ''

export function check<Value>(
  schema: v.GenericSchema<unknown, Value>,
  value: unknown,
): { value: Value } | Wrong {
  const result = v.safeParse(schema, value, { abortEarly: true })
  return result.success ? { value: result.output } : { fault: faultsOf(result.issues)[0].fault }
}

interface TextOptions extends Named {
  control?: Control
  secret?: boolean
}

/** Returns a field for a text that must be there and fit `schema`. */
export function textField<Value extends string>(
  schema: v.GenericSchema<unknown, Value>,
  options: TextOptions,
): Field<Value> {
  return {
    ...options,
    control: options.control ?? { kind: 'input', type: 'text' },
    required: true,
    print: value => [value],
    parse: typed =>
      typed[0] === undefined || typed[0] === '' ? { fault: makeFault('required') } : check(schema, typed[0]),
  }
}

/** Returns a field for a text that may be missing. Then it is null. */
export function optionalTextField(
  schema: v.GenericSchema<unknown, string>,
  options: TextOptions,
): Field<string | null> {
  return {
    ...options,
    control: options.control ?? { kind: 'input', type: 'text' },
    required: false,
    print: value => [value ?? ''],
    parse: typed => (isBlank(typed) ? { value: null } : check(schema, typed[0])),
  }
}

export function areaField(max: number, rows: number, options: Named): Field<string | null> {
  return optionalTextField(text(max), { ...options, control: { kind: 'area', rows } })
}

export function emailField(options: Named, autocomplete?: string): Field<string> {
  const named = autocomplete === undefined ? {} : { autocomplete }
  return textField(email, { ...options, control: { kind: 'input', type: 'email', ...named } })
}

/** Returns a field for the name of something in links. @param before the address up to the name */
export function slugField(options: Named, before?: string): Field<string> {
  return textField(slug, { ...options, control: { kind: 'input', type: 'text', before } })
}

export function numberField(min: number, max: number, options: Named): Field<number> {
  return {
    ...options,
    control: { kind: 'input', type: 'text', inputmode: 'numeric', size: 'short' },
    required: true,
    print: value => [String(value)],
    parse: typed => {
      if (isBlank(typed)) return { fault: makeFault('required') }
      const digits = (typed[0] ?? '').replace(/[\s.,'\u2019]/g, '')
      return check(integer(min, max), /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN)
    },
  }
}

/** Returns a field for minor units of the form's currency. */
export function moneyField(max: number, options: Named): Field<number> {
  return {
    ...options,
    control: { kind: 'input', type: 'text', inputmode: 'decimal', size: 'short' },
    required: true,
    isMoney: true,
    print: (value, { currency }) => [toDecimal(value, currency)],
    parse: (typed, { currency }) => {
      if (isBlank(typed)) return { fault: makeFault('required') }
      const amount = parseAmount(typed[0] ?? '', currency)
      return amount === undefined || amount > max
        ? { say: texts => texts.page.wrongMoney(currency) }
        : { value: amount }
    },
  }
}

/** Returns a field for hundredths of a percent, up to `max`: `2.5`. */
export function percentField(max: number, options: Named): Field<number> {
  return {
    ...options,
    control: { kind: 'input', type: 'text', inputmode: 'decimal', size: 'short' },
    required: true,
    print: value => [(value / 100).toFixed(2).replace(/\.?0+$/, '')],
    parse: typed => {
      if (isBlank(typed)) return { fault: makeFault('required') }
      const text = (typed[0] ?? '').replace(/[\s%]/g, '').replace(',', '.')
      const value = /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : Number.NaN
      return value <= max ? { value } : { say: texts => texts.page.wrongPercent(max / 100) }
    },
  }
}

/** Returns a field for an instant in milliseconds, as the clocks of the form's time zone show it. It is null if it stays open. */
export function timeField(options: Named): Field<number | null> {
  return {
    ...options,
    control: { kind: 'input', type: 'datetime-local', size: 'short' },
    required: false,
    isLocal: true,
    print: (value, { timezone }) => [value === null ? '' : toLocalTime(value, timezone)],
    parse: (typed, { timezone }) => {
      if (isBlank(typed)) return { value: null }
      const local = (typed[0] ?? '').trim().replace(' ', 'T')
      if (!isLocalTime(local)) return { say: texts => texts.page.wrongTime }
      const instant = fromLocalTime(local, timezone)
      return instant === undefined ? { say: texts => texts.page.skippedTime } : { value: instant }
    },
  }
}

/** Returns a field for a time zone, which a person may also give by a place. With `isGuessed`, the script fills it in. */
export function timezoneField({ isGuessed, ...options }: Named & { isGuessed?: true }): Field<string> {
  const control = { kind: 'input', type: 'text', suggestions: allZones, isGuessed } as const
  const field = textField(timezone, { ...options, control })
  const parse: typeof field.parse = ([typed = ''], scale) =>
    askWhichZone(typed) ?? field.parse([findZone(typed) ?? typed], scale)
  return { ...field, parse }
}

export function currencyField(options: Named): Field<string> {
  const suggestions = Intl.supportedValuesOf('currency')
  const control = { kind: 'input', type: 'text', size: 'short', suggestions } as const
  const field = textField(currency, { ...options, control })
  return { ...field, parse: (typed, scale) => field.parse([(typed[0] ?? '').trim().toUpperCase()], scale) }
}

type Choices = (texts: Texts) => readonly Choice[]

/**
 * Returns a field for one of several values. The schema of the rule takes these values, and the page may offer only some of them.
 */
export function choiceField<const Value extends string>(
  values: readonly Value[],
  choices: Choices,
  options: Named,
  kind: 'select' | 'radios' = 'select',
): Field<Value> {
  return {
    ...options,
    control: { kind, choices },
    required: true,
    print: value => [value],
    parse: typed => {
      const value = values.find(each => each === typed[0])
      if (value !== undefined) return { value }
      return { fault: makeFault('oneOf', { values }) }
    },
  }
}

/**
 * Returns a field for several values, in the order of `values`.
 *
 * @param schema for all of them together. Without it, an empty choice is valid
 */
export function choicesField<const Value extends string>(
  values: readonly Value[],
  choices: Choices,
  options: Named,
  schema?: v.GenericSchema<unknown, readonly Value[]>,
): Field<readonly Value[]> {
  return {
    ...options,
    control: { kind: 'checkboxes', choices },
    required: false,
    print: value => value,
    parse: typed => {
      const value = values.filter(each => typed.includes(each))
      return schema === undefined ? { value } : check(schema, value)
    },
  }
}

export function tickField(options: Named): Field<boolean> {
  return {
    ...options,
    control: { kind: 'tick' },
    required: false,
    print: value => (value ? ['yes'] : []),
    parse: typed => ({ value: typed.length > 0 }),
  }
}

/**
 * Returns a field for a file, which the page reads itself, as browsers do not show it again.
 *
 * @param accept as in HTML: `.csv,text/csv`
 */
export function fileField(accept: string, options: Named): Field<null> {
  return {
    ...options,
    control: { kind: 'file', accept },
    required: true,
    print: () => [],
    parse: () => ({ value: null }),
  }
}

/** Returns a hidden field of at most `max` characters. The server does not trust its value. */
export function hiddenField(max: number): Field<string> {
  return {
    label: () => '',
    control: { kind: 'hidden' },
    required: false,
    print: value => [value],
    parse: typed => check(text(max), typed[0] ?? ''),
  }
}
