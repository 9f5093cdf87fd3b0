import type { ReadTx, WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { MINUTE, SECOND, toIso, toIsoOrNull } from '../time.ts'
import * as store from './connection-store.ts'

/** The account at Stripe that takes money, as pages and commands show it: never its secrets. */
export interface StripeConnection {
  /** As Stripe names it. */
  account: string
  name: string | null
  is_live: boolean
  /** Of the key. */
  last_four: string
  /** Whether Stripe tells of what happens; else it is asked every minute, as it is anyway. */
  has_webhook: boolean
  /** `denied`: Stripe refuses the key; `events_missed`: something may have happened there that nobody has seen. */
  trouble: string | null
  events_read_at: string | null
  created_at: string
}

function presentStripe(row: store.StripeRow): StripeConnection {
  return {
    account: row.processor_account,
    name: row.processor_name,
    is_live: row.is_live === 1,
    last_four: row.secret_key.slice(-4),
    has_webhook: row.webhook_id !== null,
    trouble: row.trouble,
    events_read_at: toIsoOrNull(row.events_read_at),
    created_at: toIso(row.created_at),
  }
}

export async function findStripe(tx: ReadTx, accountId: string): Promise<StripeConnection | undefined> {
  const row = await store.findStripe(tx, accountId)
  return row && presentStripe(row)
}

/** What speaks to Stripe for an account. For that alone: it goes to no page and no log. */
export interface StripeAccess {
  accountId: string
  secretKey: string
  isLive: boolean
  webhook: { id: string; url: string } | undefined
  /** Of its webhooks, the newest first. */
  webhookSecrets: string[]
  /** Up to when its events were read, in seconds by its clock. */
  readUntil: number | undefined
  /** Milliseconds. */
  readAt: number | undefined
  trouble: string | null
}

function toAccess(row: store.StripeRow): StripeAccess {
  const { webhook_id: id, webhook_url: url } = row
  return {
    accountId: row.account_id,
    secretKey: row.secret_key,
    isLive: row.is_live === 1,
    webhook: id === null || url === null ? undefined : { id, url },
    webhookSecrets: [row.webhook_secret, row.former_webhook_secret].filter(each => each !== null),
    readUntil: row.events_cursor === null ? undefined : Number(row.events_cursor),
    readAt: row.events_read_at ?? undefined,
    trouble: row.trouble,
  }
}

export async function findAccess(tx: ReadTx, accountId: string): Promise<StripeAccess | undefined> {
  const row = await store.findStripe(tx, accountId)
  return row && toAccess(row)
}

/** Of all accounts. */
export async function listAccess(tx: ReadTx): Promise<StripeAccess[]> {
  return (await store.listStripe(tx)).map(toAccess)
}

const KEY = /^rk_(live|test)_[A-Za-z0-9]{8,240}$/

/**
 * Looks at a key before anybody is asked about it.
 *
 * @param allowsTest whether the server takes keys that move no money
 * @throws Problem invalid_parameter with `details.reason` key_secret, key_shape or key_test
 */
export function readKey(text: string, allowsTest: boolean): { secretKey: string; isLive: boolean } {
  const secretKey = text.trim()
  const refuse = (reason: string, message: string) =>
    new Problem('invalid_parameter', { message, param: 'key', details: { reason } })
  if (/^sk_/.test(secretKey))
    throw refuse(
      'key_secret',
      'This key may do everything. Make a restricted key instead: it begins with rk_.',
    )
  const [, mode] = KEY.exec(secretKey) ?? []
  if (mode === undefined)
    throw refuse('key_shape', 'This is no restricted key of Stripe: those begin with rk_live_.')
  if (mode === 'test' && !allowsTest)
    throw refuse('key_test', 'This is a test key, and takes no money: use one that begins with rk_live_.')
  return { secretKey, isLive: mode === 'live' }
}

/** What Stripe says of a key. */
export interface LookedAt {
  secretKey: string
  isLive: boolean
  account: string
  name: string | null
  /** The time there, in milliseconds. */
  at: number
}

/**
 * Takes money by the Stripe account of a key from now on. A new key of the same account takes the place of the old one.
 *
 * @throws Problem in_use with `details.reason` other_stripe_account: what was paid to one account is refunded by it alone
 */
export async function connectStripe(
  tx: WriteTx,
  accountId: string,
  { secretKey, isLive, account, name, at }: LookedAt,
): Promise<StripeConnection> {
  const was = await store.findStripe(tx, accountId)
  if (was !== undefined && (was.processor_account !== account || (was.is_live === 1) !== isLive)) {
    throw new Problem('in_use', {
      message:
        'This key is of another Stripe account, or of another mode. Disconnect the one that there is first.',
      details: { reason: 'other_stripe_account' },
    })
  }
  const events_cursor = String(Math.floor((at - FIRST_LOOK_BACK) / SECOND))
  await store.saveStripe(
    tx,
    {
      ...{ account_id: accountId, secret_key: secretKey, is_live: isLive ? 1 : 0, events_cursor },
      ...{ processor_account: account, processor_name: name },
    },
    await tx.now(),
  )
  return presentStripe((await store.findStripe(tx, accountId)) as store.StripeRow)
}

/** How far back its events are read the first time, in milliseconds. */
const FIRST_LOOK_BACK = 5 * MINUTE

/** Whether an account can be disconnected. @throws Problem not_found; in_use with `details.reason` payments_open and `details.open` */
export async function refuseInUse(
  tx: ReadTx,
  accountId: string,
  method: 'stripe' | 'transfer',
): Promise<void> {
  const isThere =
    method === 'stripe' ? await store.findStripe(tx, accountId) : await store.findBank(tx, accountId)
  if (isThere === undefined) throw new Problem('not_found')
  const open = await store.countOpen(tx, accountId, method)
  if (open === 0) return
  const message = `${open} payments or refunds are under way. Wait until they are over.`
  throw new Problem('in_use', { message, details: { reason: 'payments_open', open } })
}

/** Takes no more money in this way, and forgets its secrets. @throws Problem those of `refuseInUse` */
export async function disconnect(
  tx: WriteTx,
  accountId: string,
  method: 'stripe' | 'transfer',
): Promise<void> {
  await refuseInUse(tx, accountId, method)
  await store.remove(tx, accountId, method)
}

/** What may be written down of a connection while it works. */
export interface Noted {
  /** Null where it has none any more. */
  webhook?: { id: string; url: string; secret: string } | null
  /** Seconds, by Stripe's clock. */
  readUntil?: number
  trouble?: 'denied' | 'events_missed' | null
}

/** Writes down what became of a connection; of one that has another key by now, nothing. */
export async function note(
  tx: WriteTx,
  accountId: string,
  secretKey: string,
  { webhook, readUntil, trouble }: Noted,
): Promise<void> {
  const was = await store.findStripe(tx, accountId)
  if (was === undefined || was.secret_key !== secretKey) return
  const changes: store.StripeChanges = {
    ...(webhook === undefined ? {} : webhookOf(was, webhook)),
    ...(readUntil === undefined
      ? {}
      : { events_cursor: String(readUntil), events_read_at: tx.clock(), ...recovered(was) }),
    ...(trouble === undefined ? {} : { trouble }),
  }
  await store.updateStripe(tx, was, changes, await tx.now())
}

function webhookOf(was: store.StripeRow, webhook: Exclude<Noted['webhook'], undefined>): store.StripeChanges {
  return {
    webhook_id: webhook?.id ?? null,
    webhook_url: webhook?.url ?? null,
    webhook_secret: webhook?.secret ?? null,
    former_webhook_secret: webhook === null ? null : was.webhook_secret,
  }
}

/** Whoever can read its events is not refused any more. */
function recovered({ trouble }: store.StripeRow): store.StripeChanges {
  return trouble === 'denied' ? { trouble: null } : {}
}

/** A person has seen that something may have been missed. */
export async function acknowledge(tx: WriteTx, accountId: string): Promise<void> {
  const was = await store.findStripe(tx, accountId)
  if (was === undefined) throw new Problem('not_found')
  if (was.trouble === 'events_missed') await store.updateStripe(tx, was, { trouble: null }, await tx.now())
}

/** Has transfers go there from now on. @param bank as `bankSchema` has it */
export async function saveBank<Bank extends object>(
  tx: WriteTx,
  accountId: string,
  bank: Bank,
): Promise<Bank> {
  await store.saveBank(tx, accountId, JSON.stringify(bank), await tx.now())
  return bank
}
