import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { type AccessLogEntry, presentEntry } from './schemas.ts'
import * as store from './store.ts'

/** One thing that somebody did, or tried to do, to an account's data. */
export interface Access {
  accountId: string
  /** `key:<id>` for an API key, `cli` for the person at the command line. */
  actor: string
  action: string
  targetType: string
  targetId: string | null
  requestId: string | null
  address: string | null
  details: Record<string, unknown>
}

/** Written in the transaction of what it tells of: neither is there without the other. */
export async function record(tx: WriteTx, access: Access): Promise<void> {
  await store.insert(tx, {
    id: newUuid(),
    account_id: access.accountId,
    actor: access.actor,
    action: access.action,
    target_type: access.targetType,
    target_id: access.targetId,
    request_id: access.requestId,
    address: access.address,
    details: JSON.stringify(access.details),
    created_at: await tx.now(),
  })
}

/** What the person at the command line did. */
export function recordCommand(
  tx: WriteTx,
  accountId: string,
  action: string,
  targetType: string,
  targetId: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  return record(tx, {
    accountId,
    actor: 'cli',
    action,
    targetType,
    targetId,
    requestId: null,
    address: null,
    details,
  })
}

/** Newest first. */
export async function list(tx: ReadTx, accountId: string, limit: number): Promise<AccessLogEntry[]> {
  return (await store.listByAccount(tx, accountId, limit)).map(presentEntry)
}
