/** The mails about a ticket that was exchanged, or given to somebody else. */
export const exchangeMails = {
  ticket_exchanged: {
    subject: 'Your new ticket for {event}',
    body: `Hello {name},

Here is your new ticket for **{event}**. It takes the place of the one that you had, whose code no longer admits you.

{when}
{place}

Show the new code at the entrance, on paper or on a screen.`,
  },
  ticket_given_on: {
    subject: 'Your ticket for {event} is somebody else’s now',
    body: `Hello {name},

The ticket that you had for **{event}** was given to somebody else. Its code no longer admits you.

{when}
{place}

If this was not meant to happen, answer this mail.`,
  },
}
