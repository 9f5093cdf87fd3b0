import { randomUUID } from 'node:crypto'
import { isUuid } from '#base/ids.ts'
import type { Problem } from '#base/problem.ts'
import type { Field, FormScale, Typed, Wrong } from './field.ts'

/** The fields of a form by name, in the order in which they are shown. */
// biome-ignore lint/suspicious/noExplicitAny: fields of any value.
export type Fields = Readonly<Record<string, Field<any>>>

export type ValuesOf<Some extends Fields> = {
  [Name in keyof Some]: Some[Name] extends Field<infer Value> ? Value : never
}

/** A fault of a field: of its value, or from a rule. */
export type FieldFault = Wrong | { problem: Problem }

/** A form as it is shown: fresh, or as it was sent and refused. */
export interface FormState {
  fields: Fields
  scale: FormScale
  typed: Readonly<Record<string, Typed>>
  /** For an edit: each text as it was when the form was shown. */
  was: Readonly<Record<string, Typed>> | undefined
  faults: ReadonlyMap<string, FieldFault>
  /** For an edit: the texts that somebody else has written meanwhile into fields that were changed here too. */
  theirs: ReadonlyMap<string, Typed>
  /** A Problem that belongs to no single field. */
  problem: Problem | undefined
  /** The id of a form that creates something. Sent twice, the form creates only one. */
  formId: string | undefined
  /** For a page that asks whether to go on: what it said would happen. */
  preview?: string | undefined
  /** The browser keeps what was typed when a person goes back to the form. */
  keepsTyped?: true | undefined
}

/** Returns whether the form was sent and refused, so that its page begins with a summary of what is wrong. */
export function isRefused({ faults, theirs, problem }: FormState): boolean {
  return faults.size > 0 || theirs.size > 0 || problem !== undefined
}

/** The names of the values that go along with the fields. */
export const FORM_ID = 'form.id'
export const FORM_PREVIEW = 'form.seen'
const WAS = 'was.'
/** Means that there was no value, as with checkboxes of which none was ticked. */
const WAS_NOTHING = 'was-nothing.'

export function wasName(name: string, was: Typed): string {
  return was.length === 0 ? WAS_NOTHING + name : WAS + name
}

const noFaults = { faults: new Map(), theirs: new Map(), problem: undefined }

function printAll(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  scale: FormScale,
): Record<string, Typed> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      values[name] === undefined ? [] : field.print(values[name], scale),
    ]),
  )
}

/** Returns a form that creates something. @param initial the values that are already filled in */
export function newForm<Some extends Fields>(
  fields: Some,
  scale: FormScale,
  initial: Partial<ValuesOf<Some>> = {},
): FormState {
  const typed = printAll(fields, initial, scale)
  return { fields, scale, typed, was: undefined, formId: randomUUID(), ...noFaults }
}

/** Returns a form that changes existing data. */
export function editForm<Some extends Fields>(
  fields: Some,
  scale: FormScale,
  current: ValuesOf<Some>,
): FormState {
  const typed = printAll(fields, current, scale)
  return { fields, scale, typed, was: typed, formId: undefined, ...noFaults }
}

/** The content of a sent form, before it is checked. */
export interface SentForm {
  typed: Readonly<Record<string, Typed>>
  was: Readonly<Record<string, Typed>> | undefined
  formId: string | undefined
  preview: string | undefined
}

export function readForm(fields: Fields, body: URLSearchParams): SentForm {
  const names = Object.keys(fields)
  const isEdit = names.some(name => body.has(WAS + name) || body.has(WAS_NOTHING + name))
  const formId = body.get(FORM_ID) ?? ''
  const of = (prefix: string) =>
    Object.fromEntries(names.map(name => [name, body.getAll(prefix + name).map(plainLines)]))
  return {
    typed: of(''),
    was: isEdit ? of(WAS) : undefined,
    formId: isUuid(formId) ? formId : undefined,
    preview: body.get(FORM_PREVIEW) ?? undefined,
  }
}

/**
 * Converts line ends. Browsers send them as HTTP has them, whatever the page had. A pattern would take three times as long for a
 * mebibyte.
 */
function plainLines(text: string): string {
  return text.includes('\r') ? text.split('\r\n').join('\n').split('\r').join('\n') : text
}

/**
 * The most characters shown again, for one line, which allows a tenth of it, and for all fields together. To escape a mebibyte of
 * `<` takes a tenth of a second.
 */
const MOST_OF_LINE = 2_000
const MOST_SHOWN = 400_000

