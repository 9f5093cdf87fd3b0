import { en } from './en/index.ts'
import { es } from './es/index.ts'
import type { Language } from './languages.ts'
import type { Texts } from './texts.ts'

const catalogue: Readonly<Record<Language, Texts>> = { en, es }

export function textsIn(language: Language): Texts {
  return catalogue[language]
}
