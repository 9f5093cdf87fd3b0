import { count } from './page.ts'

export const abstracts = {
  title: 'Abstracts',
  caption: 'Abstracts, newest first',
  none: 'No abstract yet',
  noneAbout: 'What authors submit to this event is read and decided here.',
  noneFound: 'Nothing found',
  noneFoundAbout: 'No abstract here has all of these words. Try fewer of them, or another state.',
  noneHere: 'None of these has the words. Go on with older ones.',
  noneInState: 'There is none in this state.',
  search: 'Code, title, author or e-mail',
  states: 'States',
  status: { submitted: 'Submitted', in_review: 'In review', accepted: 'Accepted', rejected: 'Rejected' },
  counted: (number: string, isMore: boolean) => (isMore ? `${number}+` : number),
  name: 'Title',
  by: 'Authors',
  andOthers: (name: string, others: number) =>
    others === 0 ? name : `${name} ${count(others, { one: 'and # other', other: 'and # others' })}`,
  state: 'State',
  submitted: 'Submitted',
  select: (title: string) => `Select “${title}”`,
  withTicked: 'With those that are ticked:',
  decide: { accepted: 'Accept', rejected: 'Reject', in_review: 'Into review' },

  list: 'In this list',
  newer: 'Previous',
  older: 'Next',
  text: 'Abstract',
  about: 'About it',
  keywords: 'Keywords',
  answers: 'Answers',
  file: 'File',
  download: (size: string) => `Download the PDF (${size})`,
  authors: 'Authors',
  presents: 'presents it',
  contact: 'Contact',
  topic: 'Topic',
  kind: 'Kind',
  language: 'Language',
  submitter: 'Submitted by',
  confirmed: 'E-mail confirmed',
  unconfirmed: 'E-mail not confirmed',
  unconfirmedAbout:
    'The link that was mailed there has not been opened yet. Somebody else may have typed it.',
  withdrawn: 'Withdrawn',
  withdrawnAbout: 'Its author has withdrawn this abstract. It cannot be decided any more.',
  reopen: 'Take back the withdrawal…',
  reopenTitle: (code: string) => `Take back the withdrawal of ${code}?`,
  reopenWill: (title: string, state: string) => [
    `“${title}” stands in the list again: ${state}.`,
    'It can be decided again.',
    'Its author is told by mail, with the link to it.',
  ],
  reopenSubmit: 'Take it back',
  notWithdrawn: 'This abstract is not withdrawn.',
  wasChangedBy: 'Changed',
  edit: 'Change it…',
  editTitle: (code: string) => `Change ${code}`,
  editAbout: 'Its author is told by mail. What it said before stays among its versions.',
  editDrafted:
    'Its author has typed changes that are not sent. They do not stand here, and would replace yours once they are sent.',
  /** In place of what the form says to authors. */
  editForm: {
    you: 'Contact',
    yourName: 'Name',
    yourPhone: 'Telephone',
    me: 'Is the contact',
    save: 'Save the change',
  },
  wasReopened: 'Withdrawal taken back',
  wasChanged: 'Changed by its author',
  wasWithdrawn: 'Withdrawn by its author',
  history: 'What happened',
  wasSubmitted: 'Submitted',
  version: (n: number) => `Version ${n}`,
  versions: 'Versions',
  versionOf: (n: number, all: number) => `Version ${n} of ${all}`,
  versionFirst: 'This is how it was submitted.',
  versionDiffers: (before: number, parts: string) => `It differs from version ${before} in: ${parts}.`,
  wasDecided: {
    accepted: 'Accepted',
    rejected: 'Rejected',
    in_review: 'Taken into review',
  },
  doneBy: (name: string) => `by ${name}`,
  decision: 'Decision',
  note: 'Note',
  noteHelp: 'For the authors. It goes with the decision, in place of the note before.',
  tell: 'Tell the authors by mail',
  tellHelp: 'It goes to the contact, with the note. Of a review nobody is told.',
  noteHere: '(your note)',
  mailIf: { accepted: 'The mail, if accepted', rejected: 'The mail, if rejected' },
  saveDecision: 'Save the decision',

  manyTitle: {
    accepted: (n: number) => count(n, { one: 'Accept # abstract?', other: 'Accept # abstracts?' }),
    rejected: (n: number) => count(n, { one: 'Reject # abstract?', other: 'Reject # abstracts?' }),
    in_review: (n: number) =>
      count(n, { one: 'Take # abstract into review?', other: 'Take # abstracts into review?' }),
  },
  manySubmit: {
    accepted: (n: number) => count(n, { one: 'Accept # abstract', other: 'Accept # abstracts' }),
    rejected: (n: number) => count(n, { one: 'Reject # abstract', other: 'Reject # abstracts' }),
    in_review: (n: number) =>
      count(n, { one: 'Take # abstract into review', other: 'Take # abstracts into review' }),
  },
  manyFrom: {
    submitted: (n: number) =>
      count(n, { one: '# is only submitted so far.', other: '# are only submitted so far.' }),
    in_review: (n: number) => count(n, { one: '# is in review.', other: '# are in review.' }),
    accepted: (n: number) =>
      count(n, {
        one: '# is accepted, and will not be any more.',
        other: '# are accepted, and will not be any more.',
      }),
    rejected: (n: number) =>
      count(n, {
        one: '# is rejected, and will not be any more.',
        other: '# are rejected, and will not be any more.',
      }),
  },
  manyStay: (n: number) =>
    count(n, {
      one: '# is that already, and stays as it is.',
      other: '# are that already, and stay as they are.',
    }),
  manyNotified: 'Webhooks tell of each of them.',
  manyMailed: (n: number) =>
    count(n, {
      one: 'With the tick, # mail goes to the contact of the abstract.',
      other: 'With the tick, # mails go to the contacts of the abstracts.',
    }),
  manyMail: 'What the first of them says',
  manyWhich: 'Which',
  manyNote: 'Note to all of them',
  manyNothing: 'There is nothing to decide',
  manyNothingAbout: 'All of them are in this state already.',
  manyNoneTicked: 'Nothing is ticked',
  manyNoneTickedAbout: 'Tick abstracts in the list first.',
  toList: 'To the abstracts',

  noneToReview: 'Abstracts for you to review will be shown here once a chair has assigned some.',
}
