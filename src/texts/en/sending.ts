import { count } from './page.ts'

const tickets = (n: number) => count(n, { one: '# ticket', other: '# tickets' })
const mails = (n: number) => count(n, { one: '# mail', other: '# mails' })

/** These texts are for sending tickets by mail, and for telling guests of a cancellation. */
export const sending = {
  send: 'Send the ticket',
  sendOf: (name: string) => `Send the ticket: ${name}`,
  sendAll: 'Send the tickets',
  sendMany: 'Send tickets…',
  sendImported: 'Send the tickets…',
  sendTo: (name: string) => `Send the ticket of ${name}?`,
  sendAllTo: (name: string) => `Send the tickets of ${name}?`,
  title: (n: number) => (n === 0 ? 'There is nothing new to send' : `Send ${tickets(n)}?`),
  submit: (n: number) => (n === 0 ? 'Send the tickets' : `Send ${mails(n)}`),
  will: (n: number, mailed: number) =>
    `${count(n, { one: '# ticket goes', other: '# tickets go' })} out in ${mails(mailed)}: all tickets of one address are in one mail, with their codes and a PDF.`,
  willTo: (address: string) => `It goes to ${address}, with its code and a PDF.`,
  before: (n: number) =>
    `${count(n, { one: '# ticket was', other: '# tickets were' })} sent before, and ${n === 1 ? 'is' : 'are'} not sent again.`,
  beforeOne: 'It was sent before.',
  beforeSome: (n: number) => `${count(n, { one: '# of them was', other: '# of them were' })} sent before.`,
  again: (n: number) => `Also send the ${tickets(n)} that ${n === 1 ? 'was' : 'were'} sent before`,
  noAddress: (n: number) =>
    `${count(n, { one: '# ticket has', other: '# tickets have' })} no e-mail, and ${n === 1 ? 'is' : 'are'} not sent.`,
  unverified: (n: number) =>
    `${count(n, { one: '# ticket goes', other: '# tickets go' })} to nobody yet: the buyer has named somebody else, and not confirmed the order by mail.`,
  extras: (n: number) =>
    count(n, {
      one: '# extra has no mail of its own: the door sees it with its ticket, and the mail of an order has its code.',
      other:
        '# extras have no mails of their own: the door sees them with their tickets, and the mail of an order has their codes.',
    }),
  notValid: (n: number) =>
    `${count(n, { one: '# ticket is', other: '# tickets are' })} void or not confirmed, and not sent.`,
  more: 'More match than are sent at a time. Come back for the others: nothing is sent twice.',
  cannotTakeBack: 'What is sent cannot be taken back.',
  eventCancelled: 'The event is cancelled, so no ticket is sent.',
  tickAfterAdding: 'Send the ticket by mail',
  tickAfterAddingHelp: 'To each holder with an e-mail, else to the buyer.',
  wasSent: 'Tickets sent by mail',
  wasSentAt: (at: string) => `Sent by mail on ${at}`,
  notSentYet: 'Not sent by mail yet',
  sent: 'Mail with the ticket',
  sentChoices: { yes: 'Sent', no: 'Not sent yet' },
  job: (n: number) => `Sending tickets in ${mails(n)}`,
  jobMails: 'Mails written',
  jobTickets: 'Tickets in them',
  jobKept: 'Not sent, because they changed meanwhile',
  link: 'Link to the ticket',
  renew: 'Renew the links…',
  renewTitle: (name: string) => `Renew the links to the tickets of ${name}?`,
  renewSubmit: 'Renew the links',
  renewWill: 'Links that were sent or copied until now lead nowhere any more.',
  renewAfter: 'Send the tickets again afterwards, so that the new ones are there.',
  pdf: 'Download as PDF',
  codeOf: (name: string) => `Ticket code of ${name}`,
  show: 'Show',
  showOf: (name: string) => `Show the ticket: ${name}`,
  listed: 'Tickets of guests',
  boughtBy: (name: string) => `Bought by ${name}`,
  isPaid: 'Paid',
  sortBy: 'Sort by',
  sorts: { newest: 'Newest first', name: 'Name', type: 'Ticket type', checked_in: 'Last checked in' },
  tooManyToSort: 'There are more than 20,000 tickets, so the newest come first.',
  onlyNewest: 'More than 20,000 tickets were found: only the newest of them are listed here.',
  toMessages: 'To the messages',
  tell: 'Tell the guest by mail',
  tellHelp: 'The buyer, and each holder with an e-mail of their own.',
  audience: 'Who is told by mail',
  audienceHelp: 'Each buyer, and each holder with an e-mail of their own.',
  audiences: {
    heard: 'Those who ordered here or got their ticket by mail',
    all: 'All, also those who were only imported or added',
    nobody: 'Nobody',
  },
}
