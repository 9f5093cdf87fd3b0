import { type AccountSettings, Books, type Emitted } from './books.ts'
import type { StripeClock } from './clock.ts'
import { StripeRefusal } from './errors.ts'

/**
 * The permissions of a restricted key, by the names of https://docs.stripe.com/keys/permissions-reference. Writing implies reading.
 * Refunds go with charges ("Charges and Refunds"); `connected_account_read` is what GET /v1/account asks for.
 */
export const PERMISSIONS = [
  'balance_read',
  'charge_read',
  'charge_write',
  'checkout_session_read',
  'checkout_session_write',
  'connected_account_read',
  'dispute_read',
  'dispute_write',
  'event_read',
  'payment_intent_read',
  'payment_intent_write',
  'payout_read',
  'webhook_read',
  'webhook_write',
] as const
export type Permission = (typeof PERMISSIONS)[number]

export interface Key {
  value: string
  account: string
  live: boolean
  /** It is null for a secret key, which may do everything. */
  permissions: Set<Permission> | null
  revoked: boolean
}

const FORM = /^(sk|rk)_(test|live)_\w{8,}$/

const SETTINGS: Omit<AccountSettings, 'id'> = {
  country: 'DE',
  currency: 'eur',
  name: 'Test organizer',
  fee: { basisPoints: 150, fixed: 25 },
  disputeFee: 2000,
  settlement: null,
  methods: ['card', 'link', 'sepa_debit'],
  fees: 'at once',
}

/** The accounts and keys that a test has registered. */
export class Accounts {
  private readonly clock: StripeClock
  private readonly emitted: (emitted: Emitted) => void
  private readonly settings = new Map<string, AccountSettings>()
  private readonly keys = new Map<string, Key>()
  private readonly books = new Map<string, Books>()

  constructor(clock: StripeClock, emitted: (emitted: Emitted) => void) {
    this.clock = clock
    this.emitted = emitted
  }

  /** Makes an account, or changes its settings. */
  set(id: string, settings: Partial<Omit<AccountSettings, 'id'>> = {}): AccountSettings {
    const existing = this.settings.get(id) ?? { ...SETTINGS, id }
    this.settings.set(id, Object.assign(existing, settings))
    return existing
  }

  /** Registers a key. A key without permissions has all of them. */
  addKey(
    value: string,
    { account, permissions }: { account: string; permissions?: readonly Permission[] },
  ): Key {
    const form = FORM.exec(value)
    if (!form) throw new Error(`${value} is no key of Stripe's`)
    if (!this.settings.has(account)) this.set(account)
    const all = form[1] === 'sk' ? null : new Set(permissions ?? PERMISSIONS)
    const key = { value, account, live: form[2] === 'live', permissions: all, revoked: false }
    this.keys.set(value, key)
    return key
  }

  revoke(value: string): void {
    const key = this.keys.get(value)
    if (!key) throw new Error('there is no such key to revoke')
    key.revoked = true
  }

  booksOf(account: string, live: boolean): Books {
    const name = `${account} ${live}`
    const existing = this.books.get(name)
    if (existing) return existing
    const made = new Books(this.set(account), live, this.clock, this.emitted)
    made.otherMode = () => this.books.get(`${account} ${!live}`)
    this.books.set(name, made)
    return made
  }

  allBooks(): Books[] {
    return [...this.books.values()]
  }

  /** Returns the key that an Authorization header names. https://docs.stripe.com/api/authentication */
  authenticate(header: string | undefined): Key {
    const value = keyIn(header)
    if (value === undefined) {
      throw unauthorized(
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
      )
    }
    const key = this.keys.get(value)
    if (!key) throw unauthorized(`Invalid API Key provided: ${masked(value)}`)
    if (key.revoked) throw unauthorized(`Expired API Key provided: ${masked(value)}`, 'api_key_expired')
    return key
  }
}

function keyIn(header: string | undefined): string | undefined {
  const found = /^(bearer|basic) +(\S+)$/i.exec(header ?? '')
  if (!found?.[2]) return undefined
  if (found[1]?.toLowerCase() === 'bearer') return found[2]
  return Buffer.from(found[2], 'base64').toString().split(':')[0] || undefined
}

function unauthorized(message: string, code?: string): StripeRefusal {
  return new StripeRefusal(
    401,
    { type: 'invalid_request_error', message, ...(code ? { code } : {}) },
    { validation: true },
  )
}

/** Returns a key as Stripe's messages show it. */
export function masked(key: string): string {
  const shown = /^(?:[sr]k)_(?:test|live)_/.exec(key)?.[0] ?? ''
  return `${shown}${'*'.repeat(Math.max(4, key.length - shown.length - 6))}${key.slice(-6)}`
}

export function allows(key: Key, permission: Permission): boolean {
  if (!key.permissions) return true
  return (
    key.permissions.has(permission) ||
    key.permissions.has(permission.replace(/_read$/, '_write') as Permission)
  )
}

/** Refuses what a restricted key may not do, naming what it lacks. */
export function authorize(key: Key, permission: Permission): void {
  if (allows(key, permission)) return
  const title = permission
    .split('_')
    .map(word => word[0]?.toUpperCase() + word.slice(1))
    .join(' ')
  const where = key.live ? '' : 'test/'
  throw new StripeRefusal(
    403,
    {
      type: 'invalid_request_error',
      message: `Permission denied. The provided key '${masked(key.value)}' does not have the required permissions for this endpoint on account '${key.account}'. Enabling "${title}" ('${permission}') permissions on this key would allow this request to continue. You can edit permissions at https://dashboard.stripe.com/${key.account}/${where}apikeys.`,
    },
    { validation: true },
  )
}
