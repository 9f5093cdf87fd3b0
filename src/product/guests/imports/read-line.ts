import * as v from 'valibot'
import { type Fault, faultsOf, MAX_FAULTS, makeFault } from '#base/faults.ts'
import { answers as answersSchema, label, text as textUpTo } from '#base/fields.ts'
import { toNfc } from '#base/words.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import {
  MAX_NOTE,
  MAX_QUANTITY,
  MAX_REFERENCE,
  type NewRegistration,
  newRegistrationSchema,
} from '#product/guests/registrations/schemas.ts'
import { languages } from '#texts/languages.ts'
import type { ImportField, Mapping } from './columns.ts'
import {
  type Cell,
  cellsBy,
  checkedInAt,
  nameFromEmail,
  noteOf,
  originOf,
  stateOf,
  typeNameOf,
} from './read-origin.ts'

/** Says what is wrong with a line. The field or the key of an answer says where, and null means the whole line. */
export interface LineFault {
  field: ImportField | `answer:${string}` | null
  fault: Fault
}

/** At most this many types are named to a line that names none of them: each such line keeps its fault. */
const MOST_NAMED = 20

/** Holds the types of an event by what a line calls them, and the type of lines that name none. */
export interface Types {
  byName: ReadonlyMap<string, RegistrationType>
  /** What a line that names none of them is told. */
  names: readonly string[]
  /** The ids of those that are extras. */
  extras: ReadonlySet<string>
  fallback: RegistrationType | undefined
}

export function typesOf(
  types: readonly RegistrationType[],
  extras: ReadonlySet<string>,
  fallbackId: string | null,
): Types {
  const byName = new Map<string, RegistrationType>()
  for (const type of types) {
    byName.set(toKey(type.name), type)
    byName.set(type.id, type)
  }
  const names = [...new Set(types.map(({ name }) => name))]
  const told = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), '…'] : names
  return { byName, names: told, extras, fallback: types.find(({ id }) => id === fallbackId) }
}

function toKey(name: string): string {
  return toNfc(name).toLowerCase()
}

export interface ReadLine {
  faults?: undefined
  /** The e-mail as the line has it. Lines of the same person are found by it. */
  email: string | undefined
  registration: NewRegistration
  type: RegistrationType
  quantity: number
  /** The reference that the line itself gives. */
  reference: string | undefined
  /** What the organizer will see of where it comes from. */
  note: string | undefined
  /** When its tickets were checked in elsewhere, in milliseconds. Null stands for an instant that nobody knows. */
  checkedIn: number | null | undefined
  /** The id of the registration whose ticket it is an add-on to. */
  beside: string | undefined
}

export interface WrongLine {
  email: string | undefined
  faults: LineFault[]
  /** Nothing else is wrong than that the event has no type of this name, for so many tickets. */
  missing?: MissingType
}

export interface MissingType {
  name: string
  tickets: number
  /** Every line that names it is an add-on to a ticket. */
  extra?: true
}

const reference = label(MAX_REFERENCE)
const noteText = textUpTo(MAX_NOTE)
const EACH_FIELD = { abortPipeEarly: true }

/** Says what lines are read by. */
export interface Reading {
  /** How many columns the header has. */
  columns: number
  mapping: Mapping
  types: Types
  eventId: string
}

/** What is known of the ticket that an add-on belongs to: its buyer, if it can be imported or is there already. */
export interface Beside {
  buyer: string | undefined
  /** The id of its registration once that is there. */
  ticketId: string | undefined
  isLeftOut: boolean
}

/**
 * Reads a line as the registration that the API would be asked for, or returns its faults, of which there is a maximum.
 *
 * @param beside is absent for a line that is no add-on
 */
export function readLine(
  cells: readonly string[],
  { columns, mapping, types, eventId }: Reading,
  beside?: Beside,
): ReadLine | WrongLine {
  const faults: LineFault[] = []
  const cell = cellsBy(mapping, cells)
  if (cells.slice(columns).some(one => one !== ''))
    faults.push({ field: null, fault: makeFault('moreCells', { max: columns }) })
  if (stateOf(cell) === 'unknown') faults.push({ field: 'status', fault: makeFault('unknown') })
  if (beside?.isLeftOut) faults.push({ field: 'addon_to', fault: makeFault('ticketLeftOut') })
  const typeName = typeNameOf(cell)
  const type = findType(typeName, types, faults)
  const quantity = readQuantity(cell('quantity'), faults)
  const given = cell('reference') ?? originOf(cell)
  const note = noteOf(cell, mapping, MAX_NOTE)
  if (note !== undefined) addFaults(faults, v.safeParse(noteText, note, EACH_FIELD), () => 'note')
  if (given !== undefined) addFaults(faults, v.safeParse(reference, given, EACH_FIELD), () => 'reference')

  const attendee = readAttendee(cell)
  const email = cell('email') ?? attendee?.email
  const name =
    cell('name') ??
    join(cell('first_name'), cell('last_name')) ??
    attendee?.name ??
    beside?.buyer ??
    (mapping.system && email && nameFromEmail(email))
  const seats = cell('seat')
  if (seats !== undefined && quantity !== undefined && quantity > 1)
    faults.push({ field: 'seat', fault: makeFault('asManyAs', { field: 'quantity' }) })
  // Nobody is named on an extra: it is the buyer's.
  const isExtra = type === undefined ? beside !== undefined : types.extras.has(type.id)
  const holder = isExtra ? { name } : (attendee ?? (seats === undefined ? undefined : { name, email }))
  const parsed = v.safeParse(
    newRegistrationSchema,
    {
      event_id: eventId,
      registration_type_id: type?.id ?? eventId,
      buyer: { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) },
      ...(holder === undefined
        ? {}
        : { attendees: [{ name, ...holder, ...(seats && !isExtra && { seat: seats }) }] }),
      ...readLanguage(cell('language'), mapping),
    },
    EACH_FIELD,
  )
  addFaults(faults, parsed, path => fieldOf(path, mapping))
  const answers = readAnswers(cells, mapping, faults)
  if (faults.length > 0 || !parsed.success || type === undefined || quantity === undefined)
    return {
      ...{ email, faults: faults.slice(0, MAX_FAULTS) },
      ...(faults.length > 1 ? {} : missingOf(type, typeName, quantity, isExtra)),
    }
  const { attendees, ...registration } = parsed.output
  const holders = attendees && { attendees: Array.from({ length: quantity }, () => attendees[0] as Holder) }
  return {
    email,
    registration: { ...registration, quantity, ...holders, answers },
    type,
    quantity,
    reference: given,
    note,
    checkedIn: checkedInAt(cell),
    beside: beside?.ticketId,
  }
}

