import type { Written } from '#base/resource.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { queueDecision } from './mails.ts'
import * as abstracts from './rules.ts'
import type { Abstract, Decision } from './schemas.ts'

/**
 * Decides an abstract on behalf of a program, and mails its contact as the dashboard does, unless the event has turned that off.
 * Programs often repeat a decision. The same decision with the same note sends no second mail, unless the mail about it still
 * waits. That mail belongs to the earlier decision and is not sent. The mail is in the language of the user who signs in with the
 * account's e-mail, because the language of the author is unknown.
 *
 * @throws Problem not_found
 */
export async function decideByProgram(
  tx: WriteTx,
  id: string,
  decision: Decision,
): Promise<Written<Abstract>> {
  const was = await abstracts.get(tx, id)
  const written = await abstracts.decide(tx, id, decision)
  const is = written.resource
  const isNew = was.status !== is.status || was.decision_note !== is.decision_note
  const waiting = await emails.countOfSubject(tx, { subjectId: id, status: 'waiting' }, 1)
  const { decision_mails } = await events.getDetails(tx, is.event_id)
  if ((isNew || waiting > 0) && decision_mails) {
    const { email } = await accounts.get(tx)
    const language = (await users.findUserByEmail(tx, email))?.language ?? 'en'
    await queueDecision(tx, is, language)
  }
  return written
}
