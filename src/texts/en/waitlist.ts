import { count } from './page.ts'

export const waitlist = {
  caption: 'Who waits, the longest first',
  about:
    'When a ticket is given back, those who wait are told, the longest first. A place is held for nobody.',
  aboutHeld:
    'When a ticket is given back, it is held for whoever waits longest, until they answer. Tickets with a price are held where there is a way to pay them; else those who wait for them are told.',
  none: 'Nobody waits',
  noneAbout: 'Once a ticket is sold out, people can leave their name. They stand here in their order.',
  noneOfType: 'Nobody waits for this ticket.',
  name: 'Name',
  type: 'Ticket',
  since: 'Since',
  sinceThen: (when: string) => `since ${when}`,
  waiting: 'Waiting',
  notified: 'Told',
  held: 'Held',
  heldUntil: (when: string) => `until ${when}`,
  taken: 'Taken',
  notTaken: 'Not taken',
  action: 'Action',
  remove: 'Remove…',
  removeOf: (name: string) => `Remove… ${name}`,
  removeTitle: (name: string) => `Take ${name} off the waitlist?`,
  removeSubmit: 'Take off the waitlist',
  removeWaits: (quantity: number, type: string) =>
    `The place in the queue for ${count(quantity, { one: '# ticket', other: '# tickets' })} “${type}” is lost for good.`,
  removeNotifies: 'Nobody is told by this.',
}