type Holder = NonNullable<NewRegistration['attendees']>[number]

function missingOf(
  type: RegistrationType | undefined,
  name: string | undefined,
  tickets: number | undefined,
  isExtra: boolean,
): { missing?: MissingType } {
  if (type !== undefined || name === undefined || tickets === undefined) return {}
  return { missing: { name: toNfc(name), tickets, ...(isExtra ? { extra: true } : {}) } }
}

function findType(name: string | undefined, { byName, names, fallback }: Types, faults: LineFault[]) {
  const type = name === undefined ? fallback : byName.get(toKey(name))
  if (type !== undefined) return type
  const fault = name === undefined ? makeFault('required') : makeFault('oneOf', { values: names })
  faults.push({ field: 'type', fault })
  return undefined
}

function readQuantity(text: string | undefined, faults: LineFault[]): number | undefined {
  if (text === undefined) return 1
  // Spreadsheets turn 1 into 1.0 or 1,0.
  const number = /^\d{1,9}([.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : 0
  if (number >= 1 && number <= MAX_QUANTITY) return number
  faults.push({ field: 'quantity', fault: makeFault('integer', { min: 1, max: MAX_QUANTITY }) })
  return undefined
}

function readAttendee(cell: Cell): { name?: string; email?: string } | undefined {
  const name = cell('attendee_name') ?? join(cell('attendee_first_name'), cell('attendee_last_name'))
  const email = cell('attendee_email')
  if (name === undefined && email === undefined) return undefined
  return { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) }
}

function join(first: string | undefined, last: string | undefined): string | undefined {
  return first === undefined || last === undefined ? (first ?? last) : `${first} ${last}`
}

const languageNames: Readonly<Record<string, string>> = {
  english: 'en',
  inglés: 'en',
  ingles: 'en',
  spanish: 'es',
  español: 'es',
  espanol: 'es',
  castellano: 'es',
}

/**
 * Accepts forms such as `en-GB` and `Español`. The schema reports another language as a fault, unless a shop has it: its guests
 * could choose from more languages than there are here.
 */
function readLanguage(text: string | undefined, { system }: Mapping): { language?: string } {
  if (text === undefined) return {}
  const lower = text.toLowerCase()
  const language = languageNames[lower] ?? lower.split(/[-_]/)[0] ?? lower
  return system !== undefined && !languages.some(one => one === language) ? {} : { language }
}

type Parsed = ReturnType<typeof v.safeParse<v.GenericSchema>>

function addFaults(
  faults: LineFault[],
  { issues }: Pick<Parsed, 'issues'>,
  toField: (path: string | null) => LineFault['field'],
): void {
  if (issues === undefined) return
  for (const { path, fault } of faultsOf(issues)) {
    const field = toField(path)
    // A name that serves both the buyer and the attendee counts as one fault.
    if (field === null || !faults.some(other => other.field === field)) faults.push({ field, fault })
  }
}

/** Returns where a fault stands in the table. A name may be made of two columns or be the attendee's. */
function fieldOf(path: string | null, { fields }: Mapping): LineFault['field'] {
  const firstOf = (...some: ImportField[]) =>
    some.find(field => fields.has(field)) ?? (some[0] as ImportField)
  const attendees = ['attendee_name', 'attendee_first_name', 'attendee_last_name'] as const
  if (path === 'buyer.name') return firstOf('name', 'first_name', 'last_name', ...attendees)
  if (path === 'buyer.email') return firstOf('email', 'attendee_email')
  if (path === 'language') return 'language'
  if (path?.endsWith('.seat')) return 'seat'
  if (path?.endsWith('.email')) return firstOf('attendee_email', 'email')
  if (path?.endsWith('.name')) return firstOf(...attendees, 'name', 'first_name', 'last_name')
  return null
}

function readAnswers(
  cells: readonly string[],
  { answers }: Mapping,
  faults: LineFault[],
): Record<string, string> {
  // It has no prototype, so that any key is an ordinary key.
  const given: Record<string, string> = Object.create(null)
  for (const [key, at] of answers) {
    const text = cells[at] ?? ''
    if (text !== '') given[key] = text
  }
  if (v.safeParse(answersSchema, given).success) return given
  for (const [key, text] of Object.entries(given)) {
    const one: Record<string, string> = Object.create(null)
    one[key] = text
    addFaults(faults, v.safeParse(answersSchema, one), () => `answer:${key}`)
  }
  return given
}
