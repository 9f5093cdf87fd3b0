/** The printed ticket has these texts. */
export const ticketPdf = {
  document: (event: string, order: string | null) =>
    order === null ? `Tickets for ${event}` : `Tickets for ${event}, order ${order}`,
  holder: 'Name',
  type: 'Ticket',
  when: 'When',
  dateOpen: 'The date is still to be announced.',
  zone: (short: string, name: string) => (short === name ? name : `${short} (${name})`),
  where: 'Where',
  online: 'Online',
  admits: 'Admits',
  fromUntil: (from: string, until: string) => `from ${from} until ${until}`,
  from: (from: string) => `from ${from}`,
  until: (until: string) => `until ${until}`,
  seat: 'Seat',
  order: 'Order',
  code: 'QR code that admits at the door',
  finePrint:
    'Show this code at the door, printed or on your phone. It admits one person, once: do not share pictures of it.',
  finePrintOnline: 'Join by the link above. This ticket is for one person: do not share pictures of it.',
  leftOut: 'Some letters of this ticket cannot be printed here, and were left out.',
  leftOutAt: (url: string) =>
    `Some letters of this ticket cannot be printed here, and were left out. The page of the ticket shows them all: ${url}`,
  count: (ticket: string, of: string) => `Ticket ${ticket} of ${of}`,
  voidTitle: 'Void',
  voidText: 'This ticket admits nobody.',
  gettingThere: 'How to get there',
  contact: 'Questions?',
  seller: 'Sold by',
  organizer: 'Organized by',
}
