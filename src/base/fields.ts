import { domainToASCII, domainToUnicode } from 'node:url'
import * as v from 'valibot'
import { MAX_FAULTS, says, saysUnknown } from './faults.ts'
import { isUuid } from './ids.ts'
import { isCurrency, MAX_AMOUNT } from './money.ts'
import { withoutAddress } from './name-address.ts'
import { isTimeZone, parseInstant } from './time.ts'

/**
 * This file defines the kinds of values that come from outside, each with its limits. The metadata of a schema tells the OpenAPI
 * description what it cannot read from valibot's own actions.
 */

/** Returns whether a text is well-formed Unicode without U+0000, which SQLite, PostgreSQL and JSON can all keep exactly. */
export function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** Counts code points, as a person counts characters, not UTF-16 units. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const CONTROL = /\p{Cc}/u

/** A character that shows. U+2800, U+1D159 and noncharacters have no sign. The other classes show nothing by definition. */
const VISIBLE =
  /[^\p{M}\p{Cf}\p{Cc}\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}]/u

/** Matches more marks on one letter than any script writes. A format character, which shows nothing, does not separate them. */
export const PILED_MARKS = /(?:\p{M}\p{Cf}*){31}/u

/** The most code points that make one code point of NFC. No text has more than its canonical decomposition (UAX #15). */
const LONGEST_DECOMPOSITION = 4

/** Accepts a string of at most `max` code points, which is kept exactly. */
export function text(max: number, min = 0) {
  return v.pipe(
    v.string(says('string')),
    v.check(value => withinLength(value, min, max), says('length', { min, max })),
    v.check(isText, says('wellFormed')),
    v.metadata({ minLength: min, maxLength: max }),
  )
}

/**
 * Accepts a name or title: trimmed and put into NFC, 1 to `max` code points, no control characters, something visible, at most 30
 * combining marks in a row. NFC costs the square of the number of marks in a row, so the length is checked before it, with the
 * white space around the name.
 */
export function name(max = 200) {
  const length = says('length', { min: 1, max })
  return v.pipe(
    v.string(says('string')),
    v.check(value => withinLength(value, 1, LONGEST_DECOMPOSITION * max), length),
    v.check(isText, says('wellFormed')),
    v.check(value => value.trim() !== '', says('blank')),
    v.trim(),
    v.normalize('NFC'),
    v.check(value => withinLength(value, 1, max), length),
    v.check(value => !CONTROL.test(value), says('controlCharacters')),
    v.check(value => VISIBLE.test(value), says('visible')),
    v.check(value => !PILED_MARKS.test(value), says('combiningMarks', { max: 30 })),
    v.metadata({ minLength: 1, maxLength: max }),
  )
}

/** Accepts the name of a person, or of an organization instead. The organizer's mails begin with it, so it has no web address. */
export const personName = v.pipe(name(), withoutAddress)

// A string has at least half as many code points as UTF-16 units, so most texts are settled without counting.
function withinLength(value: string, min: number, max: number): boolean {
  if (value.length > 2 * max) return false
  if (value.length <= max && value.length >= 2 * min) return true
  const count = countCodePoints(value)
  return count >= min && count <= max
}

/** The pattern that the HTML standard has for a valid e-mail address. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

const MAX_EMAIL = 254
const NOT_ASCII = /\P{ASCII}/u

/**
 * Matches a label of a domain: letters of any script, hyphens, digits and the few other characters that IDNA2008 allows. A hyphen
 * may not be where RFC 5891, section 4.2.3.1, forbids it (see also RFC 5892).
 */
const LABEL =
  /^(?!-)(?!..--)(?:[\p{L}\p{M}\p{Nd}\p{Join_Control}\u05f3\u05f4\u30fb-]|(?<=l)\u00b7(?=l))+(?<!-)$/iu

