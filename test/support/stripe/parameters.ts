import { invalid, notBuilt } from './errors.ts'
import type { FormFields, FormValue } from './form.ts'

/** Makes a value of what a form held at a name, or refuses it as Stripe does. */
export type Read<T> = (value: FormValue, name: string) => T
interface Must<T> {
  must: Read<T>
}
type Field = Read<unknown> | Must<unknown>
type ValueOf<F> = F extends Must<infer T> ? T : F extends Read<infer T> ? T | undefined : never
/** The values of a shape; what is not required may be undefined. */
export type Values<S extends Shape> = { [K in keyof S]: ValueOf<S[K]> }
export interface Shape {
  [name: string]: Field
}

export const must = <T>(read: Read<T>): Must<T> => ({ must: read })

function scalar(value: FormValue, name: string): string {
  if (typeof value !== 'string') throw invalid(`Invalid string: ${name}`, name)
  if (value !== '') return value
  throw invalid(
    `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
    name,
    'parameter_invalid_empty',
  )
}

function fieldsOf(value: FormValue, name: string): FormFields {
  if (typeof value === 'string') throw invalid('Invalid object', name)
  return value
}

/** Reads a text of at most so many characters. */
export function text(most = 5_000): Read<string> {
  return (value, name) => {
    const given = scalar(value, name)
    if (given.length <= most) return given
    throw invalid(
      `Invalid string: ${given.slice(0, 10)}…${given.slice(-10)}; must be at most ${most} characters`,
      name,
    )
  }
}

export function wholeNumber(least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Read<number> {
  return (value, name) => {
    const given = scalar(value, name)
    const number = Number(given)
    if (!/^-?\d{1,15}$/.test(given)) {
      throw invalid(`Invalid integer: ${given}`, name, 'parameter_invalid_integer')
    }
    if (number < least) {
      const bound = least === 1 ? 'greater than or equal to 1' : `greater than or equal to ${least}`
      throw invalid(`This value must be ${bound}.`, name, 'parameter_invalid_integer')
    }
    if (number > most) {
      throw invalid(`This value must be less than or equal to ${most}.`, name, 'parameter_invalid_integer')
    }
    return number
  }
}

export const flag: Read<boolean> = (value, name) => {
  const given = scalar(value, name)
  if (given === 'true') return true
  if (given === 'false') return false
  throw invalid(`Invalid boolean: ${given}`, name)
}

export function oneOf<const T extends string>(choices: readonly T[]): Read<T> {
  return (value, name) => {
    const given = scalar(value, name)
    const found = choices.find(choice => choice === given)
    if (found !== undefined) return found
    const listed = `${choices.slice(0, -1).join(', ')}, or ${choices.at(-1)}`
    throw invalid(`Invalid ${name}: must be one of ${listed}`, name)
  }
}

/** A list: its places must count from 0 without a gap. */
export function listOf<T>(read: Read<T>, most = 100): Read<T[]> {
  return (value, name) => {
    if (typeof value === 'string') throw invalid('Invalid array', name)
    const places = Object.keys(value)
    if (places.length > most) throw invalid(`Array ${name} exceeded maximum ${most} allowed elements.`, name)
    if (places.some(place => !/^\d+$/.test(place) || Number(place) >= places.length)) {
      throw invalid('Invalid array', name)
    }
    return places
      .sort((a, b) => Number(a) - Number(b))
      .map(place => read(value[place] as FormValue, `${name}[${place}]`))
  }
}

const named = (outer: string, name: string) => (outer === '' ? name : `${outer}[${name}]`)

/** Reads the parameters of a request, or of an object in it. An unknown one is refused. */
export function readShape<S extends Shape>(shape: S, given: FormFields, outer = ''): Values<S> {
  const unknown = Object.keys(given).find(name => !Object.hasOwn(shape, name))
  if (unknown !== undefined) {
    const name = named(outer, unknown)
    throw invalid(`Received unknown parameter: ${name}`, name, 'parameter_unknown')
  }
  const values = Object.entries(shape).map(([name, field]) => {
    const value = given[name]
    const full = named(outer, name)
    if (value !== undefined) return [name, ('must' in field ? field.must : field)(value, full)]
    if ('must' in field) throw invalid(`Missing required param: ${full}.`, full, 'parameter_missing')
    return [name, undefined]
  })
  return Object.fromEntries(values)
}

export const object =
  <S extends Shape>(shape: S): Read<Values<S>> =>
  (value, name) =>
    readShape(shape, fieldsOf(value, name), name)

/** Reads at most 50 keys of 40 characters with values of 500. https://docs.stripe.com/api/metadata */
export const metadata: Read<Record<string, string>> = (value, name) => {
  if (value === '') return {}
  const entries = Object.entries(fieldsOf(value, name))
  if (entries.length > 50) {
    throw invalid(`Metadata can have at most 50 keys; you passed ${entries.length}.`, name)
  }
  for (const [key, text] of entries) {
    if (key.length > 40) {
      throw invalid(`Metadata keys must be at most 40 characters; '${key}' has ${key.length}.`, name)
    }
    if (typeof text !== 'string') throw invalid('Invalid string', named(name, key))
    if (text.length > 500) {
      throw invalid(
        `Metadata values can have up to 500 characters, but you passed in a value that is ${text.length} characters.`,
        named(name, key),
      )
    }
  }
  return Object.fromEntries(entries.filter(([, text]) => text !== '')) as Record<string, string>
}

/** Reads a moment in seconds, or bounds of it. */
export const range: Read<{ gt?: number; gte?: number; lt?: number; lte?: number }> = (value, name) => {
  if (typeof value === 'string') {
    const moment = wholeNumber(0)(value, name)
    return { gte: moment, lte: moment }
  }
  const bounds = readShape(
    { gt: wholeNumber(0), gte: wholeNumber(0), lt: wholeNumber(0), lte: wholeNumber(0) },
    value,
    name,
  )
  return Object.fromEntries(Object.entries(bounds).filter(([, bound]) => bound !== undefined))
}

/** Reads an absolute address of the web. */
export function webAddress(most = 5_000): Read<string> {
  return (value, name) => {
    const given = text(most)(value, name)
    if (/^https?:\/\/[^\s/]+/.test(given) && URL.canParse(given)) return given
    throw invalid('Not a valid URL', name, 'url_invalid')
  }
}

export const emailAddress: Read<string> = (value, name) => {
  const given = text(800)(value, name)
  if (/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(given)) return given
  throw invalid(`Invalid email address: ${given}`, name, 'email_invalid')
}

/** Refuses a parameter that Stripe has and this stand-in lacks. */
export const absent: Read<never> = (_value, name) => {
  throw notBuilt(`the parameter ${name}`)
}

export const expand = { expand: listOf(text(), 100) }
export const page = {
  ...expand,
  limit: wholeNumber(1, 100),
  starting_after: text(),
  ending_before: text(),
}
