import type { ReadTx } from '#machinery/db/port.ts'
import { may, type Permission } from './roles.ts'
import { findMembership } from './rules.ts'

const USER = 'user:'

/**
 * Returns whether somebody who began something may still do it. A person may, as long as their membership allows it. Any other
 * actor, such as the command line, is no member and needs no membership.
 *
 * @param who as the access log names an actor
 * @param eventId the event that it is about. Null means the whole account, which needs a member with all events
 */
export async function mayStill(
  tx: ReadTx,
  who: string,
  permission: Permission,
  eventId: string | null,
): Promise<boolean> {
  if (!who.startsWith(USER)) return true
  const member = await findMembership(tx, who.slice(USER.length))
  if (member === undefined || !may(member.role, permission)) return false
  return member.event_ids === null || (eventId !== null && member.event_ids.includes(eventId))
}
