/** Where a text was written. Characters of Han that are one in Unicode look different there. */
export type Region = 'china' | 'taiwan' | 'japan' | 'korea'

/** Returns the region whose letters a text has. One with characters of Han alone counts as Chinese. */
export function regionOf(text: string): Region {
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) return 'japan'
  if (/\p{sc=Hangul}/u.test(text)) return 'korea'
  return /\p{sc=Bopomofo}/u.test(text) ? 'taiwan' : 'china'
}
