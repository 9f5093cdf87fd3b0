/** What every mail has around its text. */
export const mail = {
  from: (organizer: string) => `Sent for ${organizer}.`,
  unsubscribe: 'No more announcements',
  unsubscribeText: (url: string) => `No more announcements: ${url}`,
  notice: { when: 'When', where: 'Where', online: 'Online', before: 'before', open: 'still open' },
  /** Why money goes back by itself. */
  returned: {
    late: 'It came after the order had ended.',
    event_cancelled: 'The event is cancelled.',
    twice: 'The order was paid already: your tickets stay good.',
    excess: 'It was more than the order costs.',
    line_cancelled: 'A part of the order had been cancelled.',
  },
  moneyBack: (amount: string) => `${amount} go back to you, the way they were paid. That can take some days.`,
  buttons: {
    event: 'See the event',
    join: 'Accept the invitation',
    reset: 'Choose a new password',
    free: 'Register now',
    order: 'See your order',
    offer: 'Take it or decline',
    ticket: 'Show the ticket',
    webhook: 'See its deliveries',
  },
}
