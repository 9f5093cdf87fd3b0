import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { hashApiKey, isApiKey, newApiKey } from './api-key.ts'
import { type ApiKey, presentApiKey } from './schemas.ts'
import type { Scope } from './scopes.ts'
import * as store from './store.ts'

/** The requests a minute that a key allows by default (specification section 8). */
export const DEFAULT_RATE_LIMIT = 120
export const MAX_RATE_LIMIT = 1_000_000

/** The caller, identified by an accepted key, as the request pipeline sees it. */
export interface Caller {
  keyId: string
  accountId: string
  scopes: readonly Scope[]
  /** Requests a minute. 0 means no limit. */
  rateLimit: number
  /** Unix milliseconds. Null means that the key never expires. */
  expiresAt: number | null
  lastUsedAt: number | null
}

/**
 * Accepts a key as the caller sent it. It reveals that a key is expired or revoked only after the hash has matched.
 *
 * @param now in milliseconds
 * @throws Problem invalid_api_key, revoked_api_key, expired_api_key (specification section 5)
 */
export async function authenticate(tx: InstanceReadTx, key: string, now: number): Promise<Caller> {
  const row = isApiKey(key) ? await store.findByHash(tx, hashApiKey(key)) : undefined
  if (row === undefined) throw new Problem('invalid_api_key')
  if (row.revoked_at !== null) throw new Problem('revoked_api_key')
  if (row.expires_at !== null && row.expires_at <= now) throw new Problem('expired_api_key')
  return {
    keyId: row.id,
    accountId: row.account_id,
    scopes: JSON.parse(row.scopes) as Scope[],
    rateLimit: row.rate_limit,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}

export interface NewApiKey {
  name: string
  scopes: readonly Scope[]
  /** Unix milliseconds. Null means that the key never expires. */
  expiresAt: number | null
  /** Requests a minute. 0 means no limit. */
  rateLimit: number
}

/**
 * Makes a key. Only this answer contains the text of the key, because the database stores only its hash.
 *
 * @throws Problem invalid_parameter for `expires_at`, with `details.reason` past_expiry
 */
export async function create(tx: WriteTx, input: NewApiKey): Promise<ApiKey & { key: string }> {
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
    account_id: tx.accountId,
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
export async function get(tx: ReadTx, id: string): Promise<ApiKey> {
  return presentApiKey(await refuseMissing(id, store.find(tx, id)))
}

export async function list(tx: ReadTx): Promise<ApiKey[]> {
  return (await store.listByAccount(tx)).map(presentApiKey)
}

/**
 * Returns the account of a key. Only the command line uses it, because its person owns every account.
 *
 * @throws Problem not_found
 */
export async function findOwner(tx: InstanceReadTx, id: string): Promise<string> {
  return (await refuseMissing(id, store.findOwner(tx, id))).account_id
}

/**
 * Revokes a key for good. A key that is already revoked stays as it is.
 *
 * @throws Problem not_found
 */
export async function revoke(tx: WriteTx, id: string): Promise<{ key: ApiKey; changed: boolean }> {
  const changed = await store.revoke(tx, id, await tx.now())
  const row = await refuseMissing(id, store.find(tx, id))
  return { key: presentApiKey(row), changed: changed === 1 }
}

async function refuseMissing<Row>(id: string, found: Promise<Row | undefined>): Promise<Row> {
  const row = await found
  if (row === undefined) throw new Problem('not_found', { message: `There is no API key ${id}.` })
  return row
}

export function markUsed(tx: WriteTx, id: string, now: number): Promise<number> {
  return store.markUsed(tx, id, now)
}
