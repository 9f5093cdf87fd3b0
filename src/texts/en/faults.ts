import { english, type FaultKey, type Sentences } from '#base/faults.ts'
import { count } from './page.ts'

/** The sentences that a form shows beside a field. Faults that no form can cause have the sentences for programs. */
const ofForms = {
  required: () => 'Fill this in.',
  integer: ({ min, max }) => `Enter a whole number from ${min} to ${max}.`,
  length: ({ min, max }) =>
    min > 1
      ? `This takes ${min} to ${count(max, { one: '# character', other: '# characters' })}.`
      : `This takes at most ${count(max, { one: '# character', other: '# characters' })}.`,
  maxLength: ({ max }) => `This takes at most ${count(max, { one: '# character', other: '# characters' })}.`,
  blank: () => 'Fill this in.',
  visible: () => 'Write something that can be seen.',
  controlCharacters: () => 'There are characters in it that cannot be shown.',
  combiningMarks: () => 'There are too many marks on one letter.',
  addressInName: ({ found }) => `A name has no web address in it, as “${found}” is read: leave that out.`,
  email: () => 'Enter an e-mail address, such as grace@example.org.',
  orcid: () => 'Write the ORCID iD as in 0000-0002-1825-0097, and look whether each digit is right.',
  slug: ({ max }) => `Use a to z, 0 to 9 and hyphens, at most ${max} in all.`,
  timezone: ({ example }) => `Choose a time zone, such as ${example}.`,
  colour: ({ example }) => `Give a colour as # and six digits, such as ${example}.`,
  origin: ({ example }) =>
    `Give each site as https:// and its name, such as ${example}: without a path, without * and with no other protocol.`,
  currency: ({ example }) => `Choose a currency, such as ${example}.`,
  list: ({ min, max }) => (min === 0 ? `Enter at most ${max}.` : `Enter from ${min} to ${max}.`),
  oneOf: () => 'Choose one of those there are.',
  unchosen: () => 'Choose an answer.',
  unknown: () => 'This is not asked here.',
  repeated: () => 'Answer this once.',
  wellFormed: () => 'There are characters in it that cannot be kept.',
  calendarDate: ({ example }) => `Enter a date, such as ${example}.`,
  placeNumber: ({ example }) => `Enter a number of the programme, such as ${example}.`,
  decimal: () => 'Enter a number, such as 12 or 12.5, without separators of thousands.',
  phone: ({ example }) => `Enter a telephone number, such as ${example}.`,
  code: ({ min, max }) =>
    min === 0
      ? `Use letters of A to Z, digits, - and _, at most ${max}.`
      : `Use ${min} to ${max} letters of A to Z, digits, - and _.`,
  contradicts: () => 'This does not go together with the other: leave one of them empty.',
  choices: ({ max }) =>
    `Write each choice on a line of its own: at most ${max}, each once, and none with a comma before a space.`,
  webhookUrl: () => 'Enter an https address, without a user name and password.',
  webAddress: () => 'Enter the address of a page, such as https://example.org/about.',
  iban: () => 'This is no IBAN: a digit is wrong, is missing or is one too many.',
  noPicture: () => 'This is no picture that browsers show: choose a PNG, JPEG or WebP file.',
  pictureTooHeavy: ({ max }) => `The picture is larger than ${Math.floor(max / 1024 / 1024)} MB.`,
  pictureTooLarge: ({ side, all }) =>
    `The picture has too many pixels: at most ${side} a side, and ${Math.floor(all / 1_000_000)} million in all.`,
  noPdf: () => 'This is no PDF. Save it as PDF, and choose that file.',
  cutPdf: () => 'This PDF has no end: it was cut off. Save it again, and choose that file.',
  fileTooHeavy: ({ max }) => `The file is larger than ${Math.floor(max / 1024 / 1024)} MB.`,
  before: () => 'This is before its beginning: choose something later.',
  noEventType: () => 'Choose at least one.',
  placeholders: ({ values }) => `Use nothing but ${values.map(name => `{${name}}`).join(', ')}.`,
  twice: () => 'Another one has this already.',
  workbook: () => 'This is a workbook. Save the sheet as CSV, and choose that file.',
  unreadableWorkbook: () =>
    'This workbook cannot be read. Save it as .xlsx without a password, or the sheet as CSV, and choose that file.',
  unreadableExport: () =>
    'This export of pretix cannot be read to its end. Export “Order data (JSON)” there once more, or the order positions as CSV.',
  unpackedBytes: ({ max }) =>
    `It unpacks to more than ${Math.floor(max / 1024 / 1024)} MB. Save the sheet as CSV, and import it in parts.`,
  noText: () => 'This is not a table: it is no text, as a CSV file is.',
  encoding: ({ encoding }) => `It begins as ${encoding}, and does not go on so. Save it as “CSV UTF-8”.`,
  noHeader: () => 'One line must name the columns, such as Name and E-mail.',
  noLines: () => 'There is no line below the names of the columns.',
  openQuote: () => 'A quotation mark is not closed, or is inside a cell and not doubled.',
  lineTooLong: ({ max }) =>
    `This line has more than ${count(max, { one: '# character', other: '# characters' })}, as where a quotation mark is not closed.`,
  tooManyLines: ({ max }) =>
    `It has more than ${count(max, { one: '# line', other: '# lines' })}. Import it in parts.`,
  tooManyColumns: ({ max }) => `It has more than ${max} columns.`,
  tooManyBytes: ({ max }) => `It is larger than ${Math.floor(max / 1024 / 1024)} MB. Import it in parts.`,
  otherFormat: ({ format }) => `This is ${format}. Download it from your bank as CSV, and choose that file.`,
  noStatement: () => 'There is no table with dates and amounts in it, as in the CSV of a bank.',
  otherColumns: ({ values }) =>
    `The file has other columns than the last one: it lacks ${values.join(', ')}. Say again which column is what.`,
  amountText: ({ example }) => `This is no amount, such as ${example}.`,
  ambiguous: ({ values }) => `This may be ${values.join(' or ')}. Say how the file writes it.`,
} satisfies Partial<Sentences>

export type FormFaults = Pick<Sentences, keyof typeof ofForms & FaultKey>

export const faults: Sentences = { ...english, ...ofForms }
