export const accountSettings = {
  title: 'Settings',
  topics: {
    general: 'General',
    legal: 'Seller and legal',
    look: 'Look',
    site: 'Your own site',
    'personal-data': 'Personal data',
  },
  organization: 'Organization',
  name: 'Name',
  nameHelp: 'The name that your guests know.',
  email: 'E-mail',
  emailHelp: 'Where your organization is written to.',
  slug: 'Link name',
  slugHelp:
    'It begins the addresses of your event pages: a to z, 0 to 9 and hyphens, such as ada-events. Each published event needs it.',
  receipts: 'Receipts',
  invoiceFrom: 'Ask for the buyer’s address from this amount on',
  invoiceFromHelp:
    'In whole units of your currency, such as 250. Below it, an invoice without an address is a simplified invoice. Empty: never. Without a tax number there are no invoices, and nobody is asked.',
  receiptPrefix: 'What their numbers begin with',
  receiptPrefixHelp:
    'Such as FEST, for FEST-R-000001. You need it where you write receipts elsewhere too, so that no number comes twice.',
  taxExemption: 'Why there is no tax',
  taxExemptionHelp:
    'Printed on receipts without tax, such as “Kein Ausweis von Umsatzsteuer nach § 19 UStG”.',
  forgetting: 'Guests of past events',
  forgetAfter: 'Forget guests so many days after the end of an event',
  forgetAfterHelp:
    'From 30 to 3,650. Leave it empty to keep them. Each night, names, e-mails, answers and notes of these guests go, and nothing brings them back; money, counts and receipts stay, and so does everybody whose money is still open. Owners are mailed a week before the first time.',
  forgetDue: 'What this means today',
  forgetBefore: (date: string) => `Guests of events that ended before ${date} are due.`,
  forgetUntold: 'Nobody is forgotten yet: the owners are mailed first, and it begins a week after that.',
  forgetTold: (told: string, begins: string) =>
    `The owners were mailed on ${told}, and it begins on ${begins}. Until then you can change it here, or leave it empty.`,
  forgetNightly: 'They are forgotten each night.',
  pastEvents: 'See the past events',
  receiptYears: 'Years that they are kept with names',
  receiptYearsHelp:
    'After the end of their calendar year: 6 to 12, as your tax law asks. Then they name nobody any more.',
  defaults: 'Time and money',
  timezone: 'Time zone',
  timezoneHelp: 'Of your months in reports, and of new events.',
  currency: 'Currency',
  currencyHelp: 'Of new events, and of the fee below.',
  fee: 'Service fee',
  feeHelp:
    'What selling a ticket costs you beside the processor: the monthly report takes it off. 0 for none.',
  feePercent: 'Percent of what is paid',
  feePerTicket: 'For each ticket',
}
