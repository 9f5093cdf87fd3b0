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
  const key = emailKey(input.email)
  if ((await store.findByEmailKey(tx, key)) !== undefined) {
    throw new Problem('invalid_parameter', {
      message: `There is already an account with the e-mail ${input.email}.`,
    })
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
    created_at: await tx.now(),
  }
  await store.insert(tx, row)
  return presentAccount(row)
}

/** Oldest first. */
export async function list(tx: ReadTx): Promise<Account[]> {
  return (await store.list(tx)).map(presentAccount)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string): Promise<Account> {
  const row = await store.find(tx, accountId)
  if (row === undefined) throw new Problem('not_found', { message: `There is no account ${accountId}.` })
  return presentAccount(row)
}
