import { isDeepStrictEqual } from 'node:util'
import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { toMinor } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import type { AnyReadTx, AnyWriteTx, InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { type LegalTexts, listDoubled, mergeLegal, NO_LEGAL_TEXTS, textName } from './legal.ts'
import { storeOrigins } from './origins.ts'
import {
  type Account,
  type AccountDetails,
  type ForgettingSettings,
  isReserved,
  type NewAccount,
  NO_FORGETTING,
  NO_SELLER,
  presentAccount,
  presentDetails,
  type ReceiptSettings,
  receiptDefaults,
  type Seller,
  type ServiceFee,
  toldOf,
} from './schemas.ts'
import * as store from './store.ts'

/** A new account has these values by default. */
export const DEFAULT_TIMEZONE = 'UTC'
export const DEFAULT_CURRENCY = 'EUR'
export const NO_SERVICE_FEE: ServiceFee = { basis_points: 0, per_ticket: 0 }

/** @throws Problem invalid_parameter if the e-mail belongs to another account */
export async function create(tx: AnyWriteTx, input: NewAccount): Promise<Account> {
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
    ...NO_LEGAL_TEXTS,
    ...receiptDefaults(input.currency),
    embed_origins: null,
    ...NO_FORGETTING,
    created_at: await tx.now(),
  }
  await store.insert(tx, row)
  return presentAccount(row)
}

/**
 * Changes the given fields. It writes nothing if they already have these values. The account keeps its keys, events and webhooks.
 * A legal text takes the place of the link, and a link that of the text.
 *
 * @throws Problem not_found; invalid_parameter for a legal text beside its link; already_taken for an `email` or `slug` of another account, and for a `slug` that an address of
 *   Turnout itself begins with
 */
export async function update(
  tx: WriteTx,
  {
    service_fee: fee,
    embed_origins: origins,
    ...changes
  }: Partial<
    NewAccount &
      Pick<AccountDetails, 'slug' | 'embed_origins'> &
      Seller &
      LegalTexts &
      ReceiptSettings &
      ForgettingSettings
  >,
): Promise<AccountDetails> {
  const [doubled] = listDoubled(changes)
  if (doubled !== undefined) throw new Problem('invalid_parameter', { param: textName(doubled) })
  const was = await store.complete(tx, await find(tx))
  const row = { ...was, ...changes, ...mergeLegal(was, changes) }
  if (fee !== undefined) {
    row.service_fee_basis_points = fee.basis_points
    row.service_fee_per_ticket = fee.per_ticket
  }
  if (origins !== undefined) row.embed_origins = storeOrigins(origins)
  row.forget_told_at = toldOf(was, row.forget_after_days)
  if (isDeepStrictEqual(row, was)) return getDetails(tx)
  const key = emailKey(row.email)
  if (await isOfAnother(tx, tx.accountId, key)) {
    throw new Problem('already_taken', { param: 'email', message: taken(row.email) })
  }
  if (row.slug !== null && (await isTaken(tx, row.slug))) {
    throw new Problem('already_taken', { param: 'slug' })
  }
  await store.update(tx, { ...row, email_key: key }, await tx.now())
  return getDetails(tx)
}

async function isOfAnother(tx: AnyReadTx, accountId: string | undefined, key: string): Promise<boolean> {
  const owner = await store.findByEmailKey(tx, key)
  return owner !== undefined && owner.id !== accountId
}

function taken(email: string): string {
  return `There is already an account with the e-mail ${email}.`
}

async function isTaken(tx: ReadTx, slug: string): Promise<boolean> {
  if (isReserved(slug)) return true
  return ((await store.findBySlug(tx, slug))?.id ?? tx.accountId) !== tx.accountId
}

/** Lists the accounts, oldest first. */
export async function list(tx: InstanceReadTx): Promise<Account[]> {
  return (await store.list(tx)).map(presentAccount)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx): Promise<Account> {
  return presentAccount(await find(tx))
}

/**
 * Returns an account with the fields that the command line does not show.
 *
 * @throws Problem not_found
 */
export async function getDetails(tx: ReadTx): Promise<AccountDetails> {
  return presentDetails(await find(tx))
}

/** Returns the legal texts that are written here, each null if there is none. @throws Problem not_found */
export async function getLegalTexts(tx: ReadTx): Promise<LegalTexts> {
  await find(tx)
  return store.findTexts(tx, tx.accountId)
}

/**
 * Returns the terms of an account, as Markdown, for its events without terms of their own. Terms that stand elsewhere are the
 * link to them.
 *
 * @returns null if it has none
 */
export async function findTerms(tx: ReadTx): Promise<string | null> {
  const { terms_text: text = null, terms_url: url = null } = (await store.findTerms(tx)) ?? {}
  return text ?? (url === null ? null : `<${new URL(url).href}>`)
}

/** Notes that the owners of the account were told that guests will be forgotten. */
export async function noteForgetTold(tx: WriteTx): Promise<void> {
  await store.setForgetTold(tx, await tx.now())
}

/** An amount in minor units. */
export interface Sum {
  amount: number
  currency: string
}

/**
 * Returns from which order on an invoice needs the postal address of the buyer. It is null if none does: who has no tax number
 * makes receipts, and no invoices.
 */
export async function findInvoiceFrom(tx: ReadTx): Promise<Sum | null> {
  const row = await store.findInvoiceFrom(tx)
  return row === undefined
    ? null
    : { amount: toMinor(row.invoice_from, row.currency), currency: row.currency }
}

async function find(tx: ReadTx): Promise<store.AccountRow> {
  const row = await store.find(tx, tx.accountId)
  if (row === undefined) throw new Problem('not_found', { message: `There is no account ${tx.accountId}.` })
  return row
}
