import { type Actor, record } from '../access-log/rules.ts'
import type { WriteTx } from '../db/port.ts'
import * as members from './member-store.ts'

/** By which request, and from where, a person does something. */
export type Origin = Pick<Actor, 'requestId' | 'address'>

/** The person as the access log names them. */
export function byUser(userId: string, { requestId, address }: Origin): Omit<Actor, 'accountId'> {
  return { who: `user:${userId}`, requestId, address }
}

/** Writes what concerns a person alone into the access log of each account that the person is a member of. */
export async function recordOfUser(
  tx: WriteTx,
  userId: string,
  by: Omit<Actor, 'accountId'>,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  for (const { account_id } of await members.listByUser(tx, userId)) {
    await record(tx, account_id, { ...by, action, targetType: 'user', targetId: userId, details })
  }
}
