import { count } from './page.ts'

/** The table of the chairs, and what they propose. */
export const proposals = {
  title: 'Decisions',
  about:
    'Where each abstract stands. What you propose here nobody outside the chairs sees, until decisions are sent.',
  caption: 'Abstracts, with what their reviews say and what is proposed',
  noneYet: 'No abstract yet',
  noneYetAbout: 'Once abstracts have come in and were reviewed, they are compared and decided here.',
  notReviewed:
    'Nobody reviews these abstracts yet, so there are no scores to compare. You can propose decisions all the same.',
  setUpReview: 'Set up the review',
  noReviewDone: 'No review is done yet. Scores come here as soon as the first is.',
  noneFound: 'Nothing found',
  noneFoundAbout: 'No abstract is as the search and the filters want it. Take some of them away.',
  search: 'Code, title, author or e-mail',
  figures: (found: string, all: string) => `${found} of ${all} abstracts`,
  proposed: (accepted: string, rejected: string) =>
    `Proposed: accept ${accepted}, reject ${rejected}. Nobody is told of these yet.`,
  beingSent: (n: string) => `Being sent: ${n}.`,
  noneProposed: 'Nothing is proposed yet.',
  send: 'Send decisions…',
  csv: 'Download as CSV',

  abstract: 'Abstract',
  code: 'Code',
  name: 'Title',
  topic: 'Topic',
  kind: 'Kind',
  language: 'Language',
  reviews: 'Reviews',
  of: (done: string, wanted: string) => `${done} of ${wanted}`,
  reviewsOf: (done: string, wanted: string) => `Reviews: ${done} of ${wanted}`,
  mean: 'Mean',
  spread: 'Spread',
  adjusted: 'Adjusted',
  recommended: 'Recommended',
  recommends: { accept: 'accept', unsure: 'undecided', reject: 'reject' },
  state: 'State',
  proposal: 'Proposal',
  proposals: { accepted: 'Accept', rejected: 'Reject', none: 'None' },
  as: (kind: string) => `as ${kind}`,
  by: (name: string) => `by ${name}`,
  sending: 'Being sent',
  own: 'Your own: others see its reviews and decide it.',
  sort: 'Sorted by',
  reversed: (sort: string) => `${sort}, the other way around`,
  least: 'Mean at least',
  most: 'Mean at most',
  text: 'Text',
  named: 'May tell who wrote it',
  few: 'Reviews',
  fewer: 'Fewer than wanted',

  withTicked: 'Propose for those that are ticked:',
  choices: { accepted: 'Accept', rejected: 'Reject', none: 'Take back' },
  toFirst: 'Propose for many at once…',
  first: 'Propose for the first of this list, as it is sorted',
  firstAbout: 'Also those on the next pages. You see which before anything is kept.',

  manyTitle: {
    accepted: (n: number) =>
      count(n, { one: 'Propose to accept # abstract?', other: 'Propose to accept # abstracts?' }),
    rejected: (n: number) =>
      count(n, { one: 'Propose to reject # abstract?', other: 'Propose to reject # abstracts?' }),
    none: (n: number) => count(n, { one: 'Take # proposal back?', other: 'Take # proposals back?' }),
  },
  manySubmit: {
    accepted: (n: number) =>
      count(n, { one: 'Propose to accept # abstract', other: 'Propose to accept # abstracts' }),
    rejected: (n: number) =>
      count(n, { one: 'Propose to reject # abstract', other: 'Propose to reject # abstracts' }),
    none: (n: number) => count(n, { one: 'Take # proposal back', other: 'Take # proposals back' }),
  },
  will: 'Nobody outside the chairs sees this. Nothing is mailed until you send decisions.',
  willReplace: (n: number) =>
    count(n, {
      one: '# has a proposal already, which this replaces.',
      other: '# have a proposal already, which this replaces.',
    }),
  willDiffer: (n: number) =>
    count(n, {
      one: '# is decided already. That stands until you send what you propose now.',
      other: '# are decided already. That stands until you send what you propose now.',
    }),
  leftOwn: (n: number) =>
    count(n, {
      one: '# is left out: you are one of the people behind it, so others decide it.',
      other: '# are left out: you are one of the people behind them, so others decide them.',
    }),
  leftSending: (n: number) =>
    count(n, {
      one: '# is left out: its decision is about to be sent as it was shown.',
      other: '# are left out: their decisions are about to be sent as they were shown.',
    }),
  leftWithout: (n: number) =>
    count(n, {
      one: '# is left out: nothing is proposed for it.',
      other: '# are left out: nothing is proposed for them.',
    }),
  which: 'Which',
  manyNote: 'Note to the authors of all of them',
  note: 'Note to the authors',
  noteHelp: 'It is kept with the proposal, and goes with the decision once you send it.',
  acceptAs: 'As which kind',
  asAsked: 'The kind that its authors asked for',
  nothing: 'There is nothing to propose',
  nothingAbout:
    'Tick abstracts in the table first. Your own, and what is about to be sent, cannot be ticked.',
  toTable: 'To the table',
  tooMany: (most: string) => `Choose at most ${most} at once.`,

  card: 'Proposal',
  cardNone: 'Nothing is proposed. A proposal waits, unlike a decision, until you send decisions.',
  cardAbout: 'Nobody outside the chairs sees this, and nobody is told until you send decisions.',
  propose: 'Propose…',
  change: 'Change the proposal…',
  takeBack: 'Take it back',
  formTitle: (title: string) => `Propose a decision about “${title}”`,
  decision: 'Proposal',
  submit: 'Keep the proposal',
}
