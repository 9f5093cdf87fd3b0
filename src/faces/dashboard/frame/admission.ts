import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import { Format } from '#machinery/web/format.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { Membership } from '#product/administration/users/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import type { Declaration } from './declaration.ts'
import { isSeen } from './navigation.ts'
import type { AccountRequest, EventRequest, Level, Levels, UserRequest } from './page-request.ts'

export function voiceOf(language: Language, timezone: string): Voice {
  return { texts: textsIn(language), format: new Format(language, timezone) }
}

/** @throws Problem as `findAbout` and `refuseUnseen` do */
export async function admit<AtLevel extends Level>(
  tx: InstanceReadTx,
  page: Declaration & { level: AtLevel },
  request: UserRequest,
): Promise<Levels[AtLevel]> {
  const about = await findAbout(tx, page.level, request)
  refuseUnseen(page, about)
  return about as Levels[AtLevel]
}

/** @throws Problem not_allowed if the user's role, events or operator status do not allow the page */
export function refuseUnseen(page: Declaration, about: UserRequest | AccountRequest | EventRequest): void {
  if ('member' in about && !isSeen(page, about)) throw new Problem('not_allowed')
  if (page.isOfInstance && !about.user.operator) throw new Problem('not_allowed')
}

/**
 * Finds what a page is about. What belongs to other accounts is as unknown as what does not exist.
 *
 * @throws Problem not_found
 */
export async function findAbout(
  tx: InstanceReadTx,
  level: Level,
  request: UserRequest,
): Promise<UserRequest | AccountRequest | EventRequest> {
  const { account, event } = request.params
  if (level === 'account') return toAccount(tx, request, membershipIn(request, account ?? ''))
  if (level !== 'event') return request
  if (!isUuid(event ?? '')) throw new Problem('not_found')
  for (const membership of request.memberships) {
    const ofAccount = tx.of(membership.account.id)
    const id = await events.findId(ofAccount, event as string)
    if (id === undefined) continue
    if (membership.event_ids !== null && !membership.event_ids.includes(id)) break
    const found = await events.getDetails(ofAccount, id)
    const about = await toAccount(tx, request, membership)
    return { ...about, event: found, voice: voiceOf(request.user.language, found.timezone) }
  }
  throw new Problem('not_found')
}

/** @throws Problem not_found */
function membershipIn({ memberships }: UserRequest, accountId: string): Membership {
  const membership = memberships.find(({ account }) => account.id === accountId)
  if (membership === undefined) throw new Problem('not_found')
  return membership
}

/** Returns the request as one about an account of the user. */
export async function toAccount(
  tx: InstanceReadTx,
  request: UserRequest,
  member: Membership,
): Promise<AccountRequest> {
  const account = await accounts.get(tx.of(member.account.id))
  return { ...request, account, member, voice: voiceOf(request.user.language, account.timezone) }
}
