import type { Content, MailKind } from './kind.ts'

/** Shows somebody that mail arrives. */
export const testMail: MailKind = {
  name: 'test',
  lane: 'orders',
  isOfEvent: false,
  placeholders: ['server'],
  read: async (_tx, _mail, { baseUrl }) => testContent(baseUrl),
}

/** @param server by what its people know it */
export function testContent(server: string): Content {
  return { from: 'Turnout', replyTo: undefined, values: { server } }
}
