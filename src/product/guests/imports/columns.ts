import { makeFault } from '#base/faults.ts'
import { isText } from '#base/fields.ts'
import { toPlainHeader } from '#machinery/tables/plain-header.ts'
import { refusal } from '#machinery/tables/refusal.ts'
import { reasonHeaders } from '#product/administration/sheets/left-out.ts'
import { columnsOf, findSystem, type System, type SystemField, systemFields } from './systems.ts'

/** Lists the fields that a column of any table can fill, apart from an answer. */
export const importFields = [
  'name',
  'first_name',
  'last_name',
  'email',
  'type',
  'quantity',
  'reference',
  'attendee_name',
  'attendee_first_name',
  'attendee_last_name',
  'attendee_email',
  'seat',
  'language',
] as const

type TableField = (typeof importFields)[number]

/** A field that a column fills. Only the export of a ticket shop has those of `systemFields`. */
export type ImportField = TableField | SystemField

/** Lists the fields that a column can fill, in the table of a shop or any other. */
export function fieldsOf(system: System | undefined): readonly ImportField[] {
  return system === undefined ? importFields : [...importFields, ...systemFields]
}

/** Says what a column fills: a field, the answer with this key, or nothing. */
export type Target = ImportField | `answer:${string}` | 'none'

const MAX_KEY = 64

/**
 * Lists the names of columns by the field they fill, the likeliest first. They are English, Spanish and German names and those of
 * pretix and Eventbrite. The number of an order is not a reference, because each attendee of an order has a line with the same number.
 */
const names: Readonly<Record<TableField, readonly string[]>> = {
  name: [
    ...['buyer name', 'purchaser name', 'customer name', 'nombre del comprador', 'comprador', 'buyer'],
    ...[
      'full name',
      'nombre completo',
      'nombre y apellidos',
      'guest name',
      'name',
      'nombre',
      'guest',
      'invitado',
    ],
    ...['vollstandiger name', 'vor und nachname', 'gast'],
  ],
  first_name: [
    'buyer first name',
    'first name',
    'firstname',
    'given name',
    'forename',
    'nombre de pila',
    'vorname',
  ],
  last_name: [
    ...['buyer last name', 'buyer surname', 'last name', 'lastname', 'surname', 'family name'],
    ...['apellidos', 'apellido', 'primer apellido', 'nachname', 'familienname'],
  ],
  email: [
    ...[
      'buyer email',
      'purchaser email',
      'email del comprador',
      'correo del comprador',
      'email',
      'email address',
    ],
    ...['order email', 'mail', 'correo electronico', 'direccion de correo electronico', 'correo'],
    ...['email adresse', 'mailadresse'],
  ],
  type: [
    ...[
      'registration type',
      'registration type name',
      'ticket type',
      'ticket name',
      'product',
      'ticket',
      'item',
    ],
    ...[
      'tipo de entrada',
      'tipo de inscripcion',
      'entrada',
      'producto',
      'category',
      'categoria',
      'type',
      'tipo',
    ],
    ...['ticketart', 'kartenart', 'eintrittskarte', 'karte', 'kategorie'],
  ],
  quantity: [
    ...['quantity', 'ticket quantity', 'qty', 'number of tickets', 'tickets'],
    ...['cantidad', 'numero de entradas', 'entradas', 'anzahl', 'anzahl karten', 'anzahl tickets'],
  ],
  reference: [
    ...['reference', 'referencia', 'external id', 'id externo', 'pseudonymization id', 'attendee id'],
    ...['attendee number', 'barcode number', 'barcode', 'id'],
  ],
  attendee_name: [
    ...['attendee name', 'attendee', 'participant name', 'participant'],
    ...['nombre del asistente', 'asistente', 'participante', 'teilnehmer', 'name des teilnehmers'],
  ],
  attendee_first_name: ['attendee first name', 'attendee name given name'],
  attendee_last_name: ['attendee last name', 'attendee surname', 'attendee name family name'],
  attendee_email: [
    ...['attendee email', 'participant email', 'email del asistente', 'correo del asistente'],
    'correo electronico del asistente',
  ],
  seat: ['seat', 'seat name', 'seat number', 'asiento', 'butaca', 'localidad', 'sitzplatz'],
  language: ['language', 'order locale', 'locale', 'idioma', 'sprache'],
}

/**
 * Guesses what each column fills, in their order. Each field is filled once, and every other column becomes an answer under its
 * own name. The columns of an export are known.
 */
