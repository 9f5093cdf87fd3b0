import { Problem } from '#base/problem.ts'
import type { Written } from '#base/resource.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import type { Abstract, Decision } from '#product/programme/abstracts/schemas.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { offered } from '#product/programme/calls/schemas.ts'
import { queueDecision } from './tell.ts'

/**
 * Decides an abstract on behalf of a program, and mails its contact as the dashboard does, unless the event has turned that off.
 * Programs often repeat a decision: what says the same mails nobody once more. Where nobody knows the language of the author, the mail
 * is in that of the user who signs in with the account's e-mail.
 *
 * @throws Problem not_found; abstract_withdrawn; invalid_parameter for a `kind` that the call does not offer
 */
export async function decideByProgram(
  tx: WriteTx,
  id: string,
  { kind, ...decision }: Decision,
): Promise<Written<Abstract>> {
  const { event_id } = await abstracts.get(tx, id)
  const kind_id = kind === undefined ? null : await findKind(tx, event_id, kind)
  const outcome = await abstracts.decide(tx, id, { ...decision, kind_id })
  const { decision_mails } = await events.getDetails(tx, event_id)
  if (outcome.isNew && decision_mails) {
    const { email } = await accounts.get(tx)
    const language = (await users.findUserByEmail(tx, email))?.language ?? 'en'
    await queueDecision(tx, outcome, language)
  }
  return outcome
}

/** @throws Problem invalid_parameter for `kind` */
async function findKind(tx: ReadTx, eventId: string, name: string): Promise<string> {
  const kinds = offered((await calls.find(tx, eventId))?.kinds ?? [])
  const kind = kinds.find(each => each.name === name)
  if (kind === undefined) throw new Problem('invalid_parameter', { param: 'kind' })
  return kind.id
}
