import { type Language, languages } from '#texts/languages.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'

export type { Language, Texts }

const all: Record<Language, Texts> = { en, es }

export function textsIn(language: Language): Texts {
  return all[language]
}

/** Returns the first of a browser's languages that the scanner has. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [language = ''] = tag.toLowerCase().split('-')
    const chosen = languages.find(ours => ours === language)
    if (chosen !== undefined) return chosen
  }
  return languages[0]
}
