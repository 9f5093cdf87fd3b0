import { en } from './en/index.ts'
import { es } from './es/index.ts'
import type { Language } from './languages.ts'

/** Everything that pages say, in one language. What one of them lacks is a type error. */
export type Texts = typeof en

const catalogue: Readonly<Record<Language, Texts>> = { en, es }

export function textsIn(language: Language): Texts {
  return catalogue[language]
}
