/** The languages of the pages. Whoever asks for none of them gets the first. */
export const languages = ['en', 'es'] as const

export type Language = (typeof languages)[number]

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' }

/**
 * Returns the language of Turnout that a browser asks for (RFC 9110, section 12.5.4).
 *
 * @param accepts picks the first acceptable one, as Koa's `acceptsLanguages` does
 */
export function chooseLanguage(accepts: (...offered: string[]) => string | false): Language {
  const chosen = accepts(...languages)
  return languages.find(language => language === chosen) ?? languages[0]
}
