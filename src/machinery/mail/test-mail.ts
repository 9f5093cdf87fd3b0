import type { Content, MailKind } from './kind.ts'

/** A mail that shows somebody that mail arrives. */
export const testMail: MailKind = {
  name: 'test',
  lane: 'orders',
  isOfEvent: false,
  placeholders: ['server'],
  read: async (_tx, _mail, { baseUrl }) => testContent(baseUrl),
}

/** Returns the content of a test mail. @param server the name by which its people know it */
export function testContent(server: string): Content {
  return { from: 'Turnout', replyTo: undefined, values: { server } }
}
