import { abstractMails } from './abstract-mails.ts'
import { exchangeMails } from './exchange-mails.ts'
import { programmeMails } from './programme-mails.ts'
import { reviewMails } from './review-mails.ts'

/** The text of each kind of mail: a subject, and a body in Markdown. What is filled in is between braces. */
export const mails = {
  ...abstractMails,
  ...programmeMails,
  invitation: {
    subject: 'Join {organizer}',
    body: `Hello,

{organizer} invites you to work on its events. The invitation is only for {email} and works until {until}.

If you did not expect it, do nothing.`,
  },
  password_reset: {
    subject: 'Choose a new password',
    body: `Hello {name},

Somebody asked for a new password for you. The link below works once, until {until}.

If it was not you, do nothing: your password stays as it is.`,
  },
  abstract_link: {
    subject: 'Your abstracts for {event}',
    body: `Hello,

An abstract for {event} was begun with this e-mail. The link below leads to all that you have begun and sent. Keep it: with it you go on, on any device, until {deadline}.

If it was not you, say so on that page, or do nothing.`,
  },
  abstract_received: {
    subject: 'Your abstract {code} has arrived',
    body: `Hello,

Your abstract for {event} has arrived. Its code is {code}. Until {deadline} you can change or withdraw it.

{organizer} writes to you once it is decided.`,
  },
  abstract_added: {
    subject: 'Your abstract {code} for {event}',
    body: `Hello,

{organizer} has added an abstract of yours for {event}. Its code is {code}. The link below leads to it: you can read and withdraw it there, and change it as long as abstracts are taken.

If it is not yours, answer this mail.`,
  },
  abstract_reminder: {
    subject: 'Not sent yet: your abstract for {event}',
    body: `Hello,

With this e-mail something was typed for {event} that is not sent yet. {organizer} takes abstracts until {deadline}. What is not sent by then does not count.

The link below leads to all that you have begun and sent. If it was not you, do nothing.`,
  },
  abstract_extended: {
    subject: 'More time for abstracts: {event}',
    body: `Hello,

{organizer} takes abstracts for {event} until {deadline} now. With this e-mail something was typed that is not sent yet.

The link below leads to all that you have begun and sent. If it was not you, do nothing.`,
  },
  abstract_withdrawn: {
    subject: 'Abstract {code} is withdrawn',
    body: `Hello,

The abstract {code} for {event} is withdrawn. If that was a mistake, answer this mail.`,
  },
  ...reviewMails,
  announcement: {
    subject: '{event}',
    body: '',
  },
  webhook_failing: {
    subject: 'A webhook has failed for a day',
    body: `Hello,

The webhook {address} of {organizer} has not taken anything since {since}. What is sent to it is tried again for some hours, and then given up.`,
  },
  guests_forgotten_soon: {
    subject: 'From {date} on, guests of past events are forgotten',
    body: `Hello,

{organizer} has set that guests are forgotten {days} days after the end of an event. It begins on {date}, as with {event}: names, e-mails, answers and notes go, and nothing brings them back. Money, counts, receipts and whoever still gets or owes money stay.

Do you need them longer? Change the number of days before, or turn it off.`,
  },
  dispute_opened: {
    subject: 'A buyer disputes {amount}: order {reference}',
    body: `Hello,

A buyer has asked their bank for the {amount} of order {reference} of {event}, {organizer}. {state}

{until}`,
  },
  dispute_ended: {
    subject: 'The dispute about {amount} is over: order {reference}',
    body: `Hello,

The dispute about {amount} of order {reference} of {event}, {organizer}, is over. {state}`,
  },
  order_confirmed: {
    subject: 'Your tickets for {event}',
    body: `Hello {name},

You are registered for **{event}**.

{when}
{place}

Order {reference}. Show the code of each ticket at the entrance, on paper or on a screen. Everything about your order is on its page.`,
  },
  order_waiting: {
    subject: 'Your registration for {event} was received',
    body: `Hello {name},

We have your registration {reference} for **{event}**. {organizer} looks at each of them, and you are told by mail. Your places are kept for you until then.

{when}
{place}

On its page you see how it stands, and can withdraw it.`,
  },
  order_declined: {
    subject: 'Your registration for {event}',
    body: `Hello {name},

Thank you for your interest in **{event}**. We are sorry that we could not confirm your registration {reference}, and your places were given back.`,
  },
  order_cancelled: {
    subject: 'Cancelled: {event}',
    body: `Hello {name},

The tickets of your order {reference} for **{event}** that are listed below are cancelled, and no longer admit anybody.`,
  },
  order_withdrawn: {
    subject: 'Your withdrawal: {event}',
    body: `Hello {name},

On {at} we received your withdrawal from the contract of order {reference} for **{event}**.

The tickets that are listed below are cancelled, and no longer admit anybody.`,
  },
  payment_due: {
    subject: 'To be paid: {event}',
    body: `Hello {name},

Thank you for your order {reference} for **{event}**. It comes to **{amount}**, and your places are kept for you until {until}.

{when}
{place}

The tickets come by mail as soon as it is paid. How to pay, and how it stands, is on its page.`,
  },
  payment_under_way: {
    subject: 'Your payment for {event} is on its way',
    body: `Hello {name},

Thank you for your order {reference} for **{event}**. Your payment of **{amount}** was begun, and your bank takes some days for it. You need do nothing more: your places are kept until {until} at the latest.

{when}
{place}

The tickets come by mail as soon as the money is here. How it stands is on the page of your order.`,
  },
  order_unpaid: {
    subject: 'Your order for {event} has ended',
    body: `Hello {name},

Your order {reference} for **{event}** was not paid in time, and its places went to others. Nothing was charged that does not come back to you.

If your payment is on its way, you need do nothing: you get your tickets if there is still room, or the money back.`,
  },
  payment_returned: {
    subject: 'Your money goes back: {event}',
    body: `Hello {name},

{amount} of your order {reference} for **{event}** go back to where you paid them from. {why}

That can take some days.`,
  },
  refund: {
    subject: 'A refund: {event}',
    body: `Hello {name},

{amount} of your order {reference} for **{event}** go back to where you paid them from. That can take some days.

The page of your order shows which of its tickets are still valid, if any.`,
  },
  ticket: {
    subject: 'Your ticket for {event}',
    body: `Hello {name},

{buyer} has got you a ticket for **{event}**.

{when}
{place}

Show its code at the entrance, on paper or on a screen.`,
  },
  ...exchangeMails,
  guest_tickets: {
    subject: 'Your tickets for {event}',
    body: `Hello {name},

Here is what admits you to **{event}**.

{when}
{place}

Show the code at the entrance, on paper or on a screen.`,
  },
  guest_cancelled: {
    subject: 'Cancelled: {event}',
    body: `Hello {name},

Your registration for **{event}** is cancelled. These tickets no longer admit anybody:`,
  },
  tickets_again: {
    subject: 'Your tickets for {event}, once more',
    body: `Hello {name},

You asked for your tickets for **{event}** once more. Here is everything that belongs to this address.

{when}
{place}

If you did not ask for it, you need not do anything: only you got this mail.`,
  },
  ticket_cancelled: {
    subject: 'Your ticket for {event} is cancelled',
    body: `Hello {name},

The ticket for **{event}** that {buyer} got you is cancelled, and no longer admits you:`,
  },
  place_free: {
    subject: 'There is room at {event}',
    body: `Hello {name},

A place for **{event}** has become free, and you are among those who wait the longest. It is held for nobody: whoever comes first gets it.

{when}
{place}`,
  },
  reminder: {
    subject: '{event}: {when}',
    body: `Hello {name},

We look forward to seeing you at **{event}**.

{when}
{place}

Have the code of your ticket ready at the entrance, on paper or on a screen.`,
  },
  event_changed: {
    subject: 'Changed: {event}',
    body: `Hello {name},

**{event}** has a new date or place. Your tickets stay good.`,
  },
  event_cancelled: {
    subject: 'Cancelled: {event}',
    body: `Hello {name},

We are sorry: this event does not take place.

**{event}**
{when}
{place}`,
  },
  place_offered: {
    subject: 'Your turn: there is room at {event}',
    body: `Hello {name},

There is room at **{event}** now, and it is your turn: what you wait for is held for you until {until}.

{when}
{place}

Take it, or leave it to the next one, by the link below.

Without an answer by then it goes to the next one who waits.`,
  },
  test: {
    subject: 'A test mail',
    body: `Hello,

Turnout at {server} can send mail to you. Look whether this one came to the inbox, not to the spam.`,
  },
}
