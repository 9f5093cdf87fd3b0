export type Nothing = Record<never, never>
/** Both limits are allowed values. */
interface Range {
  min: number
  max: number
}
interface Most {
  max: number
}
/** A right value to show beside a wrong one. It is the same in every language. */
interface Example {
  example: string
}
interface OtherField {
  field: string
}
interface Values {
  values: readonly string[]
}

/** The kinds of faults of a value that comes from outside, each with what a sentence about it needs. */
export interface FaultParameters {
  required: Nothing
  unknown: Nothing
  /** The field is not known, but its name is close to that of a known one. */
  misspelt: OtherField
  /** The query has the parameter twice. */
  repeated: Nothing

  object: Nothing
  array: Nothing
  string: Nothing
  boolean: Nothing
  integer: Range
  /** An integer of minor units of a currency. */
  amount: Range
  /** The range counts items. */
  list: Range
  oneOf: Values
  /** Nothing was chosen where something has to be. */
  unchosen: Nothing
  /** The values are few and are shown as they are written. */
  either: Values
  /** `wrong` holds those that are not among the values. */
  someOf: Values & { wrong: readonly string[] }

  /** The range counts characters as a person counts them. */
  length: Range
  maxLength: Most
  wellFormed: Nothing
  controlCharacters: Nothing
  blank: Nothing
  visible: Nothing
  combiningMarks: Most
  /** `found` is the web address in lower case and in plain letters. */
  addressInName: { found: string }

  email: Most
  uuid: Nothing
  currency: Example
  colour: Example
  /** An origin of a site that shows pages in a frame. */
  origin: Example
  timezone: Example
  instant: Example
  month: Example
  slug: Most
  orcid: Nothing
  answers: Nothing
  answerCount: Most
  answerKey: Most
  answerText: Most
  /** `max` counts the characters of the answers of several tickets together. */
  answersTogether: Most
  calendarDate: Example
  placeNumber: Example
  decimal: Nothing
  phone: Example
  /** The range counts the characters of a code. */
  code: Range
  /** `max` counts the choices of a question. */
  choices: Most
  emailOrId: Nothing
  slugOrId: Nothing
  webhookUrl: Nothing
  webAddress: Most
  iban: Nothing
  noEventType: Nothing
  eventTypeTwice: Nothing

  placeholders: Values
  /** These are faults of fields that do not go together. */
  asManyAs: OtherField
  exactlyOneOf: { fields: readonly string[] }

  /** These are faults of an organization file that contradicts itself. */
  twice: Nothing
  before: OtherField
  contradicts: OtherField
  moreThan: OtherField
  notOfRegistration: { status: string }
  notOfAbstract: { status: string }
  neverConfirmed: Nothing
  formulas: Nothing
  typed: Nothing
  notNewest: Nothing
  sha256: Nothing
  noOrder: Nothing
  notExchanged: Nothing
  notBeside: Nothing
  noRegistrations: Nothing
  tooManyTickets: Most
  noSeries: Nothing
  slugOfEvent: Nothing
  noDates: Nothing
  tooManyDates: Most
  requiredOfOrder: { status: string }
  notOfOrder: { status: string }
  /** The fault is of a registration. `status` is that of the order to which it belongs as a line. */
  besideOrder: { status: string }
  ofOrdersAlone: Nothing
  ofEachTicket: Nothing
  /** `sum` is in minor units. */
  notTheSum: { sum: number; of: 'registrations' | 'tickets' }

  /** These are faults of an uploaded table. */
  workbook: Nothing
  unreadableWorkbook: Nothing
  unreadableExport: Nothing
  unpackedBytes: Most
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
  ticketLeftOut: Nothing

  /** These are faults of an uploaded bank statement. `format` is what the file is instead of CSV. */
  otherFormat: { format: string }
  noStatement: Nothing
  /** `values` are the columns that the file no longer has. */
  otherColumns: Values
  amountText: Example
  /** `values` are the possible meanings. */
  ambiguous: Values

  /** These are faults of an uploaded picture. */
  noPicture: Nothing
  pictureTooHeavy: Most
  /** In pixels: `side` limits each side, and `all` limits the whole picture. */
  pictureTooLarge: { side: number; all: number }

  /** These are faults of the file of a submission. */
  noPdf: Nothing
  cutPdf: Nothing
  fileTooHeavy: Most

  /** These are faults of settings. */
  wholeNumber: Range
  atLeast: { min: number }
  atMost: Most
  port: Nothing
  days: Nothing
  backups: Nothing
  gibibytes: Nothing
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
