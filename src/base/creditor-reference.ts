import { randomInt } from 'node:crypto'

/**
 * The number of digits of a new reference without `RF` and the two check digits. With them the reference has three groups of four
 * characters, and people type it without letters that look alike.
 */
const BODY = 8

/**
 * Returns a new creditor reference (ISO 11649): `RF` and ten digits. It is one of a hundred million and may have been drawn
 * before, so the caller must check that it is free.
 */
export function newCreditorReference(): string {
  return makeCreditorReference(String(randomInt(10 ** BODY)).padStart(BODY, '0'))
}

/**
 * Returns the creditor reference (ISO 11649) of a body: `RF`, two check digits by ISO 7064 MOD 97-10, and the body in upper case.
 *
 * @param body 1 to 21 characters of A-Z, a-z, 0-9
 * @throws RangeError for another body
 */
export function makeCreditorReference(body: string): string {
  if (!/^[A-Za-z0-9]{1,21}$/.test(body)) throw new RangeError('A reference has 1 to 21 letters and digits.')
  const upper = body.toUpperCase()
  const check = 98 - remainderOf(`${upper}RF00`, 0)
  return `RF${String(check).padStart(2, '0')}${upper}`
}

/**
 * Returns whether a text is a creditor reference with right check digits, in the form in which it is stored: in upper case and
 * without spaces.
 */
export function isCreditorReference(text: string): boolean {
  // 00, 01 and 99 would pass the check as 97, 98 and 02 do, but no reference is made with them.
  if (!/^RF(?!00|01|99)\d{2}[A-Z0-9]{1,21}$/.test(text)) return false
  return remainderOf(text.slice(0, 4), remainderOf(text.slice(4), 0)) === 1
}

/** Returns the reference in groups of four, as people read and type it. */
export function printCreditorReference(reference: string): string {
  return (reference.match(/.{1,4}/g) ?? []).join(' ')
}

/** The most characters of a text that the search reads. */
const MAX_TEXT = 16 * 1024
/** The length of `RF`, the check digits and the longest body. */
const LONGEST = 25

/** Matches what banks and people put into a reference and what shows nothing: white space, hyphens, points. */
const WITHIN = /[\s\p{Pd}\p{Cf}\p{Cc}\u2212.]+/gu
const BEYOND = /[^A-Z0-9]/g

/**
 * Returns the distinct creditor references that a text may contain, in their order. Banks pass them on in lower case, with
 * spaces, line breaks and hyphens inside, and glued to the text before and behind. That text can look like a part of the
 * reference, so several references may begin at one place. Each has right check digits, but so has one in a hundred other texts.
 * The time depends on the length of the text alone.
 *
 * @param exists decides which references count. Without it all count, and the caller looks them up where they are stored. With
 *   it, a reference that was cut off does not count, as only whole ones are known.
 */
export function findCreditorReferences(text: string, exists?: (reference: string) => boolean): string[] {
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
      if (exists === undefined || exists(reference)) found.add(reference)
    }
  }
  return [...found]
}

/** Returns the remainder by 97 of digits and letters, which stand for 10 to 35, after characters whose remainder is `before`. */
function remainderOf(text: string, before: number): number {
  let remainder = before
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97
  }
  return remainder
}
