import { randomInt } from 'node:crypto'

/**
 * The digits of a new reference, beside `RF` and its two check digits: with them it is three groups of four, which people type
 * without looking for letters that look alike.
 */
const BODY = 8

/**
 * A new creditor reference (ISO 11649): `RF` and ten digits. It names nothing by itself, and may have been drawn before, as one
 * of a hundred million: whoever keeps it looks.
 */
export function newCreditorReference(): string {
  return makeCreditorReference(String(randomInt(10 ** BODY)).padStart(BODY, '0'))
}

/**
 * The creditor reference (ISO 11649) of a body: `RF`, two check digits by ISO 7064 MOD 97-10, and the body in upper case.
 *
 * @param body 1 to 21 of A-Z, a-z, 0-9
 * @throws RangeError for another body
 */
export function makeCreditorReference(body: string): string {
  if (!/^[A-Za-z0-9]{1,21}$/.test(body)) throw new RangeError('A reference has 1 to 21 letters and digits.')
  const upper = body.toUpperCase()
  const check = 98 - remainderOf(`${upper}RF00`, 0)
  return `RF${String(check).padStart(2, '0')}${upper}`
}

/** Whether a text is a creditor reference with right check digits, as it is kept: in upper case and without spaces. */
export function isCreditorReference(text: string): boolean {
  // 00, 01 and 99 would pass beside 97, 98 and 02, which alone are made.
  if (!/^RF(?!00|01|99)\d{2}[A-Z0-9]{1,21}$/.test(text)) return false
  return remainderOf(text.slice(0, 4), remainderOf(text.slice(4), 0)) === 1
}

/** In groups of four, as people read and type it. */
export function printCreditorReference(reference: string): string {
  return (reference.match(/.{1,4}/g) ?? []).join(' ')
}

/** The most of a text that is looked at, in characters. */
const MAX_TEXT = 16 * 1024
/** `RF`, the check digits, and the longest body. */
const LONGEST = 25

/** What banks and people put into a reference, and what shows nothing: white space, hyphens, points. */
const WITHIN = /[\s\p{Pd}\p{Cf}\p{Cc}\u2212.]+/gu
const BEYOND = /[^A-Z0-9]/g

/**
 * The creditor references that a text may have, in their order and each once, as banks pass it on: in lower case, with spaces, line breaks
 * and hyphens inside, and glued to what stands before and behind. As that can go on like a reference does, several may begin at
 * one place; each has right check digits, as one in a hundred other texts has too. It takes time by the length of the text alone.
 *
 * @param isKnown which of them count; without it all do, and the caller looks for them where they are kept. A reference that was cut
 *   is then none, as only whole ones are known.
 */
export function findCreditorReferences(text: string, isKnown?: (reference: string) => boolean): string[] {
  const plain = text.slice(0, MAX_TEXT).normalize('NFKC').slice(0, MAX_TEXT).toUpperCase()
  const joined = plain.replace(WITHIN, '').replace(BEYOND, ' ')
  const found = new Set<string>()
  for (const { index } of joined.matchAll(/RF(?!00|01|99)\d\d/g)) {
    const [head = ''] = joined.slice(index, index + LONGEST).split(' ', 1)
    let remainder = 0
    for (let end = 5; end <= head.length; end++) {
      remainder = remainderOf(head.slice(end - 1, end), remainder)
      if (remainderOf(head.slice(0, 4), remainder) !== 1) continue
      const reference = head.slice(0, end)
      if (isKnown === undefined || isKnown(reference)) found.add(reference)
    }
  }
  return [...found]
}

/** The remainder by 97 of digits and letters, which stand for 10 to 35, behind those of which `before` is the remainder. */
function remainderOf(text: string, before: number): number {
  let remainder = before
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97
  }
  return remainder
}