/**
 * Returns an address with its domain as the name system has it: `grace@xn--mnchen-3ya.example`.
 *
 * @returns undefined if a label is invalid or leads to a domain that is written in other characters, such as full-width letters
 *   or characters that nobody sees
 */
function withAsciiDomain(address: string): string | undefined {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  if (!NOT_ASCII.test(domain)) return address
  // Each character is lowered alone, as a sigma at the end of a word would become another letter, and the domain another one.
  const lower = domain.normalize('NFC').replace(/./gu, letter => letter.toLowerCase())
  const ascii = domainToASCII(domain)
  const labels = ascii.split('.')
  const isKept = lower.split('.').every((given, index) => {
    const label = labels[index] ?? ''
    return given === label || (LABEL.test(given) && given === domainToUnicode(label))
  })
  return isKept ? address.slice(0, at) + ascii : undefined
}

function isEmail(address: string): boolean {
  if (address.length > MAX_EMAIL) return false
  const ascii = withAsciiDomain(address)
  return ascii !== undefined && ascii.length <= MAX_EMAIL && EMAIL.test(ascii)
}

/** Accepts an address with a domain in any script. It is trimmed, otherwise stored as given, and compared through `emailKey`. */
export const email = v.pipe(
  v.string(says('string')),
  v.maxLength(1000, says('email', { max: MAX_EMAIL })),
  v.trim(),
  v.check(isEmail, says('email', { max: MAX_EMAIL })),
  v.metadata({ format: 'idn-email', maxLength: MAX_EMAIL, examples: ['grace@example.org'] }),
)

/** Returns the key that compares e-mail addresses. A domain in letters has the same key as its form in the name system. */
export function emailKey(address: string): string {
  return (withAsciiDomain(address) ?? address).toLowerCase()
}

/** Accepts a UUID in either case and turns it into lower case. */
export const uuid = v.pipe(
  v.string(says('uuid')),
  v.check(isUuid, says('uuid')),
  v.transform(value => value.toLowerCase()),
  v.metadata({ format: 'uuid', examples: ['0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'] }),
)

export function integer(min: number, max: number) {
  return integerWith(says('integer', { min, max }), min, max)
}

function integerWith(message: string, min: number, max: number) {
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message))
}

export const yesOrNo = v.boolean(says('boolean'))

/** Accepts minor units. */
export function amountUpTo(max: number) {
  return integerWith(says('amount', { min: 0, max }), 0, max)
}

export const amount = amountUpTo(MAX_AMOUNT)

export const currency = v.pipe(
  v.string(says('string')),
  v.check(isCurrency, says('currency', { example: 'EUR' })),
)

export const timezone = v.pipe(
  v.string(says('string')),
  v.check(isTimeZone, says('timezone', { example: 'Europe/Madrid' })),
)

/** Accepts a date and time with its offset and turns it into milliseconds. */
export const instant = v.pipe(
  v.string(says('string')),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseInstant(dataset.value)
    if (parsed !== undefined) return parsed
    addIssue({ message: says('instant', { example: '2026-12-01T09:00:00Z' }) })
    return NEVER
  }),
)

export const slug = v.pipe(v.string(says('string')), v.regex(/^[a-z0-9-]{1,80}$/, says('slug', { max: 80 })))

/** Accepts what another system or a person calls a thing. It is compared and kept exactly, safe to print, and not invisible. */
export function label(max: number) {
  return v.pipe(
    text(max, 1),
    v.check(value => !CONTROL.test(value), says('controlCharacters')),
    v.check(value => VISIBLE.test(value), says('visible')),
  )
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return v.picklist(values, says('oneOf', { values }))
}

/**
 * Accepts an object and refuses keys that it does not know. The entries have no prototype, so a key such as `__proto__` or
 * `constructor` is as unknown as any other.
 */
