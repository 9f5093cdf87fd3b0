import { count } from './page.ts'

const days = (n: number) => count(n, { one: '# day', other: '# days' })

/** What the draft of a privacy notice names. */
export interface PrivacyFacts {
  /** The name of the organizer. */
  name: string
  email: string
  /** How many years receipts name their buyer, after the end of their calendar year. */
  receiptYears: number
  /** How many days after the end of an event its guests are named. It is null if that is not set. */
  guestDays: number | null
  /** How many days the log of changes is kept. */
  logDays: number
  /** How many days an order that came to nothing names its people. */
  abandonedDays: number
  /** How many days an order has the scrambled network that it came from. */
  networkDays: number
  mailDays: number
  /** How many days lines of a bank statement that belong to no order name people. */
  statementDays: number
  /** How many days imported tables and what was sent to connected programs are kept. */
  programDays: number
}

/** Organizers read these texts where they say who sells. */
export const legal = {
  title: 'Who sells',
  help: 'Your event pages and receipts show it. An event with paid tickets is published once there are a legal name, a postal address, an imprint and a privacy notice.',
  legalName: 'Legal name',
  legalNameHelp: 'Of the person, association or company.',
  address: 'Postal address',
  taxId: 'Tax number',
  link: 'A link elsewhere',
  text: 'A text written here',
  imprint: {
    from: 'Imprint',
    about: 'Says who you are, as the law asks.',
    url: 'Link to the imprint',
    text: 'Text of the imprint',
  },
  privacy: {
    from: 'Privacy',
    about:
      'Says what you do with data. The text begins with a draft of what is kept here. Fill in what stands in brackets.',
    url: 'Link to the privacy notice',
    text: 'Text of the privacy notice',
  },
  terms: {
    from: 'Terms',
    about: 'What a buyer accepts at each event that has no terms of its own.',
    url: 'Link to the terms',
    text: 'Text of the terms',
  },
  markdown: 'Markdown: # heading, **bold**, lists, links.',
  see: 'See the page',
  preview: 'Preview',
  previewOf: 'As visitors will see it',
  /** A draft in Markdown. What stands in brackets is for the organizer to fill in. */
  privacyDraft: (
    facts: PrivacyFacts,
  ) => `This notice says what ${facts.name} keeps of you when you register for an event, join a waitlist or hand in an abstract here, what for, and for how long. Who we are stands in the imprint. If you have a question about your data, write to ${facts.email}.

# What we keep

- **Orders:** your name, e-mail address and language, what you order and pay, your answers to our questions, the terms that you accepted, and, where you give them for the receipt, a company, an address and a tax number.
- **Tickets:** the name and e-mail address of each holder, the answers about them, the seat, and whether and when the ticket was checked in.
- **Waitlists:** your name, e-mail address and language, and the tickets that you wait for.
- **Abstracts:** what you hand in, with the names, e-mail addresses and affiliations of its authors, and how to reach the contact.
- **Mails** that we send you: their text, and whether they could be delivered; and that you want no more announcements, if you say so.
- **Payments:** amount, time, and the number by which the payment service names it. We never get the number of your card. Of a bank transfer we have what the bank tells us: name, amount, day and purpose.
- **Network addresses:** if you change your order by its link, the log of changes has the address of your connection. An order has it only scrambled, so that nobody has many mails sent to others.

For visitors there are no cookies and no trackers, and our pages load nothing from other servers.

# What for

To carry out your order and the event (Art. 6(1)(b) GDPR), to keep accounts as the law asks (Art. 6(1)(c) GDPR), and to protect tickets and this server against misuse (Art. 6(1)(f) GDPR).

# For how long

${
  facts.guestDays === null
    ? '- Orders, tickets, check-ins, waitlists and abstracts: [until when, such as a year after the event]; then we erase what names you.'
    : `- Orders, tickets, check-ins and waitlists: ${days(facts.guestDays)} after the end of the event; then we erase what names you.\n- Abstracts: [until when].`
}
- Orders that came to nothing: ${days(facts.abandonedDays)}.
- Receipts: ${facts.receiptYears} years after the end of their calendar year, as tax law asks.
- Mails: ${days(facts.mailDays)}.
- The log of changes: ${days(facts.logDays)}. The scrambled address of an order: at most ${days(facts.networkDays)}.
- Bank transfers that belong to no order: ${days(facts.statementDays)}; those of an order stay with our accounts.
- The lines of guest lists that we import, and what connected programs are sent: ${days(facts.programDays)}.
- Backups have all of it until they are deleted: [after how many days].

# Who gets it

Those of our team who need it, and the phones that check tickets in at the door. For payments, our bank or the payment service [Stripe]. The companies that run our server and deliver our mails [their names]. Nobody else.

# Your rights

You may ask what we keep of you, and have it corrected, erased, restricted or handed over. You may object to its use, and complain to a data protection authority. Each announcement has a link that ends them.`,
}
