import { afterMails } from './after-mails.ts'

/** The mails that tell people who submit what chairs have done for them, as `mails` has those of all kinds. */
export const abstractMails = {
  ...afterMails,
  abstract_late: {
    subject: 'More time for your abstracts: {event}',
    body: `Hello,

{organizer} takes your abstracts for {event} until {deadline}. You have more time than others: this link is for you alone.

The link below leads to all that you have begun and sent. If it was not you, do nothing.`,
  },
  abstract_changed: {
    subject: 'Your abstract {code} was changed',
    body: `Hello,

{organizer} has changed your abstract {code} for {event}. The link below leads to it as it stands now.

If something is wrong with it, answer this mail.`,
  },
  abstract_new_link: {
    subject: 'Your new link to your abstracts: {event}',
    body: `Hello,

The link below is new, and leads to all abstracts that you have begun and sent for {event}. Links in mails before this one lead nowhere any more.

If you know nothing of this, say so on that page, or do nothing. {organizer} reads answers to this mail.`,
  },
  abstract_old_email: {
    subject: 'Abstracts for {event}: another e-mail',
    body: `Hello,

{organizer} has put another e-mail in place of this one for abstracts that were begun here for {event}. Mails about them go there from now on, and links that came to this address lead nowhere any more.

If you did not ask for that, answer this mail.`,
  },
  abstract_reopened: {
    subject: 'Abstract {code} stands again',
    body: `Hello,

The abstract {code} for {event} was withdrawn, and {organizer} has taken that back: it stands again as it was. The link below leads to it.

If that is a mistake, withdraw it there, or answer this mail.`,
  },
  abstract_accepted: {
    subject: 'Your abstract “{title}” was accepted',
    body: `Hello {name},

We are glad to tell you that your abstract “{title}” ({code}) was accepted for {event}.

{note}

{kind}

{confirm}

{registration} {event_link}

{comments}`,
  },
  abstract_rejected: {
    subject: 'Your abstract “{title}”',
    body: `Hello {name},

Thank you for your abstract “{title}” ({code}). We are sorry that we could not accept it for {event}.

{note}

{comments}`,
  },
}
