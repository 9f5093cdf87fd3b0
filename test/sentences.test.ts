import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as v from 'valibot'
import { readConfig } from '#base/config.ts'
import { type FaultKey, makeFault, tell } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { readQuery, validate } from '#faces/api/input.ts'
import { listQuery } from '#faces/api/lists.ts'
import { getMonthlyReport } from '#faces/api/operations/reports.ts'
import { readFlag, wholeNumber } from '#faces/cli/flags.ts'
import { run } from '#faces/cli/program.ts'
import { readStatement } from '#machinery/bank-files/statement.ts'
import { webAddress } from '#machinery/web/web-address.ts'
import { originsSchema } from '#product/administration/accounts/origins.ts'
import { endpointTypes, endpointUrl } from '#product/administration/webhooks/endpoints.ts'
import { codeText } from '#product/catalog/codes/schemas.ts'
import { readPicture } from '#product/catalog/events/picture-format.ts'
import { colourSchema } from '#product/catalog/looks/schemas.ts'
import { validateOrganization } from '#product/data-care/organization/read.ts'
import { newCheckInSchema } from '#product/entrance/check-ins/schemas.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { type Question, questionFields } from '#product/guests/questions/schemas.ts'
import { parseAnswer } from '#product/guests/questions/values.ts'
import { newRegistrationExample, newRegistrationSchema } from '#product/guests/registrations/schemas.ts'
import { orcid } from '#product/programme/abstracts/orcid.ts'
import { contactSchema } from '#product/programme/abstracts/schemas.ts'
import { bankFields } from '#product/selling/payments/bank.ts'
import { organization, registration } from '#test/support/organization.ts'
import { jpeg } from '#test/support/pictures.ts'
import { zip } from '#test/support/workbooks.ts'

/** Each says what somebody gets to read. */
const value = (schema: v.GenericSchema, given: unknown) => messageOf(() => readFlag('It', schema, given))
const request = (schema: v.GenericSchema, given: unknown) => messageOf(() => validate(schema, given))
const file = (event: object) => messageOf(() => validateOrganization(organization({ event })))
const withSeries = (slug: string, dates: number) => {
  const events = Array.from({ length: dates }, (_, at) => ({
    slug: `date-${at}`,
    title: 'Tour',
    series: slug,
  }))
  const input = { ...organization({ events }), series: [{ slug, name: 'Tours' }] }
  return messageOf(() => validateOrganization(input))
}
const imported = (changes: object) => file({ registrations: [registration('one', changes)] })
const order = { reference: 'A', buyer: { name: 'Ada', email: 'ada@example.org' } }
const ordered = (changes: object, line: object = {}, lines = 1) => {
  const attendees = [{ price: 0, discount: 0, tax: 0 }]
  const registrations = Array.from({ length: lines }, (_, at) =>
    registration(`r${at}`, { order: 'A', attendees, ...line }),
  )
  return file({ orders: [{ ...order, ...changes }], registrations })
}
const uploaded = (table: string | Uint8Array) =>
  readTable(typeof table === 'string' ? Buffer.from(table) : table).then(
    () => 'nothing',
    (error: Error) => error.message,
  )
const stated = (text: string) =>
  readStatement(Buffer.from(text), 'EUR').then(
    () => 'nothing',
    (error: Error) => error.message,
  )
const setting = (settings: object) => messageOf(() => readConfig({ data: 'data', ...settings }))

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  return 'nothing'
}

async function commanded(...argv: string[]): Promise<string> {
  let text = ''
  const print = (more: string) => {
    text += more
  }
  await run(argv, { out: print, err: print, clock: Date.now })
  return text
}

function answered(question: object, typed: string): string {
  const any = { choices: [], required: false, ...question } as unknown as Question
  const parsed = parseAnswer(any, [typed])
  return 'fault' in parsed ? tell('It', parsed.fault) : 'nothing'
}

const manyAnswers = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x'.repeat(5000)]))

