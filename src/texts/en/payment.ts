/** Buyers read these texts when they pay. */
export const payment = {
  how: 'How do you want to pay?',
  obligation: 'Order with obligation to pay',
  afterApproval: 'You pay once the organizer has approved it: you are told by mail.',
  names: {
    test: 'Test payment',
    stripe: 'Card and other online methods',
    transfer: 'Bank transfer',
    door: 'At the door',
  },
  about: {
    test: 'No money moves.',
    stripe: 'You pay on the page of Stripe and come back here.',
    transfer: 'Your places are kept while the money is on its way.',
    door: 'You pay when you arrive.',
  },
  transferUntil: (until: string) =>
    `Your places are kept for you until ${until}: have the money sent by then.`,
  title: 'Payment',
  due: (amount: string, until: string) => `${amount}, to be paid until ${until}`,
  pay: (amount: string) => `Pay ${amount}`,
  preparing: 'The page for the payment is being prepared…',
  goesOn: 'You are taken to the page for the payment. If nothing happens, go on here:',
  checking: 'Thank you. We are asking whether it is paid: this page shows it by itself.',
  processing:
    'Your payment is on its way. That can take some days; your places are kept, and the tickets come by mail.',
  otherAmount: (amount: string) =>
    `We got ${amount}, which is not what this order costs. The organizer looks into it; your places are kept.`,
  partly: (amount: string, rest: string) => `We got ${amount}. ${rest} are still to be paid.`,
  failed: 'That payment did not work. You can try again, or pay in another way.',
  again: 'Pay now',
  another: 'Pay in another way',
  chooseAnother: 'Pay in this way',
  otherPaused: (ways: string) => `Not to be had just now: ${ways}.`,
  allPaused:
    'This cannot be paid just now: payments are paused for a while. Nothing is charged, and nothing is ordered yet. Please try again later.',
  orderPaused:
    'This cannot be paid just now: payments are paused for a while. Nothing is charged. Please come back to this page later.',
  tryAgain: 'Try again',
  stopped: (way: string) =>
    `Payments are paused for a while: ${way}. Nothing is charged now. If you have paid already, you need not do anything: your tickets come as soon as it goes on.`,
  left: (way: string, next: string) =>
    `The earlier payment (${way}) is ended first, so that you never pay twice. Then this page goes on by itself: ${next}.`,
  goBack: (way: string) => `Go back to the earlier payment: ${way}`,
  transferTo: 'Transfer the amount to this account, with only the reference as its text.',
  holder: 'To',
  account: 'Account',
  code: 'BIC',
  amount: 'Amount',
  reference: 'Reference',
  scan: 'Scan this with your bank’s app.',
  atDoor: 'You pay when you arrive. Say this reference, or show this page; your ticket is good from then on.',
  atDoorMail:
    'You pay when you arrive. Say this reference, or show the page of your order; your ticket is good from then on.',
  state: {
    pending: 'Waits for the payment',
    head: 'Your places are kept',
    about: (until: string) =>
      `The tickets come by mail as soon as it is paid. Your places are kept until ${until}.`,
  },
  paid: (amount: string) => `${amount} are paid.`,
  back: {
    coming: (amount: string) => `${amount} go back to you. That can take some days.`,
    done: (amount: string) => `${amount} were paid back.`,
  },
  test: {
    title: 'Test payment',
    about: 'This page stands for that of a payment provider. No money moves.',
    pay: 'Pay',
    decline: 'Decline the card',
    declined: 'The card was declined. Try again.',
    pay_later: 'Pay by a way that takes days',
    close: 'Close without paying',
    succeed: 'The money has come',
    fail: 'The money does not come',
    back: 'Back to the order',
    over: 'This payment is over.',
  },
}
