import { count } from './page.ts'

/** These texts are for buyers: the form, its review, and the page of an order. */
export const checkout = {
  register: 'Register',
  next: 'Continue',
  choose: 'How many?',
  chooseOf: (type: string) => `How many of ${type}`,
  title: (event: string) => `Register for ${event}`,
  you: 'You',
  name: 'Your name',
  email: 'Your e-mail',
  emailHelp: 'The tickets are sent there.',
  holders: 'Whose tickets are they?',
  holdersHelp: 'Leave it empty, and a ticket is in your name and sent to you.',
  ticket: (type: string, n: number, of: number) => (of === 1 ? type : `${type}, ticket ${n} of ${of}`),
  /** Says which of several units of an extra it is. */
  extra: (type: string, n: number, of: number) => (of === 1 ? type : `${type}, ${n} of ${of}`),
  aboutEach: 'About what you take',
  holderName: 'Name on the ticket',
  holderEmail: 'E-mail, if not yours',
  accept: 'I accept the terms',
  mustAccept: 'Tick this to go on.',
  trap: 'Leave this empty',
  reviewTitle: 'Is this right?',
  review: 'Look at it once more',
  changeIt: 'Change something',
  submit: 'Register',
  given: (currency: string) => `What you give for each, in ${currency}`,
  givenLegend: 'Your price',
  givenFor: (type: string) => `What you give for each of “${type}”`,
  givenHelp: (least: string, currency: string) => `At least ${least} ${currency}.`,
  givenLeast: (least: string, currency: string) => `Give at least ${least} ${currency}.`,
  givenMost: (most: string, currency: string) => `Give at most ${most} ${currency}.`,
  wrongSum: (currency: string) =>
    `Enter a sum in ${currency} without marks for thousands, such as 15 or 1500.`,
  line: (quantity: number, type: string) => `${quantity} × ${type}`,
  total: 'Total',
  free: 'Free',
  tax: (amount: string) => `includes ${amount} of tax`,
  tickets: (n: number) => count(n, { one: '# ticket', other: '# tickets' }),
  withExtras: (tickets: string, extras: number) =>
    `${tickets} and ${count(extras, { one: '# extra', other: '# extras' })}`,
  /** Shown for an order whose tickets are all cancelled, while extras are kept. */
  extrasOnly: {
    head: 'Your tickets are cancelled',
    about: 'What is listed below is still yours. Ask the organizer how you get it, or to take it back.',
    aboutOpen: (cancel: string) =>
      `What is listed below is still yours. Ask the organizer how you get it; “${cancel}” below gives it up.`,
  },
  extraShow: 'Show a code where it is handed out. Each hands out one.',
  extraHanded: (when: string) => `One was handed out ${when}.`,
  extraNotYet: 'It comes once the order is confirmed.',
  extraVoid: 'It is cancelled.',
  extraCode: (extra: string) => `The code for ${extra}`,
  order: (reference: string) => `Order ${reference}`,
  states: {
    confirmed: 'Confirmed',
    pending: 'Waits for the organizer',
    failed: 'Not confirmed',
    cancelled: 'Cancelled',
    offered: 'Offered',
  },
  heads: {
    confirmed: 'You are in',
    pending: 'Your registration was received',
    failed: 'Your registration was not confirmed',
    unpaid: 'Your order was not paid',
    withdrawn: 'You have withdrawn',
    cancelled: 'Your registration is cancelled',
    turned_down: 'You have declined the offer',
    lapsed: 'The offer has ended',
  },
  about: {
    confirmed: (email: string) => `The tickets go to ${email} by mail too.`,
    pending: (until: string) =>
      `The organizer looks at each registration. Your places are kept until ${until}, and you are told by mail.`,
    declined: 'The organizer could not confirm it. Nothing is kept for you any more.',
    undecided: 'Nobody decided in time. Nothing is kept for you any more.',
    unpaid: 'It was not paid in time, and its places went to others.',
    withdrawn: 'Nothing is kept for you any more.',
    turned_down: 'Its places went to others.',
    lapsed:
      'The offer has ended without an answer, and its places went to others. You can join the waitlist again.',
    cancelled: 'Its tickets admit nobody any more.',
  },
  /**
   * Shown for an order that costs nothing, until its buyer confirms by the link in the mail that the other people shall get
   * mails.
   */
  othersWait: {
    title: (n: number) =>
      count(n, { one: 'Another person waits for a ticket', other: '# other people wait for their tickets' }),
    confirmFirst: (n: number) =>
      count(n, {
        one: 'We send it to them once you have confirmed that it was you who ordered. If it was not, do nothing: nobody else gets a mail.',
        other:
          'We send them theirs once you have confirmed that it was you who ordered. If it was not, do nothing: nobody else gets a mail.',
      }),
    open: 'Confirm that you ordered them',
    onPage: (email: string) =>
      `We have not mailed them yet. Open our mail to ${email}, follow its link “Confirm that you ordered them”, and press the button there. In this way nobody can have strangers mailed.`,
    again: 'Send that mail again',
    first: 'Send that mail',
    pageTitle: 'Send the other tickets?',
    pageAbout: (reference: string, event: string) =>
      `You ordered ${reference} for ${event}. If you press the button, these people get their tickets by mail, each their own:`,
    submit: 'Send their tickets',
    notYou: 'If you did not order this, close this page: nobody else gets a mail.',
    nothing: 'There is nothing to confirm any more.',
    tooMany:
      'Very many orders came from your network, so nothing was sent. Open this page again in a few hours, and press the button then.',
    confirmed: 'Thank you. Their tickets are on their way.',
    confirmedLater:
      'Thank you. Many orders came from your network just now, so their tickets go out one after another, within a day.',
  },
  /** Shown about the mail to the buyer, if many orders come from one network. */
  mailLater: (when: string) =>
    `Many orders came from your network in the last hour, so the mail to you goes out later, at about ${when}. What it says is on this page already.`,
  mailNot: (mayAsk: boolean) =>
    `Very many orders came from your network, so we have sent you no mail. What it would say is on this page: keep its address${mayAsk ? ', or have the mail sent later' : ''}.`,
  show: 'Show this code at the entrance.',
  join: 'Join by the online link.',
  void: 'This ticket is void: it admits nobody.',
  notYet: 'The ticket comes once the order is confirmed.',
  usedAt: (when: string) => `Was used ${when}.`,
  codeOf: (name: string) => `The code of the ticket of ${name}`,
  online: 'Online',
  names: 'Change names',
  rename: 'Change the name',
  renameTitle: 'Change the name on the ticket',
  toTicket: 'To the ticket',
  namesTitle: 'Change the names on the tickets',
  namesHelp: (until: string) => `Until ${until}.`,
  save: 'Save',
  resend: 'Send the tickets again',
  resent: 'The tickets are on their way.',
  resentLater: 'Many orders came from your network just now, so this mail goes out later, within a day.',
  cancel: 'Cancel the order…',
  cancelTitle: 'Cancel the order?',
  cancelUntil: (until: string) => `You can cancel until ${until}.`,
  cancelSubmit: 'Cancel the order',
  withdrawSubmit: 'Withdraw the registration',
  withdraw: 'Withdraw…',
  keep: 'Keep it',
  contract: {
    withdraw: 'Withdraw from contract here',
    title: 'Withdraw from the contract?',
    about: (order: string, buyer: string, until: string) =>
      `${buyer} may withdraw from order ${order} until ${until}, without giving a reason.`,
    written: (email: string) => `We confirm it by mail to ${email}.`,
    submit: 'Confirm withdrawal',
  },
  will: {
    void: (n: number) => count(n, { one: '# ticket becomes void.', other: '# tickets become void.' }),
    extras: (n: number) => count(n, { one: '# extra is cancelled:', other: '# extras are cancelled:' }),
    back: 'The places go to others at once, and cannot be taken back.',
    moneyBack: (amount: string, paid: string) =>
      `You get ${amount} back of the ${paid} that these tickets cost. That can take some days.`,
    nothingBack: (paid: string) => `You get nothing back of the ${paid} that these tickets cost.`,
  },
  /** For visitors who have lost the mail with their tickets. */
  lost: {
    link: 'Send my tickets again',
    before: 'Lost the mail?',
    about: (event: string) =>
      `Write the e-mail that you ordered with, or that your ticket was sent to. Your tickets for ${event} go to it once more.`,
    email: 'Your e-mail',
    submit: 'Send my tickets again',
    doneTitle: 'Look into your mail',
    done: (email: string) =>
      `If there are tickets for ${email}, they are on their way to it. If nothing comes within an hour, look into the folder for spam, or try another address that you may have used.`,
  },
  /** Shown first on the pages of orders, tickets and offers of an event that is cancelled. */
  off: {
    title: 'This event is cancelled',
    state: 'Event cancelled',
    tickets: 'Your tickets are no longer valid.',
    ticket: 'The event is cancelled, so this ticket is not valid.',
    extra: 'The event is cancelled, so this is not handed out.',
    free: 'They were free, so there is no money to pay back.',
    notBack: (organizer: string) => `No refund has been made so far. ${organizer} decides on refunds.`,
    pending: 'There is nothing that you need to do. Your places are no longer kept.',
    unpaid: 'Please do not pay. If a payment arrives all the same, it goes back to you in full.',
    offer: 'The places that were held for you are no longer available.',
  },
  offerTitle: 'It is your turn',
  offerAbout: (n: number, until: string) =>
    `${count(n, { one: 'A place is', other: '# places are' })} held for you until ${until}. Without an answer by then, the next one who waits is asked.`,
  offerTake: 'Take it',
  offerDecline: 'No, thanks',
  mailsWait: (email: string) =>
    `No mail can be sent just now. Keep the address of this page: all about your order is here. We write to ${email} as soon as it works again.`,
  saved: 'It is saved.',
  toEvent: 'To the event',
  toOrder: 'To the order',
  fewer: (type: string) => `How many of ${type} now`,
  accepted: 'The terms that you accepted',
  ticketTitle: (event: string) => `Ticket for ${event}`,
  waitlist: 'Join the waitlist',
  waitlistOf: (type: string) => `Join the waitlist: ${type}`,
  waitlistTitle: (type: string) => `Wait for ${type}`,
  waitlistAbout:
    'You get a mail when a place becomes free, those who wait longest first. It is held for nobody: whoever comes first gets it.',
  waitlistReserved: (hours: number) =>
    `When a place becomes free, those who wait longest are asked first: you get a mail, and the place is held for you for ${count(hours, { one: '# hour', other: '# hours' })}.`,
  howMany: 'How many tickets',
  joined: 'You are on the waitlist',
  joinedAbout: (email: string) => `We write to ${email} when there is room.`,
  pdf: 'Tickets as PDF',
  ticketPdf: 'Ticket as PDF',
  code: 'Code',
  haveCode: 'Code, if you have one',
  offers: 'Tickets with your code',
  useCode: 'Use the code',
}
