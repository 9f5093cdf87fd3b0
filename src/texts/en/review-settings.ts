import { count } from './page.ts'

/** The review of abstracts, for those who organize it. */
export const reviewSettings = {
  title: 'Review',
  titleAbout: 'Who reviews the abstracts, what they see, and until when.',
  none: 'Nobody reviews yet',
  noneAbout:
    'Invite people to review by e-mail: they need no account. Each abstract goes to some of them, and nobody gets their own or those of their colleagues.',
  setUp: 'Set up the review',
  settings: 'How abstracts are reviewed',
  change: 'Change the review',
  phases: { open: 'Open', over: 'Closed', gone: 'Closed' },
  until: (at: string) => `Reviews are taken until ${at}.`,
  wasUntil: (at: string) => `Reviews were taken until ${at}.`,
  closes: 'Deadline',
  closesHelp: 'This minute still counts. You can put it off later.',
  blind: 'Reviewers do not see who has written an abstract',
  blindHelp:
    'They see title, text, keywords, topic and kind, and no files. Names that stand in a text itself are not found.',
  wanted: 'Reviews an abstract',
  wantedHelp: (most: number) => `From 1 to ${most}.`,
  criteria: 'What is scored from 1 to 5',
  criteriaHelp:
    'One a line, at most five. A number after a comma weighs it, from 1 to 9: “Originality, 2”. Scores stay with a line that you rename in its place.',
  wrongCriteria: (most: number) => `Write one a line: one to ${most}, and each once.`,
  wrongWeight: (name: string, most: number) => `${name.trim()}: enter a weight from 1 to ${most}.`,
  overall: 'Overall',
  about: 'What reviewers are asked to look at',
  aboutHelp: 'It stands above their list. Markdown: **bold**, lists, links.',

  figures: (done: string, assigned: string) => `Done: ${done} of ${assigned} reviews.`,
  invite: 'Invite reviewers',
  assign: 'Assign abstracts',
  remind: 'Remind those who are not done',
  caption: 'Reviewers, the first invited first',
  name: 'Name',
  email: 'E-mail',
  affiliation: 'Affiliation',
  doneOf: 'Done',
  of: (done: string, all: string) => `${done} of ${all}`,
  returned: 'Given back',
  left: 'Taken out',
  topics: 'Topics that they know',
  conflicts: 'Conflicts that they have named',
  language: 'Language',

  inviteTitle: 'Invite reviewers',
  inviteAbout:
    'Each gets a mail with a link of their own. They need no account, and who is invited already gets nothing.',
  people: 'People',
  peopleHelp: (most: number) =>
    `One a line, at most ${most} at once: “Grace Hopper, grace@example.org, Institute of Counting”. The affiliation may be left out.`,
  wrongPeople: (line: string) => `This line has no name and e-mail: “${line}”.`,
  noPeople: 'Write at least one person.',
  tooManyPeople: (most: number) => `Write at most ${most} at once.`,
  inviteSubmit: 'Invite them',
  inviteLanguage: 'Language of the mail',

  assignTitle: 'Assign abstracts',
  assignAbout:
    'Whoever knows the topic comes first, and of those whoever has the fewest. Nobody gets an abstract that they have a conflict with, or have given back. What is assigned already stays.',
  most: 'Most abstracts for one reviewer',
  show: 'Show what that gives',
  plan: (n: number) =>
    count(n, { one: '# review would be assigned.', other: '# reviews would be assigned.' }),
  planNone:
    'There is nothing to assign: each abstract has as many reviewers as you want, or nobody can take more.',
  planGaps: (n: number) =>
    count(n, {
      one: '# abstract would still have fewer reviewers than you want. Raise the number above, or invite more people.',
      other:
        '# abstracts would still have fewer reviewers than you want. Raise the number above, or invite more people.',
    }),
  planLoads: 'How many each would have',
  now: 'Now',
  after: 'Then',
  assignTold: 'Each is told by one mail, in some minutes.',
  assignSubmit: (n: number) => count(n, { one: 'Assign # review', other: 'Assign # reviews' }),

  reviewerNone: 'Nothing is assigned to this reviewer.',
  assigned: 'Assigned',
  states: {
    open: 'Not done',
    done: 'Done',
    conflict: 'Given back: conflict',
    field: 'Given back: not their field',
  },
  renew: 'Send a new link',
  renewTitle: (name: string) => `Send ${name} a new link?`,
  renewWill: ['The link that was mailed before leads nowhere from then on.', 'A mail brings the new one.'],
  renewSubmit: 'Send it',
  remove: 'Take out…',
  removeTitle: (name: string) => `Take ${name} out of the review?`,
  removeWill: [
    'Their link leads nowhere from then on.',
    'What they have done stays. The rest can be assigned to others.',
  ],
  removeSubmit: 'Take out',

  reviews: 'Reviews',
  noReviews: 'No reviewer has this abstract yet.',
  mean: (mean: string) => `Mean score: ${mean} of 5.`,
  recommends: { accept: 'Accept', unsure: 'Undecided', reject: 'Reject' },
  toAuthors: 'To the authors',
  toChairs: 'To the chairs',
  give: 'Give to a reviewer',
  giveTitle: 'Give it to a reviewer',
  giveTo: 'Reviewer',
  giveNone: 'Nobody is left who can review it.',
  cannot: 'These have a conflict',
  why: {
    person: 'is one of the people behind it',
    domain: 'has an e-mail of the same domain as somebody behind it',
    affiliation: 'has the affiliation of an author',
    told: 'has named somebody behind it',
  },
  giveSubmit: 'Give it',
  take: 'Take away',
  takeFrom: (name: string) => `Take it away from ${name}`,
  own: 'You are one of the people behind this abstract. Others see its reviews, and decide it.',
  toReview: (event: string) => `Go to what you review for ${event}`,
}
