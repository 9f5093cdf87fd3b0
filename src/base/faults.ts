import * as v from 'valibot'
import type { FaultParameters, Nothing } from './fault-parameters.ts'
import { findNearest } from './nearest.ts'

export type FaultKey = keyof FaultParameters

export type Fault<Key extends FaultKey = FaultKey> = {
  [Each in Key]: { key: Each; parameters: FaultParameters[Each] }
}[Key]

/** A key without parameters takes no argument. */
type Arguments<Key extends FaultKey> = Nothing extends FaultParameters[Key] ? [] : [FaultParameters[Key]]

export function makeFault<Key extends FaultKey>(key: Key, ...[parameters]: Arguments<Key>): Fault<Key> {
  return { key, parameters: parameters ?? {} } as Fault<Key>
}

/** Returns a fault as the message of a schema. valibot carries only texts, so the fault travels as JSON. */
export function says<Key extends FaultKey>(key: Key, ...parameters: Arguments<Key>): string {
  return JSON.stringify(makeFault(key, ...parameters))
}

/** The most letters in which a field may differ from the one that was meant. */
const MOST_EDITS = 2

/** Returns the fault of an unknown field, as the message of a schema. @param fields the known fields that were not given */
export function saysUnknown(name: string, fields: readonly string[]): string {
  const field = findNearest(name, fields, MOST_EDITS)
  return field === undefined ? says('unknown') : says('misspelt', { field })
}

/** The most faults that are looked for and reported for one input. */
export const MAX_FAULTS = 20

/** A fault, with the dotted path of the value that has it. The path is null for the whole input. */
export interface FaultAt {
  path: string | null
  fault: Fault
}

/**
 * Returns what valibot has found. Every message of the schemas must be a fault.
 *
 * @throws SyntaxError for a message that is not a fault
 */
export function faultsOf([first, ...others]: readonly [Issue, ...Issue[]]): [FaultAt, ...FaultAt[]] {
  return [faultAt(first), ...others.map(faultAt)]
}

type Issue = v.BaseIssue<unknown>

function faultAt(issue: Issue): FaultAt {
  return { path: v.getDotPath(issue), fault: JSON.parse(issue.message) as Fault }
}

/** The sentences for all faults, in one language and for one kind of reader. */
export type Sentences = {
  readonly [Key in FaultKey]: (parameters: FaultParameters[Key]) => string
}

export function say<Key extends FaultKey>(sentences: Sentences, { key, parameters }: Fault<Key>): string {
  return sentences[key](parameters)
}

