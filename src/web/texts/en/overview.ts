import { count } from './page.ts'

export const overview = {
  figures: 'Figures',
  ticketsSold: 'Tickets sold',
  of: (whole: string) => `of ${whole}`,
  checkedIn: 'Checked in',
  charged: 'Charged',
  chargedAbout: 'Before fees and refunds.',
  counting: 'Being counted: it takes some minutes.',
  countedAt: (when: string) => `Sales and check-ins as of ${when}: a large event is counted now and then.`,
  sales: 'Tickets by day',
  salesNone: 'Nobody has a ticket yet.',
  salesMost: (tickets: string, day: string) => `Most: ${tickets} on ${day}`,
  salesLabel: (from: string, until: string, most: string) =>
    `Tickets by day from ${from} to ${until}. ${most}`,
  salesLast: (days: number) => `The last ${days} days`,
  day: 'Day',
  tickets: 'Tickets',
  description: 'Description',
  byType: 'By type',
  type: 'Type',
  price: 'Price',
  free: 'Free',
  soldOut: (sold: string) => `${sold}, sold out`,
  checklist: 'Before you publish',
  stepDate: 'Say when it begins',
  stepTickets: 'Add a ticket that is on sale',
  doIt: 'Do it',
  publish: 'Publish',
  complete: 'Mark as completed',
  reopen: 'Open it again',
  duplicate: 'Duplicate',
  cancel: 'Cancel the event…',
  cancelTitle: (title: string) => `Cancel “${title}”?`,
  cancelSubmit: 'Cancel the event',
  cancelShown: 'Everybody sees that it is cancelled.',
  cancelKeeps: (sold: number) =>
    sold === 0
      ? 'Nobody has a ticket.'
      : `${count(sold, { one: '# ticket stays', other: '# tickets stay' })} good: nobody is told by this, and nothing is refunded.`,
}