export function guessColumns(headers: readonly string[]): Target[] {
  const system = findSystem(headers)
  const keys = new Map<string, number>()
  if (system !== undefined)
    return columnsOf(system, headers).map(
      (target, at) => (target as Target | undefined) ?? answerOf(headers[at] as string, keys),
    )
  const plain = headers.map(toPlainHeader)
  const found = new Map<number, Target>()
  const fields = new Map<ImportField, number>()
  for (const field of importFields) {
    const name = names[field].find(one => plain.includes(one))
    if (name === undefined) continue
    const at = plain.indexOf(name)
    found.set(at, field)
    fields.set(field, at)
  }
  // A name beside a surname is the first name.
  const name = fields.get('name')
  if (name !== undefined && fields.has('last_name') && !fields.has('first_name'))
    found.set(name, 'first_name')
  // Beside a first name, a plain “Name” is the surname, as lists in German have it.
  if (name !== undefined && fields.has('first_name') && !fields.has('last_name') && plain[name] === 'name')
    found.set(name, 'last_name')
  return headers.map((header, at) => found.get(at) ?? answerOf(header, keys))
}

/** A name that columns are known by has fewer characters than this. */
const LONGEST_NAME = 60

/** Counts the fields that these names of columns tell. */
export function countRecognized(headers: readonly string[]): number {
  const plain = new Set(headers.filter(({ length }) => length <= LONGEST_NAME).map(toPlainHeader))
  return importFields.filter(field => names[field].some(name => plain.has(name))).length
}

/** Treats each column as an answer under its own name, for when the names do not tell the fields. */
export function answersOf(headers: readonly string[]): Target[] {
  const keys = new Map<string, number>()
  return headers.map(header => answerOf(header, keys))
}

/** @param keys the keys that are given, each with the last number that made another of it */
function answerOf(header: string, keys: Map<string, number>): Target {
  const name = [...header.toWellFormed().replaceAll('\0', '')].slice(0, MAX_KEY).join('').trim()
  if (name === '' || Object.values(reasonHeaders).includes(name)) return 'none'
  let key = name
  if (keys.has(name)) {
    const letters = [...name]
    let again = keys.get(name) as number
    do {
      const ending = ` (${++again})`
      key = letters.slice(0, MAX_KEY - ending.length).join('') + ending
    } while (keys.has(key))
    keys.set(name, again)
  }
  keys.set(key, 1)
  return `answer:${key}`
}

/** Says what is read of each line: the columns by field, and those of answers by their keys. */
export interface Mapping {
  fields: ReadonlyMap<ImportField, number>
  answers: ReadonlyMap<string, number>
  /** The shop whose export it is. */
  system?: System | undefined
}

/**
 * Reads what each column fills.
 *
 * @throws Problem invalid_parameter with `details.fault` for `columns.<number>`, or for the field that no column fills
 */
export function readMapping(headers: readonly string[], columns: readonly string[]): Mapping {
  const fields = new Map<ImportField, number>()
  const answers = new Map<string, number>()
  if (columns.length !== headers.length) throw refusal('columns', makeFault('asManyAs', { field: 'headers' }))
  for (const [at, target] of columns.entries()) {
    const param = `columns.${at}`
    if (target === 'none') continue
    const key = target.startsWith('answer:') ? target.slice('answer:'.length) : undefined
    const kept: Map<string, number> = key === undefined ? fields : answers
    const name = key ?? target
    if (key === undefined && !isField(target))
      throw refusal(param, makeFault('oneOf', { values: [...importFields, 'answer:…', 'none'] }))
    if (key !== undefined && (key === '' || [...key].length > MAX_KEY || !isText(key)))
      throw refusal(param, makeFault('answerKey', { max: MAX_KEY }))
    if (kept.has(name)) throw refusal(param, makeFault('twice'))
    kept.set(name, at)
  }
  const has = (...some: ImportField[]) => some.some(field => fields.has(field))
  if (!has('name', 'first_name', 'last_name', 'attendee_name', 'attendee_first_name', 'attendee_last_name'))
    throw refusal('columns.name', makeFault('required'), { reason: 'no_name_column' })
  if (!has('email', 'attendee_email'))
    throw refusal('columns.email', makeFault('required'), { reason: 'no_email_column' })
  return { fields, answers }
}

function isField(name: string): name is ImportField {
  return [...importFields, ...systemFields].some(field => field === name)
}
