import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'

/** An IBAN begins with the letters of a country and two digits (ISO 13616). Another text that begins so is a mistyped IBAN. */
const LOOKS_LIKE_IBAN = /^[A-Z]{2}\d{2}/
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Removes what people write between the digits. */
function compact(text: string): string {
  return text.replace(/[\s.-]/gu, '').toUpperCase()
}

/** Tells whether the check digits are right (ISO 7064, MOD 97-10). */
export function isIban(text: string): boolean {
  const iban = compact(text)
  if (!IBAN.test(iban)) return false
  let rest = 0
  for (const letter of iban.slice(4) + iban.slice(0, 4))
    rest = Number(`${rest}${Number.parseInt(letter, 36)}`) % 97
  return rest === 1
}

/** Writes an IBAN in groups of four, as banks print it. Any other text stays as it is. */
function printed(text: string): string {
  return LOOKS_LIKE_IBAN.test(compact(text)) ? compact(text).replace(/(.{4})(?=.)/g, '$1 ') : text
}

/** Where transfers for an account go to, as the organizer enters it. */
export const bankFields = {
  holder: fields.name(70),
  /** An IBAN, or what people write instead of one. */
  account: v.pipe(
    fields.name(60),
    v.check(text => !LOOKS_LIKE_IBAN.test(compact(text)) || isIban(text), says('iban')),
    v.transform(printed),
  ),
  /** A BIC, or what people write instead of one. */
  code: v.nullable(fields.name(40)),
  /** Anything else that a payer has to know. */
  note: v.nullable(fields.text(500)),
}

export const bankSchema = v.object(bankFields, says('required'))
