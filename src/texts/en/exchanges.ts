import { count } from './page.ts'

/** These texts are for exchanging a ticket, and for giving it to somebody else. */
export const exchanges = {
  open: 'Exchange…',
  openOf: (name: string) => `Exchange…: ${name}`,
  newTicket: 'The new ticket',
  tookPlace: 'In place of an exchanged ticket',
  formerTicket: 'The exchanged ticket',
  title: (name: string) => `Exchange the ticket of ${name}`,
  about: 'It becomes another type of ticket, somebody else’s, or both. It gets a new code.',
  type: 'New ticket',
  /** A type to choose: its name, its price, and how many are left. */
  typeOf: (name: string, price: string, left: string) => `${name}, ${price}, ${left}`,
  left: (n: number) => `${count(n, { one: '# left', other: '# left' })}`,
  full: 'none left',
  same: 'as now',
  goOn: 'Continue',
  chooseAgain: 'Choose another type',
  confirmTitle: (name: string, type: string) => `Exchange the ticket of ${name} for ${type}`,
  holder: 'Name on the ticket',
  email: 'E-mail, if not the buyer’s',
  giveBack: (amount: string) => `Give back the difference of ${amount}`,
  giveBackHelp: 'It goes back the way it came, or by hand where it came by hand.',
  submit: 'Exchange the ticket',
  will: {
    void: 'The ticket is void at once. At the door its code is shown as exchanged.',
    mailed: 'The new ticket goes out by mail. Whoever had it before is told, if it is for another address.',
    freed: (type: string) => `A place of ${type} becomes free, and one of the new type is taken.`,
    cheaper: (price: string, paid: string) => `It costs ${price}, and ${paid} was paid.`,
    dearer: (price: string, paid: string, more: string) =>
      `It costs ${price}, and ${paid} was paid. The ${more} that it costs more are not charged.`,
    same: (price: string) => `It costs ${price}, as was paid.`,
    free: 'Nothing was paid for it, and nothing is charged.',
  },
  giveOn: 'Give it to somebody else',
  giveOnOf: (name: string) => `Give it to somebody else: ${name}`,
  giveOnTitle: 'Give the ticket to somebody else',
  giveOnAbout:
    'They get a ticket of their own by mail. This one is void then, its code admits nobody, and you cannot take it back: look at the address once more.',
  giveOnUntil: (until: string) => `That is possible until ${until}.`,
  giveOnName: 'Name of the new holder',
  giveOnEmail: 'E-mail of the new holder',
  giveOnTo: 'The ticket goes to:',
  giveOnSubmit: 'Give it on',
  given: 'The ticket is somebody else’s now. They get it by mail.',
  givenLater: 'The ticket is somebody else’s now. They get it once the buyer has confirmed their e-mail.',
  void: 'Exchanged: another ticket has taken its place. The new one is in the mail.',
  giveOnSwitch: 'Holders may give their tickets to somebody else',
  giveOnSwitchHelp:
    'On the page of their ticket, until names are locked. The new holder gets a new code by mail.',
}
