import { randomUUID } from 'node:crypto'
import { isUuid } from '../../ids.ts'
import type { Problem } from '../../problem.ts'
import type { Field, FormScale, Typed, Wrong } from './field.ts'

/** The fields of a form by name, in the order in which they are shown. */
// biome-ignore lint/suspicious/noExplicitAny: fields of any value.
export type Fields = Readonly<Record<string, Field<any>>>

export type ValuesOf<Some extends Fields> = {
  [Name in keyof Some]: Some[Name] extends Field<infer Value> ? Value : never
}

/** What is wrong with a field: of its value, or what a rule said of it. */
export type FieldFault = Wrong | { problem: Problem }

/** A form as it is shown: fresh, or as it was sent and refused. */
export interface FormState {
  fields: Fields
  scale: FormScale
  typed: Readonly<Record<string, Typed>>
  /** Of an edit: each text as it was when the form was shown. */
  was: Readonly<Record<string, Typed>> | undefined
  faults: ReadonlyMap<string, FieldFault>
  /** Of an edit: what somebody else has written meanwhile into a field that was changed here too. */
  theirs: ReadonlyMap<string, Typed>
  /** What is wrong with no field alone. */
  problem: Problem | undefined
  /** Of a form that creates something: sent twice, it creates one. */
  formId: string | undefined
  /** Of a page that asks whether to go on: what it said would happen. */
  seen?: string | undefined
}

/** The names of what goes along with the fields. */
export const FORM_ID = 'form.id'
export const FORM_SEEN = 'form.seen'
const WAS = 'was.'
/** Says that there was no value: of boxes, none of which was ticked. */
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

/** A form that creates something. @param initial what is filled in already */
export function newForm<Some extends Fields>(
  fields: Some,
  scale: FormScale,
  initial: Partial<ValuesOf<Some>> = {},
): FormState {
  const typed = printAll(fields, initial, scale)
  return { fields, scale, typed, was: undefined, formId: randomUUID(), ...noFaults }
}

/** A form that changes what there is. */
export function editForm<Some extends Fields>(
  fields: Some,
  scale: FormScale,
  current: ValuesOf<Some>,
): FormState {
  const typed = printAll(fields, current, scale)
  return { fields, scale, typed, was: typed, formId: undefined, ...noFaults }
}

/** What a form has sent, before anything is said of it. */
export interface SentForm {
  typed: Readonly<Record<string, Typed>>
  was: Readonly<Record<string, Typed>> | undefined
  formId: string | undefined
  seen: string | undefined
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
    seen: body.get(FORM_SEEN) ?? undefined,
  }
}

/** Browsers send line ends as HTTP has them, whatever the page had. */
function plainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/** A form that was refused, as it was typed, without its secrets. */
export function refusedForm(
  fields: Fields,
  scale: FormScale,
  sent: SentForm,
  refused: Partial<Pick<FormState, 'faults' | 'theirs' | 'problem'>>,
): FormState {
  const typed = Object.fromEntries(
    Object.entries(sent.typed).map(([name, value]) => [name, fields[name]?.secret ? [] : value]),
  )
  return { fields, scale, ...sent, typed, ...noFaults, ...refused }
}

/**
 * The values of a form, or what is wrong with which of them. Of an edit, a field that was left as it was shown is not looked
 * at: it keeps its value, whatever it is.
 */
export function parseForm<Some extends Fields>(
  fields: Some,
  scale: FormScale,
  { typed, was }: SentForm,
): { values: ValuesOf<Some> } | { faults: Map<string, FieldFault> } {
  const faults = new Map<string, FieldFault>()
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const mine = typed[name] ?? []
    const parsed = field.parse(mine, scale)
    const isLeft = was !== undefined && !field.isLocal && !field.isMoney && isSame(mine, was[name] ?? [])
    if ('value' in parsed) values[name] = parsed.value
    else if (!isLeft) faults.set(name, parsed)
  }
  return faults.size > 0 ? { faults } : { values: values as ValuesOf<Some> }
}

/** Somebody else has changed a field meanwhile that was changed here too. */
export class EditConflict extends Error {
  /** By field, as it would be shown now. */
  readonly current: Readonly<Record<string, Typed>>
  readonly conflicts: ReadonlySet<string>

  constructor(current: Readonly<Record<string, Typed>>, conflicts: ReadonlySet<string>) {
    super('Somebody else has changed the same fields.')
    this.current = current
    this.conflicts = conflicts
  }
}

/** Values of a form, and the scale that they are printed by. */
export interface Scaled<Values> {
  values: Values
  scale: FormScale
}

/**
 * Merges three ways what a form changes: a field that was left as it was shown keeps the value that there is now, exactly, even
 * where the form shows less of it; one that was changed here alone is taken.
 *
 * @param mine what was typed
 * @param current read in the transaction that writes
 * @throws EditConflict where both have changed a field, to different texts
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
export class SeenChanged extends Error {
  constructor() {
    super('What the page said would happen has changed.')
  }
}

/** The form after a conflict: theirs stands beside mine, and saving again keeps mine. */
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
