import { type Fault, makeFault } from '#base/faults.ts'
import { countCodePoints, isText, MAX_ANSWER } from '#base/fields.ts'
import { toNfc } from '#base/words.ts'
import { countries } from './countries.ts'
import { CHOICE_SEPARATOR, hasChoices } from './kinds.ts'
import type { Question } from './schemas.ts'

/** Says what a question prescribes for its answer. */
export type Answerable = Pick<Question, 'kind' | 'choices' | 'required'>

/** Holds an answer as it is kept. The value is undefined if no answer was given. */
export type ParsedAnswer = { value: string | undefined } | { fault: Fault }

/** Holds what a control contains: one text, or the values of the ticked boxes. */
type Typed = readonly string[]

/**
 * Parses one answer into the form that is kept. It trims the answer and writes dates as in ISO 8601, numbers with a point,
 * countries as in ISO 3166-1 alpha-2, and `yes` or `no`. Several choices stand in their order with `, ` between them. Parsing a
 * kept answer again gives the same answer.
 */
export function parseAnswer(question: Answerable, typed: Typed): ParsedAnswer {
  const parsed = question.kind === 'several_of' ? parseSeveral(question, typed) : parseOne(question, typed)
  if ('fault' in parsed) return parsed
  const { value } = parsed
  if (value === '') return question.required ? { fault: missing(question) } : { value: undefined }
  return countCodePoints(value) > MAX_ANSWER ? TOO_LONG : parsed
}

function missing({ kind }: Answerable): Fault {
  return makeFault(kind === 'yes_no' || kind === 'country' || hasChoices(kind) ? 'unchosen' : 'required')
}

type ParsedValue = { value: string } | { fault: Fault }

const TOO_LONG = { fault: makeFault('maxLength', { max: MAX_ANSWER }) }
/** The most UTF-16 units of a text before it is trimmed. It allows for code points of two units and for white space. */
const LONGEST = 4 * MAX_ANSWER

function parseSeveral({ choices }: Answerable, typed: Typed): ParsedValue {
  const chosen = new Set(typed.filter(value => value !== ''))
  const existing = choices.filter(choice => chosen.has(choice))
  return existing.length === chosen.size ? { value: existing.join(CHOICE_SEPARATOR) } : notAmong(choices)
}

function parseOne({ kind, choices }: Answerable, typed: Typed): ParsedValue {
  const [first = '', ...others] = typed
  if (others.length > 0) return { fault: makeFault('repeated') }
  if (first.length > LONGEST) return TOO_LONG
  if (!isText(first)) return { fault: makeFault('wellFormed') }
  const value = toNfc(first.replace(/\r\n?/g, '\n')).trim()
  if (value === '') return { value }
  switch (kind) {
    case 'text':
      return /\p{Cc}/u.test(value) ? { fault: makeFault('controlCharacters') } : { value }
    case 'one_of':
      return choices.includes(first) ? { value: first } : notAmong(choices)
    case 'yes_no':
      return value === 'yes' || value === 'no' ? { value } : notAmong(['yes', 'no'])
    case 'country':
      return countries.includes(value) ? { value } : notAmong(countries)
    case 'date':
      return parseDate(value)
    case 'number':
      return parseNumber(value)
    case 'phone':
      return parsePhone(value)
    default:
      return { value }
  }
}

function notAmong(values: readonly string[]): { fault: Fault } {
  return { fault: makeFault('oneOf', { values }) }
}

function parseDate(value: string): ParsedValue {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined
  const isDay = midnight !== undefined && !Number.isNaN(midnight.getTime()) && !value.startsWith('0000')
  // `Date` would turn the 30th of February into a day of March.
  if (isDay && midnight.toISOString().startsWith(value)) return { value }
  return { fault: makeFault('calendarDate', { example: '2026-12-31' }) }
}

function parseNumber(typed: string): ParsedValue {
  const text = westernDigits(typed)
    .replace(/\s/g, '')
    .replace(/^[\u2212\u2013]/, '-')
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d{1,15})(?:[.,](\d{1,15}))?$/.exec(text) ?? []
  const digits = whole.replace(/^0+(?=\d)/, '')
  // Some people read `1.000` as a thousand, others as a fraction.
  const isAmbiguous = fraction.length === 3 && digits.length <= 3 && digits !== '0'
  if (digits === '' || isAmbiguous) return { fault: makeFault('decimal') }
  const number = fraction === '' ? digits : `${digits}.${fraction}`
  return { value: sign === '-' && Number(number) !== 0 ? `-${number}` : number }
}

/** The longest numbers of E.164 have 15 digits. The short ones are those of a company or a town. */
const MIN_DIGITS = 3
const MAX_DIGITS = 15

function parsePhone(typed: string): ParsedValue {
  const value = westernDigits(typed).replace(/\s+/g, ' ')
  const digits = value.replace(/\D/g, '').length
  const isNumber =
    /^\+?[\d ()./-]+$/.test(value) && digits >= MIN_DIGITS && digits <= MAX_DIGITS && value.length <= 40
  return isNumber ? { value } : { fault: makeFault('phone', { example: '+34 600 000 000' }) }
}

/** Converts Arabic, Persian and full-width digits, and the full-width plus, which keyboards of these languages write. */
function westernDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, digit => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06f0-\u06f9]/g, digit => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/[\uff10-\uff19]/g, digit => String(digit.charCodeAt(0) - 0xff10))
    .replace(/\uff0b/g, '+')
    .replace(/\u066b/g, '.')
}
