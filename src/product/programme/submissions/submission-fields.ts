import { createHash } from 'node:crypto'
import { makeFault } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import type { Choice } from '#machinery/web/forms/control-kinds.ts'
import { emailField, type Field, optionalTextField, textField } from '#machinery/web/forms/field.ts'
import type { Fields } from '#machinery/web/forms/form.ts'
import { orcid } from '#product/programme/abstracts/orcid.ts'
import { type Call, offered, type Topic } from '#product/programme/calls/schemas.ts'
import type { Language } from '#texts/languages.ts'
import type { Texts } from '#texts/texts.ts'
import { answerFields, answerNames } from './answers.ts'
import { MAX_KEYWORDS, MAX_TEXT, MAX_TITLE } from './content.ts'
import { affiliationField, authorField, type Counts, PRESENTER } from './rows.ts'
import type { Draft } from './schemas.ts'
import { languageField } from './text-languages.ts'

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

/** What a form has so far: its rows, and what was typed. */
export type Shown = Counts & { typed: Draft['typed'] }

/**
 * Returns the headings of parts that the call asked for before and that still have text. It stands in the form until its author has
 * moved it: what was written is not dropped because somebody has renamed a section.
 */
export function formerOf(call: Pick<Call, 'sections'>, { headings = [], typed }: Shown): string[] {
  const asked = headingsOf(call)
  return [...new Set(headings)].filter(
    heading => !asked.includes(heading) && (typed[sectionField(heading)]?.[0] ?? '').trim() !== '',
  )
}

/** Returns the chosen one of these if it is offered no more. */
function formerChoice<Of extends Topic>(
  choices: readonly Of[],
  typed: readonly string[] = [],
): Of | undefined {
  return choices.find(({ id, retired }) => retired !== undefined && id === typed[0])
}

/** Whether the form asks for one of these. What was chosen before stays to be seen. */
function isAsked(choices: readonly Topic[], typed: readonly string[] | undefined): boolean {
  return offered(choices).length > 0 || formerChoice(choices, typed) !== undefined
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
export function groupsOf(call: Call, shown: Shown, isNew: boolean): Groups {
  const { authors, affiliations, typed } = shown
  return {
    you: ['contact.name', ...(isNew ? ['contact.email'] : []), 'contact.phone'],
    about: [
      'title',
      ...(isAsked(call.topics, typed.topic) ? ['topic'] : []),
      ...(isAsked(call.kinds, typed.kind) ? ['kind'] : []),
      'language',
    ],
    text: [...[...headingsOf(call), ...formerOf(call, shown)].map(sectionField), 'keywords'],
    answers: answerNames(call),
    authors: Array.from({ length: authors }, (_, at) =>
      (['given', 'family', 'email', 'orcid', 'affiliations'] as const).map(part => authorField(at, part)),
    ),
    affiliations: Array.from({ length: affiliations }, (_, at) => affiliationField(at)),
  }
}

/** Returns the fields of an abstract. @param language of the page */
export function submissionFields(call: Call, shown: Shown, isNew: boolean, language: Language): Fields {
  const { typed, ...counts } = shown
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
    topic: chosenField(call.topics, typed.topic, ({ calls }) => calls.topic),
    kind: chosenField(call.kinds, typed.kind, ({ calls }) => calls.kind),
    language: languageField(language),
    ...Object.fromEntries(headingsOf(call).map(heading => [sectionField(heading), textOf(heading)])),
    ...Object.fromEntries(
      formerOf(call, shown).map(heading => [sectionField(heading), formerField(heading)]),
    ),
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
  const groups = groupsOf(call, shown, isNew)
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

/** A part that the call asks for no more, whose text its author moves elsewhere. */
function formerField(heading: string): Field<string> {
  return { ...textOf(heading), required: false, help: ({ calls }) => calls.formerSection }
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

/**
 * A field for one of the choices of a call, which is empty at first. What was chosen and is offered no more stays chosen, and says so.
 * Whether it may be sent shows when it is.
 */
function chosenField(
  choices: readonly Topic[],
  typed: readonly string[] | undefined,
  label: (texts: Texts) => string,
): Field<string> {
  const former = formerChoice(choices, typed)
  const all = [...offered(choices), ...(former === undefined ? [] : [former])]
  const nameIn = ({ name }: Topic, { calls }: Texts, isFormer: boolean) =>
    isFormer ? calls.formerChoice(name) : name
  return {
    label,
    control: {
      kind: 'select',
      choices: texts =>
        all.map((each): Choice => ({ value: each.id, label: nameIn(each, texts, each === former) })),
    },
    required: true,
    print: value => [value],
    parse: ([id = '']) =>
      all.some(choice => choice.id === id) ? { value: id } : { fault: makeFault('unchosen') },
  }
}

/** A field for one of the authors. Whoever is the only one presents it. @param nameAt returns the name of one, which may not be typed yet */
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
    parse: ([typed = '']) => {
      const value = typed === '' && authors === 1 ? '0' : typed
      return /^\d{1,3}$/.test(value) && Number(value) < authors
        ? { value: Number(value) }
        : { fault: makeFault('unchosen') }
    },
  }
}
