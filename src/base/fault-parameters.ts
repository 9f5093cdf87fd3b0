export type Nothing = Record<never, never>
/** Both are within it. */
interface Range {
  min: number
  max: number
}
interface Most {
  max: number
}
/** What to hold beside a wrong value: the same in every language. */
interface Example {
  example: string
}
interface OtherField {
  field: string
}
interface Values {
  values: readonly string[]
}

/** What can be wrong with a value that comes in from outside; of each, what a sentence about it needs. */
export interface FaultParameters {
  required: Nothing
  unknown: Nothing
  /** Not known either, but nearly a field that is. */
  misspelt: OtherField
  /** A parameter of a query that is there twice. */
  repeated: Nothing

  object: Nothing
  array: Nothing
  string: Nothing
  boolean: Nothing
  integer: Range
  /** An integer, of minor units of a currency. */
  amount: Range
  /** Items. */
  list: Range
  oneOf: Values
  /** The values are few, and shown as they are written. */
  either: Values
  /** `wrong`: those that are none of them. */
  someOf: Values & { wrong: readonly string[] }

  /** Characters, as a person counts them. */
  length: Range
  maxLength: Most
  wellFormed: Nothing
  controlCharacters: Nothing
  blank: Nothing
  visible: Nothing
  combiningMarks: Most

  email: Most
  uuid: Nothing
  currency: Example
  timezone: Example
  instant: Example
  month: Example
  slug: Most
  answers: Nothing
  answerCount: Most
  answerKey: Most
  answerText: Most
  /** Characters of the answers of several tickets. */
  answersTogether: Most
  calendarDate: Example
  decimal: Nothing
  phone: Example
  /** Characters of a code. */
  code: Range
  /** The choices of a question. */
  choices: Most
  emailOrId: Nothing
  slugOrId: Nothing
  webhookUrl: Nothing
  webAddress: Most
  iban: Nothing
  noEventType: Nothing
  eventTypeTwice: Nothing

  placeholders: Values
  /** Of fields that do not go together. */
  asManyAs: OtherField
  exactlyOneOf: { fields: readonly string[] }

  /** Of an organization file that contradicts itself. */
  twice: Nothing
  before: OtherField
  contradicts: OtherField
  moreThan: OtherField
  notOfRegistration: { status: string }
  notOfAbstract: { status: string }
  neverConfirmed: Nothing
  noOrder: Nothing
  noRegistrations: Nothing
  tooManyTickets: Most
  requiredOfOrder: { status: string }
  notOfOrder: { status: string }
  /** Of a registration, and the status of the order that it is a line of. */
  besideOrder: { status: string }
  ofOrdersAlone: Nothing
  ofEachTicket: Nothing
  /** Minor units. */
  notTheSum: { sum: number; of: 'registrations' | 'tickets' }

  /** Of a table that was uploaded. */
  workbook: Nothing
  noText: Nothing
  encoding: { encoding: string }
  noHeader: Nothing
  noLines: Nothing
  openQuote: Nothing
  lineTooLong: Most
  tooManyLines: Most
  tooManyColumns: Most
  tooManyBytes: Most
  moreCells: Most
  soldOut: { available: number }

  /** Of a bank's statement that was uploaded: what it is instead of CSV. */
  otherFormat: { format: string }
  noStatement: Nothing
  /** `values`: the columns that are not there any more. */
  otherColumns: Values
  amountText: Example
  /** `values`: what it may mean. */
  ambiguous: Values

  /** Of a picture that was uploaded. */
  noPicture: Nothing
  pictureTooHeavy: Most
  /** Pixels: `side` of a side, `all` of all of it. */
  pictureTooLarge: { side: number; all: number }

  /** Of settings. */
  wholeNumber: Range
  atLeast: { min: number }
  atMost: Most
  port: Nothing
  days: Nothing
  backups: Nothing
  mails: Nothing
  orders: Nothing
  address: Nothing
  cronLine: Nothing
  cronTime: Nothing
  baseUrl: Example
  addressRanges: Example
  file: Nothing
  folder: Nothing
  host: Nothing
}