/** Returns the typed texts, as far as they are shown again. */
function shownAgain(fields: Fields, typed: SentForm['typed']): Record<string, Typed> {
  let left = MOST_SHOWN
  const cut = (text: string, most: number) => {
    const shown = text.slice(0, Math.min(most, left))
    left -= shown.length
    return shown
  }
  return Object.fromEntries(
    Object.entries(typed).map(([name, values]) => {
      const most = fields[name]?.control.kind === 'input' ? MOST_OF_LINE : MOST_SHOWN
      return [name, fields[name]?.secret ? [] : values.map(text => cut(text, most))]
    }),
  )
}

/** Returns a refused form as it was typed, without its secrets. */
export function refusedForm(
  fields: Fields,
  scale: FormScale,
  sent: SentForm,
  refused: Partial<Pick<FormState, 'faults' | 'theirs' | 'problem'>>,
): FormState {
  return { fields, scale, ...sent, typed: shownAgain(fields, sent.typed), ...noFaults, ...refused }
}

/**
 * Returns the values of a form, or its faults by field with the values of its other fields. In an edit, a field that was left as it was shown is not checked, and
 * keeps its value, whatever that is.
 */
export function parseForm<Some extends Fields>(
  fields: Some,
  scale: FormScale,
  { typed, was }: SentForm,
): { values: ValuesOf<Some> } | { faults: Map<string, FieldFault>; sound: Partial<ValuesOf<Some>> } {
  const faults = new Map<string, FieldFault>()
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const mine = typed[name] ?? []
    const parsed = field.parse(mine, scale)
    const isLeft = was !== undefined && !field.isLocal && !field.isMoney && isSame(mine, was[name] ?? [])
    if ('value' in parsed) values[name] = parsed.value
    else if (!isLeft) faults.set(name, parsed)
  }
  return faults.size > 0
    ? { faults, sound: values as Partial<ValuesOf<Some>> }
    : { values: values as ValuesOf<Some> }
}

/** Somebody else has meanwhile changed a field that was changed here too. */
export class EditConflict extends Error {
  /** The current texts by field. */
  readonly current: Readonly<Record<string, Typed>>
  readonly conflicts: ReadonlySet<string>

  constructor(current: Readonly<Record<string, Typed>>, conflicts: ReadonlySet<string>) {
    super('Somebody else has changed the same fields.')
    this.current = current
    this.conflicts = conflicts
  }
}

/** The values of a form, with the scale by which they are printed. */
export interface Scaled<Values> {
  values: Values
  scale: FormScale
}

/**
 * Merges three ways what a form changes. A field that was left as it was shown keeps its current value exactly, even if the form
 * shows less of it. A field that was changed only here is taken.
 *
 * @param mine the typed values
 * @param current read in the transaction that writes
 * @throws EditConflict if both have changed a field, to different texts
 */
export function mergeEdit<Some extends Fields>(
  fields: Some,
  { typed, was }: SentForm,
  mine: Scaled<ValuesOf<Some>>,
  current: Scaled<ValuesOf<Some>>,
): { values: ValuesOf<Some>; changed: (keyof Some & string)[] } {
  const shown = printAll(fields, current.values, current.scale)
  const isElsewhere = mine.scale.timezone !== current.scale.timezone
  const isOtherMoney = mine.scale.currency !== current.scale.currency
  const values: Record<string, unknown> = {}
  const conflicts = new Set<string>()
  const changed: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (field.isOfSave) {
      values[name] = mine.values[name]
      continue
    }
    const [text, base, theirs] = [typed[name] ?? [], was?.[name] ?? [], shown[name] ?? []]
    const isNew = !isSame(text, base) && !isSame(text, theirs)
    if (isNew && !isSame(theirs, base)) conflicts.add(name)
    const isScaled = (isElsewhere && field.isLocal === true) || (isOtherMoney && field.isMoney === true)
    const isMine = isNew || (isScaled && isSame(theirs, base))
    values[name] = isMine ? mine.values[name] : current.values[name]
    if (isMine) changed.push(name)
  }
  if (conflicts.size > 0) throw new EditConflict(shown, conflicts)
  return { values: values as ValuesOf<Some>, changed }
}

/** What a page said would happen is not what would happen now. */
export class PreviewChanged extends Error {
  constructor() {
    super('What the page said would happen has changed.')
  }
}

/** Returns the form after a conflict. The text of the other person is beside this one, and saving again keeps this one. */
export function conflictedForm(
  fields: Fields,
  scale: FormScale,
  sent: SentForm,
  conflict: EditConflict,
): FormState {
  const { current, conflicts } = conflict
  const typed: Record<string, Typed> = {}
  for (const name of Object.keys(fields)) {
    const isMine = !isSame(sent.typed[name] ?? [], sent.was?.[name] ?? [])
    typed[name] = (isMine ? sent.typed[name] : current[name]) ?? []
  }
  const theirs = new Map([...conflicts].map(name => [name, current[name] ?? []]))
  return { ...refusedForm(fields, scale, { ...sent, typed }, { theirs }), was: current }
}

function isSame(one: Typed, other: Typed): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}
