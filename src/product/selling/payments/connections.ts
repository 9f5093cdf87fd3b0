import { Problem } from '#base/problem.ts'
import { MINUTE, SECOND, toIso, toIsoOrNull } from '#base/time.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as store from './connection-store.ts'

/** The account at Stripe that takes money, as pages and commands show it. It never contains secrets. */
export interface StripeConnection {
  /** The id that Stripe gives it. */
  account: string
  name: string | null
  is_live: boolean
  /** The last four characters of the key. */
  last_four: string
  /** Whether Stripe sends webhooks. The server asks Stripe every minute in any case. */
  has_webhook: boolean
  /**
   * `denied`: Stripe refuses the key. `no_key`: the key is missing, as the database was copied without secrets. `events_missed`:
   * something may have happened at Stripe that this server has not read.
   */
  trouble: string | null
  events_read_at: string | null
  /** Whether buyers are offered methods whose money comes days later, as `delayed.ts` says. */
  takes_delayed: boolean
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
    takes_delayed: row.takes_delayed === 1,
    created_at: toIso(row.created_at),
  }
}

export async function findStripe(tx: ReadTx): Promise<StripeConnection | undefined> {
  const row = await store.findStripe(tx)
  return row && presentStripe(row)
}

/** What is needed to call Stripe for an account. It serves only that, and goes to no page and no log. */
export interface StripeAccess {
  accountId: string
  secretKey: string
  isLive: boolean
  webhook: { id: string; url: string } | undefined
  /** The secrets of its webhooks, the newest first. */
  webhookSecrets: string[]
  /** Until when its events were read, in seconds by Stripe's clock. */
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

export async function findAccess(tx: ReadTx): Promise<StripeAccess | undefined> {
  const row = await store.findStripe(tx)
  return row && row.secret_key !== '' ? toAccess(row) : undefined
}

/** Returns the access of all accounts. */
export async function listAccess(tx: InstanceReadTx): Promise<StripeAccess[]> {
  return (await store.listStripe(tx)).filter(row => row.secret_key !== '').map(toAccess)
}

const KEY = /^rk_(live|test)_[A-Za-z0-9]{8,240}$/

/**
 * Checks the shape of a key before Stripe is asked about it.
 *
 * @param allowsTest whether the server accepts keys that move no money
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
  /** The time at Stripe, in milliseconds. */
  at: number
}

/**
 * Takes money by the Stripe account of a key from now on. A new key of the same account replaces the old one.
 *
 * @throws Problem in_use with `details.reason` other_stripe_account, because only the account that took a payment can refund it
 */
export async function connectStripe(
  tx: WriteTx,
  { secretKey, isLive, account, name, at }: LookedAt,
): Promise<StripeConnection> {
  const was = await store.findStripe(tx)
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
      ...{ account_id: tx.accountId, secret_key: secretKey, is_live: isLive ? 1 : 0, events_cursor },
      ...{ processor_account: account, processor_name: name },
    },
    await tx.now(),
  )
  return presentStripe((await store.findStripe(tx)) as store.StripeRow)
}

/** How far back its events are read the first time, in milliseconds. */
const FIRST_LOOK_BACK = 5 * MINUTE

/**
 * Throws if a connection is in use, so that it cannot be disconnected.
 *
 * @throws Problem not_found; in_use with `details.reason` payments_open and `details.open`
 */
export async function refuseInUse(tx: ReadTx, method: 'stripe' | 'transfer'): Promise<void> {
  const isThere = method === 'stripe' ? await store.findStripe(tx) : await store.findBank(tx)
  if (isThere === undefined) throw new Problem('not_found')
  const open = await store.countOpen(tx, method)
  if (open === 0) return
  const message = `${open} payments or refunds are under way. Wait until they are over.`
  throw new Problem('in_use', { message, details: { reason: 'payments_open', open } })
}

/** Takes no more money in this way, and forgets its secrets. @throws Problem those of `refuseInUse` */
export async function disconnect(tx: WriteTx, method: 'stripe' | 'transfer'): Promise<void> {
  await refuseInUse(tx, method)
  await store.remove(tx, method)
}

/** What may be stored of a connection while it works. */
export interface Noted {
  /** It is null if there is no webhook any more. */
  webhook?: { id: string; url: string; secret: string } | null
  /** Seconds, by Stripe's clock. */
  readUntil?: number
  trouble?: 'denied' | 'events_missed' | null
}

/** Stores changes of a connection. If it has another key by now, nothing changes. */
export async function note(
  tx: WriteTx,
  secretKey: string,
  { webhook, readUntil, trouble }: Noted,
): Promise<void> {
  const was = await store.findStripe(tx)
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

/** Clears `denied`: a key that can read the events is no longer refused. */
function recovered({ trouble }: store.StripeRow): store.StripeChanges {
  return trouble === 'denied' ? { trouble: null } : {}
}

/** Notes that a person has seen that events may have been missed. */
export async function acknowledge(tx: WriteTx): Promise<void> {
  const was = await store.findStripe(tx)
  if (was === undefined) throw new Problem('not_found')
  if (was.trouble === 'events_missed') await store.updateStripe(tx, was, { trouble: null }, await tx.now())
}

/** Offers methods whose money comes days later from now on, or no longer. @throws Problem not_found */
export async function takeDelayed(tx: WriteTx, takes: boolean): Promise<void> {
  const was = await store.findStripe(tx)
  if (was === undefined) throw new Problem('not_found')
  await store.updateStripe(tx, was, { takes_delayed: takes ? 1 : 0 }, await tx.now())
}

/** Stores where transfers go to from now on. @param bank in the shape of `bankSchema` */
export async function saveBank<Bank extends object>(tx: WriteTx, bank: Bank): Promise<Bank> {
  await store.saveBank(tx, JSON.stringify(bank), await tx.now())
  return bank
}
