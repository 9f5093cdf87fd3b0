import { isDeepStrictEqual } from 'node:util'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import {
  type Account,
  type AccountDetails,
  isReserved,
  type NewAccount,
  NO_SELLER,
  presentAccount,
  presentDetails,
  RECEIPT_DEFAULTS,
  type ReceiptSettings,
  type Seller,
  type ServiceFee,
} from './schemas.ts'
import * as store from './store.ts'

/** The defaults of an account. */
export const DEFAULT_TIMEZONE = 'UTC'
export const DEFAULT_CURRENCY = 'EUR'
export const NO_SERVICE_FEE: ServiceFee = { basis_points: 0, per_ticket: 0 }

/** @throws Problem invalid_parameter when the e-mail belongs to another account */
export async function create(tx: WriteTx, input: NewAccount): Promise<Account> {
  const key = emailKey(input.email)
  if (await isOfAnother(tx, undefined, key)) {
    throw new Problem('invalid_parameter', { message: taken(input.email) })
  }
  const row = {
    id: newUuid(),
    name: input.name,
    email: input.email,
    email_key: key,
    timezone: input.timezone,
    currency: input.currency,
    service_fee_basis_points: input.service_fee.basis_points,
    service_fee_per_ticket: input.service_fee.per_ticket,
    slug: null,
    ...NO_SELLER,
    ...RECEIPT_DEFAULTS,
    created_at: await tx.now(),
  }
  await store.insert(tx, row)
  return presentAccount(row)
}

/**
 * Changes the fields that are given; where they say what is there already, nothing. Keys, events and webhooks stay its own.
 *
 * @throws Problem not_found; already_taken for `email` or `slug` of another account, and for a `slug` that addresses of our own
 *   begin with
 */
export async function update(
  tx: WriteTx,
  accountId: string,
  {
    service_fee: fee,
    ...changes
  }: Partial<NewAccount & Pick<AccountDetails, 'slug'> & Seller & ReceiptSettings>,
): Promise<AccountDetails> {
  const was = await find(tx, accountId)
  const row = { ...was, ...changes }
  if (fee !== undefined) {
    row.service_fee_basis_points = fee.basis_points
    row.service_fee_per_ticket = fee.per_ticket
  }
  if (isDeepStrictEqual(row, was)) return presentDetails(was)
  const key = emailKey(row.email)
  if (await isOfAnother(tx, accountId, key)) {
    throw new Problem('already_taken', { param: 'email', message: taken(row.email) })
  }
  if (row.slug !== null && (await isTaken(tx, accountId, row.slug))) {
    throw new Problem('already_taken', { param: 'slug' })
  }
  await store.update(tx, { ...row, email_key: key }, await tx.now())
  return presentDetails(row)
}

async function isOfAnother(tx: ReadTx, accountId: string | undefined, key: string): Promise<boolean> {
  const owner = await store.findByEmailKey(tx, key)
  return owner !== undefined && owner.id !== accountId
}

function taken(email: string): string {
  return `There is already an account with the e-mail ${email}.`
}

async function isTaken(tx: ReadTx, accountId: string, slug: string): Promise<boolean> {
  if (isReserved(slug)) return true
  return ((await store.findBySlug(tx, slug))?.id ?? accountId) !== accountId
}

/** Oldest first. */
export async function list(tx: ReadTx): Promise<Account[]> {
  return (await store.list(tx)).map(presentAccount)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string): Promise<Account> {
  return presentAccount(await find(tx, accountId))
}

/**
 * An account with what the command line does not tell of it.
 *
 * @throws Problem not_found
 */
export async function getDetails(tx: ReadTx, accountId: string): Promise<AccountDetails> {
  return presentDetails(await find(tx, accountId))
}

async function find(tx: ReadTx, accountId: string): Promise<store.AccountRow> {
  const row = await store.find(tx, accountId)
  if (row === undefined) throw new Problem('not_found', { message: `There is no account ${accountId}.` })
  return row
}
