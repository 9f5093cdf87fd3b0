import { count } from './page.ts'

/** Chairs add abstracts by a table. */
export const abstractImports = {
  title: 'Add abstracts from a file',
  about:
    'A spreadsheet (.xlsx) or a CSV file with one abstract a line. Nothing is added before you have seen what would be.',
  file: 'File',
  fileHelp: 'At most 5,000 lines. The first line names the columns.',
  read: 'Read the file',
  columns: 'The columns',
  columnsAbout:
    'The template has them all. A file that another system has exported works too, if its columns are named like these.',
  template: 'Download the template',
  columnHelp: {
    reference: 'Optional: by it a line is known again. Without it, that is by its title and first author.',
    title: 'The title.',
    text: 'The text.',
    section: (heading: string) => `The part of the text with this heading: ${heading}`,
    question:
      'The answer to this question, or nothing. Yes and no are yes and no; a country is its code, such as ES.',
    keywords: 'With commas between them.',
    topic: 'One of the topics of the call, as it is written there.',
    kind: 'One of the kinds of the call, as it is written there.',
    language: 'Of the text, by its code, such as en or es. Empty, it is that of this page.',
    authors:
      'One after a semicolon: Ada Lovelace <0000-0002-1825-0097> [1, 2]. The angle brackets have an ORCID iD or an e-mail, the square ones the numbers of affiliations.',
    affiliations: 'One after a semicolon: 1 Institute of Rooms, Madrid; 2 Academy, Lima.',
    presenter:
      'The number or the name of the author who presents. Empty, it is who has a star behind the name, or else the first.',
    name: 'Who submits it. Empty, it is the first author.',
    email: 'The e-mail of who submits it. Empty, it is that of the first author.',
    phone: 'Optional.',
  },
  unnamed: 'A file',
  found: (n: number) => count(n, { one: '# abstract would be added.', other: '# abstracts would be added.' }),
  nothing: 'Nothing of this file would be added.',
  added: (n: number) => count(n, { one: '# abstract was added.', other: '# abstracts were added.' }),
  adding: 'The abstracts are being added',
  progress: (done: string, total: string) => `${done} of ${total}`,
  live: 'This page shows how far it is.',
  stop: 'Stop',
  stopped: 'It was stopped. What was added stays.',
  failed: 'It broke off. What was added stays, and you can go on.',
  addN: (n: number) => count(n, { one: 'Add # abstract', other: 'Add # abstracts' }),
  addTitle: (n: number) => count(n, { one: 'Add # abstract?', other: 'Add # abstracts?' }),
  will: (n: number) =>
    count(n, {
      one: '# abstract is added as submitted, whatever the dates of the call are.',
      other: '# abstracts are added as submitted, whatever the dates of the call are.',
    }),
  willLeave: (n: number) => count(n, { one: '# line is left out.', other: '# lines are left out.' }),
  willNotDouble: 'What is there already is not added once more, also if the file comes again.',
  tell: 'Tell the people by mail',
  tellHelp: 'Each gets a mail for each abstract, with the link by which it is read, changed and withdrawn.',
  tabsLabel: 'What becomes of the lines',
  tabs: { new: 'To add', known: 'There already', wrong: 'Wrong', added: 'Added' },
  none: 'There is no such line.',
  line: 'Line',
  lineAt: (line: string) => `Line ${line}`,
  name: 'Title',
  note: 'Note',
  open: 'Open the abstract',
  sameAs: (line: number) => `It says the same as line ${line}.`,
  notOffered: (value: string) => `“${value}” is none of those to choose from.`,
  faultOf: (name: string, sentence: string) => `${name}: ${sentence}`,
  another: 'Another file',
}
