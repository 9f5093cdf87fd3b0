import {
  type FieldFault,
  type Fields,
  type FormState,
  parseForm,
  readForm,
  refusedForm,
  type SentForm,
} from '#machinery/web/forms/form.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import type { Language } from '#texts/languages.ts'
import type { Content } from './content.ts'
import { findFileMisfits } from './fit.ts'
import { type Counts, FIRST_ROWS, readCounts } from './rows.ts'
import type { Draft } from './schemas.ts'
import { formerOf, headingsOf, sectionField, submissionFields } from './submission-fields.ts'
import { firstLanguage } from './text-languages.ts'
import { findLength, sayMisfit, toContent, typedOf } from './typed-content.ts'

/** Times and money do not stand in an abstract. */
const SCALE = { timezone: 'UTC', currency: 'EUR' }

/** What a form of an abstract depends on. */
export interface FormOf {
  call: Call
  /** Whether the form asks for the e-mail, too. */
  isNew: boolean
  /** The file beside the abstract. */
  file: object | undefined
  /** Of the page. */
  language: Language
}

/** A form as it was sent, before it is looked at. */
export interface SentDraft extends FormOf {
  fields: Fields
  form: SentForm
  draft: Draft
}

export function readDraft(body: URLSearchParams, of: FormOf): SentDraft {
  const counts = readCounts(body)
  const typed = Object.fromEntries([...new Set(body.keys())].map(name => [name, body.getAll(name)]))
  const fields = submissionFields(of.call, { ...counts, typed }, of.isNew, of.language)
  const form = readForm(fields, body)
  const headings = [...headingsOf(of.call), ...formerOf(of.call, { ...counts, typed })]
  return { ...of, fields, form, draft: { typed: form.typed, ...counts, headings } }
}

/** Returns an empty draft, whose text is in the language of the page. */
export function emptyDraft(language: Language): Draft {
  return { typed: { language: [firstLanguage(language)] }, ...FIRST_ROWS }
}

/** Returns the draft of what was sent. */
export function draftOf(content: Content, call: Call): Draft {
  return typedOf(content, call)
}

/** Returns the form of a draft, with nothing said about it. */
export function showDraft(draft: Draft, of: FormOf, formId?: string): FormState {
  const fields = submissionFields(of.call, draft, of.isNew, of.language)
  const typed = Object.fromEntries(Object.keys(fields).map(name => [name, draft.typed[name] ?? []]))
  const nothing = { was: undefined, faults: new Map(), theirs: new Map(), problem: undefined }
  return { fields, scale: SCALE, typed, formId, ...nothing }
}

/** Returns a form as it was sent, with what is wrong. */
export function refuseDraft(
  { fields, form }: SentDraft,
  refused: Partial<Pick<FormState, 'faults' | 'theirs' | 'problem'>>,
): FormState {
  return refusedForm(fields, SCALE, form, refused)
}

/** Returns what the fields of a form say otherwise in a draft, by their names. */
export function findOthers(
  { fields, form }: Pick<SentDraft, 'fields' | 'form'>,
  { typed }: Draft,
): Map<string, readonly string[]> {
  return new Map(
    Object.keys(fields)
      .map(name => [name, typed[name] ?? []] as const)
      .filter(([name, there]) => textOf(there) !== textOf(form.typed[name] ?? [])),
  )
}

const textOf = (typed: readonly string[]) => typed.join('\n')

export type Checked = { content: Content } | { faults: ReadonlyMap<string, FieldFault> }

/** Checks a draft as if it were sent. @param was what was sent last */
export function checkDraft(draft: Draft, of: FormOf, was: Content | undefined): Checked {
  // The e-mail was checked when the draft was begun.
  const fields = submissionFields(of.call, draft, false, of.language)
  const typed = Object.fromEntries(Object.keys(fields).map(name => [name, draft.typed[name] ?? []]))
  const parsed = parseForm(fields, SCALE, { typed, was: undefined, formId: undefined, preview: undefined })
  // Whoever has much to mend learns at once that the text is too long, too.
  const lacks: [name: string, fault: FieldFault][] = [
    ...findFileMisfits(of.call, of.file).map(
      misfit => [misfit.part, sayMisfit(misfit)] as [string, FieldFault],
    ),
    ...formerOf(of.call, draft).map((heading): [string, FieldFault] => [
      sectionField(heading),
      { say: ({ calls }) => calls.formerSection },
    ]),
  ]
  if ('faults' in parsed)
    return { faults: new Map([...findLength(typed, of.call), ...parsed.faults, ...lacks]) }
  const counts: Counts = draft
  const made = toContent(parsed.values, { call: of.call, counts, was })
  if ('content' in made && lacks.length === 0) return made
  return { faults: new Map([...('faults' in made ? made.faults : []), ...lacks]) }
}

/** Checks only who writes, which the first save needs. */
export function checkPerson({
  fields,
  form,
}: Pick<SentDraft, 'fields' | 'form'>):
  | { name: string; email: string }
  | { faults: ReadonlyMap<string, FieldFault> } {
  const some = Object.fromEntries(
    ['contact.name', 'contact.email'].map(name => [name, fields[name] as Fields[string]]),
  )
  const parsed = parseForm(some, SCALE, form)
  if ('faults' in parsed) return { faults: parsed.faults }
  return {
    name: parsed.values['contact.name'] as string,
    email: parsed.values['contact.email'] as string,
  }
}

/** Checks a draft with who it is of, for those who send it in the name of another. */
export function checkWhole(
  draft: Draft,
  of: FormOf,
): { email: string; content: Content } | { faults: ReadonlyMap<string, FieldFault> } {
  const fields = submissionFields(of.call, draft, true, of.language)
  const form = { typed: draft.typed, was: undefined, formId: undefined, preview: undefined }
  const person = checkPerson({ fields, form })
  const checked = checkDraft(draft, of, undefined)
  const faults = [person, checked].flatMap(each => ('faults' in each ? [...each.faults] : []))
  if ('faults' in person || 'faults' in checked) return { faults: new Map(faults) }
  return { email: person.email, content: checked.content }
}
