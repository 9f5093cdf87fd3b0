import type { ReadTx, WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import { type Account, type NewAccount, presentAccount, type ServiceFee } from './schemas.ts'
import * as store from './store.ts'

/** The defaults of an account. */
export const DEFAULT_TIMEZONE = 'UTC'
export const DEFAULT_CURRENCY = 'EUR'
export const NO_SERVICE_FEE: ServiceFee = { basis_points: 0, per_ticket: 0 }

/** @throws Problem invalid_parameter when the e-mail belongs to another account */
export async function create(tx: WriteTx, input: NewAccount): Promise<Account> {
  const id = newUuid()
  const row = {
    id,
    name: input.name,
    email: input.email,
    email_key: await refuseTaken(tx, id, input.email),
    timezone: input.timezone,
    currency: input.currency,
    service_fee_basis_points: input.service_fee.basis_points,
    service_fee_per_ticket: input.service_fee.per_ticket,
    created_at: await tx.now(),
  }
  await store.insert(tx, row)
  return presentAccount(row)
}

/**
 * Changes what an account is called, or known by. Its keys, events and webhooks stay its own.
 *
 * @throws Problem not_found; invalid_parameter when the e-mail belongs to another account
 */
export async function update(
  tx: WriteTx,
  accountId: string,
  input: { name?: string | undefined; email?: string | undefined },
): Promise<{ account: Account; changed: boolean }> {
  const current = await find(tx, accountId)
  const row = { ...current, name: input.name ?? current.name, email: input.email ?? current.email }
  const changed = row.name !== current.name || row.email !== current.email
  if (changed) {
    const key = await refuseTaken(tx, accountId, row.email)
    await store.update(tx, { ...row, email_key: key }, await tx.now())
  }
  return { account: presentAccount(row), changed }
}

/** @returns what the e-mail is compared by. @throws Problem invalid_parameter */
async function refuseTaken(tx: ReadTx, accountId: string, email: string): Promise<string> {
  const key = emailKey(email)
  const other = await store.findByEmailKey(tx, key)
  if (other !== undefined && other.id !== accountId) {
    throw new Problem('invalid_parameter', {
      message: `There is already an account with the e-mail ${email}.`,
    })
  }
  return key
}

/** Oldest first. */
export async function list(tx: ReadTx): Promise<Account[]> {
  return (await store.list(tx)).map(presentAccount)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string): Promise<Account> {
  return presentAccount(await find(tx, accountId))
}

async function find(tx: ReadTx, accountId: string): Promise<store.AccountRow> {
  const row = await store.find(tx, accountId)
  if (row === undefined) throw new Problem('not_found', { message: `There is no account ${accountId}.` })
  return row
}
