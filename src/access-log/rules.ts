import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { type AccessLogEntry, presentEntry } from './schemas.ts'
import * as store from './store.ts'

/** The person or program that acts on an account's data, and its address: null if the face has none. */
export interface Actor {
  accountId: string
  /** `key:<id>` for an API key, `user:<id>` for a person who is signed in, `cli` for the person at the command line. */
  who: string
  requestId: string | null
  address: string | null
}

/** The person at the command line, who owns every account. */
export const COMMAND_LINE: Omit<Actor, 'accountId'> = { who: 'cli', requestId: null, address: null }

export function commandOn(accountId: string): Actor {
  return { accountId, ...COMMAND_LINE }
}

/** An action on an account's data, done or attempted. */
export interface Access extends Omit<Actor, 'accountId'> {
  action: string
  targetType: string
  targetId: string | null
  details?: Record<string, unknown>
}

/** Writes an entry in the transaction of its action: neither exists without the other. */
export async function record(tx: WriteTx, accountId: string, access: Access): Promise<void> {
  await store.insert(tx, {
    id: newUuid(),
    account_id: accountId,
    actor: access.who,
    action: access.action,
    target_type: access.targetType,
    target_id: access.targetId,
    request_id: access.requestId,
    address: access.address,
    details: JSON.stringify(access.details ?? {}),
    created_at: await tx.now(),
  })
}

/** Newest first. */
export async function list(tx: ReadTx, accountId: string, limit: number): Promise<AccessLogEntry[]> {
  return (await store.listByAccount(tx, accountId, limit)).map(presentEntry)
}
