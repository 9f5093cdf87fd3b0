import { count } from './page.ts'

/** Publishing the programme of an event. */
export const publishing = {
  title: 'Publish the programme',
  open: 'Publish…',
  about: 'Visitors see the version that was published last, however much is changed here meanwhile.',
  none: 'There is nothing to publish yet',
  noneAbout: 'Add a session to the programme first.',
  isPublic: (number: number, at: string) => `Version ${number} is public since ${at}.`,
  isNotPublic: 'No version is public.',
  see: 'See it as visitors do',
  submit: 'Publish',
  upToDate: 'Everything is published as it stands here.',
  will: {
    added: (n: number) =>
      count(n, {
        one: '# contribution is new in the programme.',
        other: '# contributions are new in the programme.',
      }),
    moved: (n: number) => count(n, { one: '# contribution moves.', other: '# contributions move.' }),
    removed: (n: number) =>
      count(n, {
        one: '# contribution leaves the programme.',
        other: '# contributions leave the programme.',
      }),
    others: 'Sessions, breaks or other texts change.',
    mailed: (n: number) =>
      count(n, {
        one: 'The authors of # contribution are mailed its time and place.',
        other: 'The authors of # contributions are mailed their times and places.',
      }),
    mailedGone: (n: number) =>
      count(n, {
        one: 'The authors of # contribution are mailed that it has no place any more.',
        other: 'The authors of # contributions are mailed that these have no place any more.',
      }),
    mailedAgain: 'Whoever had not been mailed yet when the programme was taken back is mailed now.',
    mailedNobody: 'Nobody is mailed.',
    noMail: 'This server sends no mails yet: they wait until it does.',
    draft: 'The event is a draft. Nobody but members sees the programme until the event is published.',
  },
  warnings: 'Look at the warnings',
  changes: 'What changes',
  groups: { added: 'New', moved: 'Moved', removed: 'Taken out' },
  more: (n: number) => count(n, { one: 'and # more', other: 'and # more' }),
  fromTo: (from: string, to: string) => `from ${from} to ${to}`,
  downloads: 'To take along',
  downloadsAbout: 'As it would be published now, with all texts.',
  book: 'Book of abstracts (HTML)',
  csv: 'Programme (CSV)',
  zip: (n: number) => count(n, { one: '# file of the authors (ZIP)', other: '# files of the authors (ZIP)' }),
  texts: 'Texts of abstracts',
  textsChange: 'Change it…',
  textsNow: 'They are public with the programme.',
  textsAt: (at: string) => `They are public from ${at} on. Titles and authors are public before.`,
  textsTitle: 'When the texts of abstracts are public',
  textsFrom: 'Public from',
  textsFromHelp: 'Left empty, texts are public with the programme. Titles and authors always are.',
  textsSave: 'Save',
  unpublish: 'Take it back…',
  unpublishTitle: 'Take the programme back?',
  unpublishWill:
    'Visitors no longer see the programme, and its address says that it is not public at the moment. Nobody is mailed.',
  unpublishSubmit: 'Take it back',
  unpublishLeave: 'Leave it public',
}
