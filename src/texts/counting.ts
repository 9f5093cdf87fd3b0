import type { Language } from './languages.ts'

/** The forms of a phrase with a number in it. `#` stands for the number: `{ one: '# ticket', other: '# tickets' }`. */
export interface Phrase {
  one: string
  /** Spanish uses it for whole millions: `# de entradas`. The default is `other`. */
  many?: string
  other: string
}

/** Returns the function that puts numbers into phrases of a language. Its rules take 5 ms to load, so they come with the first number. */
export function countingIn(language: Language): (count: number, phrase: Phrase) => string {
  let rules: Intl.PluralRules | undefined
  let numbers: Intl.NumberFormat | undefined
  return (count, phrase) => {
    rules ??= new Intl.PluralRules(language)
    // Grouping is on even for numbers of four digits, which Spanish would write without a point.
    numbers ??= new Intl.NumberFormat(language, { useGrouping: 'always' as 'true' })
    const form = phrase[rules.select(count) as keyof Phrase] ?? phrase.other
    return form.replace('#', numbers.format(count))
  }
}
