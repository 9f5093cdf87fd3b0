import { english, type Sentences } from '#base/faults.ts'
import { count } from './page.ts'

const lines = (n: number) => count(n, { one: '# line', other: '# lines' })
const guests = (n: number) => count(n, { one: '# guest', other: '# guests' })

/** These tell what is wrong with a cell of a line. They follow the name of its column. */
const ofLines: Sentences = {
  ...english,
  required: () => 'missing',
  unchosen: () => 'missing',
  blank: () => 'missing',
  unknown: () => 'refused',
  email: () => 'not an e-mail address',
  integer: ({ min, max }) => `not a whole number from ${min} to ${max}`,
  oneOf: ({ values }) => (values.length === 0 ? 'there is none yet' : `none of ${values.join(', ')}`),
  either: ({ values }) => `not ${values.join(' or ')}`,
  length: ({ max }) => `longer than ${count(max, { one: '# character', other: '# characters' })}`,
  maxLength: ({ max }) => `longer than ${count(max, { one: '# character', other: '# characters' })}`,
  visible: () => 'nothing in it can be seen',
  wellFormed: () => 'has characters that cannot be kept',
  controlCharacters: () => 'has characters that cannot be shown',
  combiningMarks: () => 'too many marks on one letter',
  answerCount: ({ max }) => `more than ${max} answers`,
  answerText: ({ max }) => `longer than ${count(max, { one: '# character', other: '# characters' })}`,
  asManyAs: () => 'one seat cannot be for several tickets',
  twice: () => 'another line has the same',
  ticketLeftOut: () => 'its ticket is left out, or stands in no line above',
  moreCells: ({ max }) => `more cells than the ${max} columns`,
  soldOut: ({ available }) =>
    available === 0
      ? 'sold out'
      : `only ${count(available, { one: '# ticket is', other: '# tickets are' })} left`,
}

