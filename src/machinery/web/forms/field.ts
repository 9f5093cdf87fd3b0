import * as v from 'valibot'
import { type Fault, faultsOf, makeFault } from '../../faults.ts'
import { currency, email, integer, slug, text, timezone } from '../../fields.ts'
import { parseAmount, toDecimal } from '../../money.ts'
import { fromLocalTime, isLocalTime, toLocalTime } from '../../time.ts'
import type { Texts } from '../texts/texts.ts'

/** What values of a form are read and printed by: times in a time zone, money in a currency. */
export interface FormScale {
  /** An IANA name. */
  timezone: string
  /** ISO 4217. */
  currency: string
}

export type Say = (texts: Texts) => string

/** One of several values that a person chooses from. */
export interface Choice {
  value: string
  label: string
  /** The name of those that it stands among: of checkboxes in groups. */
  group?: string
}

/** What a person changes a value with. */
export type Control =
  | {
      kind: 'input'
      type: 'text' | 'email' | 'password' | 'search' | 'datetime-local' | 'month' | 'date' | 'tel'
      autocomplete?: string
      inputmode?: 'numeric' | 'decimal' | 'email' | 'url'
      size?: 'short'
      suggestions?: readonly string[]
    }
  | { kind: 'area'; rows: number }
  | { kind: 'select'; choices: (texts: Texts) => readonly Choice[] }
  | { kind: 'radios'; choices: (texts: Texts) => readonly Choice[] }
  | { kind: 'checkboxes'; choices: (texts: Texts) => readonly Choice[] }
  | { kind: 'tick' }
  | { kind: 'file'; accept: string }
  | { kind: 'hidden' }

/** What a control holds: one text, or the values of those that are ticked. */
export type Typed = readonly string[]

/** A field of a form: how it is shown, and how its value is read and printed. */
export interface Field<Value> {
  label: Say
  /** What it belongs to, where fields in groups have the same label: who sees the groups is not told again. */
  of?: Say | undefined
  help?: Say | undefined
  required: boolean
  control: Control
  /** Secrets are not shown again after a refused form. */
  secret?: boolean
  /** People have written its label and help: they stand in `bdi`, and say of boxes too whether they may be left empty. */
  isOfPeople?: boolean
  /** The same text is another value where the clocks of the form are those of another time zone. */
  isLocal?: boolean
  /** The same where the form is in another currency. */
  isMoney?: boolean
  print(value: Value, scale: FormScale): Typed
  /** @returns the value, or what is wrong with what was typed */
  parse(typed: Typed, scale: FormScale): { value: Value } | Wrong
}

/** What is wrong with what was typed: a fault of the value, or a sentence of its own. */
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

/** A text that must be there, as `schema` takes it. */
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

/** A text that may be missing: null. */
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

export function emailField(options: Named, autocomplete = 'off'): Field<string> {
  return textField(email, { ...options, control: { kind: 'input', type: 'email', autocomplete } })
}

export function slugField(options: Named): Field<string> {
  return textField(slug, options)
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

/** Minor units of the form's currency. */
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

/** Hundredths of a percent, to `max`: `2.5`. */
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

/** An instant in milliseconds, as the clocks of the form's time zone show it; null where it may stay open. */
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

const allZones = Intl.supportedValuesOf('timeZone')
const allCurrencies = Intl.supportedValuesOf('currency')

export function timezoneField(options: Named): Field<string> {
  return textField(timezone, {
    ...options,
    control: { kind: 'input', type: 'text', autocomplete: 'off', suggestions: ['UTC', ...allZones] },
  })
}

export function currencyField(options: Named): Field<string> {
  const field = textField(currency, {
    ...options,
    control: { kind: 'input', type: 'text', autocomplete: 'off', size: 'short', suggestions: allCurrencies },
  })
  return { ...field, parse: (typed, scale) => field.parse([(typed[0] ?? '').trim().toUpperCase()], scale) }
}

type Choices = (texts: Texts) => readonly Choice[]

/** One of several. The values are those that the schema of the rule takes; which of them are offered may depend on the page. */
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
      return { fault: isBlank(typed) ? makeFault('required') : makeFault('oneOf', { values }) }
    },
  }
}

/** Several of several, in the order of the values. @param schema of all of them together: without it, none is good */
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

/** A file, which the page takes itself: browsers show none again. @param accept as of HTML: `.csv,text/csv` */
export function fileField(accept: string, options: Named): Field<null> {
  return {
    ...options,
    control: { kind: 'file', accept },
    required: true,
    print: () => [],
    parse: () => ({ value: null }),
  }
}

/** What goes along unseen: at most `max` characters, which nothing is believed of. */
export function hiddenField(max: number): Field<string> {
  return {
    label: () => '',
    control: { kind: 'hidden' },
    required: false,
    print: value => [value],
    parse: typed => check(text(max), typed[0] ?? ''),
  }
}