const abstract = {
  code: 'A-1',
  title: 'On rooms',
  abstract: 'They fill.',
  authors: [{ name: 'Lin' }],
  contact: { name: 'Lin', email: 'lin@example.org' },
}

const revision = {
  ...{
    created_at: '2026-12-01T09:00:00Z',
    title: 'On rooms',
    language: 'en',
    keywords: [],
    affiliations: [],
  },
  sections: [{ heading: '', text: 'They fill.' }],
  contact: { name: 'Lin' },
  authors: [{ given: null, family: 'Lin', email: null, orcid: null, affiliations: [], presenting: true }],
}

const draft = { typed: {}, authors: 1, affiliations: 1 }
const submitter = { reference: 'p', name: 'Lin', email: 'lin@example.org' }

const KEY = ['key', 'create', '--account', '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f', '--name', 'door']
const SCOPES =
  'events:read,registrations:read,registrations:write,checkins:read,checkins:write,abstracts:read,abstracts:write,reports:read'

/** Lists for each fault some values that have it, and the message about them: the sentences of 0.1.0, which programs may match. */
const met: Readonly<Record<FaultKey, readonly (readonly [string | Promise<string>, string])[]>> = {
  required: [
    [request(newRegistrationSchema, {}), 'event_id is required.'],
    [value(fields.closedObject({ a: fields.slug }), {}), 'It is required.'],
    [messageOf(() => validateOrganization({})), 'account is required.'],
  ],
  unknown: [
    [request(contactSchema, { name: 'Lin', email: 'a@b.c', fax: '1' }), 'fax is not known.'],
    [file({ colour: 'red' }), 'events.0.colour is not known.'],
  ],
  misspelt: [
    [request(contactSchema, { name: 'Lin', emial: 'a@b.c' }), 'email is required.'],
    [
      request(contactSchema, { name: 'Lin', email: 'a@b.c', phon: '1' }),
      'phon is not known (did you mean phone?).',
    ],
    [
      file({ curency: 'EUR', currency: undefined }),
      'events.0.curency is not known (did you mean currency?).',
    ],
  ],
  repeated: [[messageOf(() => readQuery(listQuery({}), 'limit=1&limit=2')), 'limit must not be repeated.']],
  object: [
    [request(contactSchema, []), 'The body must be an object.'],
    [
      request(newRegistrationSchema, { ...newRegistrationExample, buyer: 'Grace' }),
      'buyer must be an object.',
    ],
    [messageOf(() => validateOrganization([])), 'The file must be an object.'],
  ],
  array: [
    [value(endpointTypes, 'ping'), 'It must be an array.'],
    [file({ waitlist: {} }), 'events.0.waitlist must be an array.'],
  ],
  string: [[value(fields.email, 7), 'It must be a string.']],
  boolean: [[file({ requires_approval: 1 }), 'events.0.requires_approval must be true or false.']],
  integer: [
    [value(fields.integer(1, 100), 1.5), 'It must be an integer from 1 to 100.'],
    [value(fields.integer(1, 100), 101), 'It must be an integer from 1 to 100.'],
    [request(listQuery({}), { limit: '0' }), 'limit must be an integer from 1 to 100.'],
  ],
  amount: [
    [
      value(fields.amount, -1),
      'It must be an integer from 0 to 99999999, in minor units such as 1500 for 15.00.',
    ],
    [
      imported({ amount_subtotal: '50.00' }),
      'events.0.registrations.0.amount_subtotal must be an integer from 0 to 9999999900, in minor units such as 1500 for 15.00.',
    ],
  ],
  list: [[value(fields.listOf(fields.slug, 3), []), 'It must be an array of 1 to 3 items.']],
  oneOf: [[value(fields.oneOf(['csv', 'json']), 'xml'), 'It must be one of csv, json.']],
  unchosen: [[answered({ kind: 'one_of', choices: ['Yes', 'No'], required: true }, ''), 'It is required.']],
  either: [
    [
      request(newRegistrationSchema, { ...newRegistrationExample, language: 'fr' }),
      "language must be 'en' or 'es'.",
    ],
  ],
  someOf: [
    [
      commanded(...KEY, '--scopes', 'events:read,nonsense'),
      `error: --scopes must be some of ${SCOPES}; "nonsense" is not.\n`,
    ],
    [
      commanded(...KEY, '--scopes', 'a, events:read, ,b'),
      `error: --scopes must be some of ${SCOPES}; "a", "", "b" are not.\n`,
    ],
  ],
  length: [
    [value(fields.text(50), 'x'.repeat(51)), 'It must have 0 to 50 characters.'],
    [value(fields.name(), ''), 'It must have 1 to 200 characters.'],
  ],
  maxLength: [[value(endpointUrl, 'x'.repeat(2001)), 'It must have at most 2000 characters.']],
  wellFormed: [
    [value(fields.text(50), '\u0000'), 'It must be well-formed Unicode without U+0000.'],
    [value(fields.name(), '\ud800'), 'It must be well-formed Unicode without U+0000.'],
  ],
  controlCharacters: [
    [value(fields.name(), 'a\nb'), 'It must not contain control characters.'],
    [value(fields.label(9), 'a\nb'), 'It must not contain control characters.'],
  ],
  blank: [[value(fields.name(), ' '), 'It must not be white space alone.']],
  visible: [
    [value(fields.name(), '\u200b'), 'It must have a visible character.'],
    [value(fields.label(9), '\u200b'), 'It must have a visible character.'],
  ],
  combiningMarks: [
    [
      value(fields.name(), `q${'\u0334'.repeat(31)}`),
      'It must not have more than 30 combining marks in a row.',
    ],
  ],
  addressInName: [
    [
      value(fields.personName, 'You won! www.example.org'),
      'It must not have a web address in it, as "www.example.org" is read.',
    ],
  ],
  email: [
    [value(fields.email, 'nobody'), 'It must be an e-mail address of at most 254 characters.'],
    [value(fields.email, ' '.repeat(1001)), 'It must be an e-mail address of at most 254 characters.'],
  ],
  uuid: [
    [value(fields.uuid, 7), 'It must be a UUID.'],
    [value(fields.uuid, '7'), 'It must be a UUID.'],
  ],
  colour: [[value(colourSchema, 'red'), 'It must be a colour such as #2855ad.']],
  origin: [
    [
      value(originsSchema, ['javascript:alert(1)']),
      'It must be the https origin of a site, such as https://www.example.org, without a path, a wildcard or anything else.',
    ],
  ],
  currency: [[value(fields.currency, 'eur'), 'It must be an upper-case ISO 4217 code such as EUR.']],
  timezone: [[value(fields.timezone, 'Moon'), 'It must be an IANA time zone such as Europe/Madrid.']],
  instant: [
    [
      value(fields.instant, 'tomorrow'),
      'It must be a date and time with its offset, such as 2026-12-01T09:00:00Z.',
    ],
  ],
  month: [
    [
      request(getMonthlyReport.query as v.GenericSchema, { month: '2026-13' }),
      'month must be a month such as 2026-10.',
    ],
  ],
  orcid: [[value(orcid, '0000-0002-1825-0098'), 'It must be an ORCID iD such as 0000-0002-1825-0097.']],
  slug: [[value(fields.slug, 'A'), 'It must have 1 to 80 characters of a-z, 0-9 and -.']],
  answers: [[value(fields.answers, []), 'It must be an object of strings.']],
  answerCount: [
    [
      value(fields.answers, Object.fromEntries(Array.from({ length: 101 }, (_, key) => [key, '']))),
      'It must have at most 100 answers.',
    ],
  ],
  answerKey: [[value(fields.answers, { '': 'x' }), 'It must have keys of 1 to 64 well-formed characters.']],
  answerText: [
    [
      value(fields.answers, { diet: 7 }),
      'It must have strings of at most 5000 well-formed characters as values.',
    ],
  ],
  answersTogether: [
    [
      imported({
        attendees: Array.from({ length: 3 }, () => ({ answers: manyAnswers })),
      }),
      'events.0.registrations.0.attendees must have answers of at most 500000 characters together.',
    ],
  ],
  calendarDate: [
    [answered({ kind: 'date' }, '2026-02-30'), 'It must be a date such as 2026-12-31.'],
    [answered({ kind: 'date' }, '31.12.2026'), 'It must be a date such as 2026-12-31.'],
  ],
  placeNumber: [
    [
      file({
        programme: {
          versions: [
            {
              ...{ created_at: '2026-12-01T09:00:00Z', published_by: 'cli', sessions: [] },
              numbers: [{ abstract: 'A-1', number: '12' }],
            },
          ],
        },
      }),
      'events.0.programme.versions.0.numbers.0.number must be a number of a programme such as O-12.',
    ],
  ],
  decimal: [
    [answered({ kind: 'number' }, '1,000'), 'It must be a number, without separators of thousands.'],
    [answered({ kind: 'number' }, 'ten'), 'It must be a number, without separators of thousands.'],
  ],
  phone: [[answered({ kind: 'phone' }, '12'), 'It must be a telephone number such as +34 600 000 000.']],
  code: [
    [value(codeText, 'a b'), 'It must have 3 to 40 characters of A-Z, a-z, 0-9, - and _.'],
    [value(codeText, 'ñandú'), 'It must have 3 to 40 characters of A-Z, a-z, 0-9, - and _.'],
  ],
  choices: [
    [value(questionFields.choices, ['a', 'a']), 'It must be at most 100 different texts without ", ".'],
    [value(questionFields.choices, ['a, b']), 'It must be at most 100 different texts without ", ".'],
  ],
  emailOrId: [
    [
      commanded('export', '--account', 'ada'),
      'error: --account must be the e-mail or the id of an account.\n',
    ],
  ],
  slugOrId: [
    [
      commanded('waitlist', 'list', '--event', 'A B'),
      'error: --event must be the slug or the id of an event.\n',
    ],
  ],
  webhookUrl: [
    [value(endpointUrl, 'example.org'), 'It must be an https address without user name and password.'],
  ],
  iban: [
    [value(bankFields.account, 'DE89370400440532013001'), 'It is no IBAN: its check digits do not fit.'],
  ],
  webAddress: [
    [
      value(webAddress, 'javascript:alert(1)'),
      'It must be an http or https address of at most 2000 characters, without a password.',
    ],
  ],
  noEventType: [[value(endpointTypes, []), 'It must name at least one event type.']],
  eventTypeTwice: [[value(endpointTypes, ['ping', 'ping']), 'It must name each event type once.']],
  placeholders: [
    [
      file({ email_texts: { abstract_accepted: { en: { subject: '{price}', body: 'Yes' } } } }),
      'events.0.email_texts.abstract_accepted.en.subject must name nothing but {name}, {title}, {code}, {event}, {organizer}, {note}, {kind}, {confirm}, {registration}, {event_link}, {comments}.',
    ],
  ],
  asManyAs: [
    [
      request(newRegistrationSchema, { ...newRegistrationExample, quantity: 2 }),
      'attendees must be as many as quantity.',
    ],
    [
      imported({ attendees: [{}], quantity: 2 }),
      'events.0.registrations.0.attendees must be as many as quantity.',
    ],
  ],
  exactlyOneOf: [[request(newCheckInSchema, {}), 'Send exactly one of qr_code and attendee_id.']],
  twice: [
    [
      file({ registrations: [registration('one'), registration('one')] }),
      'events.0.registrations.1.reference is there twice.',
    ],
  ],
  before: [
    [
      file({ starts_at: '2026-12-02T09:00:00Z', ends_at: '2026-12-01T09:00:00Z' }),
      'events.0.ends_at is before starts_at.',
    ],
  ],
  contradicts: [
    [
      imported({ status: 'cancelled', never_confirmed: true, confirmed_at: '2026-12-01T09:00:00Z' }),
      'events.0.registrations.0.confirmed_at contradicts never_confirmed.',
    ],
  ],
  moreThan: [
    [
      imported({ status: 'refunded', refunded_amount: 2, amount_total: 1 }),
      'events.0.registrations.0.refunded_amount is more than amount_total.',
    ],
  ],
  notOfRegistration: [
    [
      imported({ status: 'pending', confirmed_at: '2026-12-01T09:00:00Z' }),
      'events.0.registrations.0.confirmed_at does not apply to a registration that is pending.',
    ],
  ],
  notOfAbstract: [
    [
      file({ abstracts: [{ ...abstract, decision_note: 'No.' }] }),
      'events.0.abstracts.0.decision_note does not apply to an abstract that is submitted.',
    ],
  ],
  formulas: [
    [
      file({ abstracts: [{ ...abstract, revisions: [{ ...revision, formulas: [] }] }] }),
      'events.0.abstracts.0.revisions.0.formulas must be the MathML of formulas, as an export has it.',
    ],
  ],
  typed: [
    [
      file({
        submitters: [{ ...submitter, submissions: [{ reference: 's', draft: { ...draft, typed: [] } }] }],
      }),
      'events.0.submitters.0.submissions.0.draft.typed must be what was typed, by the names of the fields.',
    ],
  ],
  sha256: [
    [
      file({
        submitters: [
          {
            ...submitter,
            submissions: [{ reference: 's', draft, file: { sha256: 'A', name: 'a', size: 1 } }],
          },
        ],
      }),
      'events.0.submitters.0.submissions.0.file.sha256 must be a SHA-256 in 64 digits of 0-9 and a-f.',
    ],
  ],
  notNewest: [
    [
      file({ abstracts: [{ ...abstract, title: 'On doors', language: 'en', revisions: [revision] }] }),
      'events.0.abstracts.0.title is not what the newest revision says.',
    ],
    [
      file({ abstracts: [{ ...abstract, language: 'en', revisions: [revision] }] }),
      'events.0.abstracts.0.authors is not what the newest revision says.',
    ],
  ],
  neverConfirmed: [
    [
      imported({ status: 'pending', attendees: [{ checked_in_at: '2026-12-01T09:00:00Z' }] }),
      'events.0.registrations.0.attendees.0.checked_in_at does not apply to a registration that was never confirmed.',
    ],
  ],
  noOrder: [
    [
      imported({ order: 'A' }),
      'events.0.registrations.0.order is of no order that the file has of the event.',
    ],
  ],
  notExchanged: [
    [
      imported({ exchanged_for: { registration: 'A', ticket: 1 } }),
      'events.0.registrations.0.exchanged_for must name a ticket of another registration of its order, which takes the place of no other, and be of one free ticket.',
    ],
  ],
  notBeside: [
    [
      imported({ beside: 'A' }),
      'events.0.registrations.0.beside must name a ticket without an order that the file has of the event, and be of no order.',
    ],
  ],
  noSeries: [[file({ series: 'tours' }), 'events.0.series is of no series that the file has.']],
  slugOfEvent: [[withSeries('spring-meeting', 1), 'series.0.slug is that of an event too.']],
  noDates: [[withSeries('tours', 0), 'series.0.slug is of no event that the file has.']],
  tooManyDates: [[withSeries('tours', 501), 'series.0.slug is of more than 500 events.']],
  noRegistrations: [
    [
      file({ orders: [{ ...order, confirmed_at: '2026-12-01T09:00:00Z' }] }),
      'events.0.orders.0.reference is of no registration that the file has of the event.',
    ],
  ],
  tooManyTickets: [
    [
      ordered({ confirmed_at: '2026-12-01T09:00:00Z' }, {}, 101),
      'events.0.orders.0.reference is of more than 100 tickets.',
    ],
  ],
  requiredOfOrder: [
    [ordered({}), 'events.0.orders.0.confirmed_at is required of an order that is confirmed.'],
  ],
  notOfOrder: [
    [
      ordered({ confirmed_at: '2026-12-01T09:00:00Z', failed_at: '2026-12-01T09:00:00Z' }),
      'events.0.orders.0.failed_at does not apply to an order that is confirmed.',
    ],
  ],
  besideOrder: [
    [
      ordered({ confirmed_at: '2026-12-01T09:00:00Z' }, { status: 'failed' }),
      'events.0.registrations.0.status does not go with an order that is confirmed.',
    ],
  ],
  ofOrdersAlone: [
    [
      imported({ attendees: [{ price: 5 }] }),
      'events.0.registrations.0.attendees.0.price applies to tickets of orders alone.',
    ],
  ],
  ofEachTicket: [
    [
      ordered({ confirmed_at: '2026-12-01T09:00:00Z' }, { attendees: null }),
      'events.0.registrations.0.attendees is required of each ticket of an order.',
    ],
  ],
  notTheSum: [
    [
      ordered({ confirmed_at: '2026-12-01T09:00:00Z', amount_total: 5 }),
      'events.0.orders.0.amount_total is not the 0 that the registrations come to, in minor units.',
    ],
  ],
  workbook: [[stated('PK\u0003\u0004'), 'file is a workbook: save the sheet as CSV, and choose that file.']],
  unreadableWorkbook: [
    [
      uploaded('PK\u0003\u0004'),
      'file is a workbook that cannot be read: save it as .xlsx without a password, or the sheet as CSV.',
    ],
  ],
  unpackedBytes: [
    [
      uploaded(zip({ a: { deflated: Buffer.alloc(2), size: 300_000_000 } })),
      'file has more than 209715200 bytes once it is unpacked.',
    ],
  ],
  unreadableExport: [
    [
      uploaded('{"event": {"orders": ['),
      'file is JSON, and no export of pretix that can be read to its end.',
    ],
  ],
  noText: [[uploaded('a\0\0\0,b'), 'file is not a text, such as a CSV file is.']],
  encoding: [
    [uploaded(Buffer.from([0xef, 0xbb, 0xbf, 0x4e, 0xff])), 'file begins as utf-8, and is not in it.'],
  ],
  noHeader: [[uploaded('ada@example.org\n'), 'file needs a first line with the names of the columns.']],
  noLines: [[uploaded('Name,Email\n'), 'file has no line below its header.']],
  openQuote: [
    [
      uploaded('Name\n"Ada\n'),
      'file has a quotation mark that is not closed, or is inside a cell and not doubled.',
    ],
  ],
  lineTooLong: [
    [
      uploaded(`Name\n"${'a'.repeat(300_000)}`),
      'file has a line of more than 131072 characters, as where a quotation mark is not closed.',
    ],
  ],
  tooManyLines: [[uploaded(`Name\n${'a\n'.repeat(100_001)}`), 'file has more than 100000 lines.']],
  tooManyColumns: [[uploaded(`${'a,'.repeat(200)}a\n`), 'file has more than 200 columns.']],
  tooManyBytes: [[uploaded(new Uint8Array(50 * 1024 * 1024 + 1)), 'file has more than 52428800 bytes.']],
  noPicture: [
    [messageOf(() => readPicture(Buffer.from('<svg/>'))), 'picture must be a picture: PNG, JPEG or WebP.'],
  ],
  pictureTooHeavy: [
    [messageOf(() => readPicture(Buffer.alloc(3_000_000))), 'picture has more than 2097152 bytes.'],
  ],
  pictureTooLarge: [
    [
      messageOf(() => readPicture(jpeg(9_000, 1))),
      'picture has more than 8000 pixels a side, or 40000000 in all.',
    ],
  ],
  noPdf: [[tell('file', makeFault('noPdf')), 'file must be a PDF.']],
  cutPdf: [[tell('file', makeFault('cutPdf')), 'file is a PDF without its end.']],
  fileTooHeavy: [
    [tell('file', makeFault('fileTooHeavy', { max: 5_242_880 })), 'file has more than 5242880 bytes.'],
  ],
  moreCells: [
    [
      tell('The line', makeFault('moreCells', { max: 2 })),
      'The line has more cells than the 2 of the header.',
    ],
  ],
  ticketLeftOut: [
    [
      tell('The line', makeFault('ticketLeftOut')),
      'The line is of a ticket that is left out, or stands in no line above.',
    ],
  ],
  soldOut: [
    [
      tell('Tickets', makeFault('soldOut', { available: 2 })),
      'Tickets asks for more tickets than the 2 that are left.',
    ],
  ],
  otherFormat: [
    [stated('%PDF-1.7\n'), 'file is PDF, and no CSV: download it from the bank as CSV.'],
    [stated('<!DOCTYPE html>\n'), 'file is HTML, and no CSV: download it from the bank as CSV.'],
  ],
  noStatement: [
    [stated('Hello,\nWorld\n'), 'file has no table with dates and amounts, such as a bank writes.'],
  ],
  otherColumns: [
    [
      tell('mapping', makeFault('otherColumns', { values: ['Betrag'] })),
      'mapping has no column Betrag: say again which column is what.',
    ],
  ],
  amountText: [
    [
      tell('amount', makeFault('amountText', { example: '1.234,56' })),
      'amount must be an amount such as 1.234,56.',
    ],
  ],
  ambiguous: [
    [
      tell('date', makeFault('ambiguous', { values: ['2026-02-01', '2026-01-02'] })),
      'date may be 2026-02-01 or 2026-01-02: say how the file writes it.',
    ],
  ],
  wholeNumber: [
    [value(wholeNumber(1, 9), '1.5'), 'It must be a whole number from 1 to 9.'],
    [value(wholeNumber(1, 9), '10'), 'It must be a whole number from 1 to 9.'],
  ],
  atLeast: [[setting({ accessLogDays: '0' }), '--access-log-days must be at least 1.']],
  atMost: [[setting({ port: '65536' }), '--port must be at most 65535.']],
  port: [
    [setting({ port: 'http' }), '--port must be a port number, or 0 for a free one.'],
    [setting({ metricsPort: '-1' }), '--metrics-port must be a port number, or 0 for a free one.'],
  ],
  days: [[setting({ accessLogDays: 'all' }), '--access-log-days must be a number of days.']],
  mails: [[setting({ mailRate: 'all' }), '--mail-rate must be a number of mails a minute.']],
  gibibytes: [[setting({ filesLimit: '1.5' }), '--files-limit must be a number of GiB.']],
  orders: [[setting({ orderRate: 'all' }), '--order-rate must be a number of orders a minute.']],
  address: [[setting({ smtpUrl: '' }), '--smtp-url must not be empty.']],
  backups: [[setting({ backupKeep: 'all' }), '--backup-keep must be a number of backups.']],
  cronLine: [
    [setting({ backupEvery: '*'.repeat(201) }), '--backup-every must be a cron line such as "0 3 * * *".'],
  ],
  cronTime: [
    [
      setting({ backupEvery: 'nightly' }),
      '--backup-every must be a cron line such as "0 3 * * *", which is every night at three.',
    ],
  ],
  baseUrl: [
    [
      setting({ baseUrl: 'ftp://example.org/v1' }),
      '--base-url must be an http or https address such as https://tickets.example.org, without a password.',
    ],
  ],
  addressRanges: [
    [
      setting({ trustProxy: ['10.0.0.0/8', 'proxy'] }),
      '--trust-proxy must be addresses or ranges such as 10.0.0.0/8.',
    ],
  ],
  file: [[setting({ tlsCert: '' }), '--tls-cert must name a file.']],
  folder: [
    [setting({ data: '' }), '--data must name a folder.'],
    [setting({ backupDir: '' }), '--backup-dir must name a folder.'],
    [commanded('account', 'list', '--data', ''), 'error: --data must name a folder.\n'],
  ],
  host: [
    [setting({ host: '' }), '--host must name an address.'],
    [setting({ metricsHost: '' }), '--metrics-host must name an address.'],
  ],
}

test('each fault is told in its sentence, wherever it is met', async () => {
  for (const [key, cases] of Object.entries(met)) {
    assert.ok(cases.length > 0, key)
    for (const [sentence, expected] of cases) assert.equal(await sentence, expected)
  }
})
