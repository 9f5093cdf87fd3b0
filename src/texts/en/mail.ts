/** Every mail has these texts around its own. */
export const mail = {
  // A name such as “Club e.V.” brings its own full stop.
  from: (organizer: string) => `Sent for ${organizer.replace(/\.$/, '')}.`,
  unsubscribe: 'No more announcements',
  unsubscribeText: (url: string) => `No more announcements: ${url}`,
  notice: { when: 'When', where: 'Where', online: 'Online', before: 'before', open: 'still open' },
  /** The reasons for which money goes back by itself. */
  returned: {
    late: 'It came after the order had ended.',
    event_cancelled: 'The event is cancelled.',
    twice: 'The order was paid already: your tickets stay good.',
    excess: 'It was more than the order costs.',
    line_cancelled: 'A part of the order had been cancelled.',
  },
  moneyBack: (amount: string) => `${amount} go back to you, the way they were paid. That can take some days.`,
  /** The outcome of a dispute. */
  dispute: {
    warning: 'The bank asks about it for now: no money was taken.',
    needs_response: 'The bank has taken the money back until it is decided.',
    under_review: 'The bank has taken the money back until it is decided, and looks at it now.',
    won: 'You have won it: the money is yours.',
    lost: 'It is lost: the money stays with the buyer. Decide on the page of the order whether its tickets become void.',
    closed: 'It came to nothing: the money is yours.',
  },
  answerBy: (until: string) =>
    `You can answer it in Stripe’s dashboard until ${until}. Without an answer it is lost.`,
  passOn:
    'This mail is for you only: whoever has the link to your order can change and cancel the whole order. To pass a ticket on, send its own link, which stands with it below.',
  buttons: {
    submitted: 'See your abstracts',
    review: 'Go to your reviews',
    abstracts: 'See the abstracts',
    submission: 'See your abstract',
    event: 'See the event',
    join: 'Accept the invitation',
    reset: 'Choose a new password',
    free: 'Register now',
    order: 'See your order',
    offer: 'Take it or decline',
    ticket: 'Show the ticket',
    webhook: 'See its deliveries',
    personalData: 'See the setting',
    disputed: 'See the order',
  },
}
