/** The texts of the mails to those who review abstracts. */
export const reviewMails = {
  review_invited: {
    subject: 'Would you review abstracts for {event}?',
    body: `Hello,

{organizer} asks you to review abstracts that were submitted to {event}. Reviews are taken until {deadline}.

The link below is yours alone: it leads to what you have to review. Please name there the topics that you know, and whose abstracts you should not get. If you cannot review, answer this mail.`,
  },
  review_assigned: {
    subject: 'Abstracts to review: {event}',
    body: `Hello,

There are abstracts for you to review for {event}. Not done yet: {count}. Reviews are taken until {deadline}.

The link below leads to them. What is not for you to judge you can give back there, so that somebody else gets it in time.`,
  },
  review_reminder: {
    subject: 'Reviews not done yet: {event}',
    body: `Hello,

Some of your reviews for {event} are not done yet: {count}. {organizer} takes them until {deadline}.

The link below leads to them. What is not for you to judge you can give back there, so that somebody else gets it in time.`,
  },
}