/** The ends of sentences, for programs and the command line. Faults of a whole object have complete sentences. */
export const english: Sentences = {
  required: () => 'is required',
  unknown: () => 'is not known',
  misspelt: ({ field }) => `is not known (did you mean ${field}?)`,
  repeated: () => 'must not be repeated',

  object: () => 'must be an object',
  array: () => 'must be an array',
  string: () => 'must be a string',
  boolean: () => 'must be true or false',
  integer: ({ min, max }) => `must be an integer from ${min} to ${max}`,
  amount: ({ min, max }) => `must be an integer from ${min} to ${max}, in minor units such as 1500 for 15.00`,
  list: ({ min, max }) => `must be an array of ${min} to ${max} items`,
  oneOf: ({ values }) => `must be one of ${values.join(', ')}`,
  unchosen: () => 'is required',
  either: ({ values }) => `must be ${values.map(value => `'${value}'`).join(' or ')}`,
  someOf: ({ values, wrong }) =>
    `must be some of ${values.join(',')}; ${quoteSome(wrong)} ${wrong.length > 1 ? 'are' : 'is'} not`,

  length: ({ min, max }) => `must have ${min} to ${max} characters`,
  maxLength: ({ max }) => `must have at most ${max} characters`,
  wellFormed: () => 'must be well-formed Unicode without U+0000',
  controlCharacters: () => 'must not contain control characters',
  blank: () => 'must not be white space alone',
  visible: () => 'must have a visible character',
  combiningMarks: ({ max }) => `must not have more than ${max} combining marks in a row`,
  addressInName: ({ found }) => `must not have a web address in it, as "${found}" is read`,

  email: ({ max }) => `must be an e-mail address of at most ${max} characters`,
  uuid: () => 'must be a UUID',
  colour: ({ example }) => `must be a colour such as ${example}`,
  origin: ({ example }) =>
    `must be the https origin of a site, such as ${example}, without a path, a wildcard or anything else`,
  currency: ({ example }) => `must be an upper-case ISO 4217 code such as ${example}`,
  timezone: ({ example }) => `must be an IANA time zone such as ${example}`,
  instant: ({ example }) => `must be a date and time with its offset, such as ${example}`,
  month: ({ example }) => `must be a month such as ${example}`,
  slug: ({ max }) => `must have 1 to ${max} characters of a-z, 0-9 and -`,
  orcid: () => 'must be an ORCID iD such as 0000-0002-1825-0097',
  answers: () => 'must be an object of strings',
  answerCount: ({ max }) => `must have at most ${max} answers`,
  answerKey: ({ max }) => `must have keys of 1 to ${max} well-formed characters`,
  answerText: ({ max }) => `must have strings of at most ${max} well-formed characters as values`,
  answersTogether: ({ max }) => `must have answers of at most ${max} characters together`,
  calendarDate: ({ example }) => `must be a date such as ${example}`,
  placeNumber: ({ example }) => `must be a number of a programme such as ${example}`,
  decimal: () => 'must be a number, without separators of thousands',
  phone: ({ example }) => `must be a telephone number such as ${example}`,
  code: ({ min, max }) => `must have ${min} to ${max} characters of A-Z, a-z, 0-9, - and _`,
  choices: ({ max }) => `must be at most ${max} different texts without ", "`,
  emailOrId: () => 'must be the e-mail or the id of an account',
  slugOrId: () => 'must be the slug or the id of an event',
  webhookUrl: () => 'must be an https address without user name and password',
  webAddress: ({ max }) =>
    `must be an http or https address of at most ${max} characters, without a password`,
  iban: () => 'is no IBAN: its check digits do not fit',
  noEventType: () => 'must name at least one event type',
  eventTypeTwice: () => 'must name each event type once',

  asManyAs: ({ field }) => `must be as many as ${field}`,
  exactlyOneOf: ({ fields }) => `Send exactly one of ${fields.join(' and ')}.`,

  placeholders: ({ values }) => `must name nothing but ${values.map(name => `{${name}}`).join(', ')}`,
  twice: () => 'is there twice',
  before: ({ field }) => `is before ${field}`,
  contradicts: ({ field }) => `contradicts ${field}`,
  moreThan: ({ field }) => `is more than ${field}`,
  notOfRegistration: ({ status }) => `does not apply to a registration that is ${status}`,
  notOfAbstract: ({ status }) => `does not apply to an abstract that is ${status}`,
  neverConfirmed: () => 'does not apply to a registration that was never confirmed',
  formulas: () => 'must be the MathML of formulas, as an export has it',
  typed: () => 'must be what was typed, by the names of the fields',
  sha256: () => 'must be a SHA-256 in 64 digits of 0-9 and a-f',
  notNewest: () => 'is not what the newest revision says',
  noOrder: () => 'is of no order that the file has of the event',
  notExchanged: () =>
    'must name a ticket of another registration of its order, which takes the place of no other, and be of one free ticket',
  notBeside: () => 'must name a ticket without an order that the file has of the event, and be of no order',
  noRegistrations: () => 'is of no registration that the file has of the event',
  noSeries: () => 'is of no series that the file has',
  slugOfEvent: () => 'is that of an event too',
  noDates: () => 'is of no event that the file has',
  tooManyDates: ({ max }) => `is of more than ${max} events`,
  tooManyTickets: ({ max }) => `is of more than ${max} tickets`,
  requiredOfOrder: ({ status }) => `is required of an order that is ${status}`,
  notOfOrder: ({ status }) => `does not apply to an order that is ${status}`,
  besideOrder: ({ status }) => `does not go with an order that is ${status}`,
  ofOrdersAlone: () => 'applies to tickets of orders alone',
  ofEachTicket: () => 'is required of each ticket of an order',
  notTheSum: ({ sum, of }) => `is not the ${sum} that the ${of} come to, in minor units`,

  workbook: () => 'is a workbook: save the sheet as CSV, and choose that file',
  unreadableWorkbook: () =>
    'is a workbook that cannot be read: save it as .xlsx without a password, or the sheet as CSV',
  unreadableExport: () => 'is JSON, and no export of pretix that can be read to its end',
  unpackedBytes: ({ max }) => `has more than ${max} bytes once it is unpacked`,
  noText: () => 'is not a text, such as a CSV file is',
  encoding: ({ encoding }) => `begins as ${encoding}, and is not in it`,
  noHeader: () => 'needs a first line with the names of the columns',
  noLines: () => 'has no line below its header',
  openQuote: () => 'has a quotation mark that is not closed, or is inside a cell and not doubled',
  lineTooLong: ({ max }) =>
    `has a line of more than ${max} characters, as where a quotation mark is not closed`,
  tooManyLines: ({ max }) => `has more than ${max} lines`,
  tooManyColumns: ({ max }) => `has more than ${max} columns`,
  tooManyBytes: ({ max }) => `has more than ${max} bytes`,
  moreCells: ({ max }) => `has more cells than the ${max} of the header`,
  ticketLeftOut: () => 'is of a ticket that is left out, or stands in no line above',
  soldOut: ({ available }) => `asks for more tickets than the ${available} that are left`,

  otherFormat: ({ format }) => `is ${format}, and no CSV: download it from the bank as CSV`,
  noStatement: () => 'has no table with dates and amounts, such as a bank writes',
  otherColumns: ({ values }) => `has no column ${values.join(', ')}: say again which column is what`,
  amountText: ({ example }) => `must be an amount such as ${example}`,
  ambiguous: ({ values }) => `may be ${values.join(' or ')}: say how the file writes it`,

  noPicture: () => 'must be a picture: PNG, JPEG or WebP',
  pictureTooHeavy: ({ max }) => `has more than ${max} bytes`,
  pictureTooLarge: ({ side, all }) => `has more than ${side} pixels a side, or ${all} in all`,

  noPdf: () => 'must be a PDF',
  cutPdf: () => 'is a PDF without its end',
  fileTooHeavy: ({ max }) => `has more than ${max} bytes`,

  wholeNumber: ({ min, max }) => `must be a whole number from ${min} to ${max}`,
  atLeast: ({ min }) => `must be at least ${min}`,
  atMost: ({ max }) => `must be at most ${max}`,
  port: () => 'must be a port number, or 0 for a free one',
  days: () => 'must be a number of days',
  backups: () => 'must be a number of backups',
  gibibytes: () => 'must be a number of GiB',
  mails: () => 'must be a number of mails a minute',
  orders: () => 'must be a number of orders a minute',
  address: () => 'must not be empty',
  cronLine: () => 'must be a cron line such as "0 3 * * *"',
  cronTime: () => 'must be a cron line such as "0 3 * * *", which is every night at three',
  baseUrl: ({ example }) => `must be an http or https address such as ${example}, without a password`,
  addressRanges: ({ example }) => `must be addresses or ranges such as ${example}`,
  file: () => 'must name a file',
  folder: () => 'must name a folder',
  host: () => 'must name an address',
}

const MAX_QUOTED = 5
/** The limit counts characters. */
const MAX_WORD = 50

function quoteSome(words: readonly string[]): string {
  const quoted = words.slice(0, MAX_QUOTED).map(word => {
    const start = [...word.slice(0, 2 * MAX_WORD)].slice(0, MAX_WORD).join('')
    return `"${start}${start === word ? '' : '…'}"`
  })
  return `${quoted.join(', ')}${words.length > MAX_QUOTED ? ' and others' : ''}`
}

/** Returns the whole sentence, for programs and the command line. */
export function tell(subject: string, fault: Fault): string {
  const text = say(english, fault)
  return text.endsWith('.') ? text : `${subject} ${text}.`
}
