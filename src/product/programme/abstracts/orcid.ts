import * as v from 'valibot'
import { says } from '#base/faults.ts'

/** Sixteen digits, the last of which may be X, in groups of four. */
const ORCID = /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/

/**
 * Returns whether the last digit of an ORCID iD fits the others, which shows a slip of the pen.
 *
 * ISO 7064, MOD 11-2: https://support.orcid.org/hc/en-us/articles/360006897674
 */
export function isOrcid(text: string): boolean {
  if (!ORCID.test(text)) return false
  const digits = text.replaceAll('-', '')
  const total = [...digits.slice(0, -1)].reduce((sum, digit) => (sum + Number(digit)) * 2, 0)
  const check = (12 - (total % 11)) % 11
  return digits.at(-1) === (check === 10 ? 'X' : String(check))
}

/** Accepts an ORCID iD, also as the address that ORCID shows it by. */
export const orcid = v.pipe(
  v.string(says('string')),
  v.maxLength(100, says('orcid')),
  v.transform(text =>
    text
      .trim()
      .replace(/^https?:\/\/orcid\.org\//i, '')
      .toUpperCase(),
  ),
  v.check(isOrcid, says('orcid')),
)
