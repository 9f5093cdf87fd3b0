/** The languages that pages are written in; the first is that of whoever asks for none of them. */
export const languages = ['en', 'es'] as const

export type Language = (typeof languages)[number]

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' }

/**
 * The language that a browser asks for, among ours (RFC 9110, section 12.5.4).
 *
 * @param accepts picks the first acceptable one, as Koa's `acceptsLanguages`
 */
export function chooseLanguage(accepts: (...offered: string[]) => string | false): Language {
  const chosen = accepts(...languages)
  return languages.find(language => language === chosen) ?? languages[0]
}
