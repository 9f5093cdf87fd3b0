/** Buyers read these texts in the mails about their order: what was ordered, how it is paid, and on which terms. */
export const orderMail = {
  /** The clock that a time is of, after the city that names its time zone. */
  time: (city: string) => `${city} time`,
  /** Cities whose name here is not the one in the database of time zones. */
  cities: { Canary: 'Canary Islands', Kiev: 'Kyiv', Calcutta: 'Kolkata' } as Readonly<Record<string, string>>,
  line: (quantity: string, type: string) => `${quantity} × ${type}`,
  each: (price: string) => `${price} each`,
  void: (n: number) => `${n} cancelled`,
  discount: 'Discount',
  total: 'Total',
  taxIncluded: (taxes: readonly string[]) => `tax included: ${taxes.join(', ')}`,
  moved: {
    paid: (date: string) => `Paid on ${date}`,
    reversed: (date: string) => `Taken back on ${date}`,
    paidBack: (date: string) => `Paid back to you on ${date}`,
    cameBack: (date: string) => `Came back to us on ${date}`,
    disputed: (date: string) => `Taken back by your bank on ${date}`,
  },
  by: (what: string, method: string) => `${what}, ${method}`,
  coming: 'Goes back to you',
  stays: 'Stays paid',
  due: (until: string) => `To be paid until ${until}`,
  underWay: 'On its way from your bank',
  payOnPage: 'You pay on the page of your order.',
  attached: (papers: string) => `Attached: ${papers}.`,
  ownPage: 'Your order, for you only',
  seller: 'Sold by',
  withdrawal: 'Withdrawal',
  noWithdrawal:
    'You have no right of withdrawal, as it is leisure on a fixed date (article 16 (l) of Directive 2011/83/EU).',
  withdrawUntil: (until: string, email: string) =>
    `You may withdraw from the contract until ${until}, without giving a reason: by “Withdraw from contract here” on the page of your order, or by a mail to ${email}.`,
  withdrawOver: (until: string) => `You could withdraw from the contract until ${until}.`,
  cancelUntil: (until: string) => `You may cancel until ${until}, on the page of your order.`,
  cancelBack: (percent: string) => `Then ${percent} of the price goes back to you.`,
  terms: (date: string) => `Terms that you accepted on ${date}`,
  termsAttached: (file: string) => `They are attached as they were then: ${file}.`,
  termsFile: 'terms',
}
