import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import { hashApiKey, isApiKey, newApiKey } from './api-key.ts'
import { type ApiKey, presentApiKey } from './schemas.ts'
import type { Scope } from './scopes.ts'
import * as store from './store.ts'

/** Requests per minute of a key, by default: specification section 8. */
export const DEFAULT_RATE_LIMIT = 120
export const MAX_RATE_LIMIT = 1_000_000

/** The caller: an accepted key, as the pipeline knows it. */
export interface Caller {
  keyId: string
  accountId: string
  scopes: readonly Scope[]
  /** Requests a minute; 0 is no limit. */
  rateLimit: number
  lastUsedAt: number | null
}

/**
 * Accepts a key as the caller sent it. Expired and revoked are told apart only once the hash has matched.
 *
 * @param now milliseconds
 * @throws Problem invalid_api_key, revoked_api_key, expired_api_key (specification section 5)
 */
export async function authenticate(tx: ReadTx, key: string, now: number): Promise<Caller> {
  const row = isApiKey(key) ? await store.findByHash(tx, hashApiKey(key)) : undefined
  if (row === undefined) throw new Problem('invalid_api_key')
  if (row.revoked_at !== null) throw new Problem('revoked_api_key')
  if (row.expires_at !== null && row.expires_at <= now) throw new Problem('expired_api_key')
  return {
    keyId: row.id,
    accountId: row.account_id,
    scopes: JSON.parse(row.scopes) as Scope[],
    rateLimit: row.rate_limit,
    lastUsedAt: row.last_used_at,
  }
}

export interface NewApiKey {
  name: string
  scopes: readonly Scope[]
  /** Milliseconds; null never expires. */
  expiresAt: number | null
  /** Requests a minute; 0 is no limit. */
  rateLimit: number
}

/**
 * Makes a key. Only this answer has the text of the key: the database stores its hash.
 *
 * @throws Problem invalid_parameter for `expires_at`, with `details.reason` past_expiry
 */
export async function create(
  tx: WriteTx,
  accountId: string,
  input: NewApiKey,
): Promise<ApiKey & { key: string }> {
  if (input.expiresAt !== null && input.expiresAt <= tx.clock()) {
    const message = 'A key must expire in the future.'
    throw new Problem('invalid_parameter', {
      message,
      param: 'expires_at',
      details: { reason: 'past_expiry' },
    })
  }
  const key = newApiKey()
  const row = {
    id: newUuid(),
    account_id: accountId,
    name: input.name,
    key_hash: hashApiKey(key),
    last_four: key.slice(-4),
    scopes: JSON.stringify([...new Set(input.scopes)]),
    rate_limit: input.rateLimit,
    expires_at: input.expiresAt,
    created_at: await tx.now(),
  }
  await store.insert(tx, row)
  const { id, ...rest } = presentApiKey({ ...row, revoked_at: null, last_used_at: null })
  return { id, key, ...rest }
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<ApiKey> {
  return presentApiKey(await refuseMissing(id, store.find(tx, accountId, id)))
}

export async function list(tx: ReadTx, accountId: string): Promise<ApiKey[]> {
  return (await store.listByAccount(tx, accountId)).map(presentApiKey)
}

/**
 * The account of a key, for the command line alone: its person owns every account.
 *
 * @throws Problem not_found
 */
export async function findOwner(tx: ReadTx, id: string): Promise<string> {
  return (await refuseMissing(id, store.findOwner(tx, id))).account_id
}

/**
 * Revokes a key for good; one that is already revoked stays as it is.
 *
 * @throws Problem not_found
 */
export async function revoke(
  tx: WriteTx,
  accountId: string,
  id: string,
): Promise<{ key: ApiKey; changed: boolean }> {
  const changed = await store.revoke(tx, accountId, id, await tx.now())
  const row = await refuseMissing(id, store.find(tx, accountId, id))
  return { key: presentApiKey(row), changed: changed === 1 }
}

async function refuseMissing<Row>(id: string, found: Promise<Row | undefined>): Promise<Row> {
  const row = await found
  if (row === undefined) throw new Problem('not_found', { message: `There is no API key ${id}.` })
  return row
}

export function markUsed(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return store.markUsed(tx, accountId, id, now)
}
