import type { Language } from './languages.ts'

/** The forms of a phrase with a number in it, which stands for `#`: `{ one: '# ticket', other: '# tickets' }`. */
export interface Phrase {
  one: string
  /** Of Spanish, for whole millions: `# de entradas`. Default: `other`. */
  many?: string
  other: string
}

/** Makes the function that puts numbers into phrases of a language. */
export function countingIn(language: Language): (count: number, phrase: Phrase) => string {
  const rules = new Intl.PluralRules(language)
  // With points even in numbers of four digits, which Spanish would leave without.
  const numbers = new Intl.NumberFormat(language, { useGrouping: 'always' as 'true' })
  return (count, phrase) => {
    const form = phrase[rules.select(count) as keyof Phrase] ?? phrase.other
    return form.replace('#', numbers.format(count))
  }
}
