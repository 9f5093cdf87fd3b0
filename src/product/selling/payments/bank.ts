import * as v from 'valibot'
import { says } from '../faults.ts'
import * as fields from '../fields.ts'

/** Letters of a country and two digits begin an IBAN (ISO 13616): what else looks like that is one that was mistyped. */
const LOOKS_LIKE_IBAN = /^[A-Z]{2}\d{2}/
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Without what people write between its digits. */
function compact(text: string): string {
  return text.replace(/[\s.-]/gu, '').toUpperCase()
}

/** Whether the check digits are right (ISO 7064, MOD 97-10). */
export function isIban(text: string): boolean {
  const iban = compact(text)
  if (!IBAN.test(iban)) return false
  let rest = 0
  for (const letter of iban.slice(4) + iban.slice(0, 4))
    rest = Number(`${rest}${Number.parseInt(letter, 36)}`) % 97
  return rest === 1
}

/** An IBAN in groups of four, as banks print it; what is none stays as it was written. */
function printed(text: string): string {
  return LOOKS_LIKE_IBAN.test(compact(text)) ? compact(text).replace(/(.{4})(?=.)/g, '$1 ') : text
}

/** Where transfers for an account go to, as it is entered. */
export const bankFields = {
  holder: fields.name(70),
  /** An IBAN, or what one writes in its place. */
  account: v.pipe(
    fields.name(60),
    v.check(text => !LOOKS_LIKE_IBAN.test(compact(text)) || isIban(text), says('iban')),
    v.transform(printed),
  ),
  /** A BIC, or what one writes in its place. */
  code: v.nullable(fields.name(40)),
  /** What else one has to know. */
  note: v.nullable(fields.text(500)),
}

export const bankSchema = v.object(bankFields, says('required'))
