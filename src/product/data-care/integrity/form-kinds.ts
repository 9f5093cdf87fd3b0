import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { email, emailKey, timezone } from '#base/fields.ts'
import { isUuid } from '#base/ids.ts'
import type { Form } from '#machinery/db/forms.ts'
import { webAddress } from '#machinery/web/web-address.ts'

/** A JSON text may have this many bytes. This is more than the longest answers with each of their characters escaped. */
const LONGEST_JSON = 8_000_000

/** Returns a form for values that a schema accepts and leaves unchanged. */
export function valid(what: string, schema: v.GenericSchema): Form {
  return { what, fits: value => isKept(schema, value) }
}

/** Returns a form for JSON texts whose value a schema accepts and leaves unchanged. */
export function json(what: string, schema: v.GenericSchema): Form {
  return { what, fits: value => isKept(schema, parseJson(String(value))), longest: LONGEST_JSON }
}

function isKept(schema: v.GenericSchema, value: unknown): boolean {
  const { success, output } = v.safeParse(schema, value, { abortEarly: true })
  return success && (output === value || isDeepStrictEqual(output, value))
}

/** Returns the value of a JSON text. @returns undefined for what is none */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a form for texts that an expression matches. */
export function pattern(what: string, expression: RegExp): Form {
  return { what, fits: value => expression.test(String(value)) }
}

/** The form of an amount of any size, below 0 too. */
export const anyAmount: Form = { what: 'an amount', fits: value => Number.isSafeInteger(Number(value)) }

/** Returns a form for whole numbers from 0. */
export function upTo(most: number): Form {
  return {
    what: `a whole number from 0 to ${most}`,
    fits: value => Number(value) >= 0 && Number(value) <= most,
  }
}

/** @param email the column that has the e-mail as it was given */
export function keyOf(email: string): Form {
  return { what: 'the e-mail in lower case', fits: (value, row) => value === emailKey(String(row[email])) }
}

export const uuid: Form = {
  what: 'a UUID in lower case',
  fits: value => isUuid(String(value)) && value === String(value).toLowerCase(),
}
export const eMail = valid('an e-mail address', email)
export const webPage = valid('the address of a page', webAddress)
export const zone = valid('a time zone that is known here', timezone)
/** Checks the e-mail keys of accounts and people. */
export const eMailKey = keyOf('email')
export const currency = pattern('a currency', /^[A-Z]{3}$/)
export const secret = pattern('a webhook secret', /^whsec_[\w-]{43}$/)
export const sha256 = pattern('a SHA-256', /^[0-9a-f]{64}$/)
export const jsonObject = json(
  'a JSON object',
  v.custom(value => typeof value === 'object' && value !== null && !Array.isArray(value)),
)

export const idList = json('a JSON array of ids', v.array(v.string()))
