import { makeFault } from '#base/faults.ts'
import type { Choice } from '#machinery/web/forms/control-kinds.ts'
import type { Field } from '#machinery/web/forms/field.ts'
import { type Language, languages } from '#texts/languages.ts'

/** Languages that texts are written in, as BCP 47 has them: those of most scientific meetings. */
const TEXT_LANGUAGES = [
  ...[
    'en',
    'es',
    'ar',
    'bg',
    'ca',
    'cs',
    'da',
    'de',
    'el',
    'et',
    'eu',
    'fa',
    'fi',
    'fr',
    'gl',
    'he',
    'hi',
    'hr',
    'hu',
  ],
  ...[
    'id',
    'is',
    'it',
    'ja',
    'ko',
    'lt',
    'lv',
    'nb',
    'nl',
    'pl',
    'pt',
    'ro',
    'ru',
    'sk',
    'sl',
    'sr',
    'sv',
    'th',
    'tr',
  ],
  ...['uk', 'vi', 'zh'],
] as const

const namedLanguages = new Map<string, readonly Choice[]>()

/** A field for the language of a text. @param language of the page */
export function languageField(language: Language): Field<string> {
  let options = namedLanguages.get(language)
  if (options === undefined) {
    const names = new Intl.DisplayNames([language], { type: 'language' })
    options = TEXT_LANGUAGES.map(value => ({ value, label: names.of(value) ?? value }))
    namedLanguages.set(language, options)
  }
  const choices = options
  return {
    label: ({ calls }) => calls.language,
    control: { kind: 'select', choices: () => choices },
    required: true,
    print: value => [value],
    parse: ([value = '']) =>
      choices.some(choice => choice.value === value) ? { value } : { fault: makeFault('unchosen') },
  }
}

/** Returns the language of the text of a new abstract: that of the page. */
export function firstLanguage(language: Language): string {
  return languages.includes(language) ? language : 'en'
}
