import { createHash } from 'node:crypto'
import { makeFault } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import type { Choice } from '#machinery/web/forms/control-kinds.ts'
import { emailField, type Field, optionalTextField, textField } from '#machinery/web/forms/field.ts'
import type { Fields } from '#machinery/web/forms/form.ts'
import { orcid } from '#product/programme/abstracts/orcid.ts'
import { type Call, offered, type Topic } from '#product/programme/calls/schemas.ts'
import { type Language, languages } from '#texts/languages.ts'
import type { Texts } from '#texts/texts.ts'
import { answerFields, answerNames } from './answers.ts'
import { MAX_KEYWORDS, MAX_TEXT, MAX_TITLE } from './content.ts'
import { affiliationField, authorField, type Counts, PRESENTER } from './rows.ts'

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

/** The most characters of a line that is no name. */
const MAX_LINE = 1_000

/** Returns the name of the field of a section. It goes by the heading, so a text stays with it if sections change their order. */
export function sectionField(heading: string): string {
  return heading === '' ? 'text' : `text.${createHash('sha256').update(heading).digest('hex').slice(0, 12)}`
}

/** Returns the headings that a call asks for. The heading of a text that is one is empty. */
export function headingsOf({ sections }: Pick<Call, 'sections'>): readonly string[] {
  return sections.length === 0 ? [''] : sections
}

/** The groups of the form, each with the names of its fields, in their order. */
export interface Groups {
  you: string[]
  about: string[]
  text: string[]
  answers: string[]
  authors: string[][]
  affiliations: string[]
}

/** Returns the names of the fields by group. @param isNew whether the form asks for the e-mail */
export function groupsOf(call: Call, { authors, affiliations }: Counts, isNew: boolean): Groups {
  return {
    you: ['contact.name', ...(isNew ? ['contact.email'] : []), 'contact.phone'],
    about: [
      'title',
      ...(offered(call.topics).length > 0 ? ['topic'] : []),
      ...(offered(call.kinds).length > 0 ? ['kind'] : []),
      'language',
    ],
    text: [...headingsOf(call).map(sectionField), 'keywords'],
    answers: answerNames(call),
    authors: Array.from({ length: authors }, (_, at) =>
      (['given', 'family', 'email', 'orcid', 'affiliations'] as const).map(part => authorField(at, part)),
    ),
    affiliations: Array.from({ length: affiliations }, (_, at) => affiliationField(at)),
  }
}

/** Returns the fields of an abstract. @param language of the page */
export function submissionFields(call: Call, counts: Counts, isNew: boolean, language: Language): Fields {
  const all: Record<string, Fields[string]> = {
    'contact.name': textField(fields.personName, {
      label: ({ calls }) => calls.yourName,
      control: { kind: 'input', type: 'text', autocomplete: 'name' },
    }),
    ...(isNew
      ? {
          'contact.email': emailField(
            { label: ({ calls }) => calls.yourEmail, help: ({ calls }) => calls.yourEmailHelp },
            'email',
          ),
        }
      : {}),
    'contact.phone': optionalTextField(fields.text(50), {
      label: ({ calls }) => calls.yourPhone,
      control: { kind: 'input', type: 'tel', autocomplete: 'tel' },
    }),
    title: textField(fields.name(MAX_TITLE), { label: ({ calls }) => calls.abstractTitle }),
    topic: chosenField(call.topics, ({ calls }) => calls.topic),
    kind: chosenField(call.kinds, ({ calls }) => calls.kind),
    language: languageField(language),
    ...Object.fromEntries(headingsOf(call).map(heading => [sectionField(heading), textOf(heading)])),
    keywords: optionalTextField(fields.text(MAX_LINE), {
      label: ({ calls }) => calls.keywords,
      help: ({ calls }) => calls.keywordsHelp(MAX_KEYWORDS),
    }),
    ...answerFields(call, language),
  }
  for (let at = 0; at < counts.affiliations; at++) {
    all[affiliationField(at)] = optionalTextField(fields.name(), {
      label: ({ calls }) => calls.affiliation(at + 1),
    })
  }
  for (let at = 0; at < counts.authors; at++) Object.assign(all, authorFields(at))
  all[PRESENTER] = presenterField(counts.authors)
  const groups = groupsOf(call, counts, isNew)
  const names = [
    groups.you,
    groups.about,
    groups.text,
    groups.answers,
    ...groups.authors,
    [PRESENTER],
    groups.affiliations,
  ].flat()
  return Object.fromEntries(names.map(name => [name, all[name] as Fields[string]]))
}

