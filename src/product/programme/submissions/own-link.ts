import { emailKey } from '#base/fields.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Button, MailToSend, Server } from '#machinery/mail/kind.ts'
import { textsIn } from '#texts/catalogue.ts'
import { submissionUrl } from './links.ts'
import * as submissions from './rules.ts'

/**
 * Returns the button of a mail about an abstract that leads to its own page.
 *
 * @returns undefined unless the recipient is the person behind it: nobody else gets the link
 */
export async function ownLinkFor(
  tx: ReadTx,
  abstractId: string,
  { recipient, language }: Pick<MailToSend, 'recipient' | 'language'>,
  server: Server,
): Promise<{ button: Button; secrets: readonly string[] } | undefined> {
  const of = await submissions.findByAbstract(tx, abstractId)
  if (of === undefined || emailKey(of.submitter.email) !== emailKey(recipient)) return undefined
  const link = submissionUrl(server, of.submitter, of.submission)
  return { button: { label: textsIn(language).mail.buttons.submission, url: link }, secrets: [link] }
}
