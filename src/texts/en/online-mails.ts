/** The bodies of mails with tickets of an event that has no place but a link: nobody shows a code there. */
export const onlineMails = {
  order_confirmed: `Hello {name},

You are registered for **{event}**, which is online.

{when}

Order {reference}. Join by the link below. Everything about your order is on its page.`,
  ticket: `Hello {name},

{buyer} has got you a ticket for **{event}**, which is online.

{when}

Join by the link below.`,
  ticket_exchanged: `Hello {name},

Here is your new ticket for **{event}**, which is online. It takes the place of the one that you had.

{when}

Join by the link below.`,
  guest_tickets: `Hello {name},

You are registered for **{event}**, which is online.

{when}

Join by the link below.`,
  reminder: `Hello {name},

We look forward to seeing you at **{event}**, which is online.

{when}

Join by the link below.`,
}
