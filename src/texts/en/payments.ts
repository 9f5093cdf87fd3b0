import { count } from './page.ts'

/** Organizers read these texts when they decide about incoming money. */
export const payments = {
  title: 'To be paid',
  waits: (amount: string, method: string) => `${amount}, ${method}`,
  reference: 'Reference',
  until: (when: string) => `The places are kept until ${when}.`,
  notChosen: 'The buyer has not chosen yet how to pay.',
  ended: 'This payment has ended.',
  differs: (came: string, expected: string) => `${came} came, and ${expected} were asked for.`,
  differsAbout: 'Nothing is confirmed until you decide.',
  paid: 'Mark as paid…',
  late: 'It came late…',
  rest: 'Mark the rest as paid…',
  accept: 'Confirm all the same…',
  giveBack: 'Pay it back…',
  of: (what: string, reference: string) => `${what} (order ${reference})`,
  paidTitle: (amount: string, name: string) => `Has ${name} paid ${amount}?`,
  paidSubmit: 'Mark as paid',
  acceptTitle: (amount: string, reference: string) => `Confirm order ${reference} with ${amount}?`,
  acceptSubmit: 'Confirm it',
  returnTitle: (amount: string) => `Pay ${amount} back?`,
  returnSubmit: 'Pay it back and end the order',
  will: {
    noted: (amount: string, method: string) => `${amount} are noted as paid: ${method}.`,
    confirmed: (n: number) =>
      count(n, {
        one: 'The order is confirmed: # ticket becomes valid.',
        other: 'The order is confirmed: # tickets become valid.',
      }),
    revived:
      'The order has ended. While there is still room it is confirmed; otherwise the money is owed back.',
    owed: 'The order stays as it is. The money is owed back, and you pay it back by hand.',
    mailed: (email: string) => `${email} gets a mail at once.`,
    excess: (amount: string) => `${amount} of it were too much, and go back.`,
    lessIs: (amount: string) => `It was asked for ${amount}: what is lacking is not asked for any more.`,
    byHand: 'You pay it back by hand, and note it once it is done.',
    byProcessor: 'It goes back to where it was paid from, by itself.',
    ends: (n: number) =>
      count(n, {
        one: 'The order ends, and # place is free again.',
        other: 'The order ends, and # places are free again.',
      }),
  },
  approveWill: (amount: string, until: string) => `${amount} have to be paid from then on, until ${until}.`,
  approveSubmit: 'Approve and ask for the payment',
  search: 'Reference, or e-mail of the buyer',
  noneFound: 'No order of this event is named so. Names are found under Guests.',
  door: {
    due: (amount: string) => `Pays ${amount} here`,
    dueOf: (amount: string, order: string) => `order ${order} pays ${amount} here`,
    paid: 'Paid…',
    paidOf: (name: string) => `Paid… by ${name}`,
    title: (amount: string) => `Was ${amount} paid?`,
    submit: 'Yes, it is paid',
    after: 'Check the tickets in after that.',
  },
}