export function closedObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const own: Entries = Object.assign(Object.create(null), entries)
  const object = v.strictObject(own, issue => {
    if (issue.expected === 'never') return says('unknown')
    return says(issue.expected === 'Object' ? 'object' : 'required')
  })
  // valibot takes a list for an object too, and an empty list has every field of an object that requires none.
  const isNoList = (value: unknown) => !Array.isArray(value)
  return v.pipe(
    v.custom<v.InferInput<typeof object>>(isNoList, says('object')),
    reportingEveryUnknownKey(object),
  )
}

type Schema = v.GenericSchema<unknown, unknown>

/** Makes valibot report every unknown key. By itself it reports only the first, after the faults of the known keys. */
function reportingEveryUnknownKey<Strict extends Schema & { entries: object }>(object: Strict): Strict {
  const run: Schema['~run'] = (dataset, config) => {
    const given = dataset.value as Record<string, unknown>
    const result = object['~run'](dataset, config)
    const { issues } = result
    const first = issues?.at(-1)
    const [step, inner] = first?.path ?? []
    const isUnknown = first?.expected === 'never' && step?.type === 'object' && inner === undefined
    if (config.abortEarly || issues === undefined || !isUnknown) return result
    issues.pop()
    const missing = Object.keys(object.entries).filter(field => given[field] === undefined)
    for (const key in given) {
      if (key in object.entries) continue
      const message = saysUnknown(key, missing)
      issues.push({ ...first, input: key, message, path: [{ ...step, key, value: given[key] }] })
      if (issues.length >= MAX_FAULTS) break
    }
    return result
  }
  return { ...object, '~run': run }
}

/** Accepts an array of 1 to `max` items. The count is checked before any item. */
export function listOf<const Item extends v.GenericSchema>(item: Item, max: number) {
  const message = says('list', { min: 1, max })
  return v.pipe(
    v.custom<unknown[]>(value => Array.isArray(value) && value.length >= 1 && value.length <= max, message),
    lookingForFewFaults(v.array(item, message)),
    v.metadata({ minItems: 1, maxItems: max }),
  )
}

/** Stops looking after `MAX_FAULTS` faults. By itself valibot looks at every item or ends with the first wrong one. */
function lookingForFewFaults<List extends Schema & { item: Schema }>(array: List): List {
  const run: Schema['~run'] = (dataset, { ...config }) => {
    let found = 0
    const counted: Schema['~run'] = (one, same) => {
      const result = array.item['~run'](one, same)
      found += result.issues?.length ?? 0
      if (found >= MAX_FAULTS) config.abortEarly = true
      return result
    }
    const items = { ...array, item: { ...array.item, '~run': counted } }
    return items['~run'](dataset, config)
  }
  return { ...array, '~run': run }
}

export const MAX_ANSWERS = 100
const MAX_ANSWER_KEY = 64
export const MAX_ANSWER = 5000

/** Accepts form answers. Any key is ordinary, also `__proto__`, as the object that JSON.parse made is checked, never copied. */
export const answers = v.pipe(
  v.custom<Record<string, string>>(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
    says('answers'),
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const message = findAnswerFault(dataset.value)
    if (message !== undefined) addIssue({ message })
  }),
  v.metadata({
    type: 'object',
    maxProperties: MAX_ANSWERS,
    propertyNames: { minLength: 1, maxLength: MAX_ANSWER_KEY },
    additionalProperties: { type: 'string', maxLength: MAX_ANSWER },
  }),
)

function findAnswerFault(given: Record<string, unknown>): string | undefined {
  if (Object.keys(given).length > MAX_ANSWERS) return says('answerCount', { max: MAX_ANSWERS })
  for (const [key, answer] of Object.entries(given)) {
    if (!withinLength(key, 1, MAX_ANSWER_KEY) || !isText(key)) {
      return says('answerKey', { max: MAX_ANSWER_KEY })
    }
    if (typeof answer !== 'string' || !withinLength(answer, 0, MAX_ANSWER) || !isText(answer)) {
      return says('answerText', { max: MAX_ANSWER })
    }
  }
  return undefined
}