/** These texts are for the import of guests from a table. */
export const imports = {
  title: 'Import guests',
  about:
    'From a table: an Excel workbook (.xlsx) or CSV. Each line needs a name and an e-mail: of whoever has none, write one where the ticket may go. Nothing is added before you have seen what would be.',
  file: 'File',
  fileHelp:
    'Excel (.xlsx) up to 20 MB, or CSV up to 50 MB: at most 100,000 lines and 200 columns, of which one line names the columns. Of a workbook, the first sheet with something in it is read.',
  moving:
    'Exports of pretix (order positions, or all as JSON), Eventbrite (attendees) and Hi.Events (attendees) are recognised as they are.',
  upload: 'Upload',
  pasteInstead: 'Paste lines instead',
  pasteTitle: 'Paste guests',
  pasted: 'Pasted lines',
  linesLabel: 'Lines',
  linesHelp: 'Copied from a spreadsheet, with the line that names the columns.',
  readLines: 'Read them',
  uploadInstead: 'Upload a file instead',
  lineAt: (line: string) => `Line ${line}`,
  atLineAlone: (line: number) => `line ${line}`,
  atLine: (line: number, sentence: string) => `Line ${line}: ${sentence}`,
  ofFile: (name: string, sentence: string) => `${name}: ${sentence}`,
  noTypes: 'There is no ticket type yet',
  toTypes: 'To the tickets',
  latest: 'Earlier uploads',
  when: 'When',
  noTypesAbout:
    'Every guest gets a ticket of some type. Make one first, or upload an export of pretix, Eventbrite or Hi.Events: its types can be made from it.',
  columnsTitle: 'Which column is what?',
  recognized: (shop: string) =>
    `This is an export of ${shop}. Each column is chosen for you; look whether that is right.`,
  columnsAbout: (n: number) => `${lines(n)} below the header.`,
  headerLine: 'Line with the names of the columns',
  headerHelp: 'Lines above it are left out.',
  headerChoice: (line: number, cells: string) => `Line ${line}: ${cells}`,
  useHeader: 'Use this line',
  guessedEncoding:
    'The file does not say how its letters are written. Look whether names such as José are right below; if not, save it as “CSV UTF-8”.',
  columnAt: (n: number) => `Column ${n}`,
  firstValues: (column: string) => `First values of ${column}`,
  empty: 'empty',
  type: 'Ticket type',
  typeHelp: 'For lines that name none.',
  typeOfColumn: 'As the column of each line says',
  leftOut: 'Skip',
  skippedColumns: (n: number) => count(n, { one: '# column is skipped', other: '# columns are skipped' }),
  answer: (key: string) => `Answer to “${key}”`,
  check: 'Check the lines',
  fields: {
    name: 'Name',
    first_name: 'First name',
    last_name: 'Last name',
    email: 'E-mail',
    type: 'Ticket type',
    quantity: 'Number of tickets',
    reference: 'Reference of your own',
    attendee_name: 'Name on the ticket',
    attendee_first_name: 'First name on the ticket',
    attendee_last_name: 'Last name on the ticket',
    attendee_email: 'E-mail on the ticket',
    seat: 'Seat',
    language: 'Language',
    type_variant: 'Variant of the ticket type',
    order: 'Order code',
    order_line: 'Number of the ticket',
    addon_to: 'Extra beside the ticket of this number',
    status: 'State: who cancelled is left out',
    checked_in: 'Checked in',
    note: 'Note for the organizer',
  },
  line: 'Line',
  note: 'Note',
  checking: 'Checking the lines',
  importing: 'Importing guests',
  progress: (done: string, total: string) => `${done} of ${total}`,
  live: 'You may close this page: it goes on.',
  stop: 'Stop',
  notChecked: 'The lines are not checked yet.',
  failed: 'That broke off on our side, and is in the log. What was added stays; you can go on.',
  gone: 'The event has changed so that this cannot go on. Check the lines again.',
  found: (n: number) => (n === 0 ? 'There is no new guest in it.' : `${guests(n)} can be imported.`),
  foundExtras: (n: number) =>
    count(n, { one: '# extra comes with them.', other: '# extras come with them.' }),
  foundExtrasAlone: (n: number) =>
    count(n, { one: '# extra of theirs can be imported.', other: '# extras of theirs can be imported.' }),
  twice: (n: number) =>
    count(n, {
      one: '# line looks like one before it: the same name and e-mail. Each line becomes a guest of its own.',
      other:
        '# lines look like one before them: the same name and e-mail. Each line becomes a guest of its own.',
    }),
  added: (n: number) => count(n, { one: '# guest was added.', other: '# guests were added.' }),
  voided: (n: number) =>
    count(n, {
      one: '# line is left out: it is cancelled, refunded or not paid.',
      other: '# lines are left out: they are cancelled, refunded or not paid.',
    }),
  typesMissing: (n: number) =>
    count(n, {
      one: 'The event lacks # ticket type that lines name.',
      other: 'The event lacks # ticket types that lines name.',
    }),
  makeTypes: 'Make the ticket types',
  typesMore: 'There are more. Make these first, and the next are shown once the lines are checked again.',
  typesOffSale: 'To sell more tickets here, set the prices of the types and put them on sale.',
  typesTitle: 'Make the ticket types of the file',
  typesAbout:
    'They are free and off sale, so nobody can order them before you have set a price under Tickets. The lines are checked again afterwards.',
  extraHelp: (n: number) =>
    `An extra, sold only beside a ticket. How many there can be. ${count(n, { one: '# is', other: '# are' })} in the file.`,
  capacityHelp: (n: number) =>
    `How many there can be. ${count(n, { one: '# ticket of it is', other: '# tickets of it are' })} in the file.`,
  codesElsewhere: (shop: string) =>
    `The codes of ${shop} let nobody in here. Send these guests their new tickets.`,
  stopped: (n: number) => `It was stopped: ${count(n, { one: '# is', other: '# are' })} left.`,
  notAdded: (n: number) => `${lines(n)} could not be added: the event had changed since the check.`,
  leftWrong: (n: number, named: string) =>
    n === 1
      ? `Line ${named} was left out: something in it is wrong.`
      : `Lines ${named} were left out: something in them is wrong.`,
  more: (n: string) => `${n} more`,
  seeWrong: 'See what is wrong',
  willAddExtras: (n: number) =>
    `${count(n, { one: '# extra is', other: '# extras are' })} added beside their tickets, and no guest.`,
  importLines: (n: number) => `Import ${lines(n)}`,
  importLinesTitle: (n: number) => `Import ${lines(n)}?`,
  addedLines: (n: number) => count(n, { one: '# line was added.', other: '# lines were added.' }),
  importN: (n: number) => `Import ${guests(n)}`,
  importTitle: (n: number) => `Import ${guests(n)}?`,
  willAdd: (n: number) =>
    `Each gets a confirmed registration, and takes places: ${count(n, { one: '# ticket', other: '# tickets' })} in all.`,
  willAddLines: 'Each gets a confirmed registration, and takes places.',
  willLeave: (n: number) =>
    `${count(n, { one: '# line is', other: '# lines are' })} left out: already there, sold out, or wrong.`,
  willNotMail: 'No mail is sent.',
  willCheckIn: 'Who was checked in there is checked in here.',
  willAsk: 'What they were asked becomes questions, retired: nobody is asked again before you want it.',
  willNotDouble: 'A line that was imported before is not added again.',
  changeColumns: 'Change the columns',
  another: 'Another file',
  toGuests: 'To the guests',
  download: 'Download the lines left out',
  tabs: {
    new: 'New',
    known: 'Already there',
    sold_out: 'Sold out',
    wrong: 'Wrong',
    left_out: 'Cancelled',
    added: 'Imported',
    read: 'Not checked',
  },
  tabsLabel: 'Lines by what becomes of them',
  none: {
    new: 'No line brings a new guest',
    known: 'No line is there already',
    sold_out: 'There are places for all',
    wrong: 'No line is wrong',
    left_out: 'No line is cancelled, refunded or unpaid',
    added: 'Nothing was imported yet',
    read: 'Every line is checked',
  },
  knownByReference: 'a guest has its reference',
  knownByLine: 'this line was imported before',
  sameAs: (line: number) => `as line ${line}`,
  tickets: (n: number) => count(n, { one: '# ticket', other: '# tickets' }),
  faultOf: (column: string, sentence: string) => `${column}: ${sentence}`,
  lines,
  ofLines,
}
