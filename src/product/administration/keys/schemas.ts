import { toIso, toIsoOrNull } from '#base/time.ts'
import type { Scope } from './scopes.ts'
import type { ApiKeyRow } from './store.ts'

/** A key as its owner sees it, without the key itself. */
export interface ApiKey {
  id: string
  name: string
  last_four: string
  scopes: Scope[]
  rate_limit: number
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
}

export function presentApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    last_four: row.last_four,
    scopes: JSON.parse(row.scopes) as Scope[],
    rate_limit: row.rate_limit,
    created_at: toIso(row.created_at),
    expires_at: toIsoOrNull(row.expires_at),
    last_used_at: toIsoOrNull(row.last_used_at),
    revoked_at: toIsoOrNull(row.revoked_at),
  }
}
