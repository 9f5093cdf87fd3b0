import { count } from './page.ts'

/** These texts tell what needs somebody's attention first. */
export const needs = {
  title: 'Needs you',
  look: 'Look',
  failing: (host: string) => `${host} does not answer`,
  failingAbout: (since: string) => `Every webhook to it has failed since ${since}.`,
  failed: (n: number, host: string) =>
    count(n, { one: `# webhook never reached ${host}`, other: `# webhooks never reached ${host}` }),
  failedOrMore: (n: number, host: string) =>
    count(n, { one: '', other: `# webhooks or more never reached ${host}` }),
  failedAbout: 'Each was tried eight times, and can be sent again.',
  orders: (n: number) =>
    count(n, { one: '# order waits for your approval', other: '# orders wait for your approval' }),
  ordersOrMore: (n: number) => count(n, { one: '', other: '# orders or more wait for your approval' }),
  otherOrders: (n: number) =>
    count(n, { one: 'Orders wait in # more event', other: 'Orders wait in # more events' }),
  otherMails: (n: number) =>
    count(n, { one: 'Mails failed in # more event', other: 'Mails failed in # more events' }),
  othersAbout: 'Those with the most stand here.',
  onDates: (n: number) => count(n, { one: '', other: '# dates. “Look” leads to the one with the most.' }),
  scans: (n: number) =>
    count(n, { one: '# ticket at a door needs a look', other: '# tickets at doors need a look' }),
  scansOrMore: (n: number) => count(n, { one: '', other: '# tickets or more at doors need a look' }),
  otherScans: (n: number) =>
    count(n, { one: 'Doors need a look in # more event', other: 'Doors need a look in # more events' }),
  unpayable: (n: number) =>
    count(n, { one: 'Nobody can pay for # ticket type', other: 'Nobody can pay for # ticket types' }),
  otherUnpayable: (n: number) =>
    count(n, {
      one: 'Nobody can pay for tickets of # more event',
      other: 'Nobody can pay for tickets of # more events',
    }),
  amounts: (n: number) =>
    count(n, { one: '# payment is not what was asked for', other: '# payments are not what was asked for' }),
  owed: (n: number) => count(n, { one: '# refund needs you', other: '# refunds need you' }),
  owedOrMore: (n: number) => count(n, { one: '', other: '# refunds or more need you' }),
  owedAbout: 'They are to be paid back by hand, or a processor could not pay them back.',
  dispute: (amount: string) => `A buyer disputes ${amount}`,
  disputeUntil: (until: string) => `Answer it in Stripe’s dashboard until ${until}.`,
  disputeAbout: 'It is answered in Stripe’s dashboard.',
  disputeLost: (amount: string) => `A dispute of ${amount} is lost`,
  disputeLostAbout: 'Void the tickets and make a credit note, or leave them valid.',
  stripeDenied: 'Stripe refuses your key',
  stripeDeniedAbout:
    'Nobody can pay by card, and nothing is paid back. Make a new key there and save it here.',
  stripeKeyMissing: 'The key of Stripe is missing',
  stripeKeyMissingAbout:
    'This was restored from a copy without secrets. Nobody can pay by card, and nothing is paid back, until a key is saved here.',
  bankLines: (n: number) =>
    count(n, {
      one: '# line of a bank statement is to decide',
      other: '# lines of bank statements are to decide',
    }),
  bankLinesOrMore: (n: number) =>
    count(n, { one: '', other: '# lines or more of bank statements are to decide' }),
  bankLinesAbout: 'Money came in, or went out, and it is not clear of which order.',
  mailOnHold: (since: string) => `Nothing is mailed since ${since}, and payments are paused`,
  mailOnHoldAbout:
    'This database may be a copy of another. Nobody gets a mail, nobody can pay by card, and nothing is paid back there, until you say that there is no other.',
  mailOnHoldForOthers:
    'Nobody gets a mail, nobody can pay by card, and nothing is paid back there, until whoever runs this server says that no other works on the same data.',
  mailTrouble: (since: string) => `No mail goes out since ${since}`,
  mailTroubleAbout: 'The server for mail takes none. Mails wait, and none is lost.',
  mailWaits: 'Mails wait for a server for mail',
  mailWaitsAbout: 'None is set up yet. Nobody gets them until there is one.',
  mailFailed: (n: number) => count(n, { one: '# mail reached nobody', other: '# mails reached nobody' }),
  mailFailedOrMore: (n: number) => count(n, { one: '', other: '# mails or more reached nobody' }),
  mailFailedAbout: 'In the last seven days. The servers of those who should get them refused them.',
  box: 'This server only admits',
  boxAbout:
    'It is the box at the door: it mails, sells and ends nothing, and takes no other change. Its scans go to your main server by “turnout scan export”.',
  lateBackup: (since: string) => `No backup since ${since}`,
  noBackupYet: 'No backup has been made yet',
  lateAbout: 'One should have been made. The log of the server says why it was not.',
  withoutBackups: 'This server makes no backups by itself',
  withoutBackupsAbout: 'What is on a lost disk is lost, unless you copy it in another way.',
  certificateEnds: (when: string) => `The certificate ends on ${when}`,
  certificateEnded: (when: string) => `The certificate ended on ${when}`,
  certificateAbout: 'Without a new one nobody reaches this site, and no scanner the service.',
  disk: 'The disk is nearly full',
  diskAbout: (free: string, total: string) =>
    `${free} of ${total} are free. Once it is full, nothing can be saved.`,
}
