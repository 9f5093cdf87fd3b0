/** The texts of mails about the published programme. */
export const programmeMails = {
  programme_slot: {
    subject: 'Your contribution “{title}” is in the programme',
    body: `Hello {name},

Your contribution “{title}” has its place in the programme of {event}. Its number is {number}.

{places}

{page}`,
  },
  programme_moved: {
    subject: 'Your contribution “{title}” has moved in the programme',
    body: `Hello {name},

Your contribution “{title}” ({number}) has another place in the programme of {event} than before. It is now:

{places}

{page}`,
  },
  programme_removed: {
    subject: 'Your contribution “{title}” has no place in the programme any more',
    body: `Hello {name},

Your contribution “{title}” ({number}) has been taken out of the programme of {event}. The time and place that you were told no longer hold.

If it gets another place, you will have a mail about it. If you have questions, answer this mail.`,
  },
}
