import type { ReadTx } from '../db/port.ts'
import { may, type Permission } from './roles.ts'
import { findMembership } from './rules.ts'

const USER = 'user:'

/**
 * Whether whoever began something may still do it. A person may as long as their membership allows it; whoever else acts, such as
 * the command line, is no member and needs none.
 *
 * @param who as the access log names an actor
 * @param eventId what it is about; null for what is of the account, which is for members of all events
 */
export async function mayStill(
  tx: ReadTx,
  accountId: string,
  who: string,
  permission: Permission,
  eventId: string | null,
): Promise<boolean> {
  if (!who.startsWith(USER)) return true
  const member = await findMembership(tx, accountId, who.slice(USER.length))
  if (member === undefined || !may(member.role, permission)) return false
  return member.event_ids === null || (eventId !== null && member.event_ids.includes(eventId))
}