function textOf(heading: string): Field<string> {
  const label = ({ calls }: Texts) => (heading === '' ? calls.text : heading)
  const field = textField(fields.text(MAX_TEXT, 1), { label, control: { kind: 'area', rows: 8 } })
  return { ...field, isOfPeople: heading !== '' }
}

function authorFields(at: number): Fields {
  const of = ({ calls }: Texts) => calls.author(at + 1)
  return {
    [authorField(at, 'given')]: optionalTextField(fields.name(100), {
      label: ({ calls }) => calls.given,
      of,
    }),
    [authorField(at, 'family')]: optionalTextField(fields.name(100), {
      label: ({ calls }) => calls.family,
      of,
    }),
    [authorField(at, 'email')]: optionalTextField(fields.email, {
      label: ({ calls }) => calls.authorEmail,
      of,
      control: { kind: 'input', type: 'email' },
    }),
    [authorField(at, 'orcid')]: optionalTextField(orcid, { label: ({ calls }) => calls.orcid, of }),
    [authorField(at, 'affiliations')]: numbersField(of),
  }
}

/** A field for the numbers of affiliations, from 1: `1, 3`. Their places are from 0. */
function numbersField(of: (texts: Texts) => string): Field<readonly number[]> {
  return {
    label: ({ calls }) => calls.affiliationNumbers,
    of,
    help: ({ calls }) => calls.affiliationNumbersHelp,
    control: { kind: 'input', type: 'text', size: 'short' },
    required: false,
    print: value => [value.map(place => place + 1).join(', ')],
    parse: ([text = '']) => {
      const numbers = text.split(/[\s,;]+/).filter(Boolean)
      return numbers.every(number => /^[1-9]\d?$/.test(number))
        ? { value: [...new Set(numbers.map(number => Number(number) - 1))] }
        : { say: ({ calls }) => calls.wrongNumbers }
    },
  }
}

/** A field for one of the choices of a call, which is empty at first. */
function chosenField(choices: readonly Topic[], label: (texts: Texts) => string): Field<string> {
  const all = offered(choices)
  const options = all.map(({ id, name }): Choice => ({ value: id, label: name }))
  return {
    label,
    control: { kind: 'select', choices: () => options },
    required: true,
    print: value => [value],
    parse: ([id = '']) =>
      all.some(choice => choice.id === id) ? { value: id } : { fault: makeFault('unchosen') },
  }
}

const namedLanguages = new Map<string, readonly Choice[]>()

function languageField(language: Language): Field<string> {
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

/** A field for one of the authors. @param nameAt returns the name of one, which may not be typed yet */
export function presenterField(authors: number, nameAt: (at: number) => string = () => ''): Field<number> {
  return {
    label: ({ calls }) => calls.presenter,
    control: {
      kind: 'radios',
      choices: ({ calls }) =>
        Array.from({ length: authors }, (_, at) => ({
          value: String(at),
          label: nameAt(at) || calls.author(at + 1),
        })),
    },
    required: true,
    print: value => [String(value)],
    parse: ([value = '']) =>
      /^\d{1,3}$/.test(value) && Number(value) < authors
        ? { value: Number(value) }
        : { fault: makeFault('unchosen') },
  }
}

/** Returns the language of the text of a new abstract: that of the page. */
export function firstLanguage(language: Language): string {
  return languages.includes(language) ? language : 'en'
}
