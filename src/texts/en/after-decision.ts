import { count } from './page.ts'

/** What comes after the decision about an abstract, for its authors and for chairs. */
export const afterDecision = {
  acceptedAs: (kind: string) => `It is accepted as: ${kind}.`,
  comments: 'What reviewers wrote to you',
  comment: (n: number) => `Comment ${n}`,
  confirmTitle: 'Will you come?',
  confirmAbout: 'Please confirm that the abstract will be presented.',
  confirmUntil: (at: string) => `Please confirm by ${at} that the abstract will be presented.`,
  confirmLate: (at: string) =>
    `You were asked to confirm until ${at}. You still can, as long as the organizer has not given the place away.`,
  confirm: 'Confirm: it will be presented',
  confirmed: (at: string) => `You confirmed on ${at} that it will be presented. Thank you.`,
  cannot: 'If you cannot come, choose another presenter below, or withdraw the abstract.',
  cannotAlone: 'If you cannot come, withdraw the abstract.',
  code: 'Your code to register',
  codeAbout: 'Whoever presents the abstract registers with this code, once.',
  codeUsed: 'Somebody has registered with this code.',
  register: 'Register',
  presenter: 'Who presents it',
  presentedBy: (name: string) => `${name} presents it.`,
  changePresenter: 'Another presenter…',
  presenterTitle: (title: string) => `Who presents “${title}”?`,
  presenterAbout:
    'The organizer is told, and the new presenter, if an e-mail stands with the name. The link to this abstract stays with you.',
  presenterSubmit: 'Save the presenter',
  presenterNow: 'presents it now',
  days: 'Days on which nobody can present it',
  daysAbout: 'Tick the days on which you cannot come. The organizer tries to plan around them.',
  daysSubmit: 'Save the days',
  daysSaved: 'The days are saved.',
  presenterSaved: 'The presenter is saved, and the organizer is told.',

  title: 'After the decision',
  confirmedOn: (at: string) => `Confirmed on ${at}`,
  notConfirmed: 'Not confirmed',
  askedUntil: (at: string) => `Its authors are asked to confirm until ${at}.`,
  notAsked: 'Its authors are not asked to confirm until some day, but can.',
  confirmFor: 'Confirm for the authors',
  unconfirm: 'Take back the confirmation',
  codeGiven: 'Code to register with',
  codeIsUsed: (code: string) => `${code} (used)`,
  notOn: 'Cannot be presented on',
  commentsTold: (n: number) =>
    count(n, {
      one: 'Its authors can read # comment of a reviewer.',
      other: 'Its authors can read # comments of reviewers.',
    }),
  tab: 'Not confirmed',
  remind: 'Remind those who have not confirmed',
  remindAbout: 'Each gets one mail with the link to the abstract, and nobody two within a day.',

  /** The lines of a mail to those who organize the event. */
  news: {
    withdrawn: (code: string, title: string) => `${code} “${title}”: accepted, and withdrawn by its author`,
    disowned: (code: string, title: string) =>
      `${code} “${title}”: withdrawn, as the person with its e-mail did not submit it`,
    presenter: (code: string, title: string) => `${code} “${title}”: another author presents it`,
  },
}
