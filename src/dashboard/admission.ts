import * as accounts from '../accounts/rules.ts'
import type { ReadTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { isUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import type { Membership } from '../users/schemas.ts'
import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'
import type { Voice } from '../web/voice.ts'
import type { Asked, Level, Levels, OfAccount, OfEvent, OfUser } from './asked.ts'
import type { Declaration } from './declaration.ts'
import { isSeen } from './navigation.ts'

export function voiceOf(language: Language, timezone: string): Voice {
  return { texts: textsIn(language), format: new Format(language, timezone) }
}

/**
 * Finds what a page is about, and refuses whoever may not see it. What belongs to others is as unknown as what nobody has.
 *
 * @throws Problem not_found; not_allowed where the asker's role lacks the permission
 */
export async function admit<AtLevel extends Level>(
  tx: ReadTx,
  page: Declaration & { level: AtLevel },
  asked: OfUser,
): Promise<Levels[AtLevel]> {
  const about = await findAbout(tx, page.level, asked)
  if ('member' in about && !isSeen(page, about)) throw new Problem('not_allowed')
  if (page.isOfInstance && !asked.user.operator) throw new Problem('not_allowed')
  return about as Levels[AtLevel]
}

async function findAbout(tx: ReadTx, level: Level, asked: OfUser): Promise<Asked | OfAccount | OfEvent> {
  const { account, event } = asked.params
  if (level === 'account') return toAccount(tx, asked, membershipIn(asked, account ?? ''))
  if (level !== 'event') return asked
  if (!isUuid(event ?? '')) throw new Problem('not_found')
  for (const membership of asked.memberships) {
    const id = await events.findId(tx, membership.account.id, event as string)
    if (id === undefined) continue
    if (membership.event_ids !== null && !membership.event_ids.includes(id)) break
    const found = await events.getDetails(tx, membership.account.id, id)
    const about = await toAccount(tx, asked, membership)
    return { ...about, event: found, voice: voiceOf(asked.user.language, found.timezone) }
  }
  throw new Problem('not_found')
}

/** @throws Problem not_found */
function membershipIn({ memberships }: OfUser, accountId: string): Membership {
  const membership = memberships.find(({ account }) => account.id === accountId)
  if (membership === undefined) throw new Problem('not_found')
  return membership
}

async function toAccount(tx: ReadTx, asked: OfUser, member: Membership): Promise<OfAccount> {
  const account = await accounts.get(tx, member.account.id)
  return { ...asked, account, member, voice: voiceOf(asked.user.language, account.timezone) }
}
