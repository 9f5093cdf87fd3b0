import { count } from './page.ts'

export const overview = {
  figures: 'Figures',
  ticketsSold: 'Tickets sold',
  of: (whole: string) => `of ${whole}`,
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
