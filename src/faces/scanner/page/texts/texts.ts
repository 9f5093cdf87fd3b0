import { en, type Texts } from './en.ts'
import { es } from './es.ts'

export const languages = { en: 'English', es: 'Español' } as const
export type Language = keyof typeof languages

export type { Texts }

const all: Record<Language, Texts> = { en, es }

export function textsIn(language: Language): Texts {
  return all[language]
}

/** The first of a browser's languages that is ours. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [language = ''] = tag.toLowerCase().split('-')
    if (language === 'en' || language === 'es') return language
  }
  return 'en'
}
