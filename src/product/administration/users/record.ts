import type { InstanceWriteTx } from '#machinery/db/port.ts'
import { type Actor, record } from '#product/administration/access-log/rules.ts'
import * as members from './member-store.ts'

/** The request and the address from which a person acts. */
export type Origin = Pick<Actor, 'requestId' | 'address'>

/** Returns the person as an actor of the access log. */
export function byUser(userId: string, { requestId, address }: Origin): Omit<Actor, 'accountId'> {
  return { who: `user:${userId}`, requestId, address }
}

/** Records an action that concerns only a person, in the access log of each account that the person is a member of. */
export async function recordOfUser(
  tx: InstanceWriteTx,
  userId: string,
  by: Omit<Actor, 'accountId'>,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  for (const { account_id } of await members.listByUser(tx, userId)) {
    await record(tx.of(account_id), { ...by, action, targetType: 'user', targetId: userId, details })
  }
}
