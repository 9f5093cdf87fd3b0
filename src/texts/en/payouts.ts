import { count } from './page.ts'

const payments = (n: number) => count(n, { one: '# payment', other: '# payments' })

/** These texts are for what Stripe has paid out. */
export const payouts = {
  title: 'Payouts',
  about:
    'What Stripe has paid to your bank account, by the day on which it arrives, and which payments, fees, refunds and disputes each payout holds.',
  csv: 'Download CSV',
  csvAbout:
    'The CSV has a row for each payment, fee, refund and dispute of each payout. Amounts are in the currency of the payout, and together they come to it.',
  month: 'Month',
  show: 'Show',
  caption: 'Payouts of this month, the first to arrive at the top',
  none: 'No payouts in this month',
  noneAbout: 'Stripe has paid nothing out that arrives in it.',
  moreInFile: 'There are more payouts than are shown here. The CSV has all of them.',
  totalOf: (currency: string) => `Payouts in ${currency}`,
  total: 'Paid out',
  totalAbout: 'Without those that failed.',
  found: 'Found at your bank',
  foundOf: (n: number) => `of ${n}`,
  deniedPayouts: (permission: string) =>
    `The payouts are not to be had: the key at Stripe lacks the permission “${permission}”. Payments go on without it.`,
  deniedLines: (permission: string) =>
    `What the payouts hold is not to be had: the key at Stripe lacks the permission “${permission}”.`,
  deniedHow:
    'Add it to the key at Stripe, under Developers, API keys, and paste the key here once more: that looks at once. Otherwise it is looked at again within a day.',
  toKey: 'Paste the key',
  fetching: 'The payouts are being fetched from Stripe. Look again in some minutes.',
  disconnected: 'Stripe is not connected any more, or refuses the key, so nothing new comes to this list.',
  arrives: 'Arrives',
  amount: 'Amount',
  state: 'State',
  holds: 'Holds',
  bank: 'Your bank',
  notFound: 'Not found yet',
  states: {
    pending: 'To be sent',
    in_transit: 'Under way',
    paid: 'Paid out',
    failed: 'Failed: the money went back to Stripe',
    canceled: 'Cancelled at Stripe',
  },
  linesOf: (n: number) => count(n, { one: '# entry', other: '# entries' }),
  lists: {
    waiting: 'Not known yet',
    manual: 'Not to be had',
  },
  listsAbout: {
    waiting:
      'What it holds is not known yet: Stripe is still working it out, or the list was not fetched yet.',
    manual:
      'What it holds is not to be had: somebody paid this amount out by hand, and Stripe keeps such a list only of the payouts that it makes by itself.',
  },
  differs: (sum: string, difference: string) =>
    `What it holds comes to ${sum}, which differs from the payout by ${difference}.`,
  equals: 'What it holds comes to the payout exactly.',
  pageTitle: (day: string) => `Payout of ${day}`,
  named: (day: string, n: number | undefined) =>
    n === undefined ? `Payout of Stripe, ${day}` : `Payout of Stripe, ${day}, of ${payments(n)}`,
  made: 'Made at',
  atStripe: 'At Stripe',
  whatItHolds: 'What it holds',
  group: 'Group',
  entries: 'Entries',
  sum: 'Together',
  groups: {
    payments: 'Payments',
    refunds: 'Refunds',
    disputes: 'Disputes',
    fees: 'Fees',
    adjustments: 'Adjustments by Stripe',
    foreign: 'Not from Turnout',
  },
  groupsAbout: {
    fees: 'What Stripe keeps of these payments, refunds and disputes, and what it charges besides.',
    adjustments: 'Such as reserves, corrections, and money of a payout that failed.',
    foreign: 'Other money of the same Stripe account, less its fees, or that of an order that is not here.',
  },
  linesCaption: 'Every entry of this payout',
  kinds: {
    payment: 'Payment',
    refund: 'Refund',
    refund_reversal: 'Refund that came back',
    dispute: 'Dispute',
    dispute_reversal: 'Dispute that was won',
    fee: 'Fee',
    payout_return: 'Payout that failed',
    adjustment: 'Adjustment',
  },
  entry: 'Entry',
  order: 'Order',
  fee: 'Fee',
  net: 'Net',
  when: 'When',
  fitting: 'Payouts of this amount',
  fittingAbout: 'They arrive within five days of this line. A payout pays no order.',
  itIs: 'It is this payout',
}
