/** The texts of mails about the published programme. */
export const programmeMails = {
  programme_slot: {
    subject: 'Your contribution “{title}” is in the programme',
    body: `Hello {name},

your contribution “{title}” has its place in the programme of {event}. Its number is {number}.

{places}

{page}`,
  },
  programme_moved: {
    subject: 'Your contribution “{title}” has moved in the programme',
    body: `Hello {name},

your contribution “{title}” ({number}) has another place in the programme of {event} than before. It is now:

{places}

{page}`,
  },
}
