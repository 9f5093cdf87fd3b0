/** The mails about abstracts after their decision, as `mails` has those of all kinds. */
export const afterMails = {
  abstract_confirm_reminder: {
    subject: 'Please confirm: your abstract {code} for {event}',
    body: `Hello,

Your abstract {code} is accepted for {event}, and we asked you to confirm by {deadline} that it will be presented. We have not heard from you yet.

The link below leads to it, and one click there confirms it. If nobody can come, choose another presenter there, or withdraw it.

{organizer}`,
  },
  abstract_presenting: {
    subject: 'You present the abstract {code} at {event}',
    body: `Hello,

The authors of the abstract {code} have told {organizer} that you present it at {event}.

If you know nothing of this, or cannot do it, answer this mail.`,
  },
  abstract_news: {
    subject: 'News from the authors of abstracts for {event}',
    body: `Hello,

This has changed:

{changes}

The button below leads to the abstracts. This mail goes to the contact of {event}, for {organizer}.`,
  },
}
