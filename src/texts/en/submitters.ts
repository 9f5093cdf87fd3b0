/** What chairs read of the people who submit, and do for them. */
export const submitters = {
  begun: 'Begun, not sent',
  begunAbout: 'What they have typed is not shown here: they have not sent it.',
  begunCaption: 'Begun and not sent, newest first',
  begunNone: 'Nothing here',
  begunNoneAbout: 'Whatever was begun is sent, or nothing was begun yet.',
  person: 'Person',
  saved: 'Last saved',
  email: 'E-mail',
  all: 'Begun and sent',
  none: 'This person has nothing here any more.',
  draft: (saved: string) => `Not sent, last saved ${saved}`,
  moreUntil: (until: string) => `More time, until ${until}`,

  time: 'More time…',
  timeTitle: (name: string) => `More time for ${name}`,
  timeAbout:
    'For everything that this person has begun or sent, and for nobody else. What is decided or withdrawn stays closed.',
  until: 'Until',
  untilHelp: (deadline: string) =>
    `By the clocks of the deadline, which is ${deadline}. Leave it empty to take back more time: nobody is told of that.`,
  timeSubmit: 'Save',

  renew: 'Renew the link…',
  renewTitle: (name: string) => `Renew the link of ${name}?`,
  renewWill: (email: string) => [
    'The links in all mails before lead nowhere any more.',
    'Pages that are open under them can no longer be saved.',
    `A new link is mailed to ${email}.`,
  ],
  renewSubmit: 'Renew the link',

  correct: 'Correct the e-mail…',
  correctTitle: (name: string) => `Correct the e-mail of ${name}`,
  correctAbout:
    'The new e-mail is told with a new link, and the one before without any. Old links lead nowhere any more. The contact of this person’s abstracts changes too; authors stay as they are.',
  correctSubmit: 'Correct the e-mail',
}
