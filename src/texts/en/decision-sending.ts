import { count } from './page.ts'

/** What mails about decisions say of some abstracts alone. */
export const decisionMails = {
  kind: (name: string) => `It was accepted as: ${name}.`,
  confirm: (until: string) =>
    `Please confirm by ${until} that you come: the page of your abstract has a button for it. There you can withdraw it too, if you cannot come.`,
  registration: (code: string) =>
    `To register, enter the code ${code} on the page of the event. It is for you alone, and good for one ticket.`,
  comments: 'What reviewers wrote to you stands on the page of your abstract.',
}

/** Sending decisions that were proposed. */
export const decisionSending = {
  title: 'Send decisions',
  about:
    'What was proposed becomes the decision, and each author is told. Until then nobody but chairs knows of it.',
  none: 'No decision waits to be sent',
  noneAbout: 'Propose decisions first, in the table of abstracts.',
  toTable: 'Go to the table',
  settings: 'What authors are told',
  confirm_by: 'Ask authors of accepted abstracts to confirm by',
  confirm_byHelp: 'They are reminded three days and one day before. Left empty, nobody is asked.',
  comments: 'Authors may read what reviewers wrote to them',
  commentsHelp: 'On the page of their abstract, without names and scores.',
  presenters: 'Tell those who present too',
  presentersHelp:
    'The contact of an abstract gets its link. Who presents it gets the same mail without the link.',
  codes: 'Registration codes',
  code: 'Give each accepted abstract a registration code',
  codeHelp: 'For one ticket. The mail says it.',
  percent: 'Percent off',
  percentHelp: 'Left empty, the code only shows hidden tickets.',
  types: 'Tickets that it is for',
  typesHelp: 'None ticked: all.',
  until: 'Good until',
  at: 'Send at',
  atHelp: 'Left empty, they are sent at once.',
  past: 'Choose an instant that is still to come.',
  early: 'Choose an instant after the mails are sent.',
  show: 'Show the mails',
  wrong: 'Correct what authors are told, then send.',
  will: {
    accepted: (n: number) => count(n, { one: '# abstract is accepted.', other: '# abstracts are accepted.' }),
    rejected: (n: number) => count(n, { one: '# abstract is rejected.', other: '# abstracts are rejected.' }),
  },
  mailed: (n: number) => count(n, { one: '# mail goes out.', other: '# mails go out.' }),
  noMail: 'No mail goes out, as this server has none set up. The pages of authors show the decision.',
  now: 'They are sent at once. What is sent cannot be taken back.',
  later: (at: string) => `They are sent on ${at}. Until then you can stop it.`,
  kept: 'What is withdrawn until then is left out.',
  submit: (n: number) => count(n, { one: 'Send # decision', other: 'Send # decisions' }),
  mails: 'The mails',
  mailsAbout: (from: string, to: string, all: string) => `${from} to ${to} of ${all}`,
  to: (email: string) => `To ${email}`,
  toPresenter: (email: string) => `To ${email}, without the link`,
  toNobody: 'No mail: the contact was erased.',
  codeHere: '(a code of its own)',
  earlier: 'Earlier mails',
  further: 'Further mails',
  underWay: 'Decisions are being sent',
  scheduled: (at: string) => `Decisions are sent on ${at}`,
  progress: (done: string, total: string) => `${done} of ${total}`,
  stop: 'Stop',
  stopAbout: 'What is not sent yet is proposed as before.',
  ended: {
    done: 'Decisions were sent',
    failed: 'Sending decisions has broken off',
    stopped: 'Sending decisions was stopped',
  },
  outcome: (accepted: string, rejected: string, mails: string) =>
    `Accepted: ${accepted}. Rejected: ${rejected}. Mails: ${mails}.`,
  failedAbout: 'What is not sent yet is proposed as before. You can send it again.',
}
