import { digitsOf, MAX_AMOUNT, toDecimal } from '#base/money.ts'
import type { Field } from '#machinery/web/forms/field.ts'
import type { Fields, FormState } from '#machinery/web/forms/form.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import type { Basket } from '#product/selling/orders/basket.ts'

/** The names of the fields of given prices begin with this and end with the id of a type. */
const GIVEN = 'p.'

/** Returns the name of the field of what the buyer gives for each ticket of a type. */
export function givenName({ id }: { id: string }): string {
  return GIVEN + id
}

/**
 * Reads a sum as a buyer gives it, in minor units: `15`, `15.00` or `15,00` of EUR. A mark is never one of thousands, because
 * `1.999` from somebody who pays must not become 1,999.
 */
function readSum(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency)
  const [, whole, behind = ''] = /^(\d{1,12})(?:[.,](\d{1,4}))?$/.exec(text.replace(/\s/gu, '')) ?? []
  if (whole === undefined || behind.length > digits) return undefined
  return Number(whole + behind.padEnd(digits, '0'))
}

type OpenType = Pick<TypeDetails, 'id' | 'name' | 'price' | 'currency' | 'open_price'>

/** Returns the field of what the buyer gives for each ticket of a type with an open price. */
export function givenField({ name, price: least, currency }: OpenType): Field<number> {
  return {
    label: ({ checkout }) => checkout.givenFor(name),
    help: ({ checkout }) => checkout.givenHelp(toDecimal(least, currency), currency),
    control: { kind: 'input', type: 'text', inputmode: 'decimal', size: 'short' },
    required: true,
    print: value => [toDecimal(value, currency)],
    parse: ([typed = '']) => {
      const sum = readSum(typed, currency)
      if (sum === undefined) return { say: ({ checkout }) => checkout.wrongSum(currency) }
      if (sum < least)
        return { say: ({ checkout }) => checkout.givenLeast(toDecimal(least, currency), currency) }
      if (sum > MAX_AMOUNT)
        return { say: ({ checkout }) => checkout.givenMost(toDecimal(MAX_AMOUNT, currency), currency) }
      return { value: sum }
    },
  }
}

/** Returns what a query or a form gives for each ticket of a type. A sum that cannot be given is left for the form to refuse. */
export function readGiven(given: URLSearchParams, type: OpenType | undefined): number | undefined {
  const typed = type?.open_price ? given.get(givenName(type)) : null
  if (typed === null || type === undefined) return undefined
  const parsed = givenField(type).parse([typed], { currency: type.currency, timezone: 'UTC' })
  return 'value' in parsed ? parsed.value : undefined
}

/** Returns the fields of the prices that the buyer gives. */
export function givenFields({ lines }: Pick<Basket, 'lines'>): Fields {
  const open = lines.filter(({ type }) => type.open_price)
  return Object.fromEntries(open.map(({ type }) => [givenName(type), givenField(type)]))
}

/** Returns the names of these fields in a form. */
export function givenNames({ fields }: Pick<FormState, 'fields'>): string[] {
  return Object.keys(fields).filter(name => name.startsWith(GIVEN))
}

/** Returns the names of those that the form has to ask once more. The others go along with it. */
export function namesToAsk(state: FormState): string[] {
  return givenNames(state).filter(name => state.faults.has(name) || (state.typed[name]?.[0] ?? '') === '')
}

/** Fills in what the page of the event has asked, and says what is wrong with it. */
export function withGiven(state: FormState, given: URLSearchParams): FormState {
  const typed = { ...state.typed }
  const faults = new Map(state.faults)
  for (const name of givenNames(state)) {
    const sum = (given.get(name) ?? '').trim().slice(0, 40)
    if (sum === '') continue
    typed[name] = [sum]
    const parsed = state.fields[name]?.parse([sum], state.scale) ?? { value: undefined }
    if (!('value' in parsed)) faults.set(name, parsed)
  }
  return { ...state, typed, faults }
}
