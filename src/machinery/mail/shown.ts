import type { Smtp } from './smtp.ts'

/** Replaces the mail server in a sandbox. Nobody gets anything, and what would have been sent is kept to be read. */
export const showing: Pick<Smtp, 'send' | 'close' | 'domain'> = {
  domain: 'sandbox.invalid',
  send: async () => ({ state: 'sent', answer: 'Shown here, and sent to nobody: this is a sandbox.' }),
  close: async () => undefined,
}
